// The board for every hand: keyboard alone, screen readers, small and low screens, fingers, the wheel.
import { devices } from '@playwright/test';
import type { Page } from '@playwright/test';
import { expect, isSite, test } from './helpers';

/** The focused element, by its name in tests. */
const focused = (page: Page) =>
  page.evaluate(() => {
    const at = document.activeElement!;
    return at.getAttribute('data-name') ?? at.getAttribute('data-cell-at') ?? at.id;
  });

test('one Tab passes the board, arrows walk on it, and Tab comes back to where they were', async ({ board, page }) => {
  await board.open('freestyle-15/');
  const seen: string[] = [];
  while (seen.at(-1) !== 'tab-play' && seen.length < 40) {
    await page.keyboard.press('Tab');
    seen.push(await focused(page));
  }
  expect(seen.filter((name) => /^\d+,\d+$/.test(name))).toEqual(['7,7']);
  expect(seen.at(-1)).toBe('tab-play');
  await page.keyboard.press('b');
  for (const key of ['ArrowRight', 'ArrowRight', 'ArrowUp']) await page.keyboard.press(key);
  await expect(board.cell('j9')).toBeFocused();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Shift+Tab');
  await expect(board.cell('j9')).toBeFocused();
});

test('a game by keyboard alone against the engine, and what a screen reader hears', async ({ board, page }) => {
  await board.quick({ level: 100 });
  await board.open('freestyle-15/h8a1i8a3j8a5');
  const heard: string[] = [];
  await page.exposeFunction('hear', (text: string) => void heard.push(text));
  await page.evaluate(() => {
    const region = document.querySelector('[data-name="spoken"]')!;
    new MutationObserver(() => (window as unknown as { hear(text: string): void }).hear(region.textContent!)).observe(
      region,
      { subtree: true, childList: true, characterData: true },
    );
  });
  // White is given to Tengen.
  await board.named('side-white').focus();
  await page.keyboard.press('Enter');
  await page.keyboard.press('b');
  for (let i = 0; i < 4; i += 1) await page.keyboard.press('ArrowDown');
  // k8 makes four: both ends are open.
  await page.keyboard.press('b');
  for (let i = 0; i < 4; i += 1) await page.keyboard.press('ArrowUp');
  for (let i = 0; i < 3; i += 1) await page.keyboard.press('ArrowRight');
  await expect(board.cell('k8')).toBeFocused();
  await page.keyboard.press('Enter');
  await board.expectStones(8);
  await expect(board.named('turn')).toHaveText('Your move');
  await expect(board.cell('k8')).toBeFocused();
  const reply = (await page.locator('.moves-list [aria-current]').textContent())!;
  expect(reply).toMatch(/^8\. (g8|l8)$/);
  const winning = reply.endsWith('g8') ? 'l8' : 'g8';
  const steps = winning === 'l8' ? ['ArrowRight'] : ['ArrowLeft', 'ArrowLeft', 'ArrowLeft', 'ArrowLeft'];
  for (const key of steps) await page.keyboard.press(key);
  await page.keyboard.press('Enter');
  await expect(board.named('turn')).toHaveText('Black wins');
  await expect.poll(() => heard.at(-1)).toBe(`You: ${winning}. Black wins`);
  expect(heard.some((text) => /^You: k8\. Threatens five: g8 l8\. /.test(text))).toBe(true);
  expect(heard.some((text) => text.startsWith(`Tengen: ${reply.slice(3)}.`) && text.endsWith('Your move'))).toBe(true);
});

test('the moves are a list of text, one Tab away, and arrows go through it', async ({ board, page }) => {
  await board.open('freestyle-15/h8i9g7');
  const list = page.locator('.moves-list button');
  await expect(list).toHaveText(['Start', '1. h8', '2. i9', '3. g7']);
  await list.last().focus();
  await page.keyboard.press('ArrowLeft');
  await expect(list.nth(2)).toBeFocused();
  await expect(list.nth(2)).toHaveAttribute('aria-current', 'step');
  await board.expectStones(2);
  await list.first().click();
  await board.expectStones(0);
});

