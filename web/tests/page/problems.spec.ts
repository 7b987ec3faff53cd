// Problems: one tries moves on the board, and the engine answers; mistakes of a review come back as problems.
import { readFileSync } from 'node:fs';
import { label } from '../../src/game/point';
import type { Problem, Task } from '../../src/game/problems';
import { readProblems } from '../../src/game/problems';
import { expect, findings, test } from './helpers';
import type { BoardPage } from './helpers';

const PROBLEMS = readProblems(readFileSync('../bench_positions/problems.txt', 'utf8'));

/** Opens a problem of a kind, by keys. */
async function begin(board: BoardPage, task: Task): Promise<{ problem: Problem; line: string[] }> {
  await board.named('problem-task').selectOption(task);
  // A key waits for no button that is disabled until the engine is there.
  await expect(board.named('next-problem')).toBeEnabled();
  await board.named('next-problem').press('Enter');
  const id = await board.named('training').getAttribute('data-problem');
  const problem = PROBLEMS.find((known) => known.id === id)!;
  await board.expectStones(problem.black.length + problem.white.length);
  return { problem, line: problem.line.map((p) => label(p, problem.height)) };
}

/** Puts a stone by the keyboard, and waits for the judgement. */
async function put(board: BoardPage, point: string, progress: RegExp): Promise<void> {
  await board.cell(point).press('Enter');
  await expect(board.named('training')).toHaveAttribute('data-progress', progress);
}

test.beforeEach(async ({ board }) => {
  await board.quick({ 'review-seconds': 0.3 });
  await board.open('freestyle-15/');
  await board.tab('problem');
});

test('a wrong move is refuted on the board, the right one is followed to the end', async ({ board, page }) => {
  const { problem, line } = await begin(board, 'fours');
  const stones = problem.black.length + problem.white.length;
  const corner = ['a1', 'a2', 'b1', 'b2', 'c1', 'c2'].find((p) => !line.includes(p) && isFree(problem, p))!;
  await put(board, corner, /wrong|other/);
  await board.expectStones(stones + 2);
  await expect(board.named('training-answer')).toContainText(corner);
  await board.named('try-again').press('Enter');
  await board.expectStones(stones);
  for (let i = 0; i < line.length; i += 2) {
    await put(board, line[i]!, i + 1 < line.length ? /right/ : /solved/);
  }
  expect(await findings(page)).toEqual([]);
});

test('streak and rating rise by first tries alone, and stay over a reload', async ({ board, page }) => {
  const { line } = await begin(board, 'defend');
  await put(board, line[0]!, /solved/);
  const text = await board.named('problem-rating').textContent();
  expect(text).toMatch(/Rating 10\d\d, 1 solved in a row/);
  await begin(board, 'threats');
  await board.named('show-solution').press('Enter');
  await expect(board.named('training')).toHaveAttribute('data-progress', 'shown');
  await expect(board.named('problem-rating')).toContainText(', 0 solved in a row');
  const rating = await board.named('problem-rating').textContent();
  await page.reload();
  await board.tab('problem');
  await expect(board.named('problem-rating')).toHaveText(rating!);
});

test('hints tell the column of the first move, then its row, and are heard', async ({ board, page }) => {
  const { problem, line } = await begin(board, 'fours');
  await expect(board.named('spoken')).toHaveText(/ wins by fours\. Find the first move\.$/);
  await board.named('hint').focus();
  await page.keyboard.press('Enter');
  const [, column, row] = /^([a-v])(\d+)$/.exec(line[0]!)!;
  const heard = page.getByRole('status').and(board.named('training-answer'));
  await expect(heard).toHaveText(`The first move is in column ${column}.`);
  await expect(board.named('problem-rating')).toHaveText(/^Rating 9\d\d, 0 solved in a row$/);
  const rating = await board.named('problem-rating').textContent();
  // From the board, after a wrong move: the key of hints goes back.
  const corner = ['a1', 'a2', 'b1', 'b2', 'c1', 'c2'].find((p) => !line.includes(p) && isFree(problem, p))!;
  await put(board, corner, /wrong|other/);
  await page.keyboard.press('h');
  await expect(heard).toHaveText(`The first move is in column ${column}, row ${row}.`);
  await board.expectStones(problem.black.length + problem.white.length);
  await expect(board.named('problem-rating')).toHaveText(rating!);
  for (const [i, point] of line.entries()) if (i % 2 === 0) await put(board, point, i + 1 < line.length ? /right/ : /solved/);
  await expect(board.named('hint')).toHaveCount(0);
  await expect(board.named('problem-rating')).toHaveText(rating!);
});

test('a mistake of a review is a problem of its own', async ({ board }) => {
  // Black's third stone gives the win away, and White leaves three stones in a row alone.
  await board.open('freestyle-15/h8i9h7h9h6b2');
  await board.tab('review');
  await board.named('review').click();
  await board.named('learn').click();
  await expect(board.named('training')).toHaveAttribute('data-progress', 'asked');
  // On a slow machine the review may doubt White's first stone too.
  if ((await board.page.locator('[data-cell="black"], [data-cell="white"]').count()) < 4) {
    await board.named('next-mistake').click();
  }
  await board.expectStones(4);
  await put(board, 'a15', /wrong/);
  await board.expectStones(6);
  await board.named('try-again').click();
  await board.expectStones(4);
  await board.named('next-mistake').click();
  await board.expectStones(5);
  await board.named('show-solution').click();
  await expect(board.named('training')).toHaveAttribute('data-progress', 'shown');
});

/** True if a point such as `a1` has no stone in the position of a problem. */
function isFree({ black, white, height }: Problem, point: string): boolean {
  return ![...black, ...white].some((p) => label(p, height) === point);
}
