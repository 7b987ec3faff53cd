import { readFileSync } from 'node:fs';
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
    await expect(board.page.locator('.notice.bad')).toHaveCount(0);
    // The record names the rule of an opening that was gone through to its end, and no other.
    const download = board.page.waitForEvent('download');
    await board.menu('menu.save');
    expect(readFileSync(await (await download).path(), 'utf8')).toContain(`XO[${opening}`);
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
  // The headline names the choice too: on a phone the buttons stand below the board.
  await expect(board.named('turn')).toHaveText('Choose your colour');
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
  // It takes a colour, or adds two stones and lets the user choose.
  await expect(board.named('notice').or(board.named('take-black'))).toHaveText(/takes (Black|White)|Play Black/);
  await expect(board.named('turn')).toHaveText(/to move|Your move/);
  const stones = await board.page.locator('[data-cell="black"], [data-cell="white"]').count();
  const isAdded = await board.named('take-black').isVisible();
  await expect(board.named('guide')).toHaveCount(isAdded ? 1 : 0);
  expect(isAdded ? [5] : [3, 4]).toContain(stones);
});

test('a colour that was chosen by mistake is taken back', async ({ board }) => {
  await board.open();
  await board.newGame({ opening: 'swap2', user: 'second' });
  await board.expectStones(3);
  await board.named('take-black').click();
  await board.expectStones(4);
  await board.named('take-back').click();
  await board.expectStones(3);
  await board.named('take-white').click();
  await expect(board.named('guide')).toHaveCount(0);
  await expect(board.named('turn')).toHaveText('Your move');
});

test('an opening in which the game is given up does not go on', async ({ board }) => {
  await board.open();
  await board.newGame({ opening: 'swap2', user: 'both' });
  await board.click('h8');
  await board.named('resign').click();
  await expect(board.named('guide')).toHaveCount(0);
  await board.click('i9');
  await board.expectStones(1);
  await board.named('take-back').click();
  await expect(board.named('guide')).toContainText('Put stone 2');
});

test('a reload in the middle of an opening goes on', async ({ board, page }) => {
  await board.open();
  await board.newGame({ opening: 'swap2', user: 'both' });
  await board.click('h8 i9');
  await page.reload();
  await expect(board.named('guide')).toContainText('Put stone 3');
  await board.expectStones(2);
});