test('arrows work after a checkbox, Enter and Escape give the focus back to the board', async ({ board, page }) => {
  await board.open('freestyle-15/h8i9');
  await board.tab('analysis');
  await board.named('threats').check();
  await page.keyboard.press('ArrowLeft');
  await board.expectStones(1);
  await page.keyboard.press('Escape');
  await expect(board.cell('h8')).toBeFocused();
  await board.type('lines', '3');
  await page.keyboard.press('Enter');
  await expect(board.cell('h8')).toBeFocused();
  await expect(board.named('lines')).toHaveValue('3');
  // Enter in a field has not put a stone, and on the board it does.
  await board.expectStones(1);
});

test('errors stand in the dialog, beside their field, and are spoken', async ({ board, page }) => {
  await board.open();
  await board.menu('menu.open');
  await board.named('open-text').fill('this is no game');
  await board.named('open-ok').click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.locator('[role="status"] [data-name="notice"]')).toBeVisible();
  await expect(board.named('open-text')).toHaveAttribute('aria-invalid', 'true');
  await page.keyboard.press('Escape');
  await board.named('menu.settings').click();
  await board.type('hash', '0');
  await board.named('hash').blur();
  await expect(dialog.getByRole('alert')).toHaveText(/^From 1 to \d+$/);
  await expect(board.named('hash')).toHaveValue('1');
  await board.type('hash', '16');
  await board.named('hash').blur();
  await expect(dialog.getByRole('alert')).toHaveCount(0);
});

test('threads and table are asked for as far as there are any', async ({ board, page }) => {
  test.skip(isSite, 'the bounds are those of the browser');
  await page.addInitScript(() => {
    if (location.protocol.startsWith('http')) localStorage.setItem('tengen.threads-used', '200');
  });
  await board.open();
  await board.named('menu.settings').click();
  // The server gives a board all processors, and its part of 2 GiB.
  const processors = String(await page.evaluate(() => navigator.hardwareConcurrency));
  await expect(board.named('threads')).toHaveValue(processors);
  await board.type('threads', '999');
  await board.named('threads').blur();
  await expect(page.getByRole('alert')).toHaveText(`From 1 to ${processors}`);
  await expect(board.named('threads')).toHaveValue(processors);
  await board.type('hash', '65536');
  await board.named('hash').blur();
  await expect(page.getByRole('alert').last()).toHaveText(/^From 1 to \d{2,3}$/);
});

test('the wheel on the board goes through the moves', async ({ board, page }) => {
  await board.open('freestyle-15/h8i9g7');
  await board.cell('a1').hover();
  await page.mouse.wheel(0, -100);
  await board.expectStones(2);
  await page.mouse.wheel(0, -100);
  await board.expectStones(1);
  await page.mouse.wheel(0, 100);
  await board.expectStones(2);
});

test('the board is turned and mirrored with its names, stones and keys', async ({ board, page }) => {
  await board.open('freestyle-20x15/a1b1');
  const box = async (label: string) => (await board.cell(label).boundingBox())!;
  expect((await box('a1')).y).toBeGreaterThan((await box('a15')).y);
  await board.named('turn-board').click();
  // By a quarter turn to the right the lower left corner is the upper left one.
  expect((await box('a1')).x).toBeLessThan((await box('a15')).x);
  expect((await box('a1')).y).toBeLessThan((await box('t1')).y);
  await board.click('c1');
  await expect(board.cell('c1')).toHaveAttribute('aria-label', /Black/);
  const stone = (await page.locator('[data-cell="black"]').first().boundingBox())!;
  expect(Math.abs(stone.x - (await box('a1')).x)).toBeLessThan(4);
  await board.cell('c1').focus();
  await page.keyboard.press('ArrowDown');
  await expect(board.cell('d1')).toBeFocused();
  await board.named('mirror-board').click();
  expect((await box('a1')).x).toBeGreaterThan((await box('a15')).x);
  await page.reload();
  expect((await box('a1')).x).toBeGreaterThan((await box('a15')).x);
});

test('numbers stand on stones until the button at the board takes them away', async ({ board, page }) => {
  await board.open('freestyle-15/h8i9');
  await expect(page.locator('[data-cell="white"]')).toHaveText('2');
  await board.named('toggle-numbers').click();
  await expect(page.locator('[data-cell="white"]')).toHaveText('');
  await expect(board.named('toggle-numbers')).toHaveAttribute('aria-pressed', 'false');
});

