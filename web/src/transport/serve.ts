import { signal } from '@preact/signals';
import { WebSocketEngine, followToken, takeToken } from '../engine/websocket';
import { serverFact } from '../state/settings';
import type { Transport } from './transport';

/** The engine of `tengen serve`, which gave out the page. */
export async function openTransport(): Promise<Transport> {
  const token = takeToken();
  followToken();
  return {
    open: token ? () => new WebSocketEngine(token) : 'no-token',
    hasDatabase: true,
    maxThreads: Number(serverFact('threads')) || 256,
    maxHashMib: Number(serverFact('table')) || 65536,
    news: signal([]),
  };
}
