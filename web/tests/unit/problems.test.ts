import { readFileSync } from 'node:fs';
import { cases } from './cases';
import { AT, answer, engine, settle, usePage } from './page';
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { label } from '../../src/game/point';
import type { Point } from '../../src/game/point';
import type { Problem, Task } from '../../src/game/problems';
import { PROBLEM_GRADES, TASKS, choose, gameOf, ratingAfter, readProblems, suitable } from '../../src/game/problems';
import { positionAt } from '../../src/game/position';
import { BLACK } from '../../src/game/rules';
import { recentGames } from '../../src/state/recent';
import { settings } from '../../src/state/settings';
import { playStone } from '../../src/state/play';
import { spoken } from '../../src/state/status';
import { game, node, position, step } from '../../src/state/store';
import { followTraining, hint, mayHint, nextProblem, showSolution, training, tryAgain } from '../../src/state/training';
import { preview } from '../../src/state/view';

const FOURS =
  'fours-2\trenju\t15\tw\t3,3 8,7 9,6 7,6 5,4 7,8 8,5 10,5 7,4 6,8\t6,6 5,3 5,6 5,5 6,5 6,9 8,3 11,4 6,7\tvcf_win 2\ttengen\tnodes=3\tkind=fours;grade=1;quiet=0;pv=6,3 6,4 7,3';
const DEFEND =
  'defend-1\trenju\t15x13\tw\t11,10 11,7 9,7 10,10 10,6 9,5 8,6 9,8\t11,9 10,8 8,7 9,10 8,8 8,4 7,8\tdefend 9,6\ttengen\tnodes=12\tkind=defend;grade=4;quiet=0;plies=3';
const TEXT = `# a comment\n${FOURS}\n${DEFEND}\nvcf-1\trenju\t15\tw\t3,3\t6,6\tvcf_none\t-\t-\tsrc=other\n`;

describe('a file of problems', () => {
  it('gives positions with their solutions, and leaves other cases out', () => {
    const [fours, defend, ...others] = readProblems(TEXT);
    expect(others).toEqual([]);
    expect(fours).toMatchObject({ id: 'fours-2', task: 'fours', grade: 1, rule: 'renju', toMove: 2 });
    expect(fours!.line).toEqual([AT(6, 3), AT(6, 4), AT(7, 3)]);
    expect(defend).toMatchObject({ task: 'defend', width: 15, height: 13, line: [AT(9, 6)] });
    const next = gameOf(defend!);
    const here = positionAt(next, next.root);
    expect(here.toMove).toBe(2);
    expect(here.cells.filter((cell) => cell === 1)).toHaveLength(8);
    expect(here.cells.filter((cell) => cell === 2)).toHaveLength(7);
  });
});

describe('problems, choices and ratings', () => {
  const table = cases('tests/cases/problems.txt');
  const read = (text: string) => readProblems(text.replaceAll('⇥', '\t'));
  const known = table.flatMap(([what, question]) => (what === 'line' ? read(question!) : []));
  const answers: Record<string, (question: string) => string> = {
    line: (question) => read(question).map(inWords)[0] ?? 'none',
    next: (question) => {
      const [task, grade, rating, solved] = question.split(' ');
      const wish = { task: task as Task | 'all', grade: Number(grade), rating: Number(rating), solved: new Set(solved!.split(',')) };
      const ids = suitable(known, wish).map(({ id }) => id);
      const chosen = choose(known, wish)?.id;
      expect(chosen === undefined ? ids.length === 0 : ids.includes(chosen)).toBe(true);
      return ids.join(' ');
    },
    rating: (question) => {
      const [rating, grade, result] = question.split(' ');
      return String(ratingAfter(Number(rating), Number(grade), result === 'solved'));
    },
    file: (question) => {
      const problems = readProblems(readFileSync(new URL(`../../../${question}`, import.meta.url), 'utf8'));
      const counts = TASKS.map((task) =>
        [task, ...PROBLEM_GRADES.map((grade) => problems.filter((p) => p.task === task && p.grade === grade).length)].join(' '),
      );
      const stones = problems.reduce((sum, { black, white }) => sum + black.length + white.length, 0);
      const moves = problems.reduce((sum, { line }) => sum + line.length, 0);
      return [...counts, `stones ${stones}`, `moves ${moves}`].join(', ');
    },
  };
  it.each(table)('are those of the terminal: %s %s', (what, question, answer) => {
    expect(answers[what!]!(question!)).toBe(answer);
  });
});

/** `fours 1, renju, 15x15, white to move, black ..., white ..., line ...`. */
function inWords({ task, grade, rule, width, height, toMove, black, white, line }: Problem): string {
  const labels = (points: readonly Point[]) => points.map((p) => label(p, height));
  const side = toMove === BLACK ? 'black' : 'white';
  const stones = `black ${labels(black).sort().join(' ')}, white ${labels(white).sort().join(' ')}`;
  return `${task} ${grade}, ${rule}, ${width}x${height}, ${side} to move, ${stones}, line ${labels(line).join(' ')}`;
}

