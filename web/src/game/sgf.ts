import type { Mark, MoveClass } from './judgement';
import type { ChoiceWords } from './opening-record';
import { choiceWords, readChoices } from './opening-record';
import { PLAIN_OPENINGS, isRenjuOpening } from './opening-rules';
import type { Point } from './point';
import { SIDES, isOnBoard } from './point';
import { cellOf } from './position';
import type { Color, Rule } from './rules';
import { BLACK, BLOCKED, EMPTY, RULES, WHITE } from './rules';
import type { CellText, Game, GameNode, Move, Property, Setup } from './tree';
import { addChild, newGame, newNode } from './tree';

type Properties = Map<string, string[]>;

/** Why a text is no game; the message is for people. */
export class SgfError extends Error {}

/** Properties that the game itself holds; the other properties of a node are kept as they are. */
const OF_NODES = ['B', 'W', 'AB', 'AW', 'AE', 'XB', 'PL', 'XC', 'SBKV', 'SC', 'XD', 'C', 'LB'];
const OF_ROOT = ['FF', 'GM', 'CA', 'AP', 'SZ', 'RU', 'XO', 'PB', 'PW', 'RE'];
/** Properties that stand for judgements. */
const OF_MARKS = ['TE', 'DO', 'BM'];

/**
 * Reads the first game of an SGF text with its variations, comments, values and marks; `rule` is for a text
 * without a rule.
 */
export function readSgf(text: string, rule: Rule = 'freestyle'): Game {
  const reader = new Reader(text);
  const words = new Map<GameNode, readonly string[]>();
  /** The starts of the open variations, and the boards there; the first is the game. */
  const branches: { at: GameNode | null; cells: Uint8Array }[] = [];
  let game: Game | null = null;
  let at: GameNode | null = null;
  let cells: Uint8Array = new Uint8Array();
  do {
    const c = reader.peek();
    if (c === '(' && reader.skip() === ';') branches.push({ at, cells: cells.slice() });
    else if (c === ';' && branches.length > 0) {
      reader.skip();
      const properties = reader.node();
      const isRoot: boolean = game === null;
      game ??= gameOf(properties, rule);
      if (isRoot) cells = new Uint8Array(game.width * game.height);
      at = addNode(game, at ?? game.root, properties, isRoot, cells);
      words.set(at, properties.get('XC') ?? []);
    } else if (c === ')' && branches.length > 0) {
      ({ at, cells } = branches.pop()!);
      reader.skip();
    } else throw reader.error();
  } while (branches.length > 0);
  // Other games may follow.
  if (!['', '('].includes(reader.peek())) throw reader.error();
  game!.choices = readChoices(game!, words);
  return game!;
}

/** The games of a text of several, one after the other, each as a text of its own. */
export function splitSgf(text: string): string[] {
  const games: string[] = [];
  const sign = /[()[]/g;
  let [depth, start] = [0, 0];
  for (let found = sign.exec(text); found; found = sign.exec(text)) {
    if (found[0] === '[') {
      const end = /(?:[^\\\]]|\\[^])*/y;
      end.lastIndex = sign.lastIndex;
      end.exec(text);
      sign.lastIndex = end.lastIndex;
    } else if (found[0] === '(') {
      if (depth === 0) start = found.index;
      depth += 1;
    } else if (depth > 0) {
      depth -= 1;
      if (depth === 0) games.push(text.slice(start, sign.lastIndex));
    }
  }
  return games;
}

/** The properties of a game's root, by the names of SGF; `null` where the text is no game. */
export function sgfHead(text: string): ReadonlyMap<string, readonly string[]> | null {
  const reader = new Reader(text);
  if (reader.peek() !== '(' || reader.skip() !== ';') return null;
  reader.skip();
  try {
    return reader.node();
  } catch {
    return null;
  }
}

