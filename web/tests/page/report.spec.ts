import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, BrowserContextOptions, Page } from '@playwright/test';
import { expect, findings, isSite, test } from './helpers';
import { program } from './serve';

const NAMES = ['</script><b>new', 'old'] as const;
const TERMS = {
  ...{ type: 'match', version: '0.1.0', rule: 'renju', width: 15, height: 15, schedule: 'round-robin', games: 4 },
  ...{ seed: 9007199254740993, openings: '2 in order', judge: 'forbidden moves lose at once', points: [1, 0.5, 0] },
  players: NAMES.map((name) => ({ name, settings: [`cmd=${name}`] })),
  ...{ sprt: { elo0: 0, elo1: 400, alpha: 0.05, beta: 0.05 }, shard: null },
};
/** Black makes a row of five from h8 on; a stone of the opening has no time. */
const MOVES = ['h8', 'h9', 'i8', 'i9', 'j8', 'j9', 'k8', 'k9', 'l8'];

function game(id: number, changes: object) {
  const turns = MOVES.map((p, i) => (i === 0 ? { p } : { p, ms: 10 * i + id, lim: 75, ev: '143', d: i, n: 1000 * i }));
  const [black, white] = id % 2 ? [NAMES[1], NAMES[0]] : NAMES;
  return {
    ...{ type: 'game', id, pair: id >> 1, round: 0, black, white, rule: 'renju', width: 15, height: 15 },
    ...{ opening: id >> 1, opening_turns: 1, turns, outcome: 'black', reason: 'five', detail: '', ended: 1700000000 },
    ...changes,
  };
}

const GAMES = [
  game(0, {}),
  game(1, {}),
  game(2, { outcome: 'draw', reason: 'passes', turns: [{ p: 'h8' }, { p: 'pass' }, { p: 'pass' }] }),
  game(3, { outcome: 'white', reason: 'crash', detail: 'exited with code 3', turns: [] }),
];

test.describe('the report of a match', () => {
  test.skip(isSite, 'only the program plays matches');
  let folder = '';
  test.beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'tengen-report-'));
    // The seed is a number that no script can hold.
    const lines = [TERMS, ...GAMES].map((line) => JSON.stringify(line).replace('9007199254740992', '9007199254740993'));
    writeFileSync(join(folder, 'journal.jsonl'), `${lines.join('\n')}\n`);
    execFileSync(program(), ['match', 'report', folder, '--html', join(folder, 'report.html')]);
  });
  test.afterAll(() => rmSync(folder, { recursive: true, force: true }));

  async function open(browser: Browser, address = '', options: BrowserContextOptions = {}): Promise<Page> {
    const context = await browser.newContext({ reducedMotion: 'reduce', ...options });
    const page = await context.newPage();
    page.on('pageerror', (error) => expect(error).toBeNull());
    page.on('request', (request) => expect(request.url()).toMatch(/^(file|data):/));
    await page.goto(`${pathToFileURL(join(folder, 'report.html'))}${address}`);
    return page;
  }
  const stones = (page: Page) => page.locator('[data-cell="black"], [data-cell="white"]');

  test('tells result, colours, openings, ends, times and settings', async ({ browser }) => {
    const page = await open(browser);
    await expect(page).toHaveTitle(`Match: ${NAMES[0]} – old`);
    for (const text of [
      'Elo of </script><b>new against old: ',
      'Sequential test elo0=0 elo1=400: LLR ',
      '+2 =1 -1',
      '1.5 / 4',
      'Openings: 2. Won by: Black alone 1',
      'Games lost by misbehaviour',
      'exited with code 3',
      'Late are moves beyond their limit',
      '9007199254740993',
      'alpha=0.05',
      '2023-11-14',
    ]) {
      await expect(page.locator('main').getByText(text).first(), text).toBeVisible();
    }
    expect(await page.locator('figure svg').count()).toBe(5);
    expect(await findings(page)).toEqual([]);
    await page.context().close();
  });

  test('plays a game through on the board', async ({ browser }) => {
    // White's own value was good until the game was lost.
    const page = await open(browser, '#game-1');
    await expect(page.locator('#viewer')).toContainText('Move 8 of 9: k9');
    await expect(page.locator('#viewer')).toContainText('value fell most: 8. k9 (old: 143 → –)');
    const [board, table] = [page.locator('#viewer svg.board'), page.locator('#viewer table')];
    const edge = await board.evaluate((element) => element.getBoundingClientRect().right);
    expect(edge).toBeLessThanOrEqual(await table.evaluate((element) => element.getBoundingClientRect().left));
    await page.locator('#viewer td, #viewer th').getByRole('link', { name: '9', exact: true }).click();
    await expect(stones(page)).toHaveCount(9);
    await expect(page.locator('[data-mark="win"]')).toHaveCount(5);
    await expect(page.locator('#viewer')).toContainText('Move 9 of 9: l8');
    await page.keyboard.press('ArrowLeft');
    await expect(stones(page)).toHaveCount(8);
    await page.getByRole('button', { name: 'To the start' }).click();
    await expect(stones(page)).toHaveCount(0);
    await expect(page.getByRole('button', { name: 'Back' })).toBeDisabled();
    // Home and End are the page's own away from the board.
    await page.getByRole('slider').fill('3');
    await expect(stones(page)).toHaveCount(3);
    const rows = page.locator('#viewer tbody tr');
    await expect(rows.nth(0)).toHaveText(/1h8Opening/);
    await expect(rows.nth(8)).toHaveText(/9l880 ms Late14388,000/);
    await rows.nth(5).click();
    await expect(stones(page)).toHaveCount(6);
    await expect(page.locator('#viewer input[readonly]')).toHaveValue(MOVES.join(' '));
    await page.locator('[data-name="next"]').click();
    await expect(page.locator('#viewer h3')).toContainText('Game 2');
    await page.goto(`${page.url().split('#')[0]}#game-3-2`);
    await expect(page.locator('#viewer')).toContainText('Move 2 of 3: pass');
    expect(await findings(page)).toEqual([]);
    await page.context().close();
  });

  test('sorts and filters the games, in the language of the reader', async ({ browser }) => {
    const page = await open(browser, '#games', { locale: 'cs', colorScheme: 'dark' });
    const rows = page.locator('.games tbody tr');
    await expect(rows).toHaveCount(4);
    await expect(page.locator('h1')).toHaveText(`Zápas: ${NAMES.join(' – ')}`);
    await page.getByRole('button', { name: 'Kameny' }).click();
    await expect(rows.first()).toContainText('pád');
    await page.locator('[data-name="reason"]').selectOption('five');
    await expect(rows).toHaveCount(2);
    await page.locator('[data-name="player"]').selectOption('old');
    await page.locator('[data-name="result"]').selectOption('won');
    await expect(rows).toHaveCount(1);
    await rows.first().click();
    await expect(stones(page)).toHaveCount(8);
    expect(await findings(page)).toEqual([]);
    await page.context().close();
  });

  test('tells its text without scripts, and is printed on white', async ({ browser }) => {
    const bare = await open(browser, '', { javaScriptEnabled: false });
    await expect(bare.locator('pre')).toContainText('How the games ended');
    await bare.context().close();
    const dark = await open(browser, '#game-1-9', { colorScheme: 'dark' });
    await expect(stones(dark)).toHaveCount(9);
    await dark.emulateMedia({ media: 'print', colorScheme: 'light' });
    await expect(dark.locator('#viewer')).toBeHidden();
    await expect(dark.locator('html')).toHaveAttribute('data-theme', 'light');
    await dark.context().close();
  });
});
