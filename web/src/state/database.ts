import { signal } from '@preact/signals';
import { block, moveEntries, wire } from '../engine/commands';
import type { DatabaseMove } from '../engine/database-text';
import { labelText, parseDatabaseMove, quote, unquote } from '../engine/database-text';
import type { EngineSession } from '../engine/session';
import { Aborted, Refused } from '../engine/session';
import type { Point } from '../game/point';
import { samePoint } from '../game/point';
import type { Position } from '../game/position';
import type { GameNode } from '../game/tree';
import { allNodes } from '../game/tree';
import { t } from '../i18n/i18n';
import { session } from './connection';
import { addAction, addDeletion } from './history';
import { notifyError } from './refusal';
import { game, goTo, node, position } from './store';

/** The database's answer about a position and the moves from there. */
export interface DatabaseAnswer {
  readonly node: GameNode;
  readonly label: string;
  readonly value: number;
  readonly depth: number;
  /** The value is no mere bound. */
  readonly isExact: boolean;
  readonly comment: string;
  readonly moves: readonly DatabaseMove[];
  /** Why nothing could be asked; empty if all is well. */
  readonly error: string;
}

/** The last answer. */
export const database = signal<DatabaseAnswer | null>(null);

/** The bound of an exact value. */
const EXACT = 3;

/** Counts the edits. The analysis, which has no end of its own, begins again behind each of them. */
export const edits = signal(0);

/** Looks the position and the moves from it up. */
export async function queryDatabase(
  engine: EngineSession,
  at: GameNode,
  here: Position,
  signal?: AbortSignal,
): Promise<void> {
  const entries = moveEntries(here);
  if (!entries) {
    const error = t('database.not-in-turn');
    database.value = { node: at, label: '', value: 0, depth: 0, isExact: false, comment: '', moves: [], error };
    return;
  }
  const moves: DatabaseMove[] = [];
  let comment = '';
  let [one, error]: [readonly string[], string] = [[], ''];
  const options = signal ? { signal } : {};
  const all = engine.ask(
    here,
    [block('YXQUERYDATABASEALLT', entries)],
    (line) => {
      const text = /^MESSAGE DATABASE TEXT (.*)$/.exec(line);
      if (text) comment = unquote(text[1]!);
      const move = parseDatabaseMove(line);
      if (move) moves.push(move);
      return line === 'MESSAGE DATABASE DONE' ? { answer: null } : null;
    },
    options,
  );
  // Asked at once: an analysis that began between the two would keep the second one waiting.
  const itself = engine.ask(
    here,
    [block('YXQUERYDATABASEONE', entries)],
    (line) => {
      const found = /^MESSAGE DATABASE ONE (-?\d+) (-?\d+) (-?\d+) (\d)/.exec(line);
      return found ? { answer: found.slice(1, 5) } : null;
    },
    options,
  );
  try {
    [, one] = await Promise.all([all, itself]);
  } catch (refusal) {
    if (!(refusal instanceof Refused)) throw refusal;
    error = refusal.message;
  }
  const [label = 0, value = 0, depth = 0, bound = 0] = one.map(Number);
  const isExact = bound === EXACT;
  database.value = { node: at, label: labelText(label), value, depth, isExact, comment, moves, error };
}

/** Commands of edits, without the blocks that say where. */
type Edits = readonly string[];

/** Edits are not answered: what follows them, a query, shows what came of them. False if one was refused. */
async function send(at: GameNode, here: Position, commands: Edits): Promise<boolean> {
  const engine = session.value;
  const entries = moveEntries(here);
  if (!engine || !entries) return false;
  try {
    const done = commands.map((command) => engine.tell(here, block(command, entries)));
    const query = queryDatabase(engine, at, here);
    edits.value += 1;
    await Promise.all([...done, query]);
    return true;
  } catch (error) {
    if (!(error instanceof Aborted)) notifyError(error);
    return false;
  }
}

/** Edits the position shown; undoing it says again what was known. */
async function edit(commands: Edits, back: (known: DatabaseAnswer) => Edits, add = addAction): Promise<void> {
  const [at, here, known] = [node.value, position.value, database.value];
  if (!(await send(at, here, commands)) || known?.node !== at) return;
  const change = (lines: Edits) => () => {
    // What changes is shown, where the game still has the position.
    if (allNodes(game.value.root).includes(at)) goTo(at);
    void send(at, here, lines);
  };
  add({ undo: change(back(known)), redo: change(commands) });
}

const labelEdit = (label: string) => `YXEDITTVDDATABASE 1 ${label ? label.charCodeAt(0) : -1} 0 0`;
const commentEdit = (comment: string) => `YXEDITTEXTDATABASE ${quote(comment)}`;
const cellEdit = (p: Point, text: string) => `YXEDITLABELDATABASE ${wire(p)} ${text}`.trim();

/** Gives the position a label (one character), or takes it away where empty. */
export function setLabel(label: string): Promise<void> {
  return edit([labelEdit(label)], (known) => [labelEdit(known.label)]);
}

/** Writes the comment of the position. */
export function setComment(comment: string): Promise<void> {
  return edit([commentEdit(comment)], (known) => [commentEdit(known.comment)]);
}

/** Writes a short text without blanks on a cell of the position; an empty one removes it. */
export function setCellText(p: Point, text: string): Promise<void> {
  const word = text.replace(/\s+/g, '');
  const before = (known: DatabaseAnswer) => known.moves.find(({ point }) => samePoint(point, p))?.text ?? '';
  return edit([cellEdit(p, word)], (known) => [cellEdit(p, before(known))]);
}

/** Forgets the position. */
export function deletePosition(): Promise<void> {
  return edit(['YXDELETEDATABASEONE'], everythingOf, addDeletion);
}

/** Edits that write a position again; a value that is a bound alone is left to the next search. */
function everythingOf({ label, value, depth, isExact, comment, moves }: DatabaseAnswer): Edits {
  return [
    isExact ? `YXEDITTVDDATABASE 7 ${label ? label.charCodeAt(0) : -1} ${value} ${depth}` : labelEdit(label),
    ...(comment === '' ? [] : [commentEdit(comment)]),
    ...moves.filter(({ text }) => text !== '').map(({ point, text }) => cellEdit(point, text)),
  ];
}