/** The rule that a game's root names. */
export function namedRule(head: ReadonlyMap<string, readonly string[]>): Rule | undefined {
  const opening = openingOf(head.get('XO')?.[0] ?? '');
  return ruleOf(head.get('RU')?.[0] ?? '') ?? (isRenjuOpening(opening) ? 'renju' : undefined);
}

/** The opening rule of this name, whose capitals do not count. */
function openingOf(named: string): string {
  return PLAIN_OPENINGS.find((name) => name === named.toLowerCase()) ?? (named || 'free');
}

/** The game that a root begins. */
function gameOf(properties: Properties, other: Rule): Game {
  const text = (name: string) => (properties.get(name)?.[0] ?? '').replace(/[\n\r\t]/g, ' ');
  const kind = text('GM').trim();
  if (!['', '4'].includes(kind)) throw new SgfError(`GM[${kind}]`);
  const [width, height] = sizeOf(properties.has('SZ') ? text('SZ') : '15');
  const opening = openingOf(text('XO'));
  const rule = namedRule(properties) ?? other;
  const game = newGame(rule, width, height, opening);
  game.black = text('PB');
  game.white = text('PW');
  game.result = text('RE');
  return game;
}

/** The words of SGF: `(;A[x]B[y][z];…(…)(…))`. Blanks between them are skipped. */
class Reader {
  private at = 0;
  constructor(private readonly text: string) {}

  /** The next symbol; nothing at the end. */
  peek(): string {
    while (/\s/.test(this.text[this.at] ?? '')) this.at += 1;
    return this.text[this.at] ?? '';
  }

  /** The symbol after the next one. */
  skip(): string {
    this.at += 1;
    return this.peek();
  }

  /** The error of a text that is no game from here on. */
  error(): SgfError {
    const line = this.text.slice(0, this.at).split('\n').length;
    return new SgfError(`SGF:${line}: ${this.text.slice(this.at, this.at + 20).split('\n')[0] || '…'}`);
  }

  /** The properties of a node. */
  node(): Properties {
    const properties: Properties = new Map();
    while (!['', ';', '(', ')'].includes(this.peek())) {
      const word = /^[^\s[\];()]*/.exec(this.text.slice(this.at, this.at + 100))![0];
      if (word === '') throw this.error();
      // Old files have small letters in names, which do not count.
      const name = (/^[A-Za-z]*$/.test(word) && word.replace(/[a-z]/g, '')) || word;
      this.at += word.length;
      if (this.peek() !== '[') throw this.error();
      const values = properties.get(name) ?? [];
      while (this.peek() === '[') values.push(this.value());
      properties.set(name, values);
    }
    return properties;
  }

  private value(): string {
    let value = '';
    this.at += 1;
    for (;;) {
      const c = this.text[this.at];
      if (c === undefined) throw this.error();
      this.at += 1;
      if (c === ']') return value;
      value += c === '\\' ? this.escaped() : c;
    }
  }

  /** The character after a backslash. An escaped line end, of one character or two, only wraps a long line. */
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
  const [, width, height = width] = /^(\d+)(?:[:x](\d+))?$/i.exec(text.trim()) ?? [];
  const sides = [Number(width), Number(height)] as [number, number];
  if (!sides.every((side) => side >= SIDES.min && side <= SIDES.max)) throw new SgfError(`SZ[${text}]`);
  return sides;
}

/** The rule of this name; a longer text names renju or caro by its word. */
function ruleOf(text: string): Rule | undefined {
  const name = text.trim().toLowerCase();
  return RULES.find((rule) => rule === name) ?? (['renju', 'caro'] as const).find((rule) => name.includes(rule));
}

/**
 * Adds the node of these properties below `parent`, or what the root has; the last one if it has several moves.
 * `cells` is the board before, and after it.
 */
