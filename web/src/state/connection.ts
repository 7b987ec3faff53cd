import { signal } from '@preact/signals';
import type { CloseReason, Engine } from '../engine/engine';
import { EngineSession } from '../engine/session';
import { settings } from './settings';

/** What the page knows of its engine. */
export type ConnectionState = 'connecting' | 'ready' | CloseReason;

/** The session with the engine; `null` while there is none. */
export const session = signal<EngineSession | null>(null);
/** Whether it can be used, or why not. */
export const connection = signal<ConnectionState>('connecting');
/** Name and version, as the engine says them. */
export const engineName = signal('Tengen');

/** How often a lost connection is tried again, and how long after each other, in ms. */
const RETRIES = { count: 30, pause: 2000 } as const;

/**
 * Begins a session, and another one when the connection is lost: servers end sessions that are idle.
 * Settings that concern the whole session are sent now.
 */
export function connect(open: () => Engine, retries = 0): void {
  const next = new EngineSession(open());
  let wasReady = false;
  next.onClose((reason) => {
    session.value = null;
    const isLost = wasReady || retries > 0;
    connection.value = isLost ? 'lost' : reason;
    const tried = wasReady ? 0 : retries;
    if (isLost && tried < RETRIES.count) setTimeout(() => connect(open, tried + 1), RETRIES.pause);
  });
  next.set('show_detail', 3);
  sendResources(next);
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

/** Sends threads, table and the other settings of the engine; those that are new take effect. */
export function sendResources(to: EngineSession): void {
  to.set('thread_num', settings.threads.value);
  to.set('hash_size', settings.hashMib.value * 1024);
  to.set('pondering', settings.pondering.value ? 1 : 0);
  to.set('caution_factor', settings.range.value);
  to.set('usedatabase', settings.showDatabase.value ? 1 : 0);
}

/** There is no engine, for this reason. */
export function refuseConnection(reason: CloseReason): void {
  session.value = null;
  connection.value = reason;
}
