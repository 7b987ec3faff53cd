import { answerOf } from './browser';
import { beforeEach, expect, it, vi } from 'vitest';
import type { FromWorker } from '../../src/site/messages';
import { openTransport } from '../../src/site/transport';
import { WasmEngine } from '../../src/site/wasm-engine';
import { newGame } from '../../src/game/tree';
import { openGame } from '../../src/state/store';

/** True if the host gives out the program. */
let hasProgram = true;

/** The answer of a compressing host: 22 bytes in two parts, the headers give the compressed length only. */
function file() {
  return answerOf([new Uint8Array(10), new Uint8Array(12)], { 'Content-Encoding': 'br', 'Content-Length': '7' });
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
  if (!url?.includes('.tgnn') && !hasProgram) throw new TypeError('offline');
  return file();
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

it('counts the network together with the one whose rows it uses', async () => {
  const shown: unknown[] = [];
  const end = transport.news.subscribe((news) => void shown.push(...news.map(({ values }) => values?.['percent'])));
  openGame(newGame('caro', 15, 15));
  await settled();
  end();
  const percents = shown.filter((percent) => percent !== undefined);
  expect(percents).toEqual([...percents].sort((a, b) => Number(a) - Number(b)));
  expect([percents[0], percents.at(-1)]).toEqual([22, 100]);
});

it('says how much of the program has come', async () => {
  vi.resetModules();
  const { openTransport: openAgain } = await import('../../src/site/transport');
  const another = await openAgain();
  const shown: unknown[] = [];
  const end = another.news.subscribe((news) => {
    shown.push(...news.filter(({ text }) => text === 'site.loading-program').map(({ values }) => values?.['percent']));
  });
  (another.open as () => WasmEngine)();
  await settled();
  end();
  expect(shown).toEqual([45]);
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
