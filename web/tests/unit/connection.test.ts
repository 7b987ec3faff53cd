import './browser';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { CloseReason } from '../../src/engine/engine';
import { WebSocketEngine } from '../../src/engine/websocket';
import { connect, connection } from '../../src/state/connection';
import { FakeEngine, ReadyEngine } from './fake-engine';

/** An engine that ends before becoming ready. */
class Stillborn extends FakeEngine {
  constructor(private readonly reason: CloseReason) {
    super();
  }
  override onClose(callback: (reason: CloseReason) => void) {
    callback(this.reason);
  }
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('is tried again where an engine breaks down before it is ready', async () => {
  const engines = [new Stillborn('broken'), new Stillborn('broken'), new ReadyEngine()];
  connect(() => engines.shift()!);
  expect(connection.value).toBe('broken');
  await vi.advanceTimersByTimeAsync(10_000);
  expect(connection.value).toBe('ready');
});

it('is tried again as long as other boards are open', async () => {
  const engines = [...Array.from({ length: 40 }, () => new Stillborn('full')), new ReadyEngine()];
  connect(() => engines.shift()!);
  expect(connection.value).toBe('full');
  await vi.advanceTimersByTimeAsync(60_000);
  expect(connection.value).toBe('full');
  await vi.advanceTimersByTimeAsync(60_000);
  expect(connection.value).toBe('ready');
});

it.each([
  ['refused', 403],
  ['full', 422],
  ['full', 503],
  ['lost', null],
])('is %s where the socket is not opened and another request gets %s', async (reason, status) => {
  const sockets: { onclose: () => void }[] = [];
  vi.stubGlobal('WebSocket', class {
    onclose = () => undefined;
    constructor() {
      sockets.push(this);
    }
  });
  vi.stubGlobal('fetch', async () => {
    if (status === null) throw new TypeError('no server');
    return { status };
  });
  const closed = vi.fn();
  new WebSocketEngine('token').onClose(closed);
  sockets[0]!.onclose();
  await vi.advanceTimersByTimeAsync(1);
  expect(closed.mock.calls).toEqual([[reason]]);
});

it('is not tried again where the server refuses the page', async () => {
  const open = vi.fn(() => new Stillborn('refused'));
  connect(open);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(connection.value).toBe('refused');
  expect(open).toHaveBeenCalledOnce();
});
