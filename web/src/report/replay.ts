import type { BoardModel } from '../board/model';
import { plainModel } from '../board/model';
import { parseLabel } from '../game/point';
import { positionAt } from '../game/position';
import type { Color, Rule } from '../game/rules';
import { BLACK, RULES, opponent } from '../game/rules';
import type { GameNode } from '../game/tree';
import { childByMove, endOfLine, newGame, pathTo } from '../game/tree';
import type { MatchGame } from './data';

/** The points of a game's moves; a pass is `-`. */
export function labelsOf(game: MatchGame): string[] {
  return game.moves.match(/-|[a-z]\d+/g) ?? [];
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
