import type { Point } from './point';
import { samePoint } from './point';

/** The rotations and reflections of the plane, the identity first. */
export const TURNS: readonly ((p: Point) => Point)[] = [
  ({ x, y }) => ({ x, y }),
  ({ x, y }) => ({ x: -x, y }),
  ({ x, y }) => ({ x, y: -y }),
  ({ x, y }) => ({ x: -x, y: -y }),
  ({ x, y }) => ({ x: y, y: x }),
  ({ x, y }) => ({ x: -y, y: x }),
  ({ x, y }) => ({ x: y, y: -x }),
  ({ x, y }) => ({ x: -y, y: -x }),
];

/**
 * True if stones of one colour on `a` and `b` give the same position but for its place on the board:
 * a rotation or reflection with a shift maps the stones (black, white, black …) onto themselves,
 * colour by colour, and `a` to `b`.
 */
export function areEquivalent(stones: readonly Point[], a: Point, b: Point): boolean {
  if (samePoint(a, b)) return true;
  const first = stones[0];
  if (!first) return false;
  const stands = (p: Point, i: number) =>
    stones.some((q, j) => j % 2 === i % 2 && samePoint(p, q));
  return TURNS.some((turn) =>
    stones.some((image, k) => {
      if (k % 2 !== 0) return false;
      const from = turn(first);
      const move = (p: Point): Point => {
        const q = turn(p);
        return { x: q.x + image.x - from.x, y: q.y + image.y - from.y };
      };
      return samePoint(move(a), b) && stones.every((stone, i) => stands(move(stone), i));
    }),
  );
}
