import type { Point } from './point';
import { SIDES, label, parseLabel } from './point';
import { cellOf, pointsWith, positionAt } from './position';
import { BLACK, BLOCKED, EMPTY, RULES, WHITE, opponent } from './rules';
import type { Game, GameNode, Setup } from './tree';
import { childByMove, newGame, pathTo } from './tree';

/**
 * A position as the fragment of a URL: `renju-15/h8i9h7`. Set-ups stand between rule and moves:
 * `standard-20x15/b:h8g8/w:i9/x:a1/t:w/h7`. A position after moves that do not alternate is written as one.
 */
export function writeLink(game: Game, node: GameNode): string {
  const size = game.width === game.height ? `${game.width}` : `${game.width}x${game.height}`;
  const parts = [`${game.rule}-${size}`];
  const path = pathTo(node);
  const first = lastStart(game, path);
  if (first > 0 || path[0]!.setup) {
    const position = positionAt(game, path[first]!);
    const names = (cell: number) =>
      pointsWith(position, cell).map((p) => label(p, game.height)).join('');
    const lists: [string, string][] = [
      ['b', names(BLACK)],
      ['w', names(WHITE)],
      ['x', names(BLOCKED)],
    ];
    for (const [name, text] of lists) if (text) parts.push(`${name}:${text}`);
    parts.push(`t:${position.toMove === WHITE ? 'w' : 'b'}`);
  }
  const moves = path.slice(first + 1).flatMap((at) => at.move ?? []);
  parts.push(moves.map(({ point }) => (point ? label(point, game.height) : '-')).join(''));
  return parts.join('/');
}

/** The place in a path from which on its moves alone say whose they are: the last set-up, or stone out of turn. */
function lastStart(game: Game, path: readonly GameNode[]): number {
  const lastSetup = path.findLastIndex((at) => at.setup !== null);
  let first = Math.max(0, lastSetup);
  let { toMove } = positionAt(game, path[first]!);
  for (const [i, { move }] of path.entries()) {
    if (i <= first || !move) continue;
    if (move.color !== toMove) first = i;
    toMove = opponent(move.color);
  }
  return first;
}

/** Reads such a fragment; `null` if it is none, or if a move in it is impossible. */
export function readLink(text: string): { game: Game; node: GameNode } | null {
  const [head, ...rest] = decoded(text).split('/');
  const found = /^([a-z]+9?)-(\d+)(?:x(\d+))?$/.exec(head ?? '');
  const rule = RULES.find((name) => name === found?.[1]);
  if (!found || !rule) return null;
  const [width, height] = [Number(found[2]), Number(found[3] ?? found[2])];
  if (![width, height].every((n) => n >= SIDES.min && n <= SIDES.max)) return null;
  const game = newGame(rule, width, height);
  const setup = readSetup(rest.filter((part) => part.includes(':')), width, height);
  if (setup === undefined) return null;
  game.root.setup = setup;
  const moves = rest.find((part) => !part.includes(':')) ?? '';
  let node = game.root;
  for (const name of moves.match(/[a-v]\d{1,2}|-/gi) ?? []) {
    const position = positionAt(game, node);
    const point = name === '-' ? null : parseLabel(name, width, height);
    if (name !== '-' && (!point || cellOf(position, point) !== EMPTY)) return null;
    node = childByMove(node, { color: position.toMove, point });
  }
  return { game, node };
}

/** Some programs write `:` and `/` as `%3A` and `%2F`; a text with other signs of per cent is no link. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}

function readSetup(parts: string[], width: number, height: number): Setup | null | undefined {
  if (parts.length === 0) return null;
  const lists = new Map(parts.map((part) => [part[0], part.slice(2)]));
  const points = (name: string): (Point | null)[] =>
    (lists.get(name)?.match(/[a-v]\d{1,2}/gi) ?? []).map((text) => parseLabel(text, width, height));
  const [black, white, blocked] = [points('b'), points('w'), points('x')];
  if ([...black, ...white, ...blocked].includes(null)) return undefined;
  return {
    black: black as Point[],
    white: white as Point[],
    blocked: blocked as Point[],
    empty: [],
    toMove: lists.get('t') === 'w' ? WHITE : BLACK,
  };
}
