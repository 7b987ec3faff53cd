import { AT, answer, engine, settle, usePage } from './page';
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Problem } from '../../src/game/problems';
import { choose, gameOf, ratingAfter, ratingOf, readProblems } from '../../src/game/problems';
import { positionAt } from '../../src/game/position';
import { recentGames } from '../../src/state/recent';
import { settings } from '../../src/state/settings';
import { playStone } from '../../src/state/play';
import { game, node, position, step } from '../../src/state/store';
import { followTraining, nextProblem, showSolution, training, tryAgain } from '../../src/state/training';
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

describe('the choice of a problem', () => {
  const problem = (id: string, grade: number): Problem => ({ ...readProblems(FOURS)[0]!, id, grade });
  const all = [problem('a', 1), problem('b', 3), problem('c', 5)];
  const wish = { task: 'all', grade: 0, rating: 1300, solved: new Set<string>() } as const;
  it('is of the grade nearest to the rating, and nothing solved', () => {
    expect(choose(all, wish)?.id).toBe('b');
    expect(choose(all, { ...wish, rating: 400 })?.id).toBe('a');
    expect(choose(all, { ...wish, rating: 400, solved: new Set(['a']) })?.id).toBe('b');
    expect(choose(all, { ...wish, grade: 5 })?.id).toBe('c');
    expect(choose(all, { ...wish, task: 'defend' })).toBeNull();
  });
  it('moves the rating as Elo does', () => {
    expect(ratingAfter(ratingOf(2), 2, true)).toBe(ratingOf(2) + 16);
    expect(ratingAfter(ratingOf(2), 2, false)).toBe(ratingOf(2) - 16);
    // Odds of ten to one.
    expect(ratingAfter(ratingOf(2) + 400, 2, true)).toBe(ratingOf(2) + 400 + 3);
  });
});

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
