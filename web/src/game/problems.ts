import type { Point } from './point';
import { BLACK, WHITE } from './rules';
import type { Color, Rule } from './rules';
import type { Game } from './tree';
import { newGame } from './tree';

/** The tasks that problems set. */
export const TASKS = ['fours', 'threats', 'defend', 'foul'] as const;
export type Task = (typeof TASKS)[number];
/** The grades, the easiest first. */
export const PROBLEM_GRADES = [1, 2, 3, 4, 5] as const;

/** A position in which exactly one move solves the task. */
export interface Problem {
  readonly id: string;
  readonly task: Task;
  readonly grade: number;
  readonly rule: Rule;
  readonly width: number;
  readonly height: number;
  readonly toMove: Color;
  readonly black: readonly Point[];
  readonly white: readonly Point[];
  /** The winning line, or the move that defends. */
  readonly line: readonly Point[];
}

function points(text: string): Point[] {
  return [...text.matchAll(/(\d+),(\d+)/g)].map(([, x, y]) => ({ x: Number(x), y: Number(y) }));
}

/** Reads problems: tactical cases of `bench_positions/README.md`, one a line. Other lines are left out. */
export function readProblems(text: string): Problem[] {
  return text.split('\n').flatMap((row) => {
    const [id, rule, size, side, black, white, claim, , , tags] = row.split('\t');
    if (!id || id.startsWith('#') || !rule || !size || !claim || tags === undefined) return [];
    const tag = new Map(tags.trim().split(';').map((field) => field.split('=') as [string, string]));
    const task = TASKS.find((known) => known === tag.get('kind'));
    const line = points(task === 'defend' ? claim : (tag.get('pv') ?? ''));
    const grade = PROBLEM_GRADES.find((known) => String(known) === tag.get('grade'));
    const [width, height = width] = size.split('x').map(Number);
    if (!task || !grade || line.length === 0 || !width || !height) return [];
    return [
      {
        id,
        task,
        grade,
        rule: rule as Rule,
        width,
        height,
        toMove: side === 'b' ? BLACK : WHITE,
        black: points(black ?? ''),
        white: points(white ?? ''),
        line,
      },
    ];
  });
}

/** The game that begins with a problem's position. */
export function gameOf({ rule, width, height, black, white, toMove }: Problem): Game {
  const game = newGame(rule, width, height);
  game.root.setup = { black, white, empty: [], blocked: [], toMove };
  return game;
}

/** The rating of a problem, on a scale on which 400 points are odds of ten to one. */
export function ratingOf(grade: number): number {
  return 500 + 300 * grade;
}

/** Points by which one result changes a rating at most. */
const FACTOR = 32;

/** The rating after a problem of a grade: Elo's formula. */
export function ratingAfter(rating: number, grade: number, isSolved: boolean): number {
  const expected = 1 / (1 + 10 ** ((ratingOf(grade) - rating) / 400));
  return Math.round(rating + FACTOR * (Number(isSolved) - expected));
}

/** The filter for problems. */
export interface Wish {
  readonly task: Task | 'all';
  /** 0: whatever suits the rating. */
  readonly grade: number;
  readonly rating: number;
  /** The problems that were solved. */
  readonly solved: ReadonlySet<string>;
}

/** The problems that suit a wish: of the grade nearest to the rating where none is wished. */
export function suitable(problems: readonly Problem[], wish: Wish): Problem[] {
  const open = problems.filter(
    ({ id, task, grade }) =>
      (wish.task === 'all' || task === wish.task) && (wish.grade === 0 || grade === wish.grade) && !wish.solved.has(id),
  );
  const distance = ({ grade }: Problem) => Math.abs(ratingOf(grade) - wish.rating);
  const nearest = Math.min(...open.map(distance));
  return open.filter((problem) => distance(problem) === nearest);
}

/** A problem by chance that suits a wish; `null` once all are solved. */
export function choose(problems: readonly Problem[], wish: Wish): Problem | null {
  const best = suitable(problems, wish);
  return best[Math.floor(Math.random() * best.length)] ?? null;
}
