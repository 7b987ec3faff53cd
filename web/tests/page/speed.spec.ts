import { expect, test } from './helpers';

test('ready within 300 ms, a candidate within 500 ms, stopped within 200 ms', async ({ board, page }) => {
  await board.open('freestyle-15/h8h9');
  await page.reload();
  await page.waitForSelector('.board .cell');
  const ready = await page.evaluate(() => {
    const [entry] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
    const [paint] = performance.getEntriesByName('first-contentful-paint');
    return { loaded: entry!.domContentLoadedEventEnd, paint: paint?.startTime ?? 0 };
  });
  await board.tab('analysis');
  // Measured in the page, so that the tool's own way is not counted.
  const times = await page.evaluate(async () => {
    const seen = (selector: string, isThere: boolean) =>
      new Promise<void>((resolve) => {
        const look = () => !!document.querySelector(selector) === isThere && (watcher.disconnect(), resolve());
        const watcher = new MutationObserver(look);
        watcher.observe(document.body, { subtree: true, childList: true, attributes: true });
        look();
      });
    const button = document.querySelector<HTMLButtonElement>('[data-name="analyse"]')!;
    const start = performance.now();
    button.click();
    await seen('[data-mark="candidate"]', true);
    const candidate = performance.now() - start;
    document.querySelector<HTMLElement>('#tab-play')!.click();
    await new Promise((resolve) => setTimeout(resolve, 100));
    return { candidate };
  });
  await board.tab('analysis');
  await board.named('analyse').click();
  await expect(board.named('analyse')).toHaveAttribute('aria-pressed', 'false');
  // A move that may take an hour is stopped: from the click to the stone on the board.
  await board.tab('play');
  await board.named('level').selectOption('100');
  await board.named('limit-kind').selectOption('time');
  await board.type('limit', '3600');
  await board.named('limit').blur();
  await board.named('engine-move').click();
  await page.waitForTimeout(1500);
  const stop = await page.evaluate(async () => {
    const count = () => document.querySelectorAll('[data-cell="black"], [data-cell="white"]').length;
    const before = count();
    const start = performance.now();
    document.querySelector<HTMLButtonElement>('[data-name="move-now"]')!.click();
    while (count() === before) await new Promise((resolve) => setTimeout(resolve, 2));
    return performance.now() - start;
  });
  console.log(JSON.stringify({ ...ready, ...times, stop }));
  // Times say nothing where other work has the machine: they are held to only where that is asked for.
  if (!process.env['TENGEN_TIMES']) return;
  expect(ready.loaded).toBeLessThan(300);
  expect(times.candidate).toBeLessThan(500);
  expect(stop).toBeLessThan(200);
});
