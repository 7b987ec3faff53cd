import { batch, computed, signal } from '@preact/signals';
import type { Point } from '../game/point';
import type { Position } from '../game/position';
import { cellOf, positionAt } from '../game/position';
import { BLACK, EMPTY } from '../game/rules';
import type { Color } from '../game/rules';
import { forbiddenPoints } from '../game/threats';
import type { Game, GameNode, Move } from '../game/tree';
import { childByMove, endOfLine, newGame } from '../game/tree';
import type { Key } from '../i18n/en';

/** The game on the board, with its variations. */
export const game = signal<Game>(newGame('freestyle', 15, 15));
/** The node whose position is shown. */
export const node = signal<GameNode>(game.value.root);
/** Counts the changes inside the tree, which is changed in place. */
export const version = signal(0);
/** A message for the user. */
export interface Notice {
  readonly text: string;
  readonly isError: boolean;
  /** Makes the same text new. */
  readonly key: number;
  /** A remedy, with a button of its own. */
  readonly action?: { readonly label: Key; readonly run: () => void };
}

/** The last message. */
export const notice = signal<Notice | null>(null);

/** The position that is shown. */
export const position = computed<Position>(() => {
  void version.value;
  return positionAt(game.value, node.value);
});

/** The points that the side to move must not play. */
export const forbidden = computed<readonly Point[]>(() => {
  const here = position.value;
  return here.rule === 'renju' && here.toMove === BLACK && !here.ending ? forbiddenPoints(here) : [];
});

/** An end of a game other than by the stones: the reason and the winner. */
export interface Verdict {
  /** Black played a forbidden point, a player resigned or ran out of time. */
  readonly kind: 'foul' | 'resigned' | 'time';
  readonly winner: Color;
  /** For a loss on time: what the loser had when his turn began, or at a reload since, in ms. Taken back, he has it again. */
  readonly left?: number;
  /** And the periods of byo-yomi that were left. */
  readonly periods?: number;
}

/** The verdicts, by the node at which they fell. */
export const verdicts = new WeakMap<GameNode, Verdict>();

/** Tells everyone that the tree has changed. */
export function touch(): void {
  version.value += 1;
}

/** Shows a message. */
export function notify(text: string, isError = false): void {
  notice.value = { text, isError, key: (notice.value?.key ?? 0) + 1 };
}

/** Begins with another game, at one of its nodes. */
export function openGame(next: Game, at: GameNode = next.root): void {
  batch(() => {
    game.value = next;
    node.value = at;
    touch();
  });
}

/** Shows another position of the game. */
export function goTo(next: GameNode): void {
  node.value = next;
}

/** Steps along the line: so many moves forward, or back where negative. */
export function step(count: number): void {
  let at = node.value;
  for (let i = 0; i < Math.abs(count); i += 1) at = (count < 0 ? at.parent : at.children[0]) ?? at;
  goTo(at);
}

/** To the beginning of the game. */
export function toStart(): void {
  goTo(game.value.root);
}

/** To the end of the line. */
export function toEnd(): void {
  goTo(endOfLine(node.value));
}

/** To the variation beside the current one. */
export function toSibling(direction: 1 | -1): void {
  const siblings = node.value.parent?.children ?? [];
  const next = siblings[siblings.indexOf(node.value) + direction];
  if (next) goTo(next);
}

/** True if the game is over in the position shown: by the rules, or by a verdict. */
export function isOver(): boolean {
  return position.value.ending !== null || verdicts.has(node.value);
}

/** True if a stone may be put on `p`: it is free, and the game is not over. */
export function mayPlay(p: Point): boolean {
  return !isOver() && cellOf(position.value, p) === EMPTY;
}

/** Plays a move of the side to move from the position shown, and shows what follows it. */
export function addMove(point: Point | null): GameNode {
  const move: Move = { color: position.value.toMove, point };
  // Nobody has given up a game that goes on; a variation leaves its result as it is.
  const isLast = node.value === endOfLine(game.value.root);
  if (isLast && /^[BW]\+[RT]/.test(game.value.result)) game.value.result = '';
  const next = childByMove(node.value, move);
  touch();
  goTo(next);
  return next;
}

/** Puts a line of moves behind a position as a variation, `side` first; the position shown stays. */
export function addLine(points: readonly Point[], from: GameNode = node.value, side?: Color): GameNode {
  let at = from;
  for (const point of points) {
    const here = positionAt(game.value, at);
    if (here.ending || cellOf(here, point) !== EMPTY) break;
    const color = at === from && side ? side : here.toMove;
    at = childByMove(at, { color, point });
  }
  touch();
  return at;
}
