import { expect, test } from '../page/helpers';

test('the first move within 2 s of opening the page', async ({ board, page }) => {
  await board.quick({ 'limit-kind': 'depth', 'move-depth': 8 });
  await page.goto(`${process.env['TENGEN_URL']!}#freestyle-15/h8`, { waitUntil: 'commit' });
  // Asked for as soon as that can be done, by a click of the page itself.
  await page.waitForSelector('[data-name="engine-move"]:not([disabled])');
  const time = await page.evaluate(async () => {
    document.querySelector<HTMLButtonElement>('[data-name="engine-move"]')!.click();
    while (document.querySelectorAll('[data-cell="white"]').length === 0) {
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    return performance.now();
  });
  console.log(JSON.stringify({ 'first move': Math.round(time) }));
  if (process.env['TENGEN_TIMES']) expect(time).toBeLessThan(2000);
});
