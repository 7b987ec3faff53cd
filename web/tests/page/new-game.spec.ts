// A new game in three choices, clocks, the header, the rules, and what a record says at the board.
import { devices } from '@playwright/test';
import { expect, test } from './helpers';

test('a new game in three choices, which are kept for the next one', async ({ board, page }) => {
  const chosen = (name: string) => page.locator(`input[name="${name}"]:checked`);
  await board.open();
  await board.named('menu.new').click();
  await page.getByRole('radio', { name: 'Club player · 60' }).check();
  await page.getByRole('radio', { name: 'White' }).check();
  await page.getByRole('radio', { name: 'Renju' }).check();
  await expect(page.locator('.rule-about')).toHaveText('Black has forbidden points and needs exactly five.');
  await board.named('start').click();
  await expect(page.locator('.rule-name')).toHaveText('Renju 15×15');
  await expect(board.named('side-black')).toContainText('Tengen');
  await expect(board.named('side-black')).toContainText('Club player · 60');
  await board.expectStones(1);
  // An opened game of another rule changes nothing of that.
  await page.evaluate(() => (location.hash = 'standard-20/h8'));
  await board.named('menu.new').click();
  await expect(chosen('rule')).toHaveValue('renju');
  await expect(chosen('user')).toHaveValue('second');
  await board.named('more').click();
  await board.named('opening').selectOption('rif');
  await expect(page.locator('.more .hint')).toHaveText(/^One of 26 openings/);
  await expect(page.getByRole('radio', { name: 'Second' })).toBeChecked();
  await board.type('periods', '3');
  await board.named('periods').blur();
  await board.named('start').click();
  await page.reload();
  await board.named('menu.new').click();
  await expect(board.named('more')).toHaveText('More: 15×15 · RIF · 3×30 s');
  await expect(chosen('level')).toHaveValue('60');
  await expect(chosen('user')).toHaveValue('second');
  // By keyboard alone: arrows choose, Enter on the button begins.
  await chosen('level').focus();
  await page.keyboard.press('ArrowRight');
  await expect(chosen('level')).toHaveValue('70');
});

test('fields without an effect are disabled', async ({ board, page }) => {
  await board.open();
  await board.named('menu.new').click();
  await board.named('more').click();
  const field = (name: string) => page.locator(`dialog [data-name="${name}"]`);
  for (const name of ['increment', 'period']) await expect(field(name)).toBeDisabled();
  await expect(field('limit')).toBeEnabled();
  await board.type('clock', '5');
  await board.named('clock').blur();
  await expect(field('increment')).toBeEnabled();
  for (const name of ['limit', 'limit-kind', 'period']) await expect(field(name)).toBeDisabled();
  await page.locator('input[name="user"][value="both"]').check();
  await expect(page.locator('input[name="level"]').first()).toBeDisabled();
  await board.named('start').click();
  // The clocks of the game say what a move may cost.
  await expect(board.named('limit-kind')).toBeDisabled();
});

test('clocks with byo-yomi: periods wait, then they run', async ({ board, page }) => {
  await board.quick({ 'game-minutes': 0.1, 'increment-seconds': 0, periods: 3, 'period-seconds': 30 });
  await board.open();
  await board.newGame({ user: 'both' });
  await expect(page.locator('.clock').last()).toHaveText('0:06 +3×30');
  await expect(page.locator('.clock.running')).toHaveText(/^0:(30|29|28) \(3\)$/);
  await page.reload();
  await expect(page.locator('.clock.running')).toHaveText(/^0:2\d \(3\)$/);
  await board.click('h8');
  await expect(page.locator('.clock').first()).toHaveText('0:30 (3)');
});

