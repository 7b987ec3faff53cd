import type { Mark, MoveClass } from './judgement';
import type { ChoiceWords } from './opening-record';
import { choiceWords, readChoices } from './opening-record';
import type { Point } from './point';
import { SIDES, isOnBoard } from './point';
import { positionAt } from './position';
import type { Color, Rule } from './rules';
import { BLACK, EMPTY, RULES, WHITE } from './rules';
import type { CellText, Game, GameNode, Property, Setup } from './tree';
import { newGame, newNode } from './tree';

type Properties = Map<string, string[]>;

/** Why a text is no game; the message is for people. */
export class SgfError extends Error {}

/** What the game itself holds; the other properties of a node are kept as they are. */
const OF_NODES = ['B', 'W', 'AB', 'AW', 'AE', 'XB', 'PL', 'XC', 'SBKV', 'SC', 'XD', 'C', 'LB'];
const OF_ROOT = ['FF', 'GM', 'CA', 'AP', 'SZ', 'RU', 'XO', 'PB', 'PW', 'RE'];
/** What a judgement stands for. */
const OF_MARKS = ['TE', 'DO', 'BM'];

/** Reads the first game of an SGF text with its variations, comments, values and marks. */
export function readSgf(text: string): Game {
  const reader = new Reader(text);
  const tree = reader.tree();
  const properties = tree.nodes[0] ?? new Map<string, string[]>();
  const kind = properties.get('GM')?.[0]?.trim() ?? '4';
  if (kind !== '4') throw new SgfError(`GM[${kind}]`);
  const [width, height] = sizeOf(properties.get('SZ')?.[0] ?? '15');
  const rule = ruleOf(properties.get('RU')?.[0] ?? '');
  const game = newGame(rule, width, height, properties.get('XO')?.[0] ?? 'free');
  game.black = properties.get('PB')?.[0] ?? '';
  game.white = properties.get('PW')?.[0] ?? '';
  game.result = properties.get('RE')?.[0] ?? '';
  const words = new Map<GameNode, readonly string[]>();
  addTree(game, game.root, tree, true, words);
  game.choices = readChoices(game, words);
  return game;
}

interface Tree {
  nodes: Properties[];
  branches: Tree[];
}

/** The grammar of SGF: `(;A[x]B[y][z];…(…)(…))`. Blanks are skipped. */
class Reader {
  private at = 0;
  constructor(private readonly text: string) {
    this.at = text.indexOf('(');
    if (this.at < 0) throw new SgfError('no game');
  }

  tree(): Tree {
    this.at += 1;
    const tree: Tree = { nodes: [], branches: [] };
    for (;;) {
      const c = this.text[this.at];
      if (c === undefined || c === ')') {
        this.at += 1;
        return tree;
      }
      if (c === '(') tree.branches.push(this.tree());
      else if (c === ';') {
        this.at += 1;
        tree.nodes.push(this.node());
      } else this.at += 1;
    }
  }

  private node(): Properties {
    const properties: Properties = new Map();
    let name = '';
    for (;;) {
      const c = this.text[this.at];
      if (c === undefined || c === ';' || c === '(' || c === ')') return properties;
      this.at += 1;
      if (/[A-Z]/.test(c)) name += c;
      else if (c === '[') {
        const values = properties.get(name) ?? [];
        values.push(this.value());
        properties.set(name, values);
        while (/\s/.test(this.text[this.at] ?? '')) this.at += 1;
        if (this.text[this.at] !== '[') name = '';
      }
    }
  }

  private value(): string {
    let value = '';
    for (;;) {
      const c = this.text[this.at];
      this.at += 1;
      if (c === undefined || c === ']') return value;
      value += c === '\\' ? this.escaped() : c;
    }
  }

  /** What a backslash escapes. An escaped line end, of one character or two, only wraps a long line. */
  private escaped(): string {
    const c = this.text[this.at] ?? '';
    this.at += 1;
    if (c !== '\n' && c !== '\r') return c;
    const next = this.text[this.at];
    if ((next === '\n' || next === '\r') && next !== c) this.at += 1;
    return '';
  }
}

function sizeOf(text: string): [number, number] {
  const [width, height] = text.split(':').map(Number);
  const isSide = (n: number | undefined): n is number =>
    n !== undefined && Number.isInteger(n) && n >= SIDES.min && n <= SIDES.max;
  if (!isSide(width) || !isSide(height ?? width)) throw new SgfError(`SZ[${text}]`);
  return [width, height ?? width];
}

