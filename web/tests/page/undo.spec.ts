// Nothing is ever lost: undo and redo, the list of games, and what is pasted or dropped.
import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { expect, findings, isSite, standIn, test } from './helpers';

/** Pastes a text where the focus is, as Ctrl-V does. */
async function paste(page: Page, text: string): Promise<void> {
  await page.evaluate((data) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', data);
    (document.activeElement ?? document.body).dispatchEvent(
      // Firefox takes the text alone.
      new ClipboardEvent('paste', { clipboardData, data, dataType: 'text/plain', bubbles: true, cancelable: true } as ClipboardEventInit),
    );
  }, text);
}

/** Holds a file over the page, and drops it. */
async function drop(page: Page, name: string, text: string): Promise<void> {
  await page.evaluate(
    ([file, data]) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([data!], file!));
      for (const type of ['dragover', 'drop']) {
        document.querySelector('.board')!.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }));
      }
    },
    [name, text],
  );
}

test('every change is undone and done again by keys and by buttons', async ({ board, page }) => {
  await board.open('freestyle-15/h8i9g7');
  await board.named('delete-branch').click();
  await board.expectStones(2);
  await board.named('notice-undo').click();
  await board.expectStones(3);
  await board.click('a1');
  await board.newGame({ rule: 'renju', user: 'both' });
  await board.expectStones(0);
  await page.keyboard.press('ControlOrMeta+z');
  await board.expectStones(4);
  await expect(page.locator('.rule-name')).toHaveText('Freestyle 15×15');
  await page.keyboard.press('ControlOrMeta+z');
  await board.expectStones(3);
  await board.named('redo').click();
  await board.expectStones(4);
  await page.keyboard.press('ControlOrMeta+y');
  await expect(page.locator('.rule-name')).toHaveText('Renju 15×15');
  await expect(board.named('redo')).toBeDisabled();
  await board.named('undo').click();
  await page.keyboard.press('ControlOrMeta+Shift+z');
  await expect(page.locator('.rule-name')).toHaveText('Renju 15×15');
  // Stones of an open set-up, and a cancelled set-up.
  await board.menu('setup.title');
  await board.click('h8 i9');
  await page.keyboard.press('ControlOrMeta+z');
  await board.expectStones(1);
  await board.named('setup-cancel').click();
  await board.expectStones(0);
  await page.keyboard.press('ControlOrMeta+z');
  await expect(board.named('setup-done')).toBeVisible();
  await board.expectStones(1);
  await board.named('setup-done').click();
  await page.evaluate(() => (location.hash = 'standard-20x15/k10'));
  await expect(page.locator('.rule-name')).toHaveText('Standard 20×15');
  await page.keyboard.press('ControlOrMeta+z');
  await expect(page.locator('.rule-name')).toHaveText('Renju 15×15');
  await expect(page).toHaveURL(/#renju-15\/b:h8/);
});

test('a text in a field is undone there, and the game is left alone', async ({ board, page }) => {
  await board.open('freestyle-15/h8i9');
  await page.locator('textarea.comment').pressSequentially('ab');
  await page.keyboard.press('ControlOrMeta+z');
  await board.expectStones(2);
});

test('a game that was played is in the list after all else is gone', async ({ board, page, context, browserName }) => {
  await board.open();
  await board.click('h8 i9 g7');
  await page.locator('textarea.comment').fill('worth keeping');
  await page.locator('textarea.comment').blur();
  await board.newGame({ rule: 'renju', user: 'both', side: 20 });
  // A closing page may fail to write its last change; the next page makes up for the loss.
  await page.evaluate(() => {
    const { put } = IDBObjectStore.prototype;
    IDBObjectStore.prototype.put = function (...values) {
      if ((values[0] as { rule?: string }).rule === 'renju') throw new DOMException('gone');
      return put.apply(this, values);
    };
  });
  await board.click('k10');
  await expect(page).toHaveURL(/k10$/);
  await page.reload();
  await page.waitForTimeout(600);
  await board.menu('menu.games');
  await expect(board.named('game-card')).toHaveCount(2);
  // The tab is closed: another one has a storage of its own.
  const other = await context.newPage();
  await other.goto(process.env['TENGEN_URL']!);
  await page.close();
  const named = (name: string) => other.locator(`[data-name="${name}"]`);
  await named('menu').click();
  await named('menu.games').click();
  await expect(named('game-card')).toHaveCount(2);
  await expect(named('game-card').first()).toContainText('Renju 20×20');
  await expect(named('game-card').last().locator('[data-cell="black"]')).toHaveCount(2);
  expect(await findings(other)).toEqual([]);
  await named('games-search').fill('freestyle h8');
  await expect(named('game-card')).toHaveCount(1);
  await named('games-search').fill('');
  await named('game-delete').first().click();
  await expect(named('game-card')).toHaveCount(1);
  await other.locator('dialog h2').click();
  await other.keyboard.press('ControlOrMeta+z');
  await expect(named('game-card')).toHaveCount(2);
  // The tests' Firefox has no downloads.
  if (browserName !== 'firefox') {
    const saved = other.waitForEvent('download');
    await named('games-export').click();
    const text = readFileSync(await (await saved).path(), 'utf8');
    expect(text).toContain('C[worth keeping]');
    expect(text.match(/^\(;FF/gm)).toHaveLength(2);
  }
  await named('game-card').last().click();
  await expect(other.locator('.rule-name')).toHaveText('Freestyle 15×15');
  await expect(other.locator('[data-cell="black"], [data-cell="white"]')).toHaveCount(3);
  await other.close();
});

test('a game that has no room in its tab comes back whole from the list', async ({ board, page }) => {
  await page.addInitScript(() => {
    const { setItem } = Storage.prototype;
    Storage.prototype.setItem = function (key, text) {
      if (key === 'tengen.game' && text.length > 4000) throw new DOMException('full', 'QuotaExceededError');
      setItem.call(this, key, text);
    };
  });
  await board.open('freestyle-15/h8i9');
  await page.locator('textarea.comment').fill('long '.repeat(1000));
  await page.locator('textarea.comment').blur();
  await page.waitForTimeout(600);
  await expect(board.named('notice')).toHaveCount(0);
  await page.reload();
  await board.expectStones(2);
  await expect(page.locator('textarea.comment')).toHaveValue(/^long long/);
  await expect(board.named('undo')).toBeDisabled();
  await board.click('a1');
  await page.waitForTimeout(600);
  await board.menu('menu.games');
  await expect(board.named('game-card')).toHaveCount(1);
});

test('two tabs never write over the game of each other', async ({ board, page, context }) => {
  await board.open();
  await board.click('h8 i9');
  await expect(page).toHaveURL(/h8i9$/);
  await page.waitForTimeout(400);
  const other = await context.newPage();
  await other.goto(process.env['TENGEN_URL']!);
  const named = (name: string) => other.locator(`[data-name="${name}"]`);
  await named('menu').click();
  await named('menu.games').click();
  await named('game-card').click();
  await expect(named('game-card')).toHaveCount(0);
  await board.click('a1');
  await page.waitForTimeout(600);
  await other.locator('.cell[aria-label^="b2:"]').click();
  await other.waitForTimeout(600);
  await named('menu').click();
  await named('menu.games').click();
  await expect(named('game-card')).toHaveCount(2);
  await other.close();
});

test('moves that are pasted keep the rule and the size that are shown, and this is said', async ({ board, page }) => {
  await board.open('renju-20/');
  await paste(page, '1. h8 i9 2. t20');
  await board.expectStones(3);
  await expect(page.locator('.rule-name')).toHaveText('Renju 20×20');
  await expect(board.named('notice')).toContainText('Renju 20×20');
  await expect(board.cell('t20')).toHaveAttribute('aria-label', /Black/);
  await paste(page, '(;GM[4]SZ[15];B[hh];W[ii])');
  await expect(page.locator('.rule-name')).toHaveText('Renju 15×15');
  await expect(board.named('notice')).toContainText('Renju 15×15');
  await paste(page, '(;GM[4]SZ[15]RU[standard];B[hh])');
  await expect(page.locator('.rule-name')).toHaveText('Standard 15×15');
  await page.keyboard.press('ControlOrMeta+z');
  await page.keyboard.press('ControlOrMeta+z');
  await expect(page.locator('.rule-name')).toHaveText('Renju 20×20');
  await board.expectStones(3);
});

test('a file is dropped on the board; several games are a list to choose from', async ({ board, page, browserName }) => {
  await board.open('freestyle-15/a1');
  await drop(page, 'game.psq', 'Piskvorky 15x15, 11:11, 0\n8,8,0\n9,9,0\n7,7,0\n');
  await board.expectStones(3);
  const games = ['Ada', 'Bo', 'Cy'].map((name, i) => `(;GM[4]SZ[15]RU[renju]PB[${name}]DT[2026-01-0${i + 1}];B[hh]${';W[ii]'.repeat(i > 0 ? 1 : 0)})`);
  await drop(page, 'games.sgf', games.join('\n'));
  await expect(board.named('game-card')).toHaveCount(3);
  await board.named('games-search').fill('bo');
  await expect(board.named('game-card')).toHaveCount(1);
  expect(await findings(page)).toEqual([]);
  await board.named('game-card').click();
  await board.expectStones(2);
  await expect(page.locator('.rule-name')).toHaveText('Renju 15×15');
  // The other games of the file are still at hand.
  await board.menu('menu.open');
  await board.named('open-again').click();
  await board.named('game-card').first().click();
  await board.expectStones(1);
  // Files are named by players and date.
  if (browserName === 'firefox') return;
  const download = page.waitForEvent('download');
  await board.menu('menu.save');
  expect((await download).suggestedFilename()).toBe('Ada-You-2026-01-01.sgf');
});

test('a link that is opened in the tab of a game gives it back', async ({ board, page }) => {
  await board.open('freestyle-15/h8i9h7');
  await page.keyboard.press('ArrowLeft');
  await board.click('g7');
  await page.locator('textarea.comment').fill('my note');
  const nodes = await page.locator('.tree-node').count();
  await page.evaluate(() => (location.hash = 'renju-15/h8j10'));
  await board.expectStones(2);
  await expect(board.named('notice')).toHaveText(/Another game is on the board/);
  await board.named('notice-undo').click();
  await board.expectStones(3);
  await expect(page.locator('textarea.comment')).toHaveValue('my note');
  expect(nodes).toBeGreaterThanOrEqual(4);
  await expect(page.locator('.tree-node')).toHaveCount(nodes);
  await expect(page).toHaveURL(/#freestyle-15\/h8i9g7$/);
});

test('a broken link is told, and leaves the board and its address', async ({ board, page }) => {
  await board.open('freestyle-15/h8i9');
  for (const [link, reason] of [
    ['renju-15/h8i9h8', 'This link cannot be opened: h8 is taken'],
    ['renju-15/h8i9q9', 'This link cannot be opened: “q9” is no point of this board'],
    ['foo-15/h8', 'This link cannot be opened: there is no rule “foo”'],
  ] as const) {
    await page.evaluate((text) => (location.hash = text), link);
    await expect(board.named('notice')).toHaveText(reason);
    await expect(page).toHaveURL(/#freestyle-15\/h8i9$/);
    await board.expectStones(2);
  }
  // In a new tab, in the language of the page.
  await page.evaluate(() => localStorage.setItem('tengen.language', '"ja"'));
  const tab = await page.context().newPage();
  await standIn(tab, process.env['TENGEN_URL']!);
  await tab.goto(new URL('#renju-15/z9', process.env['TENGEN_URL']!).href);
  await expect(tab.locator('[data-name="notice"]')).toHaveText('このリンクは開けません：「z9」は盤上の点ではありません');
  await expect(tab).toHaveURL(/#freestyle-15\/$/);
  await tab.close();
});

test('what is pasted into a field stays there', async ({ board, page }) => {
  test.skip(isSite, 'the same on both');
  await board.open('freestyle-15/h8');
  await page.locator('textarea.comment').focus();
  await paste(page, 'a1 b2 c3');
  await board.expectStones(1);
});
