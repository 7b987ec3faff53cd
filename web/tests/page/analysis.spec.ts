import { readFileSync } from 'node:fs';
import { expect, isSite, test } from './helpers';

const MIDDLE = 'freestyle-15/h8i9i7g9j8h10';

test('analysis: marks with win rate and depth, lines, preview, play', async ({ board, page }) => {
  await board.open(MIDDLE);
  await board.tab('analysis');
  await board.named('analyse').click();
  const marks = page.locator('[data-mark="candidate"]');
  await expect(marks.first()).toBeVisible();
  await expect(marks.first().locator('text').first()).toHaveText(/^(\d+|[+-]?M\d+)$/);
  const lines = page.locator('.lines .line');
  await expect(lines).toHaveCount(5);
  await lines.first().hover();
  await expect(page.locator('[data-cell="ghost"]').first()).toBeVisible();
  await page.mouse.move(5, 5);
  await expect(page.locator('[data-cell="ghost"]')).toHaveCount(0);
  // A line that was pointed at is not shown over another position, nor when the user comes back.
  await lines.first().hover();
  await expect(page.locator('[data-cell="ghost"]').first()).toBeVisible();
  await page.keyboard.press('ArrowLeft');
  await expect(page.locator('[data-cell="ghost"]')).toHaveCount(0);
  await expect(marks.first()).toBeVisible();
  await page.mouse.move(5, 5);
  await page.keyboard.press('ArrowRight');
  await expect(marks.first()).toBeVisible();
  await lines.first().locator('.ply').first().click();
  await board.expectStones(7);
  await expect(marks.first()).toBeVisible();
  await board.named('analyse').click();
});

test('a double click on a line plays all of it', async ({ board, page }) => {
  await board.quick({ lines: 1 });
  // Where a win is proved soon, as in the middle game, the line may be its first move alone.
  await board.open('freestyle-15/h8j10');
  await board.tab('analysis');
  await board.named('analyse').click();
  const moves = page.locator('.lines .ply');
  await expect.poll(() => moves.count()).toBeGreaterThan(2);
  await board.named('analyse').click();
  // What was found last is shown a frame later, together with the end of the search.
  await expect(page.locator('[data-mark="searching"]')).toHaveCount(0);
  const length = await moves.count();
  await moves.first().dblclick();
  await board.expectStones(2 + length);
  await expect(page.locator('[data-cell="ghost"]')).toHaveCount(0);
});

test('values on candidates can be hidden', async ({ board, page }) => {
  await board.quick({ values: 'none' });
  await board.open(MIDDLE);
  await board.tab('analysis');
  await board.named('analyse').click();
  await expect(page.locator('.lines .line').first()).toBeVisible();
  await expect(page.locator('[data-mark="candidate"]')).toHaveCount(0);
});

test('marks of the moves that are searched and of those that lose', async ({ board, page }) => {
  await board.quick({ lines: 1 });
  await board.open('freestyle-15/h8h9i8i9j8a1');
  await board.tab('analysis');
  await board.named('analyse').click();
  await expect(page.locator('[data-mark="candidate"]').first()).toBeVisible();
  // A link that is opened on the same page is analysed at once: another click would end it. Nothing is
  // proved there, so the analysis goes on.
  await board.open('freestyle-15/h8i9');
  const signs = page.locator('[data-mark="searching"], [data-mark="searched"], [data-mark="lost"]');
  await expect(signs.first()).toBeAttached({ timeout: 30_000 });
});

test('threats are a layer', async ({ board, page }) => {
  await board.open('freestyle-15/h8a1i8a3j8');
  await board.tab('analysis');
  await board.named('threats').check();
  await expect(page.locator('[data-mark="straight-four"]').first()).toBeAttached();
  await expect(page.getByText('Squares are Black’s threats, diamonds White’s.')).toBeVisible();
  await board.named('threats').uncheck();
  await expect(page.locator('[data-mark="straight-four"]')).toHaveCount(0);
});

test('balanced moves', async ({ board }) => {
  await board.quick({ 'move-seconds': 1 });
  await board.open('freestyle-15/h8i9');
  await board.tab('analysis');
  await board.named('balance-1').click();
  await board.expectStones(3);
  await board.named('balance-2').click();
  await board.expectStones(5);
});