function ruleOf(text: string): Rule {
  const name = text.trim().toLowerCase();
  return RULES.find((rule) => rule === name) ?? RULES.find((rule) => name.includes(rule)) ?? 'freestyle';
}

function addTree(
  game: Game,
  parent: GameNode,
  tree: Tree,
  isRoot: boolean,
  words: Map<GameNode, readonly string[]>,
): void {
  let at = parent;
  tree.nodes.forEach((properties, i) => {
    at = addNode(game, at, properties, isRoot && i === 0);
    words.set(at, properties.get('XC') ?? []);
  });
  for (const branch of tree.branches) addTree(game, at, branch, false, words);
}

function addNode(game: Game, parent: GameNode, properties: Properties, isRoot: boolean): GameNode {
  const name = properties.has('B') ? 'B' : properties.has('W') ? 'W' : null;
  let node = parent;
  if (name || !isRoot) {
    const color: Color = name === 'W' ? WHITE : BLACK;
    const text = name ? properties.get(name)![0]!.trim() : '';
    const move = name ? { color, point: isPass(text, game) ? null : pointOf(text, game) } : null;
    node = newNode(parent, move);
    const before = positionAt(game, parent);
    if (move?.point && before.cells[move.point.y * game.width + move.point.x] !== EMPTY) {
      throw new SgfError(`${name}[${text}]`);
    }
    parent.children.push(node);
  }
  const holder = isRoot ? parent : node;
  holder.setup = setupOf(properties, game);
  holder.rest = restOf(properties, isRoot);
  node.mark = markOf(properties);
  node.comment = properties.get('C')?.[0] ?? '';
  node.texts = (properties.get('LB') ?? []).flatMap((value) => textsOf(value, game));
  const value = properties.get('SBKV')?.[0];
  if (value !== undefined && Number.isFinite(Number(value))) {
    const depth = Number(properties.get('XD')?.[0]);
    node.value = {
      blackWins: Number(value) / 100,
      score: properties.get('SC')?.[0] ?? '',
      depth: depth > 0 ? depth : 0,
    };
  }
  return node;
}

/** The properties that are only kept; values without a name are none. */
function restOf(properties: Properties, isRoot: boolean): Property[] {
  const read = new Set(isRoot ? [...OF_NODES, ...OF_ROOT] : OF_NODES);
  return [...properties].filter(([name]) => name !== '' && !read.has(name));
}

function markOf(properties: Properties): Mark | null {
  const bad = properties.get('BM')?.[0];
  if (bad !== undefined) return { class: bad.trim() === '2' ? 'blunder' : 'mistake' };
  if (properties.has('DO')) return { class: 'inaccuracy' };
  return properties.has('TE') ? { class: 'best' } : null;
}

function setupOf(properties: Properties, game: Game): Setup | null {
  const points = (name: string) =>
    (properties.get(name) ?? []).flatMap((value) => pointsOf(value, game));
  const turn = properties.get('PL')?.[0];
  const setup: Setup = {
    black: points('AB'),
    white: points('AW'),
    empty: points('AE'),
    blocked: points('XB'),
    toMove: turn === undefined ? null : sideOf(turn),
  };
  const isEmpty =
    setup.toMove === null &&
    [setup.black, setup.white, setup.empty, setup.blocked].every((list) => list.length === 0);
  return isEmpty ? null : setup;
}

/** No point is a pass; so is `tt` where the board has no such point, as on Go's boards in old files. */
function isPass(text: string, game: Game): boolean {
  return text === '' || (text === 'tt' && !pointIn(text, game));
}

/** The side that a value of `PL` names by its first letter. */
function sideOf(text: string): Color {
  const letter = text.trim()[0]?.toLowerCase();
  if (letter !== 'b' && letter !== 'w') throw new SgfError(`PL[${text}]`);
  return letter === 'w' ? WHITE : BLACK;
}

function pointOf(text: string, game: Game): Point {
  const p = pointIn(text, game);
  if (!p) throw new SgfError(`[${text}]`);
  return p;
}

function pointIn(text: string, game: Game): Point | null {
  const p = { x: text.charCodeAt(0) - 97, y: text.charCodeAt(1) - 97 };
  return text.length === 2 && isOnBoard(p, game.width, game.height) ? p : null;
}

/** One point, or the rectangle between two: `aa`, `aa:cc`. */
function pointsOf(text: string, game: Game): Point[] {
  const [from, to] = text.split(':');
  const a = pointOf(from!.trim(), game);
  const b = to ? pointOf(to.trim(), game) : a;
  const found: Point[] = [];
  for (let y = a.y; y <= b.y; y += 1) for (let x = a.x; x <= b.x; x += 1) found.push({ x, y });
  return found;
}