test('a running analysis is seen and stopped in every tab, its value at the board', async ({ board, page }) => {
  await board.open('freestyle-15/h8j10');
  await board.tab('analysis');
  await board.named('analyse').click();
  await expect(board.named('rate-bar')).toBeVisible();
  await board.tab('play');
  await expect(board.named('work')).toContainText(/Depth \d+ · \d+\.\d s/);
  await board.named('stop-work').click();
  await expect(board.named('work')).toHaveCount(0);
  await board.tab('analysis');
  await expect(board.named('analyse')).toHaveAttribute('aria-pressed', 'false');
  const line = page.locator('.lines .line').first();
  await expect(line).not.toHaveClass(/whole/);
  await board.named('whole-line').first().click();
  await expect(line).toHaveClass(/whole/);
  expect(await line.locator('.moves').evaluate((at) => at.scrollWidth <= at.clientWidth)).toBe(true);
});

test('a forced win is shown with all its moves', async ({ board, page }) => {
  await board.open('freestyle-15/h8a1i8a3j8a5');
  await board.tab('analysis');
  await board.named('analyse').click();
  // The first two lines are open fours, after which any move wins; of the third one the engine gives all.
  const line = page.locator('.lines .line').nth(2);
  await expect(line.locator('.rate')).toHaveText(/^\+M\d\d/);
  await expect(line).toHaveClass(/whole/);
  expect(await line.locator('.ply').count()).toBeGreaterThan(9);
  expect(await line.locator('.moves').evaluate((at) => at.scrollWidth <= at.clientWidth)).toBe(true);
});

test('small sounds for stones, off by default', async ({ board, page }) => {
  await page.addInitScript(() => {
    const tones: number[] = [];
    const node = { connect: (next: unknown) => next, start: () => tones.push(1), stop: () => undefined };
    const value = { setValueAtTime: () => undefined, exponentialRampToValueAtTime: () => undefined };
    class Audio {
      readonly currentTime = 0;
      createOscillator = () => ({ ...node, frequency: value });
      createGain = () => ({ ...node, gain: value });
    }
    Object.assign(window, { tones, AudioContext: Audio });
  });
  const tones = () => page.evaluate(() => (window as unknown as { tones: number[] }).tones.length);
  await board.open('freestyle-15/h8');
  await board.click('i9');
  expect(await tones()).toBe(0);
  await board.named('menu.settings').click();
  await board.named('sounds').check();
  await page.keyboard.press('Escape');
  await board.click('j9');
  expect(await tones()).toBe(1);
  await board.named('nav.back').click();
  expect(await tones()).toBe(1);
});

