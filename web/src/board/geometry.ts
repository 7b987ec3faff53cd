import type { Point } from '../game/point';

/** Length of a cell in the units of the drawing. */
export const CELL = 40;
/** Radius of a stone. */
export const STONE = 18.6;

/** Where things are on the drawing of a board. */
export interface Geometry {
  readonly margin: number;
  readonly width: number;
  readonly height: number;
}

/** The drawing of a board of that size. */
export function geometry(width: number, height: number, hasCoordinates: boolean): Geometry {
  const margin = hasCoordinates ? 44 : 30;
  return {
    margin,
    width: (width - 1) * CELL + 2 * margin,
    height: (height - 1) * CELL + 2 * margin,
  };
}

/** The middle of a cell. */
export function place(p: Point, margin: number): { cx: number; cy: number } {
  return { cx: margin + p.x * CELL, cy: margin + p.y * CELL };
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
