import { expect, isSite, test } from './helpers';

for (const rule of ['freestyle', 'standard', 'renju', 'caro', 'caro9']) {
  test(`a game of ${rule} to its end`, async ({ board, page }) => {
    await board.open();
    await board.newGame({ rule, user: 'none' });
    await expect(board.named('turn')).toHaveText(/wins|Draw/, { timeout: 90_000 });
    const ending = (await board.named('turn').textContent()) ?? '';
    const wins = page.locator('[data-mark="win"]');
    if (/Draw/.test(ending)) return;
    if (!/forbidden/.test(ending)) return expect(await wins.count()).toBeGreaterThanOrEqual(5);
    // Black plays on a forbidden point where no other is left.
    await board.named('nav.back').click();
    const stones = await page.locator('[data-cell="black"], [data-cell="white"]').count();
    await expect(page.locator('[data-mark="forbidden"]')).toHaveCount(225 - stones);
  });
}

for (const side of [5, 22]) {
  test(`a board of ${side}x${side}`, async ({ board, page }) => {
    await board.open();
    await board.newGame({ side, user: 'first' });
    await expect(page.locator('.cell')).toHaveCount(side * side);
    await board.click('c3');
    await board.expectStones(2);
  });
}

test('the engine answers with either colour', async ({ board }) => {
  await board.open();
  await board.newGame({ user: 'first' });
  await board.click('h8');
  await board.expectStones(2);
  await board.newGame({ user: 'second' });
  await board.expectStones(1);
  await board.click('a1');
  await board.expectStones(3);
});

test('an occupied cell is refused', async ({ board }) => {
  await board.open();
  await board.newGame({ user: 'both' });
  await board.click('h8 h8 i9 h8 i9');
  await board.expectStones(2);
});

test('limits by time, depth and nodes, and levels', async ({ board }) => {
  await board.open();
  await board.newGame({ user: 'both' });
  let stones = 0;
  for (const [kind, value] of [['time', '0.3'], ['depth', '3'], ['nodes', '2000']] as const) {
    await board.named('limit-kind').selectOption(kind);
    await board.type('limit', value);
    await board.named('limit').blur();
    await board.named('level').selectOption(kind === 'time' ? '0' : '100');
    await board.named('engine-move').click();
    stones += 1;
    await board.expectStones(stones);
    await board.named('engine-move').click();
    stones += 1;
    await board.expectStones(stones);
  }
});

test('forbidden points are shown, and refused', async ({ board, page }) => {
  await board.open('renju-15/i8a1j8a3h9c1h10o15');
  await expect(page.locator('[data-mark="forbidden"]').first()).toBeVisible();
  await expect(board.cell('h8')).toHaveAttribute('aria-label', /forbidden/);
  await board.click('h8');
  await expect(board.named('notice')).toHaveText(/must not/);
  await board.expectStones(8);
});

test('only forbidden points left: the engine plays one and loses', async ({ board }) => {
  const blocked: string[] = [];
  for (const row of [2, 3, 4, 5]) for (const column of 'abcdef') blocked.push(column + row);
  await board.open(`renju-6x5/b:a1b1c1e1f1/x:${blocked.join('')}/t:b/`);
  await board.named('engine-move').click();
  await expect(board.named('turn')).toHaveText(/White wins/);
  await board.expectStones(6);
});

test('White moves first, and blocked points', async ({ board, page }) => {
  await board.open();
  await board.menu('setup.title');
  await board.named('setup-clear').click();
  await board.named('setup.black').click();
  await board.click('h8');
  await board.named('setup.white').click();
  await board.click('i9');
  await board.named('setup.blocked').click();
  await board.click('a1');
  await board.named('white-first').check();
  await board.named('setup-done').click();
  await expect(board.named('turn')).toHaveText('White to move');
  await expect(page.locator('[data-cell="blocked"]')).toHaveCount(1);
  await board.click('a1');
  await board.expectStones(2);
  await board.click('g7');
  await expect(page.locator('[data-cell="white"]')).toHaveCount(2);
  await board.named('engine-move').click();
  await board.expectStones(4);
});

