import './browser';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { CloseReason } from '../../src/engine/engine';
import { connect, connection } from '../../src/state/connection';
import { FakeEngine, ReadyEngine } from './fake-engine';

/** An engine that ends before it is ready. */
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

it('is not tried again where the server refuses the page', async () => {
  const open = vi.fn(() => new Stillborn('refused'));
  connect(open);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(connection.value).toBe('refused');
  expect(open).toHaveBeenCalledOnce();
});
