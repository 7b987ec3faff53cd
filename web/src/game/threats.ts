import type { Point } from './point';
import type { Cells, Color, Rule } from './rules';
import { BLACK, DIRECTIONS, EMPTY, WHITE, cellAt, opponent, rowThrough, winningLine, winningRow } from './rules';

// Held to `bench_positions/` and `tests/cases/threats.txt`, which the engine's tables answer too.

/** The strongest shape that a stone would make; two fours are as good as a straight one. */
export type ThreatKind = 'five' | 'straight-four' | 'four' | 'three';

/** The shape that a stone of a colour would make on a free cell. */
export interface Threat {
  readonly point: Point;
  readonly color: Color;
  readonly kind: ThreatKind | 'forbidden';
}

/** Reach of a line shape: five in a row lie within four steps. */
const REACH = 4;

/** The cells of a line, `p` left out, that have this content. */
function line(board: Cells, p: Point, d: Point, content: number, reach = REACH): Point[] {
  const found: Point[] = [];
  for (let step = -reach; step <= reach; step += 1) {
    const [x, y] = [p.x + d.x * step, p.y + d.y * step];
    if (step !== 0 && cellAt(board, x, y) === content) found.push({ x, y });
  }
  return found;
}

function withStone<T>(board: Cells, p: Point, color: Color, look: () => T): T {
  const at = p.y * board.width + p.x;
  board.cells[at] = color;
  const result = look();
  board.cells[at] = EMPTY;
  return result;
}

/** The cells where one more stone makes a winning row with the stone on `p`. */
function fives(board: Cells, rule: Rule, color: Color, p: Point, d: Point): Point[] {
  if (line(board, p, d, color).length < 3) return [];
  return line(board, p, d, EMPTY).filter((q) => {
    const row = withStone(board, q, color, () => winningRow(board, rule, q, d));
    return row.some((stone) => stone.x === p.x && stone.y === p.y);
  });
}

/** Number of replies needed to stop the fives with the stone on `p`: 0 without a four, 2 at most. */
function replies(board: Cells, rule: Rule, color: Color, p: Point, d: Point): number {
  const found = fives(board, rule, color, p, d);
  if (found.length < 2) return found.length;
  // In caro a stone at one end may close the five at the other end too.
  const isStopped = line(board, p, d, EMPTY, REACH + 1).some((q) =>
    withStone(board, q, opponent(color), () => fives(board, rule, color, p, d).length === 0),
  );
  return isStopped ? 1 : 2;
}

/** True if the stone on `p` has an open three: one more stone makes a four that no single reply stops. */
function hasOpenThree(board: Cells, rule: Rule, color: Color, p: Point, d: Point): boolean {
  if (line(board, p, d, color).length < 2) return false;
  return line(board, p, d, EMPTY).some((q) =>
    withStone(board, q, color, () => {
      if (replies(board, rule, color, p, d) < 2) return false;
      if (!isRestricted(rule, color)) return true;
      // For Black in renju only a straight four counts, without a five elsewhere, by a move that is allowed.
      const made = rowThrough(board, p, d).points.length === 4 ? kindOf(board, rule, color, q) : 'forbidden';
      return made !== 'five' && made !== 'forbidden';
    }),
  );
}

/** True if a colour has forbidden points. */
function isRestricted(rule: Rule, color: Color): boolean {
  return rule === 'renju' && color === BLACK;
}

/** The shape made by the stone of `color` on `p`. Source of the forbidden moves: RIF, rules of play, 9.2 and 9.3. */
function kindOf(board: Cells, rule: Rule, color: Color, p: Point): Threat['kind'] | null {
  if (winningLine(board, rule, p).length > 0) return 'five';
  const rows = DIRECTIONS.map((d) => rowThrough(board, p, d).points.length);
  const fours = DIRECTIONS.map((d) => replies(board, rule, color, p, d));
  const threes = DIRECTIONS.filter((d, i) => fours[i] === 0 && hasOpenThree(board, rule, color, p, d));
  // A straight four is one four: both of its fives have the same four stones.
  const count = fours.reduce((sum, n, i) => sum + (rows[i] === 4 ? Math.min(n, 1) : n), 0);
  if (isRestricted(rule, color) && (rows.some((n) => n > 5) || count > 1 || threes.length > 1)) return 'forbidden';
  if (count > 1 || fours.includes(2)) return 'straight-four';
  return count === 1 ? 'four' : threes.length > 0 ? 'three' : null;
}

/** The shapes that stones of these colours would make on the free cells near others. */
export function threats(position: Cells, rule: Rule, colors: readonly Color[] = [BLACK, WHITE]): Threat[] {
  const board = { ...position, cells: position.cells.slice() };
  const found: Threat[] = [];
  for (let y = 0; y < board.height; y += 1) {
    for (let x = 0; x < board.width; x += 1) {
      if (cellAt(board, x, y) !== EMPTY) continue;
      const point = { x, y };
      for (const color of colors) {
        const hasCompany = DIRECTIONS.some((d) => line(board, point, d, color).length > 1);
        const kind = hasCompany ? withStone(board, point, color, () => kindOf(board, rule, color, point)) : null;
        if (kind) found.push({ point, color, kind });
      }
    }
  }
  return found;
}

/** The points that Black must not play in renju. */
export function forbiddenPoints(position: Cells): Point[] {
  return threats(position, 'renju', [BLACK]).flatMap(({ point, kind }) => (kind === 'forbidden' ? point : []));
}
