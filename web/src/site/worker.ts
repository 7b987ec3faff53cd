// A worker: runs the engine, or lends a thread to the engine.
import type { FromWorker, Program, StopSign, ToWorker } from './messages';

/** The functions of the program; see `web/engine/src/lib.rs`. */
interface Exports {
  readonly memory: WebAssembly.Memory;
  allocate(length: number): number;
  start(threads: number, memoryMib: number): void;
  say(text: number, length: number): void;
  rest(): void;
  add_networks(bytes: number, length: number): number;
  convert(file: number, length: number, name: number, nameLength: number): void;
  // Only with threads.
  readonly __stack_pointer: WebAssembly.Global;
  boot_stack(): number;
  thread_stack(): number;
  thread_local(bytes: number, alignment: number): number;
  readonly __tls_size: WebAssembly.Global;
  readonly __tls_align: WebAssembly.Global;
  __wasm_init_tls(place: number): void;
  count_thread(): void;
  lend_thread(): void;
}

/**
 * Shared flags: the last line that stops searches, the lock of the stack for the first steps, and 1 once the
 * engine's own worker has the program.
 */
const STOP_FLAG = 0;
const BOOT_LOCK = 1;
const BEGUN = 2;
/** Time between two looks at a sign that takes a while to see, in ms. */
const SLOW_LOOK = 50;
/** Silence after which the engine prepares its first search, in ms. */
const QUIET = 20;

const encoder = new TextEncoder();
const decoder = new TextDecoder();
let exports: Exports;
let memory: WebAssembly.Memory;
let flags: Int32Array | null = null;
let stop: StopSign = 0;
let lookedAt = 0;
let quiet = 0;
/** The file that is being converted. */
let conversion = 0;

function post(message: FromWorker): void {
  (postMessage as (message: FromWorker) => void)(message);
}

function textAt(start: number, length: number): string {
  const bytes = new Uint8Array(memory.buffer, start, length);
  // Shared memory cannot be decoded in place.
  return decoder.decode(flags ? bytes.slice() : bytes);
}

function block(bytes: Uint8Array): [start: number, length: number] {
  const start = exports.allocate(bytes.length);
  new Uint8Array(memory.buffer, start, bytes.length).set(bytes);
  return [start, bytes.length];
}

function wantsStop(): boolean {
  if (typeof stop === 'number') return Atomics.load(flags!, STOP_FLAG) > stop;
  const now = performance.now();
  if (now - lookedAt < SLOW_LOOK) return false;
  lookedAt = now;
  return !isThere(stop);
}

/** True until the object's URL is revoked. */
function isThere(url: string): boolean {
  const request = new XMLHttpRequest();
  request.open('GET', url, false);
  try {
    request.send();
    return request.status === 200;
  } catch {
    return false;
  }
}

async function load({ module, shared }: Program): Promise<void> {
  const host = {
    memory: shared?.memory,
    now_ms: () => performance.timeOrigin + performance.now(),
    wants_stop: () => (wantsStop() ? 1 : 0),
    reply: (start: number, length: number) => post({ kind: 'line', text: textAt(start, length) }),
    converted: (start: number, length: number, isGood: number) =>
      post({ kind: 'converted', id: conversion, text: textAt(start, length), isGood: isGood !== 0 }),
    fault: (start: number, length: number) => post({ kind: 'fault', text: textAt(start, length) }),
  };
  const imports = shared ? { host, env: { memory: shared.memory } } : { host };
  const instance = await WebAssembly.instantiate(module, imports as unknown as WebAssembly.Imports);
  exports = instance.exports as unknown as Exports;
  memory = shared?.memory ?? exports.memory;
  flags = shared && new Int32Array(shared.flags);
}

/**
 * Gives this thread a stack and thread-local data of its own, and lends it to the engine for good. Without
 * memory for them the engine does without the thread.
 */
function lend(): void {
  // Until it has them all such threads use one small stack, one after the other.
  while (Atomics.compareExchange(flags!, BOOT_LOCK, 0, 1) !== 0) Atomics.wait(flags!, BOOT_LOCK, 1);
  exports.__stack_pointer.value = exports.boot_stack();
  const stack = exports.thread_stack();
  const local = exports.thread_local(exports.__tls_size.value as number, exports.__tls_align.value as number);
  const hasMemory = stack !== 0 && local !== 0;
  if (hasMemory) {
    exports.__stack_pointer.value = stack;
    exports.__wasm_init_tls(local);
  }
  Atomics.store(flags!, BOOT_LOCK, 0);
  Atomics.notify(flags!, BOOT_LOCK);
  if (hasMemory) exports.count_thread();
  post({ kind: 'lent' });
  if (hasMemory) exports.lend_thread();
}

async function take(message: ToWorker): Promise<void> {
  switch (message.kind) {
    case 'begin':
      await load(message.program);
      exports.start(message.threads, message.memoryMib);
      if (flags) {
        Atomics.store(flags, BEGUN, 1);
        Atomics.notify(flags, BEGUN);
      }
      break;
    case 'lend':
      // The first instance gets the thread-local data that the linker has laid out. Without it the engine's
      // session is read from zeros.
      Atomics.wait(new Int32Array(message.program.shared!.flags), BEGUN, 0);
      await load(message.program);
      lend();
      break;
    case 'line':
      clearTimeout(quiet);
      stop = message.stop;
      exports.say(...block(encoder.encode(message.text)));
      quiet = setTimeout(() => exports.rest(), QUIET) as unknown as number;
      break;
    case 'network':
      if (!exports.add_networks(...block(new Uint8Array(message.bytes)))) {
        post({ kind: 'bad-network', rule: message.rule });
      }
      break;
    case 'convert':
      conversion = message.id;
      exports.convert(...block(new Uint8Array(message.bytes)), ...block(encoder.encode(message.name)));
      break;
  }
}

/** Messages are taken one after the other, also while the program is being made ready. */
let last: Promise<void> = Promise.resolve();
addEventListener('message', (event: MessageEvent<ToWorker>) => {
  last = last.then(() => take(event.data)).catch((error: Error) => post({ kind: 'fault', text: String(error) }));
});