for (const [name, width, height] of [
  ['a screen', 1280, 800],
  ['a tablet', 820, 1180],
  ['a phone on its side', 740, 360],
  ['a phone', 390, 844],
  ['a page at 200 %', 640, 400],
  ['half a window', 640, 800],
] as const) {
  test(`the board fits on ${name} (${width}x${height}), with the turn and the buttons of the moves`, async ({ board, page }) => {
    await page.setViewportSize({ width, height });
    for (const position of ['freestyle-15/h8i9', 'freestyle-22/h8', 'freestyle-22x8/']) {
      await board.open(position);
      const places = await page.evaluate(() =>
        ['.board', '[data-name="turn"]', '[data-name="side-black"]', '[data-name="nav.back"]', '#tab-play'].map((at) => {
          const { left, top, right, bottom } = document.querySelector(at)!.getBoundingClientRect();
          return left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight;
        }),
      );
      expect(places).toEqual([true, true, true, true, true]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
    }
    const cell = (await board.cell('a1').boundingBox())!;
    expect(cell.width).toBeGreaterThan(8);
  });
}

test('with byo-yomi both players keep their names and clocks on every screen', async ({ board, page }) => {
  await board.quick({ 'game-minutes': 60, periods: 10, level: 70, 'new-user': 'first', language: 'ru' });
  await board.open();
  await board.named('menu.new').click();
  await board.named('start').click();
  await expect(page.locator('.clock')).toHaveCount(2);
  for (const [width, height] of [[1280, 800], [820, 1180], [844, 390], [740, 360], [640, 400], [390, 844], [320, 640]] as const) {
    await page.setViewportSize({ width, height });
    const places = await page.locator('.side').evaluateAll((sides) =>
      sides.map((side) => {
        const { right } = side.getBoundingClientRect();
        const name = side.querySelector('.name')!;
        const clock = side.querySelector('.clock')!.getBoundingClientRect();
        return name.scrollWidth <= name.clientWidth && clock.right <= right && right <= innerWidth;
      }),
    );
    expect([width, height, ...places]).toEqual([width, height, true, true]);
  }
});

test('the card at the end of a game lies on the board of every screen, with all its buttons', async ({ board, page }) => {
  await board.quick({ language: 'ru' });
  await board.open('freestyle-15/h8a1i8a3j8a5k8a7');
  await board.click('l8');
  await expect(board.named('end-card')).toBeVisible();
  for (const [width, height] of [[1280, 800], [820, 1180], [740, 360], [640, 400], [390, 844]] as const) {
    await page.setViewportSize({ width, height });
    const isOnBoard = await board.named('end-card').evaluate((card) => {
      const frame = card.parentElement!.getBoundingClientRect();
      return [card, ...card.querySelectorAll('button')].every((at) => {
        const { left, top, right, bottom } = at.getBoundingClientRect();
        return left >= frame.left && right <= frame.right && top >= frame.top && bottom <= Math.min(frame.bottom, innerHeight);
      });
    });
    expect([width, height, isOnBoard]).toEqual([width, height, true]);
  }
});

test.describe('with fingers', () => {
  const { defaultBrowserType: _, ...phone } = devices['Pixel 7'];
  test.use(phone);
  test.skip(({ browserName }) => browserName === 'firefox', 'Firefox has no touch in tests');
  test.skip(({ browserName }) => browserName === 'firefox', 'Firefox has no touch in tests');

  test('every target has 44 pixels', async ({ board, page }) => {
    await board.open('freestyle-15/h8i9');
    for (const tab of ['play', 'analysis', 'review', 'problem']) {
      await page.locator(`#tab-${tab}`).tap();
      const small = await page.locator('button:visible, select:visible, label.toggle:visible').evaluateAll((all) =>
        all.flatMap((at) => {
          const { width, height } = at.getBoundingClientRect();
          return width < 43.5 || height < 43.5 ? [`${at.textContent} ${width}x${height}`] : [];
        }),
      );
      expect(small).toEqual([]);
    }
  });

  test('on its side the phone shows the board, the buttons and the tabs', async ({ board, page }) => {
    await page.setViewportSize({ width: 740, height: 360 });
    await board.open('freestyle-15/h8i9');
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
    const tab = (await page.locator('#tab-analysis').boundingBox())!;
    expect(tab.height).toBeGreaterThanOrEqual(43.5);
    await page.locator('#tab-analysis').tap();
    await expect(board.named('analyse')).toBeVisible();
    const cell = (await board.cell('h8').boundingBox())!;
    expect(cell.width).toBeGreaterThan(20);
  });

  test('a tap on a line previews it, its button plays it', async ({ board, page }) => {
    await board.open('freestyle-15/h8j10');
    await page.locator('#tab-analysis').tap();
    await board.named('analyse').tap();
    await expect.poll(() => page.locator('.lines .line').first().locator('.ply').count()).toBeGreaterThan(2);
    await board.named('analyse').tap();
    await page.locator('.lines .line').first().locator('.ply').nth(1).tap();
    await expect(page.locator('[data-cell="ghost"]')).toHaveCount(2);
    await board.expectStones(2);
    await board.named('play-line').first().tap();
    await board.expectStones(4);
  });

  test('on a large board, whose cells no finger hits, a second tap confirms', async ({ board }) => {
    await board.open('freestyle-22/');
    await board.cell('h8').tap();
    await expect(board.named('notice')).toHaveText('Tap again to put the stone');
    await board.expectStones(0);
    await board.cell('h8').tap();
    await board.expectStones(1);
  });
});
