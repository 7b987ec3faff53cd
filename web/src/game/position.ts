import type { Point } from './point';
import type { Cells, Color, Rule } from './rules';
import { BLACK, BLOCKED, EMPTY, WHITE, opponent, winningLine } from './rules';
import type { Game, GameNode, Move } from './tree';
import { pathTo } from './tree';

/** Why a game is over. */
export interface Ending {
  /** `null`: a draw. */
  readonly winner: Color | null;
  readonly reason: 'row' | 'full';
  readonly line: readonly Point[];
}

/** The board after a node of a game. */
export interface Position extends Cells {
  readonly rule: Rule;
  /** The moves since the last set-up, in order. */
  readonly moves: readonly Move[];
  /** True if stones were set up: the moves alone do not give the position. */
  readonly hasSetup: boolean;
  readonly toMove: Color;
  readonly last: Point | null;
  readonly ending: Ending | null;
}

/** The position after `node`. */
export function positionAt(game: Game, node: GameNode): Position {
  const { width, height, rule } = game;
  const cells = new Uint8Array(width * height);
  const index = (p: Point) => p.y * width + p.x;
  let moves: Move[] = [];
  let toMove: Color = BLACK;
  let hasSetup = false;
  for (const at of pathTo(node)) {
    if (at.setup) {
      const { black, white, empty, blocked } = at.setup;
      empty.forEach((p) => (cells[index(p)] = EMPTY));
      black.forEach((p) => (cells[index(p)] = BLACK));
      white.forEach((p) => (cells[index(p)] = WHITE));
      blocked.forEach((p) => (cells[index(p)] = BLOCKED));
      toMove = at.setup.toMove ?? sideWithFewerStones(cells);
      hasSetup = true;
      moves = [];
    }
    if (at.move) {
      if (at.move.point) cells[index(at.move.point)] = at.move.color;
      moves.push(at.move);
      toMove = opponent(at.move.color);
    }
  }
  const last = node.move?.point ?? null;
  const board = { width, height, cells };
  return { ...board, rule, moves, hasSetup, toMove, last, ending: endingOf(board, rule, last) };
}

function endingOf(board: Cells, rule: Rule, last: Point | null): Ending | null {
  const line = last ? winningLine(board, rule, last) : [];
  if (last && line.length > 0) {
    return { winner: board.cells[last.y * board.width + last.x] as Color, reason: 'row', line };
  }
  return board.cells.includes(EMPTY) ? null : { winner: null, reason: 'full', line: [] };
}

/** The side to move where the record names none: the side with fewer stones, Black with equal counts. */
function sideWithFewerStones(cells: Uint8Array): Color {
  const count = (color: Color) => cells.reduce((sum, cell) => sum + (cell === color ? 1 : 0), 0);
  return count(BLACK) > count(WHITE) ? WHITE : BLACK;
}

/** The content of a point of the position. */
export function cellOf(position: Cells, p: Point): number {
  return position.cells[p.y * position.width + p.x] ?? BLOCKED;
}

/** The points with a certain content, row by row. */
export function pointsWith(position: Cells, cell: number): Point[] {
  const found: Point[] = [];
  position.cells.forEach((content, i) => {
    if (content === cell) found.push({ x: i % position.width, y: Math.floor(i / position.width) });
  });
  return found;
}
