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

/** Begins a session. Settings that concern the whole session are sent now. */
export function connect(engine: Engine): void {
  const next = new EngineSession(engine);
  engine.onClose((reason) => {
    if (session.value !== next && session.value !== null) return;
    session.value = null;
    connection.value = reason;
  });
  next.set('show_detail', 3);
  sendResources(next);
  connection.value = 'ready';
  session.value = next;
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
