import type { Point } from './point';
import { SIDES, label, parseLabel } from './point';
import { cellOf, pointsWith, positionAt } from './position';
import { BLACK, BLOCKED, EMPTY, RULES, WHITE, opponent } from './rules';
import type { Color } from './rules';
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

/** The fault of a link: no position, an unknown rule or size, a text in place of a point, or an occupied point. */
export class LinkFault extends Error {
  constructor(
    readonly kind: 'none' | 'rule' | 'size' | 'point' | 'taken',
    readonly text: string,
  ) {
    super(`${kind}: ${text}`);
  }
}

/** Reads such a fragment; `null` if it is none. Throws a `LinkFault` for what is impossible in it. */
export function readLink(text: string): { game: Game; node: GameNode } | null {
  const [head = '', ...rest] = decoded(text).split('/');
  const found = /^([a-z]+9?)-(\d+(?:x\d+)?)$/.exec(head);
  if (!found) return null;
  const rule = RULES.find((name) => name === found[1]);
  if (!rule) throw new LinkFault('rule', found[1]!);
  const [width = 0, height = width] = found[2]!.split('x').map(Number);
  if (![width, height].every((n) => n >= SIDES.min && n <= SIDES.max)) throw new LinkFault('size', found[2]!);
  const game = newGame(rule, width, height);
  game.root.setup = readSetup(rest.filter((part) => part.includes(':')), width, height);
  let node = game.root;
  for (const name of wordsOf(rest.filter((part) => !part.includes(':')).join(' '))) {
    const position = positionAt(game, node);
    const point = name === '-' ? null : pointOf(name, width, height);
    if (point && cellOf(position, point) !== EMPTY) throw new LinkFault('taken', name);
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

/** Points and passes. Signs between them, such as the full stop after a link, mean nothing. */
function wordsOf(text: string): string[] {
  return text.match(/\p{L}+\d*|\d+|-/gu) ?? [];
}

function pointOf(name: string, width: number, height: number): Point {
  const point = parseLabel(name, width, height);
  if (!point) throw new LinkFault('point', name);
  return point;
}

function readSetup(parts: string[], width: number, height: number): Setup | null {
  if (parts.length === 0) return null;
  const [black, white, blocked]: [Point[], Point[], Point[]] = [[], [], []];
  const lists = new Map([['b', black], ['w', white], ['x', blocked]]);
  const taken = new Set<string>();
  let toMove: Color = BLACK;
  for (const part of parts) {
    const [name = '', text = ''] = part.split(':');
    const list = lists.get(name);
    if (name === 't' && /^[bw]$/.test(text)) {
      toMove = text === 'w' ? WHITE : BLACK;
      continue;
    }
    if (!list) throw new LinkFault('point', part);
    for (const word of wordsOf(text)) {
      const point = pointOf(word, width, height);
      const cell = label(point, height);
      if (taken.has(cell)) throw new LinkFault('taken', word);
      taken.add(cell);
      list.push(point);
    }
  }
  return { black, white, blocked, empty: [], toMove };
}
