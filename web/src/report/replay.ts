import type { BoardModel } from '../board/model';
import { plainModel } from '../board/model';
import { parseLabel } from '../game/point';
import { positionAt } from '../game/position';
import type { Color, Rule } from '../game/rules';
import { BLACK, RULES, opponent } from '../game/rules';
import type { GameNode } from '../game/tree';
import { childByMove, endOfLine, newGame, pathTo } from '../game/tree';
import type { MatchGame } from './data';

/** The value at which the odds are e to 1. */
const LOGIT = 200;
/** From which fall on a move is named: that of a blunder. */
const LEAST_FALL = 0.2;
const MOST_FALLS = 3;

/** The points of a game's moves; a pass is `-`. */
export function labelsOf(game: MatchGame): string[] {
  return game.moves.match(/-|[a-z]\d+/g) ?? [];
}

/** The share of points that a value stands for, 0 to 1; `null` without a value. */
function pointsOf(value: string | null | undefined): number | null {
  const [, won, number] = /^([+-]M)?(-?\d+)$/.exec(value ?? '') ?? [];
  if (number === undefined) return null;
  if (won) return won === '+M' ? 1 : 0;
  // The scale of our own values; those of other engines are alike.
  return 1 / (1 + Math.exp(-Number(number) / LOGIT));
}

/** A move after which the player's own value fell. */
export interface Fall {
  /** Number of the move, from 1. */
  readonly move: number;
  readonly before: string;
  /** The player's next value; `null` where the game was lost before there was one. */
  readonly after: string | null;
}

/** The moves after which the players' own values fell most, the worst first. */
export function fallsOf(game: MatchGame): Fall[] {
  const values = game.eval ?? [];
  const falls = values.flatMap((before, i) => {
    const mover = i % 2 === 0 ? 'black' : 'white';
    const after = i + 2 < values.length ? values[i + 2]! : null;
    const isLost = i + 2 >= values.length && game.outcome !== 'draw' && game.outcome !== mover;
    const [high, low] = [pointsOf(before), isLost ? 0 : pointsOf(after)];
    const fall = high === null || low === null ? 0 : high - low;
    return fall < LEAST_FALL ? [] : [{ move: i + 1, before: before!, after, fall }];
  });
  return falls.sort((a, b) => b.fall - a.fall || a.move - b.move).slice(0, MOST_FALLS);
}

/** A game of the match as the board's game: after how many moves a position is, it shows what. */
export function boardsOf(game: MatchGame, rule: string): (move: number, hasNumbers: boolean) => BoardModel {
  const [width, height] = game.size;
  const tree = newGame(RULES.find((name) => name === rule) ?? ('freestyle' satisfies Rule), width, height);
  let color: Color = BLACK;
  let node: GameNode = tree.root;
  for (const label of labelsOf(game)) {
    node = childByMove(node, { color, point: parseLabel(label, width, height) });
    color = opponent(color);
  }
  const line = pathTo(endOfLine(tree.root));
  return (move, hasNumbers) => {
    const position = positionAt(tree, line[move] ?? tree.root);
    const numbers = new Map<number, number>();
    position.moves.forEach(({ point }, i) => hasNumbers && point && numbers.set(point.y * width + point.x, i + 1));
    return { ...plainModel(position), numbers, last: position.last, winning: position.ending?.line ?? [] };
  };
}