describe('a problem on the page', () => {
  usePage();
  beforeAll(() => {
    followTraining();
    vi.stubGlobal('fetch', async () => ({ ok: true, text: async () => TEXT }));
  });
  beforeEach(() => {
    Object.assign(settings.problemRating, { value: 1000 });
    settings.problemStreak.value = 0;
    settings.solvedProblems.value = '';
    settings.problemGrade.value = 0;
  });
  const begin = async (task: 'fours' | 'defend') => {
    settings.problemTask.value = task;
    await nextProblem();
    await settle();
    engine.sent.length = 0;
  };
  const win = (plies: number) =>
    `MESSAGE SOLVE ${JSON.stringify({ verdict: 'win', plies, mode: 'vcf', line: ['h12'], sgf: '' })}`;
  const none = `MESSAGE SOLVE ${JSON.stringify({ verdict: 'none', plies: 0, mode: 'vct', line: [], sgf: '' })}`;

  it('goes on after the right move with the reply of the engine, until the five cannot be stopped', async () => {
    await begin('fours');
    expect(training.value).toMatchObject({ task: 'fours', progress: 'asked' });
    playStone(AT(6, 3));
    await answer('6,4');
    expect(node.value.move?.point).toEqual(AT(6, 4));
    expect(engine.commands.at(-1)).toBe('TENGENSOLVE auto');
    await answer(win(3), 'OK');
    expect(training.value).toMatchObject({ progress: 'right', move: 'g12', reply: 'g11' });
    playStone(AT(7, 3));
    await answer('4,3');
    await answer(win(1), 'OK');
    expect(training.value?.progress).toBe('solved');
    expect(settings.problemStreak.value).toBe(1);
    expect(settings.problemRating.value).toBe(1000 + 8);
    expect(settings.solvedProblems.value).toBe('fours-2');
    // A problem is no game of the user's.
    expect(recentGames.value ?? []).toEqual([]);
  });
  it('refutes a wrong move on the board, and counts the first try alone', async () => {
    await begin('fours');
    settings.problemStreak.value = 3;
    playStone(AT(0, 0));
    await answer('6,3');
    await answer(none, 'OK');
    expect(training.value).toMatchObject({ progress: 'wrong', move: 'a15', reply: 'g12' });
    expect(settings.problemStreak.value).toBe(0);
    const rating = settings.problemRating.value;
    expect(rating).toBe(1000 - 24);
    tryAgain();
    expect(node.value).toBe(game.value.root);
    playStone(AT(6, 3));
    await answer('6,4');
    await answer(win(1), 'OK');
    expect(training.value?.progress).toBe('solved');
    expect(settings.problemRating.value).toBe(rating);
    expect(settings.problemStreak.value).toBe(0);
  });
  it('is solved by the only defence at once; another move is answered by the win', async () => {
    await begin('defend');
    playStone(AT(0, 0));
    await answer(win(3), 'OK');
    expect(training.value).toMatchObject({ progress: 'wrong', reply: 'h12' });
    tryAgain();
    engine.sent.length = 0;
    playStone(AT(9, 6));
    await settle();
    expect(training.value?.progress).toBe('solved');
    expect(engine.commands).toEqual([]);
  });
  it('gives hints in its first position, the first of which counts as a failure', async () => {
    await begin('fours');
    settings.problemStreak.value = 3;
    hint();
    playStone(AT(0, 0));
    await answer('6,3');
    await answer(none, 'OK');
    expect(training.value).toMatchObject({ progress: 'wrong' });
    hint();
    expect(node.value).toBe(game.value.root);
    expect(training.value).toMatchObject({ progress: 'asked', hints: 2 });
    expect(settings.problemStreak.value).toBe(0);
    expect(settings.problemRating.value).toBe(1000 - 24);
    playStone(AT(6, 3));
    await answer('6,4');
    await answer(win(3), 'OK');
    // The second move has no hint.
    expect(training.value).toMatchObject({ progress: 'right' });
    expect(mayHint()).toBe(false);
    hint();
    expect(training.value).toMatchObject({ progress: 'right', hints: 2 });
    await begin('defend');
    expect(training.value).toMatchObject({ hints: 0 });
  });
  it('is spoken when it begins, and leaves its moves to the answer', async () => {
    await begin('fours');
    expect(spoken.value).toBe('White wins by fours. Find the first move.');
    playStone(AT(0, 0));
    expect(spoken.value).toBe('');
    showSolution();
    expect(spoken.value).toBe('White to move');
  });
  it('shows its solution, and does not judge moves after that', async () => {
    await begin('fours');
    showSolution();
    expect(preview.value?.points).toEqual([AT(6, 3), AT(6, 4), AT(7, 3)]);
    playStone(AT(6, 3));
    await settle();
    expect(training.value?.progress).toBe('shown');
    expect(settings.problemStreak.value).toBe(0);
  });
  it('is left with its game', async () => {
    await begin('fours');
    playStone(AT(0, 0));
    step(-1);
    expect(position.value.hasSetup).toBe(true);
    await begin('defend');
    expect(training.value?.problem?.id).toBe('defend-1');
  });
});