function addNode(game: Game, parent: GameNode, properties: Properties, isRoot: boolean, cells: Uint8Array): GameNode {
  const board = { width: game.width, height: game.height, cells };
  const setup = setupOf(properties, game, cells);
  const moves: (Move | null)[] = [];
  for (const [name, [text]] of properties) {
    if (name !== 'B' && name !== 'W') continue;
    const point = isPass(text!.trim(), game) ? null : pointOf(text!, game);
    if (point && cellOf(board, point) !== EMPTY) throw new SgfError(`${name}[${text}]`);
    const color = name === 'W' ? WHITE : BLACK;
    if (point) cells[point.y * game.width + point.x] = color;
    moves.push({ color, point });
  }
  if (!isRoot && moves.length === 0) moves.push(null);
  let node = parent;
  for (const move of moves) node = addChild(node, move);
  const holder = isRoot ? parent : parent.children.at(-1)!;
  holder.setup = setup;
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

const SETUPS: Readonly<Record<string, number>> = { AB: BLACK, AW: WHITE, AE: EMPTY, XB: BLOCKED };

/** The set-up of a node, in the order of its properties. Makes the same changes on `cells`. */
function setupOf(properties: Properties, game: Game, cells: Uint8Array): Setup | null {
  const changed = new Map<number, Point>();
  for (const [name, values] of properties) {
    const content = SETUPS[name];
    if (content === undefined) continue;
    for (const p of values.flatMap((value) => pointsOf(value, game))) {
      const at = p.y * game.width + p.x;
      const isRepeated = changed.has(at) && cells[at] !== EMPTY;
      if (content !== EMPTY && isRepeated) throw new SgfError(`${name}[${place(p)}]`);
      cells[at] = content;
      changed.set(at, p);
    }
  }
  const turn = properties.get('PL')?.[0];
  if (changed.size === 0 && turn === undefined) return null;
  const points = (content: number) => [...changed].flatMap(([at, p]) => (cells[at] === content ? p : []));
  return {
    black: points(BLACK),
    white: points(WHITE),
    empty: points(EMPTY),
    blocked: points(BLOCKED),
    toMove: turn === undefined ? null : sideOf(turn),
  };
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
  const [p, ...others] = pointsOf(text, game);
  if (!p || others.length > 0) throw new SgfError(`[${text}]`);
  return p;
}

function pointIn(text: string, game: Game): Point | null {
  const p = { x: text.charCodeAt(0) - 97, y: text.charCodeAt(1) - 97 };
  return text.length === 2 && isOnBoard(p, game.width, game.height) ? p : null;
}

/** One point, or the rectangle between two: `aa`, `aa:cc`. */
function pointsOf(text: string, game: Game): Point[] {
  const [a, b = a, ...others] = text.split(':').map((name) => pointIn(name.trim(), game));
  if (!a || !b || others.length > 0) throw new SgfError(`[${text}]`);
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

/** All that follows `node`; `nodeText` writes a node. A game with a variation at each move is as deep as it is long. */
function childrenText(node: GameNode, nodeText: (node: GameNode) => string): string {
  const parts: string[] = [];
  const waiting: (GameNode | ')')[] = node.children.slice().reverse();
  for (let at = waiting.pop(); at; at = waiting.pop()) {
    if (at === ')') {
      parts.push(at);
      continue;
    }
    const isBranch = at.parent!.children.length > 1;
    parts.push(isBranch ? '\n(;' : '\n;', nodeText(at));
    if (isBranch) waiting.push(')');
    for (let i = at.children.length - 1; i >= 0; i -= 1) waiting.push(at.children[i]!);
  }
  return parts.join('');
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

/** The remarks on a node: values, marks, comments, and properties read but not understood. */
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

/**
 * A text with a backslash before each closing bracket and backslash, and inside each escape sequence of
 * ISO-2022-JP: readers would take a file with a whole sequence for ISO-2022-JP.
 */
function escaped(value: string): string {
  return value.replace(/[\]\\]/g, '\\$&').replace(/\x1b(?=[$(])/g, '$&\\');
}
