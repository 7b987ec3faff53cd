import type { Judgement, Mark } from './judgement';
import type { Choice } from './opening-phase';
import type { Point } from './point';
import { samePoint } from './point';
import type { Color, Rule } from './rules';

/** A stone of a colour on a point; `point` is `null` for a pass. */
export interface Move {
  readonly color: Color;
  readonly point: Point | null;
}

/** Changes of the position without moves, as SGF has them. */
export interface Setup {
  readonly black: readonly Point[];
  readonly white: readonly Point[];
  readonly empty: readonly Point[];
  readonly blocked: readonly Point[];
  readonly toMove: Color | null;
}

/** A short text on a cell. */
export interface CellText {
  readonly point: Point;
  readonly text: string;
}

/** A property of SGF with its values. */
export type Property = readonly [name: string, values: readonly string[]];

/** A search's result for a position. */
export interface NodeValue {
  /** The points that Black can expect, 0 to 1. */
  readonly blackWins: number;
  /** Value for the side to move, as the engine prints it: `143`, `+M15`. */
  readonly score: string;
  /** Completed depth in plies. */
  readonly depth: number;
}

/** A position of the game tree: the one after `move`. */
export interface GameNode {
  readonly id: number;
  readonly parent: GameNode | null;
  readonly children: GameNode[];
  readonly move: Move | null;
  setup: Setup | null;
  comment: string;
  texts: readonly CellText[];
  value: NodeValue | null;
  judgement: Judgement | null;
  /** The opened record's mark of the move. */
  mark: Mark | null;
  /** Properties of the record unknown to the page, to be written back. */
  rest: readonly Property[];
}

/** A game with its variations. */
export interface Game {
  readonly rule: Rule;
  readonly width: number;
  readonly height: number;
  /** Name of the opening rule; `free` without one. */
  readonly opening: string;
  /** The choices of the opening so far, also once it is over. */
  choices: readonly Choice[];
  readonly root: GameNode;
  black: string;
  white: string;
  /** As SGF writes results: `B+`, `W+`, `0`; empty while the game goes on. */
  result: string;
}

let lastId = 0;

/** A node that is not yet among the children of its parent. */
export function newNode(parent: GameNode | null, move: Move | null): GameNode {
  lastId += 1;
  return {
    id: lastId,
    parent,
    children: [],
    move,
    setup: null,
    comment: '',
    texts: [],
    value: null,
    judgement: null,
    mark: null,
    rest: [],
  };
}

/** A game without moves. */
export function newGame(rule: Rule, width: number, height: number, opening = 'free'): Game {
  const root = newNode(null, null);
  return { rule, width, height, opening, choices: [], root, black: '', white: '', result: '' };
}

/** The child of `node` by this move, if it is there. */
export function findChild(node: GameNode, move: Move): GameNode | undefined {
  return node.children.find(
    (child) =>
      child.move?.color === move.color &&
      (samePoint(child.move.point, move.point) || (!child.move.point && !move.point)),
  );
}

/** The child of `node` by this move: the one that is there, or a new one at the end. */
export function childByMove(node: GameNode, move: Move): GameNode {
  return findChild(node, move) ?? addChild(node, move);
}

/** A new child of `node`, the last one. */
export function addChild(node: GameNode, move: Move | null): GameNode {
  const child = newNode(node, move);
  node.children.push(child);
  return child;
}

/** The nodes from the root to `node`. */
export function pathTo(node: GameNode): GameNode[] {
  const path: GameNode[] = [];
  for (let at: GameNode | null = node; at; at = at.parent) path.push(at);
  // Each node put in front would move all the others.
  return path.reverse();
}

/** The nodes of the line through `node`: the path to `node`, then first children to the end. */
export function lineThrough(node: GameNode): GameNode[] {
  const line = pathTo(node);
  for (let at = node.children[0]; at; at = at.children[0]) line.push(at);
  return line;
}

/** The last node of the line of first children from `node`. */
export function endOfLine(node: GameNode): GameNode {
  let at = node;
  while (at.children[0]) at = at.children[0];
  return at;
}

/** All nodes, parents before their children. */
export function allNodes(root: GameNode): GameNode[] {
  const nodes = [root];
  for (const node of nodes) for (const child of node.children) nodes.push(child);
  return nodes;
}

/** Takes a branch out of the tree. */
export function removeBranch(node: GameNode): void {
  const siblings = node.parent?.children;
  siblings?.splice(siblings.indexOf(node), 1);
}

/** Makes the branch of `node` the main line, all the way from the root. */
export function makeMainLine(node: GameNode): void {
  for (let at = node; at.parent; at = at.parent) {
    const siblings = at.parent.children;
    siblings.splice(siblings.indexOf(at), 1);
    siblings.unshift(at);
  }
}

/** Which child leads to `node` at each step, from the root. */
export function indexPath(node: GameNode): number[] {
  return pathTo(node).slice(1).map((at) => at.parent!.children.indexOf(at));
}

/** The node at the end of such a path, as far as it exists. */
export function followPath(root: GameNode, path: readonly number[]): GameNode {
  let at = root;
  for (const index of path) at = at.children[index] ?? at;
  return at;
}
