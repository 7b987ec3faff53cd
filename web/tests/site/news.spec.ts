import { expect, test } from '../page/helpers';

test('screen readers are told that a network is loaded, and not each step of it', async ({ board, page }) => {
  await page.addInitScript(() => {
    const [said, shown] = [new Set<string>(), new Set<string>()];
    Object.assign(window, { said, shown });
    new MutationObserver(() => {
      for (const line of document.querySelectorAll('[role="status"] p')) said.add(line.textContent);
      for (const line of document.querySelectorAll('.news')) shown.add(line.textContent);
    }).observe(document, { subtree: true, childList: true, characterData: true });
  });
  await board.open();
  await expect(board.named('site.loaded')).toHaveCount(1);
  const [said, shown] = await page.evaluate(() => {
    const seen = window as unknown as { said: Set<string>; shown: Set<string> };
    return [[...seen.said], [...seen.shown]];
  });
  expect(said).toEqual(['The network is being loaded.', 'The network is loaded.']);
  expect(shown!.at(-1)).toBe('The network is being loaded: 100 %');
});