/** The label of a point: `hh:A`. One beside the board is left out. */
function textsOf(value: string, game: Game): CellText[] {
  const [name, text] = value.split(/:(.*)/s);
  const point = pointIn(name!.trim(), game);
  return point && text ? [{ point, text }] : [];
}

/**
 * Writes a game with all its variations, comments, values and judgements; a bare one with its moves, set-ups
 * and the choices of its opening alone.
 */
export function writeSgf(game: Game, isBare = false): string {
  const size = game.width === game.height ? `${game.width}` : `${game.width}:${game.height}`;
  let head = `FF[4]GM[4]CA[UTF-8]AP[Tengen]SZ[${size}]RU[${game.rule}]`;
  // Who reads the name of an opening takes the moves for its steps: it is left out where they are not.
  const words = choiceWords(game);
  const named: [string, string][] = [
    ['PB', game.black],
    ['PW', game.white],
    ['RE', game.result],
    ['XO', words ? game.opening : ''],
  ];
  for (const [name, value] of named) if (value) head += property(name, value);
  const text = (node: GameNode) => moveText(node, words) + (isBare ? '' : remarksText(node));
  return `(;${head}${text(game.root)}${childrenText(game.root, text)})\n`;
}

/** The main line alone, without values and comments. */
export function writeMoves(game: Game, line: readonly GameNode[]): string {
  const bare: Game = { ...game, root: newNode(null, null) };
  bare.root.setup = line[0]?.setup ?? null;
  let at = bare.root;
  for (const node of line.slice(1)) {
    const next = newNode(at, node.move);
    next.setup = node.setup;
    at.children.push(next);
    at = next;
  }
  return writeSgf(bare);
}

/** All that follows `node`; `nodeText` writes a node. */
function childrenText(node: GameNode, nodeText: (node: GameNode) => string): string {
  let text = '';
  let at = node;
  while (at.children.length === 1) {
    at = at.children[0]!;
    text += `\n;${nodeText(at)}`;
  }
  for (const child of at.children) text += `\n(;${nodeText(child)}${childrenText(child, nodeText)})`;
  return text;
}

const MARKS: Readonly<Partial<Record<MoveClass, string>>> = {
  best: 'TE[1]',
  inaccuracy: 'DO[]',
  mistake: 'BM[1]',
  blunder: 'BM[2]',
};

/** The move of a node, what is set up, and the words of an opening. */
function moveText(node: GameNode, words: ChoiceWords | null): string {
  let text = '';
  if (node.move) {
    const { color, point } = node.move;
    text += `${color === BLACK ? 'B' : 'W'}[${point ? place(point) : ''}]`;
  }
  if (node.setup) {
    const { black, white, empty, blocked, toMove } = node.setup;
    const lists: [string, readonly Point[]][] = [
      ['AB', black],
      ['AW', white],
      ['AE', empty],
      ['XB', blocked],
    ];
    for (const [name, points] of lists) {
      if (points.length > 0) text += name + points.map((p) => `[${place(p)}]`).join('');
    }
    if (toMove) text += `PL[${toMove === BLACK ? 'B' : 'W'}]`;
  }
  const said = words?.get(node) ?? [];
  if (said.length > 0) text += property('XC', ...said);
  return text;
}

/** What is said of a node: values, marks, comments, and what was read but not understood. */
function remarksText(node: GameNode): string {
  let text = '';
  if (node.value) {
    const { blackWins, score, depth } = node.value;
    text += `SBKV[${(100 * blackWins).toFixed(1)}]`;
    if (score) text += property('SC', score);
    // A later search that is less deep does not take the value's place.
    if (depth > 0) text += `XD[${depth}]`;
  }
  if (node.judgement) text += MARKS[node.judgement.class] ?? '';
  if (node.comment) text += property('C', node.comment);
  const texts = node.texts.map((at) => `[${place(at.point)}:${escaped(at.text)}]`);
  if (texts.length > 0) text += `LB${texts.join('')}`;
  for (const [name, values] of node.rest) {
    if (!node.judgement || !OF_MARKS.includes(name)) text += property(name, ...values);
  }
  return text;
}

function place(p: Point): string {
  return String.fromCharCode(97 + p.x, 97 + p.y);
}

function property(name: string, ...values: readonly string[]): string {
  return name + values.map((value) => `[${escaped(value)}]`).join('');
}

function escaped(value: string): string {
  return value.replace(/([\]\\])/g, '\\$1');
}
