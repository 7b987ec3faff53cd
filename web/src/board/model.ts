import { blameOf } from '../game/judgement';
import type { Blame, Mark } from '../game/judgement';
import type { Point } from '../game/point';
import { parseLabel } from '../game/point';
import type { Cells, Color } from '../game/rules';
import type { CellText } from '../game/tree';

/** A candidate of the search, as it is drawn on a free cell. */
export interface CandidateMark {
  readonly point: Point;
  /** The large text: a win rate or a value. */
  readonly text: string;
  /** The small text below it: the depth. */
  readonly detail: string;
  /** 0 for the best move to 1 for one that loses all. */
  readonly loss: number;
  readonly isBest: boolean;
}

/** A sign on a cell. */
export interface SignMark {
  readonly point: Point;
  readonly kind:
    | 'forbidden'
    | 'foul'
    | 'searching'
    | 'searched'
    | 'lost'
    | 'offered'
    | 'five'
    | 'straight-four'
    | 'four'
    | 'three'
    | 'branch'
    | 'better'
    | Blame;
  readonly color?: Color;
}

/** A stone that is not (yet) played. */
export interface GhostStone {
  readonly point: Point;
  readonly color: Color;
  readonly number: number;
}

/** All that a board shows. */
export interface BoardModel extends Cells {
  /** Numbers of stones by cell; empty where none are shown. */
  readonly numbers: ReadonlyMap<number, number>;
  readonly last: Point | null;
  readonly winning: readonly Point[];
  readonly candidates: readonly CandidateMark[];
  readonly signs: readonly SignMark[];
  readonly ghosts: readonly GhostStone[];
  /** Short texts on cells, of the game and of the database. */
  readonly texts: readonly CellText[];
  /** The cells on which a stone may be put now, where an opening rule limits them. */
  readonly area: readonly Point[] | null;
  readonly hasCoordinates: boolean;
  /** How the board is turned and mirrored: a number in `TURNS`. */
  readonly turn: number;
}

/** A board that shows nothing but its cells. */
export function plainModel(board: Cells): BoardModel {
  return {
    width: board.width,
    height: board.height,
    cells: board.cells,
    numbers: new Map(),
    last: null,
    winning: [],
    candidates: [],
    signs: [],
    ghosts: [],
    texts: [],
    area: null,
    hasCoordinates: true,
    turn: 0,
  };
}

/** The signs of a judgement: what the move on `point` is blamed with, and the better one. */
export function judgementSigns(judgement: Mark | null, point: Point | null, board: Cells): SignMark[] {
  const kind = blameOf(judgement);
  if (!kind || !point) return [];
  const better = parseLabel(judgement?.best ?? '', board.width, board.height);
  return [{ point, kind }, ...(better ? [{ point: better, kind: 'better' as const }] : [])];
}