test('a weaker Tengen takes a moment, which the page shows and the settings turn off', async ({ board, page }) => {
  await board.open();
  await board.named('menu.settings').click();
  await board.named('pause-before-move').check();
  await page.keyboard.press('Escape');
  await board.newGame({ user: 'first' });
  const answer = async (point: string, stones: number) => {
    const start = Date.now();
    await board.click(point);
    await expect(board.named('turn')).toHaveText('Tengen is thinking …');
    await expect(board.named('work').locator('.work-bar')).toBeAttached();
    await board.expectStones(stones);
    return Date.now() - start;
  };
  expect(await answer('h8', 2)).toBeGreaterThan(400);
  await board.named('menu.settings').click();
  await board.named('pause-before-move').uncheck();
  await page.keyboard.press('Escape');
  await board.click('a1');
  await board.expectStones(4);
});

test('a game of Tengen with itself pauses and goes on, in every tab', async ({ board, page }) => {
  const stones = page.locator('[data-cell="black"], [data-cell="white"]');
  // Full strength takes its three seconds a move: the game is not over before the test has looked at it.
  await board.quick({ level: 100 });
  await board.open();
  await board.named('limit-kind').selectOption('time');
  await board.newGame({ user: 'none' });
  await expect.poll(() => stones.count()).toBeGreaterThan(0);
  await board.tab('analysis');
  await board.named('stop-work').click();
  await expect(board.named('work')).toHaveCount(0);
  const count = await stones.count();
  await page.waitForTimeout(800);
  await board.expectStones(count);
  await board.tab('play');
  await board.named('go-on').click();
  await expect.poll(() => stones.count()).toBeGreaterThan(count);
  await board.named('pause').click();
  await expect(board.named('go-on')).toBeVisible();
});

test('the header: one filled button, a menu for the game, icons for settings and help', async ({ board, page }) => {
  await board.open('freestyle-15/h8');
  await expect(page.locator('.top-bar .primary')).toHaveCount(1);
  await expect(board.named('menu.share')).toBeHidden();
  await board.named('menu').focus();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  await expect(board.named('menu.games')).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(board.named('menu.games')).toBeHidden();
  await expect(board.named('menu')).toBeFocused();
  // Focus elsewhere or a press elsewhere closes the menu.
  await page.keyboard.press('Space');
  for (let i = 0; i < 6; i += 1) await page.keyboard.press('Tab');
  await expect(board.named('menu.settings')).toBeFocused();
  await expect(board.named('menu.games')).toBeHidden();
  await board.named('menu').click();
  await page.locator('.rule-name').click();
  await expect(board.named('menu.games')).toBeHidden();
  await expect(board.named('menu.settings')).toHaveAttribute('aria-label', 'Settings');
  await expect(board.named('menu.help')).toHaveAttribute('aria-label', 'Rules and keys');
});

test('rules and opening rules in a few lines, in eight languages', async ({ board, page }) => {
  await board.open('renju-15/');
  const seen = new Set<string>();
  for (const code of ['zh-CN', 'zh-TW', 'ja', 'ko', 'ru', 'vi', 'cs', 'en']) {
    await board.named('menu.settings').click();
    await board.named('language').selectOption(code);
    await expect(page.locator('html')).toHaveAttribute('lang', code);
    await page.keyboard.press('Escape');
    await board.named('menu.help').click();
    await board.named('help-openings').click();
    await expect(board.named('rules').locator('dd')).toHaveCount(5);
    await expect(page.locator('details[open] dd')).toHaveCount(13);
    const texts = await page.locator('dialog dd').allTextContents();
    for (const text of texts.slice(0, 18)) {
      expect(text.length).toBeGreaterThan(4);
      seen.add(`${code} ${text}`);
    }
    await page.keyboard.press('Escape');
  }
  expect(seen.size).toBe(8 * 18);
  // Hardly a line of one language is in another: the two ways to write Chinese share a few short ones.
  expect(new Set([...seen].map((text) => text.slice(text.indexOf(' ')))).size).toBeGreaterThan(8 * 18 - 6);
});

