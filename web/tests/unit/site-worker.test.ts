import { beforeEach, expect, it, vi } from 'vitest';
import { FLAGS_BYTES } from '../../src/site/memory';
import type { FromWorker, Program, ToWorker } from '../../src/site/messages';

/** The worker's listener, and its messages. */
let listener: (event: { data: ToWorker }) => void = () => undefined;
const said: FromWorker[] = [];
vi.stubGlobal('addEventListener', (_: string, listen: typeof listener) => (listener = listen));
vi.stubGlobal('postMessage', (message: FromWorker) => said.push(message));

const exports = {
  memory: { buffer: new ArrayBuffer(64) },
  allocate: () => 0,
  start: vi.fn(),
  add_networks: vi.fn(() => 1),
  __stack_pointer: { value: 0 },
  __tls_size: { value: 8 },
  __tls_align: { value: 4 },
  boot_stack: () => 100,
  thread_stack: vi.fn(() => 200),
  thread_local: vi.fn(() => 300),
  __wasm_init_tls: vi.fn(),
  count_thread: vi.fn(),
  lend_thread: vi.fn(),
};
vi.spyOn(WebAssembly, 'instantiate').mockImplementation((async () => ({ exports })) as never);
await import('../../src/site/worker');

async function tell(data: ToWorker): Promise<void> {
  listener({ data });
  await new Promise((resolve) => setTimeout(resolve));
}

/** A program with threads; `begun` once the engine's own worker has it. */
function program(begun: number): Program {
  const flags = new SharedArrayBuffer(FLAGS_BYTES);
  new Int32Array(flags)[2] = begun;
  return { module: {} as WebAssembly.Module, shared: { memory: exports.memory as unknown as WebAssembly.Memory, flags } };
}

/** Has the worker lend a thread, and returns the lock of the boot stack. */
async function lend(): Promise<number> {
  const shared = program(1).shared!;
  await tell({ kind: 'lend', program: { module: {} as WebAssembly.Module, shared } satisfies Program });
  return Atomics.load(new Int32Array(shared.flags), 1);
}

beforeEach(() => {
  said.length = 0;
  vi.clearAllMocks();
});

it('lends a thread with a stack and thread-local data of its own', async () => {
  expect(await lend()).toBe(0);
  expect(exports.__stack_pointer.value).toBe(200);
  expect(exports.__wasm_init_tls).toHaveBeenCalledExactlyOnceWith(300);
  expect(exports.count_thread).toHaveBeenCalledOnce();
  expect(exports.lend_thread).toHaveBeenCalledOnce();
  expect(said).toEqual([{ kind: 'lent' }]);
});

it.each(['thread_stack', 'thread_local'] as const)('lends no thread where %s finds no memory', async (name) => {
  exports[name].mockReturnValueOnce(0);
  expect(await lend()).toBe(0);
  expect(exports.__wasm_init_tls).not.toHaveBeenCalled();
  expect(exports.count_thread).not.toHaveBeenCalled();
  expect(exports.lend_thread).not.toHaveBeenCalled();
  // The page does not wait for it.
  expect(said).toEqual([{ kind: 'lent' }]);
});

it('has the program of the engine made before those of the threads', async () => {
  const first = program(0);
  await tell({ kind: 'begin', program: first, threads: 2, memoryMib: 9 });
  expect(new Int32Array(first.shared!.flags)[2]).toBe(1);
  const wait = vi.spyOn(Atomics, 'wait').mockReturnValueOnce('ok');
  const made = vi.mocked(WebAssembly.instantiate);
  made.mockClear();
  await tell({ kind: 'lend', program: program(0) });
  expect(wait).toHaveBeenCalledExactlyOnceWith(expect.any(Int32Array), 2, 0);
  expect(wait.mock.invocationCallOrder[0]).toBeLessThan(made.mock.invocationCallOrder[0]!);
});

it('says which network the engine cannot use', async () => {
  await tell({ kind: 'begin', program: { module: {} as WebAssembly.Module, shared: null }, threads: 1, memoryMib: 9 });
  await tell({ kind: 'network', rule: 'renju', bytes: new ArrayBuffer(1) });
  expect(said).toEqual([]);
  exports.add_networks.mockReturnValueOnce(0);
  await tell({ kind: 'network', rule: 'caro', bytes: new ArrayBuffer(1) });
  expect(said).toEqual([{ kind: 'bad-network', rule: 'caro' }]);
});