test('the graph shows the line and goes to moves', async ({ board, page }) => {
  await board.open(MIDDLE);
  await board.tab('analysis');
  await board.named('analyse').click();
  for (let i = 0; i < 3; i += 1) {
    await expect(page.locator('[data-mark="candidate"]').first()).toBeVisible();
    await page.waitForTimeout(200);
    await board.named('nav.back').click();
  }
  await board.named('analyse').click();
  await expect(page.locator('.graph-line')).toBeAttached();
  const box = (await page.locator('.graph').boundingBox())!;
  await page.mouse.click(box.x + 1, box.y + 10);
  await board.expectStones(0);
});

test('a problem that is won by a foul says so', async ({ board }) => {
  // Two rows of five black stones with a gap, which Black must not fill, and two other free cells.
  const [black, white]: [string[], string[]] = [[], []];
  for (let i = 0; i < 225; i += 1) {
    const [x, y] = [i % 15, Math.floor(i / 15)];
    const isRow = y === 3 || y === 11;
    if ((isRow && x === 5) || ((y === 6 || y === 8) && x === 12)) continue;
    const isBlack = isRow && x >= 1 && x <= 8 ? x >= 2 && x <= 7 : Math.floor((x + 2 * y) / 2) % 2 === 0;
    (isBlack ? black : white).push(`${'abcdefghijklmno'[x]}${15 - y}`);
  }
  await board.open(`renju-15/b:${black.join('')}/w:${white.join('')}/t:w/`);
  await board.tab('problem');
  await board.named('solve-vct').click();
  await expect(board.named('verdict')).toHaveText('White wins in 5 plies, by a foul: Black has only forbidden moves left');
});

test('a problem: the line move by move, as a variation', async ({ board, page }) => {
  await board.open('freestyle-15/h8a1h9a3i9c1i8c3j11o1');
  await board.tab('problem');
  await board.named('solve-vcf').click();
  await expect(board.named('verdict')).toHaveText(/wins in \d+ plies|no such win|Nothing found/);
  await board.open('freestyle-15/h8a15i8c15h7e15');
  await board.tab('problem');
  await board.named('solve-vct').click();
  await expect(board.named('verdict')).toHaveText(/Black wins in \d+ plies/);
  await expect(page.locator('[data-cell="ghost"]').first()).toBeVisible();
  const shown = await page.locator('[data-cell="ghost"]').count();
  // The proof has every defence: it begins with the position and answers any other move.
  const saved = page.waitForEvent('download');
  await board.named('proof').click();
  const file = await saved;
  expect(file.suggestedFilename()).toBe('proof.sgf');
  const proof = readFileSync(await file.path(), 'utf8');
  expect(proof).toContain('AB[hh][ih][hi]AW[aa][ca][ea]PL[B]');
  expect(proof).toContain('C[any other move]');
  expect(proof.match(/\(/g)!.length).toBe(proof.match(/\)/g)!.length);
  await page.getByRole('button', { name: 'Previous move of the line' }).click();
  await expect(page.locator('[data-cell="ghost"]')).toHaveCount(shown - 1);
  await board.named('solution-add').click();
  await expect(page.locator('.tree-node')).toHaveCount(7 + shown);
});

