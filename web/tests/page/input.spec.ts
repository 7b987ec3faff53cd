// What pointers and keys do, and what they leave alone.
import { devices } from '@playwright/test';
import type { Page } from '@playwright/test';
import { expect, isSite, test } from './helpers';

/** Presses the mouse at one place and releases it at another. */
async function drag(page: Page, from: { x: number; y: number }, to: { x: number; y: number }): Promise<void> {
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(to.x, to.y, { steps: 4 });
  await page.mouse.up();
}

/** The middle of what a locator finds. */
async function middle(found: ReturnType<Page['locator']>) {
  const { x, y, width, height } = (await found.boundingBox())!;
  return { x: x + width / 2, y: y + height / 2 };
}

test('only a pointer that was pressed on the board puts a stone', async ({ board, page }) => {
  await board.open();
  const [h8, i9] = [await middle(board.cell('h8')), await middle(board.cell('i9'))];
  const beside = await middle(page.locator('.rule-name'));
  await drag(page, beside, h8);
  // A press on the board is forgotten after a release outside.
  await drag(page, h8, beside);
  await drag(page, beside, h8);
  await board.expectStones(0);
  await drag(page, h8, i9);
  await board.expectStones(1);
  await expect(board.cell('i9')).toHaveAttribute('aria-label', /Black/);
});

test('a text selected beyond the edge of a dialog leaves it open, a click beside it does not', async ({ board, page }) => {
  await board.open();
  await board.menu('menu.open');
  await board.named('open-text').fill('h8 i9 h7');
  const field = await middle(board.named('open-text'));
  await drag(page, field, { x: 5, y: field.y });
  await expect(board.named('open-text')).toHaveValue('h8 i9 h7');
  await page.mouse.click(5, field.y);
  await expect(page.getByRole('dialog')).toHaveCount(0);
});

test('the focus goes back to where it was when a dialog has done its work', async ({ board, page }) => {
  await board.open();
  await board.newGame({ user: 'both' });
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(board.named('menu.new')).toBeFocused();
  await board.menu('menu.open');
  await board.named('open-text').fill('h8 i9');
  await board.named('open-ok').click();
  await board.expectStones(2);
  await expect(board.named('menu')).toBeFocused();
  // What closed late closes no other.
  await board.named('menu.help').click();
  await expect(page.getByRole('dialog')).toBeVisible();
});

test('while a position is set up, keys leave the game alone', async ({ board, page }) => {
  await board.open('freestyle-15/h8i9');
  await board.menu('setup.title');
  for (const key of ['ArrowLeft', 'Home', 'e', 'u', 'Space']) await page.locator('body').press(key);
  await page.keyboard.press('b');
  await expect(board.cell('h8')).toBeFocused();
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog')).toBeVisible();
  await page.keyboard.press('Escape');
  await board.named('setup-cancel').click();
  await board.expectStones(2);
});

test('a letter of another script stands for the Latin one of its place', async ({ board, page }) => {
  await board.open('freestyle-15/h8i9');
  const press = (key: string, code: string) =>
    page.locator('body').dispatchEvent('keydown', { key, code, bubbles: true, cancelable: true });
  // A layout of Latin letters has its own places: there it is no `u`.
  await press('ü', 'KeyU');
  await press('ш', 'KeyI');
  await board.expectStones(2);
  await press('г', 'KeyU');
  await board.expectStones(1);
  await press('и', 'KeyB');
  await expect(board.cell('h8')).toBeFocused();
});

test('the comment of a position that is forgotten goes', async ({ board }) => {
  test.skip(isSite, 'only a server keeps a database');
  await board.open('standard-15/h8i9g7');
  await board.tab('database');
  await board.named('use-database').check();
  await board.named('database-comment').fill('old');
  await board.named('store-comment').click();
  await board.named('nav.back').click();
  await board.named('nav.forward').click();
  await expect(board.named('database-comment')).toHaveValue('old');
  await board.named('forget').click();
  await expect(board.named('database-comment')).toHaveValue('');
});

test.describe('on a phone', () => {
  const { defaultBrowserType: _, ...phone } = devices['Pixel 7'];
  test.use(phone);
  test.skip(({ browserName }) => browserName === 'firefox', 'Firefox has no touch in tests');

  test('a first tap does not count in another position', async ({ board, page }) => {
    await board.quick({ touch: 'confirm' });
    await board.open('freestyle-15/h8i9');
    await board.cell('h7').tap();
    await expect(page.locator('.hover-stone')).toHaveCount(1);
    await board.named('nav.back').tap();
    await expect(page.locator('.hover-stone')).toHaveCount(0);
    await board.cell('h7').tap();
    await board.expectStones(1);
    await board.cell('h7').tap();
    await board.expectStones(2);
  });
});
