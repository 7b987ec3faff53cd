/** The classes of bad moves. */
export type Blame = 'inaccuracy' | 'mistake' | 'blunder';
/** The class of a move; `opening` moves are not judged, nor `unknown` ones, whose searches were cut off. */
export type MoveClass = 'best' | 'good' | Blame | 'opening' | 'unknown';
/** From which loss on, in per cent, a review marks moves: mistakes and blunders lose as much. */
export const MARKED_LOSS = 10;

/**
 * The engine's judgement of one move, as `MESSAGE REVIEW` has it. All values are for the side that
 * made the move; points are written as people write them.
 */
export interface Judgement {
  /** Number of the move, from 1. */
  readonly move: number;
  /** `null` for a pass. */
  readonly point: string | null;
  readonly side: 'black' | 'white';
  /** Points that the side can expect after the move, 0 to 1. */
  readonly win_rate: number;
  readonly score: string;
  readonly best: string | null;
  readonly best_win_rate: number;
  readonly best_score: string;
  /** The better line, beginning with `best`. */
  readonly line: readonly string[];
  /** The line that could have followed the move as played. */
  readonly reply: readonly string[];
  readonly depth: number;
  readonly loss: number;
  readonly move_accuracy: number;
  readonly class: MoveClass;
}

/** A record's judgement of a move, without reasons. */
export type Mark = Pick<Judgement, 'class'> & Partial<Pick<Judgement, 'best'>>;

/** A number for each side; `null` where no move was judged. */
export interface BySide<T> {
  readonly black: T;
  readonly white: T;
}

/** The end of a review. */
export interface ReviewSummary {
  readonly accuracy: BySide<number | null>;
  readonly counts: BySide<Partial<Record<MoveClass, number>>>;
  readonly moves: number;
  /** Fewer than `moves`: the review was stopped. */
  readonly reviewed: number;
  readonly nodes: number;
  readonly ms: number;
}

/** The JSON inside a self-contained review. */
export interface ReviewFile {
  readonly version: 1;
  readonly sgf: string;
  readonly rule: string;
  readonly width: number;
  readonly height: number;
  readonly positions: readonly Judgement[];
  readonly summary: ReviewSummary | null;
}

/** Black's win rate after the move. */
export function blackWinsAfter(judgement: Judgement): number {
  return judgement.side === 'black' ? judgement.win_rate : 1 - judgement.win_rate;
}

/** The class of a bad move; `null` for all others. */
export function blameOf(judgement: Mark | null | undefined): Blame | null {
  const found = judgement?.class;
  return found === 'inaccuracy' || found === 'mistake' || found === 'blunder' ? found : null;
}

/** The moves that lose most, and as much as marked ones; of equal losses the first in the game first. */
export function worstMoves(judgements: readonly Judgement[], most: number): Judgement[] {
  const bad = judgements.filter((judgement) => isMarked(judgement, MARKED_LOSS));
  return bad.sort((a, b) => b.loss - a.loss || a.move - b.move).slice(0, most);
}

/** True if the review marks the move: its loss is at least `markedLoss` per cent. */
export function isMarked(judgement: Judgement, markedLoss: number): boolean {
  return 100 * judgement.loss >= markedLoss;
}
