import { expect, test } from './helpers';

const RULES = [
  'swap1', 'swap', 'swap2', 'pro', 'long-pro', 'rif', 'renju-swap', 'yamaguchi', 'tarannikov',
  'taraguchi', 'taraguchi-10', 'soosorv-8', 'designated',
];

for (const opening of RULES) {
  test(`the engine goes through ${opening}`, async ({ board }) => {
    await board.quick({ 'limit-kind': 'nodes', 'move-nodes': 3000 });
    await board.open();
    await board.newGame({ rule: 'renju', opening, user: 'none' });
    await expect(board.named('guide')).toHaveCount(0, { timeout: 60_000 });
    await expect(board.named('turn')).toHaveText(/wins|Draw|thinking|to move/);
    await expect(board.page.locator('.notice.bad')).toHaveCount(0);
    await board.page.locator('[data-name="nav.start"]').click();
  });
}

test('swap2 step by step, with two added stones', async ({ board }) => {
  await board.open();
  await board.newGame({ opening: 'swap2', user: 'both' });
  await expect(board.named('guide')).toContainText('Put stone 1: Black');
  await board.click('h8 i9 g7');
  await board.named('take-other').click();
  await board.click('a1 b2');
  await board.expectStones(5);
  await board.named('take-white').click();
  await expect(board.named('guide')).toHaveCount(0);
  await expect(board.named('turn')).toHaveText('White to move');
});

test('RIF: areas, the fourth stone, fifth stones, the choice', async ({ board, page }) => {
  await board.open();
  await board.newGame({ rule: 'renju', opening: 'rif', user: 'both' });
  await board.click('a1');
  await expect(board.named('notice')).toHaveText(/does not allow/);
  await board.click('h8 h9 i9');
  await board.named('take-black').click();
  await board.click('g7');
  await board.click('j10 f6');
  await expect(page.locator('[data-mark="offered"]')).toHaveCount(2);
  await board.click('f6');
  await expect(board.named('guide')).toHaveCount(0);
  await board.expectStones(5);
  await expect(page.locator('.opening-name')).toContainText('Kagetsu');
});

test('the user puts three stones and the engine chooses', async ({ board }) => {
  await board.open();
  await board.newGame({ opening: 'swap2', user: 'first' });
  await board.click('h8 i9 g7');
  await expect
    .poll(async () => board.page.locator('[data-cell="black"], [data-cell="white"]').count())
    .toBeGreaterThanOrEqual(3);
  await expect(board.named('turn')).not.toHaveText(/thinking/);
});

test('a reload in the middle of an opening goes on', async ({ board, page }) => {
  await board.open();
  await board.newGame({ opening: 'swap2', user: 'both' });
  await board.click('h8 i9');
  await page.reload();
  await expect(board.named('guide')).toContainText('Put stone 3');
  await board.expectStones(2);
});
