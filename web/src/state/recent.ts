import { signal } from '@preact/signals';
import { label } from '../game/point';
import { positionAt } from '../game/position';
import { BLACK, WHITE } from '../game/rules';
import type { Rule } from '../game/rules';
import type { Game } from '../game/tree';
import { endOfLine, pathTo } from '../game/tree';
import { addDeletion } from './history';
import { isEngines } from './play';
import { game } from './store';
import { training } from './training';

/** A game as the list shows it. */
export interface RecentGame {
  readonly id: string;
  /** When it was changed last, in ms. */
  readonly time: number;
  /** The names of the record, Black's first; empty where it has none. */
  readonly names: readonly [string, string];
  /** True where the engine had the colour, Black first. */
  readonly isEngines: readonly [boolean, boolean];
  readonly rule: Rule;
  readonly width: number;
  readonly height: number;
  readonly result: string;
  /** The moves of the main line by their names. */
  readonly moves: string;
  /** Number of these moves. */
  readonly count: number;
  /** The board after them, and the last of them. */
  readonly cells: Uint8Array;
  readonly last: { readonly x: number; readonly y: number } | null;
  /** The tab of the last writing, and a short form of the written text. */
  readonly writer: string;
  readonly print: string;
}

/** The games, the one that was changed last in front; `null` until they are known. */
export const recentGames = signal<readonly RecentGame[] | null>(null);
/** Why the browser keeps none. */
export const recentError = signal('');

const TAB_KEY = 'tengen.tab';

/** The name of this tab, which a reload keeps. A tab that is duplicated has the storage of the first. */
function tabName(): string {
  const [navigation] = performance.getEntriesByType?.('navigation') ?? [];
  const isReload = (navigation as PerformanceNavigationTiming | undefined)?.type === 'reload';
  try {
    if (!tab && isReload) tab = sessionStorage.getItem(TAB_KEY) ?? '';
    tab ||= newId();
    sessionStorage.setItem(TAB_KEY, tab);
  } catch {
    // Without this storage a reload is another tab.
  }
  return tab;
}

let tab = '';

function newId(): string {
  return Array.from(crypto.getRandomValues(new Uint32Array(3)), (word) => word.toString(36)).join('');
}

/** Two stores: a list need not read whole games. */
function openDatabase(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open('tengen', 1);
    request.onupgradeneeded = () => {
      const heads = request.result.createObjectStore('games', { keyPath: 'id' });
      heads.createIndex('print', 'print');
      request.result.createObjectStore('texts');
    };
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
    request.onblocked = () => reject(new Error('blocked'));
  });
}

let database: Promise<IDBDatabase> | null = null;

/** Asks a browser that has the page installed not to clear its database where disks are full. Firefox would ask the user. */
function askToStay(): void {
  if (matchMedia('(display-mode: standalone)').matches) void navigator.storage?.persist?.().catch(() => undefined);
}

/** Does something with both stores; all of it is done, or nothing. */
async function withStores<T>(
  mode: IDBTransactionMode,
  work: (games: IDBObjectStore, texts: IDBObjectStore) => Promise<T>,
): Promise<T> {
  if (!database) askToStay();
  database ??= openDatabase();
  database.catch(() => (database = null));
  const transaction = (await database).transaction(['games', 'texts'], mode);
  const done = new Promise<void>((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error ?? new Error('aborted'));
  });
  const [result] = await Promise.all([work(transaction.objectStore('games'), transaction.objectStore('texts')), done]);
  return result;
}

/** The answer to a request. */
function of<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

/** Under which name a game of this tab is kept, and what was kept last. */
const places = new WeakMap<Game, { id: string; print: string }>();

/** A short form of a text, by which equal ones are known: FNV-1a with two seeds, 64 bits. */
export function printOf(text: string): string {
  let [a, b] = [0x811c9dc5, 0x01000193];
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i);
    a = Math.imul(a ^ code, 0x01000193);
    b = Math.imul(b ^ code, 0x85ebca6b);
  }
  return `${text.length}.${(a >>> 0).toString(36)}${(b >>> 0).toString(36)}`;
}

/**
 * Notes the place of a game in the list, and the text kept there: empty where a closed page may not have written all.
 */
export function setPlace(of: Game, id: string, sgf = ''): void {
  places.set(of, { id, print: sgf && printOf(sgf) });
}

/** The place of the kept game, if there is one. */
export function placeOf(of: Game): string | undefined {
  return places.get(of)?.id;
}

