import { devices } from '@playwright/test';
import { TABS, expect, findings, test } from './helpers';

test('axe finds nothing serious', async ({ board, page, browserName }) => {
  test.skip(browserName === 'firefox', 'the same page: in Firefox axe takes minutes');
  test.setTimeout(400_000);
  // Colours are judged as they are, not on their way to others.
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await board.open('renju-15/h8i9g7');
  for (const tab of TABS) {
    await board.tab(tab);
    if (tab === 'analysis') {
      await board.named('analyse').click();
      await expect(page.locator('.lines .line').first()).toBeVisible();
      await board.named('analyse').click();
    }
    expect(await findings(page)).toEqual([]);
  }
  await board.named('menu').click();
  expect(await findings(page)).toEqual([]);
  await page.keyboard.press('Escape');
  for (const name of ['menu.new', 'menu.open', 'menu.share', 'menu.settings', 'menu.help']) {
    if (name === 'menu.open' || name === 'menu.share') await board.menu(name);
    else await board.named(name).click();
    for (const more of await page.locator('dialog summary').all()) await more.click();
    expect(await findings(page)).toEqual([]);
    await page.keyboard.press('Escape');
  }
  await page.emulateMedia({ colorScheme: 'dark' });
  expect(await findings(page)).toEqual([]);
  await board.menu('setup.title');
  expect(await findings(page)).toEqual([]);
});

test('a game by keyboard alone', async ({ board, page }) => {
  await board.open();
  await page.keyboard.press('b');
  await expect(board.cell('h8')).toBeFocused();
  await page.keyboard.press('Enter');
  await board.expectStones(1);
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowUp');
  await expect(board.cell('i9')).toBeFocused();
  await page.keyboard.press('Enter');
  await board.expectStones(2);
  await page.keyboard.press('e');
  await board.expectStones(3);
  await page.keyboard.press('u');
  await board.expectStones(2);
  await page.keyboard.press('Home');
  await board.expectStones(0);
  await page.keyboard.press('End');
  await board.expectStones(3);
  await board.tab('analysis');
  await page.locator('body').press(' ');
  await expect(page.locator('[data-mark="candidate"]').first()).toBeVisible();
  await page.keyboard.press('n');
  await expect(page.getByRole('dialog')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
});

test('the names of points for screen readers', async ({ board }) => {
  await board.open('freestyle-15/h8i9');
  await expect(board.cell('h8')).toHaveAttribute('aria-label', 'h8: Black, 1');
  await expect(board.cell('i9')).toHaveAttribute('aria-label', 'i9: White, 2, last move');
  await expect(board.cell('a1')).toHaveAttribute('aria-label', 'a1: empty');
});

test('eight languages, English where a word is missing', async ({ board, page }) => {
  await board.open();
  const titles: Record<string, string> = {
    'zh-CN': '新对局', 'zh-TW': '新對局', ja: '新規対局', ko: '새 대국',
    ru: 'Новая игра', vi: 'Ván mới', cs: 'Nová hra', en: 'New game',
  };
  for (const [code, title] of Object.entries(titles)) {
    await board.named('menu.settings').click();
    await board.named('language').selectOption(code);
    await page.keyboard.press('Escape');
    await expect(board.named('menu.new')).toHaveText(title);
    await expect(page.locator('html')).toHaveAttribute('lang', code);
  }
});

test.describe('on a phone', () => {
  const { defaultBrowserType: _, ...phone } = devices['Pixel 7'];
  test.use(phone);
  test.skip(({ browserName }) => browserName === 'firefox', 'Firefox has no touch in tests');

  test('nothing is wider than the screen, and a tap plays', async ({ board, page }) => {
    await board.open();
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
    await board.cell('h8').tap();
    await board.expectStones(1);
    for (const tab of TABS) {
      await page.locator(`#tab-${tab}`).tap();
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
    }
  });

  test('a second tap confirms', async ({ board, page }) => {
    await board.quick({ touch: 'confirm' });
    await board.open();
    await board.cell('h8').tap();
    await board.expectStones(0);
    await expect(page.locator('.hover-stone')).toHaveCount(1);
    await board.cell('h8').tap();
    await board.expectStones(1);
  });

  test('a second tap confirms what is set up, on stones too', async ({ board, page }) => {
    await board.quick({ touch: 'confirm' });
    await board.open('freestyle-15/h8');
    await board.menu('setup.title');
    await board.named('setup.white').click();
    for (const point of ['h8', 'i9']) {
      await board.cell(point).tap();
      await expect(page.locator('.hover-stone')).toHaveCount(1);
      await board.cell(point).tap();
      await expect(board.cell(point)).toHaveAttribute('aria-label', /White/);
    }
    await board.expectStones(2);
  });

  test('a finger slides to the point', async ({ board, page }) => {
    await board.quick({ touch: 'slide' });
    await board.open();
    const box = (await board.cell('h8').boundingBox())!;
    const at = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
    const client = await page.context().newCDPSession(page);
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', y: number) =>
      client.send('Input.dispatchTouchEvent', {
        type,
        touchPoints: type === 'touchEnd' ? [] : [{ x: at.x, y }],
      });
    await touch('touchStart', at.y + 60);
    await touch('touchMove', at.y + 1.5 * box.height);
    await touch('touchEnd', at.y);
    await board.expectStones(1);
    await expect(board.cell('h8')).toHaveAttribute('aria-label', /Black/);
  });
});
