import { beforeEach, describe, expect, it, vi } from 'vitest';
import { FLAGS_BYTES } from '../../src/site/memory';
import type { FromWorker, Program, ToWorker } from '../../src/site/messages';
import { WasmEngine } from '../../src/site/wasm-engine';
import type { Rule } from '../../src/game/rules';

/** A worker that records its messages. */
class FakeWorker {
  static all: FakeWorker[] = [];
  onmessage: (event: { data: FromWorker }) => void = () => undefined;
  onerror: () => void = () => undefined;
  readonly got: ToWorker[] = [];
  isTerminated = false;
  constructor() {
    FakeWorker.all.push(this);
  }
  postMessage(message: ToWorker) {
    this.got.push(message);
  }
  terminate() {
    this.isTerminated = true;
  }
  say(data: FromWorker) {
    this.onmessage({ data });
  }
  get lines() {
    return this.got.flatMap((message) => (message.kind === 'line' ? [message.text] : []));
  }
}

vi.stubGlobal('Worker', FakeWorker);
const urls = new Set<string>();
let made = 0;
URL.createObjectURL = () => {
  const url = `blob:${(made += 1)}`;
  urls.add(url);
  return url;
};
URL.revokeObjectURL = (url) => void urls.delete(url);
beforeEach(() => {
  FakeWorker.all = [];
});

const settled = () => new Promise((resolve) => setTimeout(resolve));

/** An engine with one thread or two whose networks come when the test says so. */
function open(maxThreads = 1) {
  const arrivals: Partial<Record<Rule, (files: ArrayBuffer[]) => void>> = {};
  const shared = { memory: {} as WebAssembly.Memory, flags: new SharedArrayBuffer(FLAGS_BYTES) };
  const program = { module: {} as WebAssembly.Module, shared: maxThreads > 1 ? shared : null } satisfies Program;
  const bad: Rule[] = [];
  let start: (program: Program) => void = () => undefined;
  const engine = new WasmEngine({
    program: new Promise((resolve) => (start = resolve)),
    networks: (rule) => new Promise((resolve) => (arrivals[rule] = resolve)),
    onBadNetwork: (rule) => bad.push(rule),
    maxThreads,
    memoryMib: 100,
  });
  return {
    engine,
    worker: FakeWorker.all[0]!,
    flags: new Int32Array(shared.flags),
    /** The rules whose networks could not be used. */
    bad,
    start: () => (start(program), settled()),
    arrive: (rule: Rule, files = [new ArrayBuffer(1)]) => (arrivals[rule]!(files), settled()),
  };
}

