import type { Point } from './point';
import type { Cells, Color, Rule } from './rules';
import { BLACK, DIRECTIONS, EMPTY, WHITE, cellAt, winningLine } from './rules';

/** The strongest shape that a stone would make. */
export type ThreatKind = 'five' | 'straight-four' | 'four' | 'three';

/** What a stone of a colour on a free cell would make. */
export interface Threat {
  readonly point: Point;
  readonly color: Color;
  readonly kind: ThreatKind;
}

/** Reach of a line shape: five in a row lie within four steps. */
const REACH = 4;

/** The free cells in line with `p` where one more stone of `color` wins by a row through `p`. */
function fivesThrough(board: Cells, rule: Rule, color: Color, p: Point, d: Point): Point[] {
  const found: Point[] = [];
  for (let step = -REACH; step <= REACH; step += 1) {
    const q = { x: p.x + d.x * step, y: p.y + d.y * step };
    if (cellAt(board, q.x, q.y) !== EMPTY) continue;
    withStone(board, q, color, () => {
      const line = winningLine(board, rule, q);
      if (line.some((s) => s.x === p.x && s.y === p.y)) found.push(q);
    });
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

/** Whether one more stone in this direction makes a straight four: two places for a five. */
function makesOpenThree(board: Cells, rule: Rule, color: Color, p: Point, d: Point): boolean {
  for (let step = -REACH + 1; step < REACH; step += 1) {
    const q = { x: p.x + d.x * step, y: p.y + d.y * step };
    if (cellAt(board, q.x, q.y) !== EMPTY) continue;
    const fives = withStone(board, q, color, () => fivesThrough(board, rule, color, q, d));
    if (fives.length < 2) continue;
    const through = withStone(board, q, color, () => fivesThrough(board, rule, color, p, d));
    if (through.length >= 2) return true;
  }
  return false;
}

function kindOf(board: Cells, rule: Rule, color: Color, p: Point): ThreatKind | null {
  return withStone(board, p, color, () => {
    if (winningLine(board, rule, p).length > 0) return 'five';
    const fives = DIRECTIONS.map((d) => fivesThrough(board, rule, color, p, d).length);
    if (fives.some((count) => count >= 2)) return 'straight-four';
    if (fives.some((count) => count === 1)) return 'four';
    return DIRECTIONS.some((d) => makesOpenThree(board, rule, color, p, d)) ? 'three' : null;
  });
}

/** What stones of both colours would make on the free cells near others. */
export function threats(position: Cells, rule: Rule): Threat[] {
  const board = { ...position, cells: position.cells.slice() };
  const found: Threat[] = [];
  for (let y = 0; y < board.height; y += 1) {
    for (let x = 0; x < board.width; x += 1) {
      if (cellAt(board, x, y) !== EMPTY) continue;
      for (const color of [BLACK, WHITE] as const) {
        const hasCompany = DIRECTIONS.some((d) =>
          [-3, -2, -1, 1, 2, 3].some((n) => cellAt(board, x + d.x * n, y + d.y * n) === color),
        );
        const kind = hasCompany ? kindOf(board, rule, color, { x, y }) : null;
        if (kind) found.push({ point: { x, y }, color, kind });
      }
    }
  }
  return found;
}
