import { signal } from '@preact/signals';
import { block, moveEntries, wire } from '../engine/commands';
import type { DatabaseMove } from '../engine/database-text';
import { labelText, parseDatabaseMove, quote, unquote } from '../engine/database-text';
import type { EngineSession } from '../engine/session';
import { Aborted, Refused } from '../engine/session';
import type { Point } from '../game/point';
import type { Position } from '../game/position';
import type { GameNode } from '../game/tree';
import { t } from '../i18n/i18n';
import { session } from './connection';
import { node, notify, position } from './store';

/** What it knows of the position itself and of the moves from it. */
export interface DatabaseAnswer {
  readonly node: GameNode;
  readonly label: string;
  readonly value: number;
  readonly depth: number;
  readonly comment: string;
  readonly moves: readonly DatabaseMove[];
  /** Why nothing could be asked; empty if all is well. */
  readonly error: string;
}

/** The last answer. */
export const database = signal<DatabaseAnswer | null>(null);

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
    database.value = { node: at, label: '', value: 0, depth: 0, comment: '', moves: [], error };
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
      const found = /^MESSAGE DATABASE ONE (-?\d+) (-?\d+) (-?\d+)/.exec(line);
      return found ? { answer: found.slice(1, 4) } : null;
    },
    options,
  );
  try {
    [, one] = await Promise.all([all, itself]);
  } catch (refusal) {
    if (!(refusal instanceof Refused)) throw refusal;
    error = refusal.message;
  }
  const [label = 0, value = 0, depth = 0] = one.map(Number);
  database.value = { node: at, label: labelText(label), value, depth, comment, moves, error };
}

/** Edits are not answered: what follows them, a query, shows what came of them. */
async function edit(command: (entries: readonly string[]) => string): Promise<void> {
  const engine = session.value;
  const [at, here] = [node.value, position.value];
  const entries = moveEntries(here);
  if (!engine || !entries) return;
  try {
    const done = [engine.tell(here, command(entries)), queryDatabase(engine, at, here)];
    edits.value += 1;
    await Promise.all(done);
  } catch (error) {
    if (!(error instanceof Aborted)) notify((error as Error).message, true);
  }
}

/** Gives the position a label (one character), or takes it away where empty. */
export function setLabel(label: string): Promise<void> {
  const code = label ? label.charCodeAt(0) : -1;
  return edit((entries) => block(`YXEDITTVDDATABASE 1 ${code} 0 0`, entries));
}

/** Writes the comment of the position. */
export function setComment(comment: string): Promise<void> {
  return edit((entries) => block(`YXEDITTEXTDATABASE ${quote(comment)}`, entries));
}

/** Writes a short text without blanks on a cell of the position; an empty one removes it. */
export function setCellText(p: Point, text: string): Promise<void> {
  const word = text.replace(/\s+/g, '');
  return edit((entries) => block(`YXEDITLABELDATABASE ${wire(p)} ${word}`.trim(), entries));
}

/** Forgets the position. */
export function deletePosition(): Promise<void> {
  return edit((entries) => block('YXDELETEDATABASEONE', entries));
}
