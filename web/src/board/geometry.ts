import type { Point } from '../game/point';
import { TURNS } from '../game/symmetry';

/** Length of a cell in the units of the drawing. */
export const CELL = 40;
/** Radius of a stone. */
export const STONE = 18.6;

/** The geometry of the drawing of a board. */
export interface Geometry {
  readonly margin: number;
  readonly width: number;
  readonly height: number;
  /** Columns and rows as they are drawn: a quarter turn makes rows of columns. */
  readonly columns: number;
  readonly rows: number;
  /** The place at which a cell of the board is drawn, in cells, and the cell drawn at a place. */
  readonly turned: (p: Point) => Point;
  readonly unturned: (p: Point) => Point;
}

/** The numbers in `TURNS` of the turns that undo each turn. */
const INVERSES = [0, 1, 2, 3, 4, 6, 5, 7] as const;

/** The drawing of a board: its size, and how it is turned (a number in `TURNS`). */
export function geometry(board: {
  readonly width: number;
  readonly height: number;
  readonly hasCoordinates: boolean;
  readonly turn: number;
}): Geometry {
  const { width, height, hasCoordinates, turn } = board;
  const margin = hasCoordinates ? 44 : 30;
  const [columns, rows] = turn < 4 ? [width, height] : [height, width];
  // `TURNS` are about the origin: the corners tell by how much the board is to be moved back onto the drawing.
  const within = (index: number, right: number, bottom: number) => (p: Point) => {
    const by = TURNS[index]!;
    const [a, b] = [by({ x: 0, y: 0 }), by({ x: right - 1, y: bottom - 1 })];
    const q = by(p);
    return { x: q.x - Math.min(a.x, b.x), y: q.y - Math.min(a.y, b.y) };
  };
  return {
    margin,
    width: (columns - 1) * CELL + 2 * margin,
    height: (rows - 1) * CELL + 2 * margin,
    columns,
    rows,
    turned: within(turn, width, height),
    unturned: within(INVERSES[turn] ?? 0, columns, rows),
  };
}

/** The middle of a cell. */
export function place(p: Point, { margin, turned }: Geometry): { cx: number; cy: number } {
  const { x, y } = turned(p);
  return { cx: margin + x * CELL, cy: margin + y * CELL };
}

/** The turn that follows another one (both numbers in `TURNS`). */
export function combinedTurn(first: number, second: number): number {
  const p = TURNS[second]!(TURNS[first]!({ x: 1, y: 2 }));
  return TURNS.findIndex((turn) => {
    const q = turn({ x: 1, y: 2 });
    return q.x === p.x && q.y === p.y;
  });
}

/** The star points: the centre, and four more where there is room. */
export function starPoints(width: number, height: number): Point[] {
  const offsets = (side: number): number[] => {
    if (side % 2 === 0) return side >= 12 ? [4, side - 5] : [];
    return side >= 11 ? [3, side >> 1, side - 4] : [side >> 1];
  };
  const [xs, ys] = [offsets(width), offsets(height)];
  const isMiddle = (p: Point) => p.x === width >> 1 && p.y === height >> 1;
  const isCorner = (p: Point) => p.x !== width >> 1 && p.y !== height >> 1;
  return xs.flatMap((x) => ys.map((y) => ({ x, y }))).filter((p) => isMiddle(p) || isCorner(p));
}
