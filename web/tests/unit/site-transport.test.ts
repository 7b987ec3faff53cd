import './browser';
import { beforeEach, expect, it, vi } from 'vitest';
import type { FromWorker } from '../../src/site/messages';
import { openTransport } from '../../src/site/transport';
import { WasmEngine } from '../../src/site/wasm-engine';
import { newGame } from '../../src/game/tree';
import { openGame } from '../../src/state/store';

/** Whether the host gives out the program. */
let hasProgram = true;

/** The answer to a request for a network: 22 bytes in two parts. */
function network() {
  const body = new ReadableStream({
    start: (controller) => {
      for (const length of [10, 12]) controller.enqueue(new Uint8Array(length));
      controller.close();
    },
  });
  return { ok: true, headers: new Map([['Content-Length', '22']]), body };
}

vi.stubGlobal('crossOriginIsolated', false);
/** The worker that was begun last. */
let worker: FakeWorker;
class FakeWorker {
  onmessage: (event: { data: FromWorker }) => void = () => undefined;
  constructor() {
    worker = this;
  }
  postMessage() {}
  terminate() {}
}
vi.stubGlobal('Worker', FakeWorker);
vi.stubGlobal('fetch', async (url: string | undefined) => {
  if (url?.includes('.tgnn')) return network();
  if (!hasProgram) throw new TypeError('offline');
  return { headers: new Map(), arrayBuffer: async () => new ArrayBuffer(1) };
});
const compile = vi.spyOn(WebAssembly, 'compile').mockResolvedValue({} as WebAssembly.Module);
const preload = vi.spyOn(WasmEngine.prototype, 'preload').mockImplementation(() => undefined);
const transport = await openTransport();
const open = transport.open as () => WasmEngine;

const settled = () => new Promise((resolve) => setTimeout(resolve, 20));

beforeEach(() => {
  openGame(newGame('freestyle', 15, 15));
  preload.mockClear();
});

it('fetches a program again that could not be had, and compiles it once', async () => {
  const reasons: string[] = [];
  hasProgram = false;
  open().onClose((reason) => reasons.push(reason));
  await settled();
  expect(reasons).toEqual(['broken']);
  hasProgram = true;
  for (let i = 0; i < 2; i += 1) open().onClose((reason) => reasons.push(reason));
  await settled();
  expect(reasons).toEqual(['broken']);
  expect(compile).toHaveBeenCalledOnce();
});

it('fetches networks for the engine alone that was opened last', () => {
  const engines = [open(), open()];
  preload.mockClear();
  openGame(newGame('renju', 15, 15));
  expect(preload.mock.calls).toEqual([['renju']]);
  expect(preload.mock.contexts).toEqual([engines[1]]);
});

it('says when a network is being loaded and when it has come, and only shows how much of it', async () => {
  preload.mockRestore();
  const heard: string[] = [];
  const shown: unknown[] = [];
  const end = transport.news.subscribe((news) => {
    const said = news.filter(({ only }) => only !== 'shown').map(({ text }) => text);
    if (heard.at(-1) !== said.join()) heard.push(said.join());
    shown.push(...news.filter(({ only }) => only === 'shown').map(({ values }) => values?.['percent']));
  });
  open();
  await settled();
  end();
  expect(heard).toEqual(['', 'site.loading-begins', 'site.loaded']);
  expect(shown).toEqual([45, 100]);
});

it('says when the engine cannot use a network', () => {
  const texts = () => transport.news.value.map(({ text }) => text);
  open();
  expect(texts()).not.toContain('site.no-network');
  worker.onmessage({ data: { kind: 'bad-network', rule: 'freestyle' } });
  expect(texts()).toEqual(['site.no-network']);
  openGame(newGame('renju', 15, 15));
  expect(texts()).toEqual([]);
});
