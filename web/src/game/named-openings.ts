import { BLACK, WHITE } from './rules';
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

type Row = readonly [dx: number, dy: number, name: string, chinese: string, japanese: string];

/** Black's second stone from his first, y downwards, White's stone just above; by number. */
const DIRECT: readonly Row[] = [
  [0, -2, 'Kansei', '寒星', '寒星'],
  [1, -2, 'Keigetsu', '溪月', '渓月'],
  [2, -2, 'Sosei', '疏星', '疎星'],
  [1, -1, 'Kagetsu', '花月', '花月'],
  [2, -1, 'Zangetsu', '残月', '残月'],
  [1, 0, 'Ugetsu', '雨月', '雨月'],
  [2, 0, 'Kinsei', '金星', '金星'],
  [0, 1, 'Shogetsu', '松月', '松月'],
  [1, 1, 'Kyugetsu', '丘月', '丘月'],
  [2, 1, 'Shingetsu', '新月', '新月'],
  [0, 2, 'Zuisei', '瑞星', '瑞星'],
  [1, 2, 'Sangetsu', '山月', '山月'],
  [2, 2, 'Yusei', '游星', '遊星'],
];
/** White's stone is above and to the right of Black's first. */
const INDIRECT: readonly Row[] = [
  [2, -2, 'Chosei', '长星', '長星'],
  [2, -1, 'Kyogetsu', '峡月', '峡月'],
  [2, 0, 'Kosei', '恒星', '恒星'],
  [2, 1, 'Suigetsu', '水月', '水月'],
  [2, 2, 'Ryusei', '流星', '流星'],
  [1, 0, 'Ungetsu', '云月', '雲月'],
  [1, 1, 'Hogetsu', '浦月', '浦月'],
  [1, 2, 'Rangetsu', '岚月', '嵐月'],
  [0, 1, 'Gingetsu', '银月', '銀月'],
  [0, 2, 'Myojo', '明星', '明星'],
  [-1, 1, 'Shagetsu', '斜月', '斜月'],
  [-1, 2, 'Meigetsu', '名月', '名月'],
  [-2, 2, 'Suisei', '彗星', '彗星'],
];

/** The eight rotations and reflections of an offset. */
const TURNS: readonly ((x: number, y: number) => [number, number])[] = [
  (x, y) => [x, y],
  (x, y) => [-x, y],
  (x, y) => [x, -y],
  (x, y) => [-x, -y],
  (x, y) => [y, x],
  (x, y) => [-y, x],
  (x, y) => [y, -x],
  (x, y) => [-y, -x],
];

/**
 * The opening of the first three moves, in any orientation and with Black's stones in any order.
 * One of these must stand in the middle; where a side is even, on either of the two middle lines.
 */
export function namedOpening(
  moves: readonly Move[],
  width: number,
  height: number,
): NamedOpening | null {
  const [first, second, third] = moves;
  if (!first?.point || !second?.point || !third?.point) return null;
  if (first.color !== BLACK || second.color !== WHITE || third.color !== BLACK) return null;
  const isMiddle = (at: number, side: number) => at === side >> 1 || at === (side - 1) >> 1;
  const white = second.point;
  for (const [base, other] of [
    [first.point, third.point],
    [third.point, first.point],
  ] as const) {
    if (!isMiddle(base.x, width) || !isMiddle(base.y, height)) continue;
    const found = ofOffsets(
      [white.x - base.x, white.y - base.y],
      [other.x - base.x, other.y - base.y],
    );
    if (found) return found;
  }
  return null;
}

function ofOffsets(white: [number, number], black: [number, number]): NamedOpening | null {
  for (const turn of TURNS) {
    const [wx, wy] = turn(...white);
    const [bx, by] = turn(...black);
    const rows = wx === 0 && wy === -1 ? DIRECT : wx === 1 && wy === -1 ? INDIRECT : null;
    const at = rows?.findIndex(([x, y]) => x === bx && y === by) ?? -1;
    if (!rows || at < 0) continue;
    const [, , name, chinese, japanese] = rows[at]!;
    return { code: `${at + 1}${rows === DIRECT ? 'D' : 'I'}`, name, chinese, japanese };
  }
  return null;
}

/** The points of an opening (black, white, black) around a centre, by its code; not turned. */
export function openingOffsets(code: string): [number, number][] | null {
  const found = /^(\d+)([DI])$/i.exec(code);
  const isDirect = found?.[2]?.toUpperCase() === 'D';
  const row = (isDirect ? DIRECT : INDIRECT)[Number(found?.[1]) - 1];
  if (!found || !row) return null;
  return [[0, 0], isDirect ? [0, -1] : [1, -1], [row[0], row[1]]];
}

/** The codes of all 26. */
export const OPENING_CODES: readonly string[] = [
  ...DIRECT.map((_, i) => `${i + 1}D`),
  ...INDIRECT.map((_, i) => `${i + 1}I`),
];
