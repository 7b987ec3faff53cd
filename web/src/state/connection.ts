import { computed, signal, untracked } from '@preact/signals';
import type { CloseReason, Engine } from '../engine/engine';
import { EngineSession } from '../engine/session';
import type { Resources } from '../engine/session';
import type { Transport } from '../transport/transport';
import { settings } from './settings';

/** The state of the engine, as the page knows it. */
export type ConnectionState = 'connecting' | 'ready' | CloseReason;

/** The session with the engine; `null` while there is none. */
export const session = signal<EngineSession | null>(null);
/** The state of use: open, or the reason why not. */
export const connection = signal<ConnectionState>('connecting');
/** Name and version, as the engine says them. */
export const engineName = signal('Tengen');

/** The source of engines; `null` until it is known. */
export const transport = signal<Transport | null>(null);
/** The transport's news. */
export const news = computed(() => transport.value?.news.value ?? []);

/** How often a lost connection is tried again, and the pause before each time, in ms. */
const RETRIES = { count: 30, pause: 2000 } as const;

/** Threads, table and the other settings of the engine that hold for every board. */
export const resources: Resources = () => [
  ['thread_num', Math.min(settings.threads.value, transport.value?.maxThreads ?? Infinity)],
  ['hash_size', Math.min(settings.hashMib.value, transport.value?.maxHashMib ?? Infinity) * 1024],
  ['pondering', settings.pondering.value ? 1 : 0],
  ['caution_factor', settings.range.value],
  ['usedatabase', usesDatabase() ? 1 : 0],
];

/** True if the database is asked after positions. */
export function usesDatabase(): boolean {
  return settings.showDatabase.value && transport.value?.hasDatabase !== false;
}

/** Takes engines from there from now on. */
export function useTransport(next: Transport): void {
  transport.value = next;
  if (typeof next.open === 'function') connect(next.open);
  else refuseConnection(next.open);
}

/** Begins a session, and another one when the connection is lost: servers end sessions that are idle. */
export function connect(open: () => Engine, retries = 0): void {
  const next = new EngineSession(open(), () => untracked(resources));
  let wasReady = false;
  next.onClose((reason) => {
    session.value = null;
    connection.value = reason;
    // Another board may be open for as long as its user likes.
    const tried = wasReady || reason === 'full' ? 0 : retries;
    const isRetried = reason !== 'refused' && reason !== 'no-token' && tried < RETRIES.count;
    if (isRetried) setTimeout(() => connect(open, tried + 1), RETRIES.pause);
  });
  next.set('show_detail', 3);
  const about = (line: string) => {
    const found = /^name="(.*?)", version="(.*?)"/.exec(line);
    return found ? { answer: `${found[1]} ${found[2]}` } : null;
  };
  next.askAnywhere(['ABOUT'], about).then(
    (name) => {
      wasReady = true;
      engineName.value = name;
      session.value = next;
      connection.value = 'ready';
    },
    () => undefined,
  );
}

/** There is no engine, for this reason. */
function refuseConnection(reason: CloseReason): void {
  session.value = null;
  connection.value = reason;
}