test('an opened record shows the names of its players, and ends an analysis', async ({ board }) => {
  await board.open('freestyle-15/h8');
  await board.tab('analysis');
  await board.named('analyse').click();
  await expect(board.named('work')).toBeVisible();
  await board.menu('menu.open');
  await board.named('open-text').fill('(;GM[4]SZ[15]RU[renju]PB[Ada]PW[Bo];B[hh];W[ii])');
  await board.named('open-ok').click();
  await board.expectStones(2);
  await expect(board.named('side-black')).toContainText('Ada');
  await expect(board.named('side-white')).toContainText('Bo');
  await expect(board.named('work')).toHaveCount(0);
  await expect(board.named('analyse')).toHaveAttribute('aria-pressed', 'false');
  // Who goes on against the engine is no player of the record.
  await board.named('side-white').click();
  await expect(board.named('side-black')).toContainText('You');
});

test('the review lists marked moves, or all', async ({ board, page }) => {
  await board.quick({ 'review-seconds': 0.05, 'marked-loss': 100 });
  await board.open('freestyle-15/h8i9g7a1');
  await board.tab('review');
  await board.named('review').click();
  await expect(page.locator('.summary')).toBeVisible();
  await expect(page.locator('.mistakes li')).toHaveCount(0);
  await expect(page.getByText('No move loses as much.')).toBeVisible();
  await board.named('all-moves').check();
  await expect(page.locator('.mistakes li')).toHaveCount(4);
  await expect(board.named('blunder-loss')).toBeDisabled();
  await page.locator('.mistakes button').nth(1).click();
  await board.expectStones(2);
});

test('the engine refuses in the language of the page', async ({ board }) => {
  await board.quick({ language: 'cs' });
  await board.open();
  await board.menu('menu.open');
  for (const [text, words] of [
    ['h8 i9 z99', 'Nelze přečíst: řádek 1: „z99“ není bod desky'],
    ['(;GM[4]SZ[99];B[hh])', 'Nelze přečíst: strana desky má 5 až 22'],
  ] as const) {
    await board.named('open-text').fill(text);
    await board.named('open-ok').click();
    await expect(board.named('notice')).toHaveText(words);
  }
});

for (const [width, height] of [[1280, 800], [820, 1180], [740, 360], [390, 844], [640, 400]] as const) {
  test(`header, new game and rules fit ${width}x${height}, and Start stays in sight`, async ({ board, page }) => {
    await page.setViewportSize({ width, height });
    await board.open();
    const inSight = async (name: string) => {
      const box = (await board.named(name).boundingBox())!;
      expect(box.x >= 0 && box.y >= 0 && box.x + box.width <= width && box.y + box.height <= height).toBe(true);
    };
    for (const name of ['menu.new', 'menu', 'menu.settings', 'menu.help']) await inSight(name);
    await board.named('menu').click();
    for (const name of ['menu.games', 'menu.open', 'menu.save', 'menu.share', 'setup.title']) await inSight(name);
    await page.keyboard.press('Escape');
    await board.named('menu.new').click();
    await inSight('start');
    await board.named('more').click();
    await inSight('start');
    expect(await page.locator('dialog').evaluate((at) => at.scrollWidth - at.clientWidth)).toBeLessThanOrEqual(0);
    await page.keyboard.press('Escape');
    await board.named('menu.help').click();
    expect(await page.locator('dialog').evaluate((at) => at.scrollWidth - at.clientWidth)).toBeLessThanOrEqual(0);
  });
}

test.describe('with fingers', () => {
  const { defaultBrowserType: _, ...phone } = devices['Pixel 7'];
  test.use(phone);
  test.skip(({ browserName }) => browserName === 'firefox', 'Firefox has no touch in tests');

  test('every target of the dialogs has 44 pixels', async ({ board, page }) => {
    await board.open();
    for (const name of ['menu.new', 'menu.help']) {
      await board.named(name).tap();
      for (const more of await page.locator('dialog summary').all()) await more.tap();
      const small = await page.locator('dialog').locator('button, select, .tile input, summary').evaluateAll((all) =>
        all.flatMap((at) => {
          const { width, height } = at.getBoundingClientRect();
          return width < 43.5 || height < 43.5 ? [`${at.outerHTML.slice(0, 80)} ${width}x${height}`] : [];
        }),
      );
      expect(small).toEqual([]);
      await page.locator('dialog header button').tap();
    }
  });
});