/** The outcome of keeping a game; `moved`: to another place than the one noted at the call's return. */
export type Kept = 'kept' | 'moved' | 'failed';

/** Keeps the game on the board, if it has changed since. `text` is all that `openRecent` gives back. */
export async function remember(sgf: string, text: string): Promise<Kept> {
  const kept = game.value;
  const end = endOfLine(kept.root);
  // Problems are no games of the user's.
  const isProblem = training.value?.game === kept && training.value.problem !== null;
  if (isProblem || (end === kept.root && !kept.root.setup)) return 'kept';
  const print = printOf(sgf);
  const place = places.get(kept);
  if (place?.print === print) return 'kept';
  const here = positionAt(kept, end);
  const moves = pathTo(end).flatMap(({ move }) => (move ? [move.point ? label(move.point, kept.height) : '-'] : []));
  const head: Omit<RecentGame, 'id'> = {
    time: Date.now(),
    names: [kept.black, kept.white],
    isEngines: [isEngines(BLACK), isEngines(WHITE)],
    rule: kept.rule,
    width: kept.width,
    height: kept.height,
    result: kept.result,
    moves: moves.join(' '),
    count: moves.length,
    cells: here.cells,
    last: here.last,
    writer: tabName(),
    print,
  };
  // At once: the next change must not make a second record.
  const id = place?.id ?? newId();
  places.set(kept, { id, print });
  try {
    const found = await withStores('readwrite', async (games, texts) => {
      const at = await placeFor(games, id, place?.print, head);
      const there = (await of(games.get(at))) as RecentGame | undefined;
      // A game opened again comes to the front; after a reload of the page the game stays in place.
      if (place && there?.print === print) return at;
      await of(games.put({ ...head, id: at }));
      await of(texts.put(text, at));
      return at;
    });
    if (places.get(kept)?.id === id) places.set(kept, { id: found, print: places.get(kept)!.print });
    recentError.value = '';
    if (recentGames.value) await readRecent();
    return found === id ? 'kept' : 'moved';
  } catch (error) {
    // The next time it is tried again.
    places.set(kept, { id, print: '' });
    recentError.value = (error as Error).message;
    return 'failed';
  }
}

/**
 * Under which name a game is written: its own, unless another tab has written there since; a new game's that is there
 * already in the same form.
 */
async function placeFor(
  games: IDBObjectStore,
  id: string,
  before: string | undefined,
  { writer, print }: Omit<RecentGame, 'id'>,
): Promise<string> {
  if (before === undefined) {
    const same = (await of(games.index('print').get(print))) as RecentGame | undefined;
    return same?.id ?? id;
  }
  const there = (await of(games.get(id))) as RecentGame | undefined;
  const isForeign = there !== undefined && there.writer !== writer;
  return isForeign && there.print !== before && there.print !== print ? newId() : id;
}

/** Reads the list. */
export async function readRecent(): Promise<void> {
  try {
    const all = await withStores('readonly', (games) => of(games.getAll() as IDBRequest<RecentGame[]>));
    recentGames.value = all.sort((a, b) => b.time - a.time);
  } catch (error) {
    recentGames.value = [];
    recentError.value = (error as Error).message;
  }
}

/** The text of a game, as it was kept. */
export function recentText(id: string): Promise<string | undefined> {
  return withStores('readonly', (_, texts) => of(texts.get(id) as IDBRequest<string | undefined>));
}

/** The texts of all kept games, the last changed game in front. */
export async function recentTexts(): Promise<string[]> {
  const games = recentGames.value ?? [];
  return withStores('readonly', (_, texts) =>
    Promise.all(games.map(({ id }) => of(texts.get(id) as IDBRequest<string | undefined>))),
  ).then((found) => found.filter((text) => text !== undefined));
}

/** Deletes a game from the list; that can be undone. */
export async function forget(head: RecentGame): Promise<void> {
  const text = await recentText(head.id);
  const remove = () =>
    withStores('readwrite', async (games, texts) => void (await Promise.all([of(games.delete(head.id)), of(texts.delete(head.id))])));
  const bring = () =>
    withStores('readwrite', async (games, texts) => void (await Promise.all([of(games.put(head)), of(texts.put(text, head.id))])));
  const change = (work: () => Promise<void>) => () => void work().then(readRecent);
  await remove();
  await readRecent();
  addDeletion({ undo: change(bring), redo: change(remove) });
}
