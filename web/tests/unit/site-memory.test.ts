import { answerOf } from './browser';
import { beforeEach, expect, it, vi } from 'vitest';
import type { Program, ToWorker } from '../../src/site/messages';
import { openTransport } from '../../src/site/transport';

vi.mock('../../src/site/programs', () => ({ PROGRAMS: { single: 'single.wasm', threads: 'threads.wasm' } }));

/** The message that begins an engine. */
type Begin = Extract<ToWorker, { kind: 'begin' }>;
const begun: Begin[] = [];
vi.stubGlobal('Worker', class {
  postMessage(message: ToWorker) {
    if (message.kind === 'begin') begun.push(message);
  }
  terminate() {}
});

/** True if the host gives out programs. */
let hasPrograms = true;
vi.stubGlobal('fetch', async (url: string) => {
  if (!hasPrograms) throw new TypeError('offline');
  return answerOf([new TextEncoder().encode(url)], {}, url.endsWith('.wasm') ? 200 : 404);
});
vi.spyOn(WebAssembly, 'compile').mockImplementation(async (bytes) => {
  const url = new TextDecoder().decode(bytes as ArrayBuffer);
  return { url } as unknown as WebAssembly.Module;
});

/** Most MiB of memory that the browser grants, and the sizes requested so far. */
let limit = Infinity;
const asked: number[] = [];
vi.stubGlobal('crossOriginIsolated', true);
vi.spyOn(WebAssembly, 'Memory').mockImplementation(function ({ maximum }) {
  asked.push(maximum! / 16);
  if (maximum! / 16 > limit) throw new RangeError('could not allocate memory');
  return { maximum: maximum! / 16 } as unknown as WebAssembly.Memory;
});

async function settle(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 20));
}

/** The page's transport with an engine of it. */
async function openFirst() {
  const transport = await openTransport();
  const open = transport.open as () => unknown;
  open();
  await settle();
  return { transport, open };
}

/** The program that an engine was begun with. */
function programOf({ program }: Begin) {
  return (program.module as unknown as { url: string }).url;
}

const memoryOf = ({ program }: { program: Program }) => program.shared?.memory as unknown;

beforeEach(() => {
  begun.length = 0;
  asked.length = 0;
  hasPrograms = true;
  limit = Infinity;
});

it('asks for memory once for each engine', async () => {
  const { open } = await openFirst();
  expect(asked).toEqual([1024]);
  open();
  await settle();
  expect(asked).toEqual([1024, 1024]);
  expect(begun.map(programOf)).toEqual(['threads.wasm', 'threads.wasm']);
  expect(memoryOf(begun[0]!)).not.toBe(memoryOf(begun[1]!));
});

it('keeps the memory of an engine whose program did not come', async () => {
  hasPrograms = false;
  const { open } = await openFirst();
  hasPrograms = true;
  open();
  await settle();
  expect(asked).toEqual([1024]);
  expect(begun.map(memoryOf)).toEqual([{ maximum: 1024 }]);
});

it('does with less memory, or without threads, where an earlier engine still has its own', async () => {
  const { open } = await openFirst();
  limit = 256;
  open();
  await settle();
  limit = 0;
  open();
  await settle();
  expect(begun.map(programOf)).toEqual(['threads.wasm', 'threads.wasm', 'single.wasm']);
  expect(begun.map(memoryOf)).toEqual([{ maximum: 1024 }, { maximum: 256 }, undefined]);
  expect(begun.map(({ memoryMib, threads }) => [memoryMib, threads])).toEqual([[928, 2], [160, 2], [928, 1]]);
});

it('has one thread where the browser grants no memory for more', async () => {
  limit = 0;
  const { transport } = await openFirst();
  expect(transport.maxThreads).toBe(1);
  expect(begun.map(programOf)).toEqual(['single.wasm']);
});

it.each([
  [4, 4],
  [64, 12],
  [undefined, 1],
])('with %s processors has stacks for %i threads', async (processors, threads) => {
  vi.stubGlobal('navigator', { hardwareConcurrency: processors });
  const { transport } = await openFirst();
  expect(transport.maxThreads).toBe(threads);
});