describe('the engine in a worker', () => {
  it('gets nothing before its program', async () => {
    const { engine, worker, start, arrive } = open();
    engine.preload('freestyle');
    await arrive('freestyle');
    engine.send('START 15');
    expect(worker.got).toEqual([]);
    await start();
    expect(worker.got.map(({ kind }) => kind)).toEqual(['begin', 'network', 'line']);
  });

  it('searches when the network of the rule is there, and nothing overtakes', async () => {
    const { engine, worker, start, arrive } = open();
    await start();
    for (const line of ['START 15', 'INFO rule 4', 'YXBOARD DONE', 'YXNBEST 1', 'INFO strength 5']) engine.send(line);
    expect(worker.lines).toEqual(['START 15', 'INFO rule 4', 'YXBOARD DONE']);
    await arrive('renju');
    expect(worker.lines.slice(3)).toEqual(['YXNBEST 1', 'INFO strength 5']);
    expect(worker.got.at(-3)!.kind).toBe('network');
    engine.send('YXNBEST 1');
    expect(worker.lines).toHaveLength(6);
  });

  it('searches without a network that cannot be had, or that the user does not wait for', async () => {
    const { engine, worker, start, arrive } = open();
    await start();
    engine.send('YXNBEST 1');
    await arrive('freestyle', []);
    expect(worker.lines).toEqual(['YXNBEST 1']);
    engine.send('INFO rule 1');
    engine.send('YXNBEST 1');
    expect(worker.lines).toHaveLength(2);
    engine.send('YXSTOP');
    expect(worker.lines.slice(2)).toEqual(['YXNBEST 1', 'YXSTOP']);
  });

  it('does not wait for the network of a search that was stopped before the program came', async () => {
    const { engine, worker, start } = open();
    for (const line of ['YXNBEST 1', 'YXSTOP', 'YXNBEST 2']) engine.send(line);
    await start();
    expect(worker.lines).toEqual(['YXNBEST 1', 'YXSTOP']);
  });

  it('does not wait for the network of a search that was stopped before the threads came', async () => {
    const { engine, worker, start } = open(2);
    await start();
    for (const line of ['INFO thread_num 2', 'YXNBEST 1', 'YXSTOP', 'YXNBEST 2']) engine.send(line);
    FakeWorker.all[1]!.say({ kind: 'lent' });
    expect(worker.lines).toEqual(['INFO thread_num 2', 'YXNBEST 1', 'YXSTOP']);
  });

  it('says which network it cannot use, and fetches it again for the next search', async () => {
    const { engine, worker, bad, start, arrive } = open();
    await start();
    engine.send('YXNBEST 1');
    await arrive('freestyle');
    worker.say({ kind: 'bad-network', rule: 'freestyle' });
    expect(bad).toEqual(['freestyle']);
    engine.send('YXNBEST 1');
    expect(worker.lines).toEqual(['YXNBEST 1']);
    await arrive('freestyle');
    expect(worker.lines).toHaveLength(2);
  });

  it('is stopped by what comes later, and by nothing that came before', async () => {
    const { engine, worker, start } = open();
    await start();
    engine.send('YXSTOP');
    engine.send('TENGENSOLVE vct');
    const sign = () => (worker.got.at(-1) as { stop: string }).stop;
    const search = sign();
    expect(urls.has(search)).toBe(true);
    engine.send('INFO max_node 5');
    expect(sign()).toBe(search);
    expect(urls.has(search)).toBe(true);
    engine.send('YXSTOP');
    expect(urls.has(search)).toBe(false);
    expect(urls.has(sign())).toBe(true);
  });

  it('is stopped by a shared flag where there is one', async () => {
    const { engine, worker, flags, start } = open(2);
    await start();
    engine.send('START 15');
    engine.send('TENGENSOLVE vct');
    const search = (worker.got.at(-1) as { stop: number }).stop;
    expect(Atomics.load(flags, 0)).toBe(search);
    engine.send('INFO max_node 5');
    expect(Atomics.load(flags, 0)).toBe(search);
    engine.send('YXSTOP');
    expect(Atomics.load(flags, 0)).toBeGreaterThan(search);
  });

  it('waits for its threads, of which it gets no more than there may be', async () => {
    const { engine, worker, start } = open(3);
    await start();
    engine.send('INFO thread_num 8');
    engine.send('START 15');
    const helpers = FakeWorker.all.slice(1);
    expect(helpers).toHaveLength(2);
    expect(worker.lines).toEqual([]);
    for (const helper of helpers) helper.say({ kind: 'lent' });
    expect(worker.lines).toEqual(['INFO thread_num 8', 'START 15']);
    engine.send('INFO thread_num 2');
    expect(FakeWorker.all).toHaveLength(3);
  });

  it('ends with all its workers when one of them breaks down', async () => {
    const { engine, worker, start } = open(2);
    const reasons: string[] = [];
    engine.onClose((reason) => reasons.push(reason));
    await start();
    engine.send('INFO thread_num 2');
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    FakeWorker.all[1]!.say({ kind: 'fault', text: 'unreachable' });
    worker.onerror();
    expect(reasons).toEqual(['broken']);
    expect(FakeWorker.all.every(({ isTerminated }) => isTerminated)).toBe(true);
  });

  it('converts games', async () => {
    const { engine, worker, start } = open();
    await start();
    const [good, bad] = [engine.convert(new ArrayBuffer(1), 'a'), engine.convert(new ArrayBuffer(2), 'b')];
    worker.say({ kind: 'converted', id: 1, text: 'no game', isGood: false });
    worker.say({ kind: 'converted', id: 0, text: '(;)', isGood: true });
    expect(await good).toBe('(;)');
    await expect(bad).rejects.toThrow('no game');
  });
  it('reads a game at once, whatever it thinks about', async () => {
    const { engine, worker, start } = open();
    await start();
    engine.send('TENGENSOLVE vct');
    const search = (worker.got.at(-1) as { stop: string }).stop;
    void engine.convert(new ArrayBuffer(1), 'a');
    expect(urls.has(search)).toBe(false);
    expect(worker.got.at(-1)!.kind).toBe('convert');
  });
});
