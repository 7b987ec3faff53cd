import table from './openings.json';
import type { Point } from './point';
import { centre } from './point';
import { BLACK, WHITE } from './rules';
import { TURNS } from './symmetry';
import type { Move } from './tree';

/** One of the 26 openings of renju. */
export interface NamedOpening {
  /** `4D`: the fourth direct one; `7I`: the seventh indirect one. */
  readonly code: string;
  /** Japanese in Latin letters, as English texts write it. */
  readonly name: string;
  readonly chinese: string;
  readonly japanese: string;
}

/** The openings with their second and third stones, as columns and rows from Black's first. */
const OPENINGS = table.openings;

/** The codes of all 26. */
export const OPENING_CODES: readonly string[] = OPENINGS.map(({ code }) => code);

/**
 * The opening of the first three moves, in any orientation and with Black's stones in any order.
 * One of these must stand in the middle; where a side is even, on either of the two middle lines.
 */
export function namedOpening(moves: readonly Move[], width: number, height: number): NamedOpening | null {
  const [first, second, third] = moves;
  if (!first?.point || !second?.point || !third?.point) return null;
  if (first.color !== BLACK || second.color !== WHITE || third.color !== BLACK) return null;
  const isMiddle = (at: number, side: number) => at === side >> 1 || at === (side - 1) >> 1;
  for (const [base, other] of [
    [first.point, third.point],
    [third.point, first.point],
  ] as const) {
    if (!isMiddle(base.x, width) || !isMiddle(base.y, height)) continue;
    const found = OPENINGS.find(({ white, black }) =>
      TURNS.some((turn) => lies(turn, base, second.point!, white) && lies(turn, base, other, black)),
    );
    if (found) return found;
  }
  return null;
}

/** True if the way from `base` to `p`, turned, is this offset. */
function lies(turn: (p: Point) => Point, base: Point, p: Point, offset: readonly number[]): boolean {
  const { x, y } = turn({ x: p.x - base.x, y: p.y - base.y });
  return x === offset[0] && y === offset[1];
}

/** The stones of an opening (black, white, black) by its code, not turned; none for an unknown code. */
export function openingStones(code: string, width: number, height: number): Point[] {
  const found = OPENINGS.find((opening) => opening.code === code.toUpperCase());
  const { x, y } = centre(width, height);
  const offsets = found ? [[0, 0], found.white, found.black] : [];
  return offsets.map(([dx, dy]) => ({ x: x + dx!, y: y + dy! }));
}