test('clocks run, and a move gives the increment', async ({ board, page }) => {
  await board.quick({ 'game-minutes': 1, 'increment-seconds': 5 });
  await board.open();
  await board.newGame({ user: 'first' });
  await expect(page.locator('.clock.running')).toHaveText('0:59', { timeout: 5000 });
  await board.click('h8');
  await board.expectStones(2);
  await expect(page.locator('.clock').first()).toHaveText(/^1:0[0-5]$/);
  await expect(page.locator('.clock.running')).toHaveText(/^1:0[0-3]$/);
  await page.reload();
  await expect(page.locator('.clock')).toHaveCount(2);
  await expect(page.locator('.clock.running')).toHaveText(/^(1:0[0-3]|0:5\d)$/);
  await expect(page.locator('.clock.running')).toHaveText(/^0:5\d$/);
});

test('a clock chosen for another game, which is not begun, changes nothing', async ({ board, page }) => {
  await board.quick({ 'game-minutes': 1, 'increment-seconds': 5 });
  await board.open();
  await board.newGame({ user: 'both' });
  await board.named('menu.new').click();
  await board.named('more').click();
  await board.type('clock', '9');
  await board.type('increment', '50');
  await board.named('increment').blur();
  await page.keyboard.press('Escape');
  await page.reload();
  await board.click('h8');
  await expect(page.locator('.clock').first()).toHaveText(/^1:0[0-5]$/);
});

test('take back and resign', async ({ board }) => {
  await board.open();
  await board.newGame({ user: 'first' });
  await board.click('h8');
  await board.expectStones(2);
  await board.named('take-back').click();
  await board.expectStones(0);
  await board.click('h8');
  await board.expectStones(2);
  await board.named('resign').click();
  await expect(board.named('turn')).toHaveText(/White wins/);
});

test('the first visit: one tap, and Tengen answers', async ({ board, page }) => {
  await page.goto(isSite ? new URL('#', process.env['TENGEN_URL']).href : process.env['TENGEN_URL']!);
  await expect(board.named('turn')).toHaveText('You are Black. Put a stone.');
  await expect(board.named('side-white')).toContainText('Tengen');
  await expect(board.named('side-white')).toContainText('Easy');
  await board.click('h8');
  await board.expectStones(2);
  await expect(board.named('turn')).toHaveText('Your move');
});

test('a side is given to Tengen and back at any time', async ({ board, page }) => {
  await board.open('renju-15/h8i9g7');
  await board.named('side-white').click();
  await board.expectStones(4);
  await expect(board.named('turn')).toHaveText('Your move');
  await board.named('side-white').click();
  await board.click('a1 a3');
  await board.expectStones(6);
  // Both sides: the game goes on by itself, until one is taken back.
  await board.named('side-black').click();
  await board.named('side-white').click();
  await expect.poll(() => page.locator('[data-cell="black"], [data-cell="white"]').count()).toBeGreaterThan(8);
});

test('a game that ends shows what may come next', async ({ board }) => {
  await board.open();
  await board.newGame({ user: 'first' });
  await board.click('h8');
  await board.expectStones(2);
  await board.named('resign').click();
  await expect(board.named('end-card')).toContainText('White wins: the other side resigned');
  await board.named('nav.back').click();
  await expect(board.named('end-card')).toHaveCount(0);
  await board.named('nav.forward').click();
  await board.named('rematch').click();
  await expect(board.named('end-card')).toHaveCount(0);
  await expect(board.named('side-black')).toContainText('Tengen');
  await board.expectStones(1);
  await board.named('resign').click();
  // The card does not cover a board that is set up.
  await expect(board.named('end-card')).toHaveCount(1);
  await board.menu('setup.title');
  await expect(board.named('end-card')).toHaveCount(0);
  await board.named('setup-cancel').click();
  await board.named('end-review').click();
  await expect(board.named('end-card')).toHaveCount(0);
  await expect(board.page.locator('#tab-review')).toHaveAttribute('aria-selected', 'true');
});