test('a review: every move judged, the better line kept, a page of its own', async ({ board, page, browser }) => {
  await board.quick({ 'review-seconds': 0.1 });
  await board.open();
  await board.menu('menu.open');
  await board.named('open-text').fill(`(;SZ[15]PB[<!--<script>]PW[b];B[hh];W[hg];B[ih];W[ig];B[aa];W[gg];B[ba];W[fg])`);
  await board.named('open-ok').click();
  await board.expectStones(8);
  await board.tab('review');
  await board.named('review').click();
  await expect(page.locator('.summary .accuracy td').first()).toHaveText(/\d|–/, { timeout: 60_000 });
  await expect(page.locator('.graph-line')).toBeAttached();
  const mistakes = page.locator('.mistakes .line');
  expect(await mistakes.count()).toBeGreaterThan(0);
  await mistakes.first().click();
  await expect(board.named('judgement')).toContainText(/Blunder|Mistake|Inaccuracy/);
  await expect(page.locator('[data-mark="better"]')).toBeVisible();
  const download = page.waitForEvent('download');
  await board.named('review-html').click();
  const path = await (await download).path();
  const text = readFileSync(path, 'utf8');
  expect(text).toContain('"version":1');
  const count = await mistakes.count();
  await board.named('delete-branch').click();
  await expect(mistakes).not.toHaveCount(count);
  const own = await browser.newPage();
  await own.setContent(text);
  await expect(own.locator('.summary')).toBeVisible();
  await expect(own).toHaveTitle('<!--<script> – b – Tengen');
  const sides = own.locator('svg.board, .panel-side');
  const [shown, panel] = await sides.evaluateAll((elements) => elements.map((side) => side.getBoundingClientRect()));
  expect(shown!.right).toBeLessThanOrEqual(panel!.left);
  // The report opens at the worst move, the first of the list; all moves stand there as text.
  const worst = own.locator('.worst a');
  await expect(worst.first()).toHaveText(/^\d+\. \w+ lost [\d.]+ %, better \w+$/);
  const address = await worst.first().getAttribute('href');
  const current = own.locator('.all-moves a[aria-current]');
  await expect(current).toHaveAttribute('href', address!);
  await expect(own.locator('.all-moves li')).toHaveCount(8);
  await expect(own.locator('.all-moves li').nth(4)).toContainText('5. a15');
  await expect(own.locator('.judgement')).toContainText(/Blunder|Mistake/);
  await own.locator('.all-moves a').first().click();
  await expect(current).toHaveAttribute('href', '#move-1');
  await worst.first().click();
  await expect(current).toHaveAttribute('href', address!);
  const isTaken = (altKey: boolean) =>
    own.evaluate((alt) => {
      const event = new KeyboardEvent('keydown', { key: 'ArrowRight', altKey: alt, cancelable: true });
      return !dispatchEvent(event);
    }, altKey);
  expect([await isTaken(false), await isTaken(true)]).toEqual([true, false]);
  await own.keyboard.press('End');
  await expect(own.locator('[data-cell="black"], [data-cell="white"]')).toHaveCount(8);
  await own.close();
});

test('the database: look up, label, comment, text on a cell', async ({ board, page }) => {
  test.skip(isSite, 'only a server keeps a database');
  await board.open('standard-15/h8i9j10');
  await board.tab('database');
  await board.named('use-database').check();
  await board.named('label-W').click();
  await expect(board.named('label-W')).toHaveAttribute('aria-pressed', 'true');
  await board.named('database-comment').fill('a "quoted"\ncomment');
  await board.named('store-comment').click();
  await board.named('cell-point').fill('a1');
  await board.named('cell-text').fill('x');
  await board.named('store-cell').click();
  await expect(page.locator('[data-mark="text"]')).toHaveText('x');
  await page.keyboard.press('Escape');
  await board.named('nav.back').click();
  await expect(board.named('known-moves')).toContainText('W');
  await board.named('nav.forward').click();
  await expect(board.named('database-comment')).toHaveValue('a "quoted"\ncomment');
  // Edits are undone like everything else.
  await board.named('forget').click();
  await expect(board.named('database-comment')).toHaveValue('');
  await expect(board.named('label-none')).toHaveAttribute('aria-pressed', 'true');
  await expect(board.named('notice')).toContainText('Deleted.');
  await page.keyboard.press('ControlOrMeta+z');
  await expect(board.named('database-comment')).toHaveValue('a "quoted"\ncomment');
  await expect(board.named('label-W')).toHaveAttribute('aria-pressed', 'true');
  await expect(page.locator('[data-mark="text"]')).toHaveText('x');
  // An analysis that runs gives way to an edit, and goes on.
  await board.tab('analysis');
  await board.named('analyse').click();
  await expect(page.locator('[data-mark="candidate"]').first()).toBeVisible();
  await board.tab('database');
  await board.named('label-L').click();
  await expect(board.named('label-L')).toHaveAttribute('aria-pressed', 'true');
  await board.tab('analysis');
  await expect(board.named('analyse')).toHaveAttribute('aria-pressed', 'true');
  await expect(page.locator('[data-mark="searching"]')).toBeAttached();
});
