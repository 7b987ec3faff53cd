import type { Point } from './point';

/** The content of a cell. `BLOCKED` is a cell for nobody; lines end there as at the edge. */
export const EMPTY = 0;
export const BLACK = 1;
export const WHITE = 2;
export const BLOCKED = 3;
export type Color = typeof BLACK | typeof WHITE;

/** The other side. */
export function opponent(color: Color): Color {
  return color === BLACK ? WHITE : BLACK;
}

/** The rule sets, by the names that the program uses everywhere. */
export const RULES = ['freestyle', 'standard', 'renju', 'caro', 'caro9'] as const;
export type Rule = (typeof RULES)[number];

/** Number of `INFO rule` in the protocol. */
export const RULE_CODES: Readonly<Record<Rule, number>> = {
  freestyle: 0,
  standard: 1,
  renju: 4,
  caro: 8,
  caro9: 9,
};

/** A board as the rules see it: cells row by row. */
export interface Cells {
  readonly width: number;
  readonly height: number;
  readonly cells: Uint8Array;
}

/** The content of a point; `BLOCKED` off the board. */
export function cellAt(board: Cells, x: number, y: number): number {
  const isOnBoard = x >= 0 && y >= 0 && x < board.width && y < board.height;
  return isOnBoard ? board.cells[y * board.width + x]! : BLOCKED;
}

/** The four directions of a line. */
export const DIRECTIONS: readonly Point[] = [
  { x: 1, y: 0 },
  { x: 0, y: 1 },
  { x: 1, y: 1 },
  { x: 1, y: -1 },
];

/** The unbroken row through the stone on `p` in one direction, and what stands at its two ends. */
export function rowThrough(board: Cells, p: Point, d: Point): { points: Point[]; ends: [number, number] } {
  const own = cellAt(board, p.x, p.y);
  const points: Point[] = [];
  let [x, y] = [p.x, p.y];
  while (cellAt(board, x - d.x, y - d.y) === own) [x, y] = [x - d.x, y - d.y];
  const before = cellAt(board, x - d.x, y - d.y);
  while (cellAt(board, x, y) === own) {
    points.push({ x, y });
    [x, y] = [x + d.x, y + d.y];
  }
  return { points, ends: [before, cellAt(board, x, y)] };
}

function wins(rule: Rule, color: Color, length: number, isClosed: boolean): boolean {
  switch (rule) {
    case 'freestyle':
      return length >= 5;
    case 'standard':
      return length === 5;
    case 'renju':
      return color === BLACK ? length === 5 : length >= 5;
    case 'caro':
      return length >= 6 || (length === 5 && !isClosed);
    case 'caro9':
      return length === 5 && !isClosed;
  }
}

/** The stones of the row through the stone on `p` in one direction; empty if it wins nothing. */
export function winningRow(board: Cells, rule: Rule, p: Point, d: Point): Point[] {
  const color = cellAt(board, p.x, p.y);
  if (color !== BLACK && color !== WHITE) return [];
  const { points, ends } = rowThrough(board, p, d);
  const isClosed = ends.every((end) => end === opponent(color));
  return wins(rule, color, points.length, isClosed) ? points : [];
}

/** The stones of the winning rows that the stone on `p` completes; empty if it wins nothing. */
export function winningLine(board: Cells, rule: Rule, p: Point): Point[] {
  return DIRECTIONS.flatMap((d) => winningRow(board, rule, p, d));
}
