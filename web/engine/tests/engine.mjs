// The engine in Node: what the page's worker does, without a worker.
import { readFile } from 'node:fs/promises';

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** An engine of the file, with the session begun. */
export async function openEngine(file, { threads = 1, memoryMib = 350 } = {}) {
  const lines = [];
  const state = { wantsStop: () => false, converted: null };
  let memory;
  const module = await WebAssembly.compile(await readFile(file));
  // A program with threads works with one of them too.
  const isShared = WebAssembly.Module.imports(module).some(({ kind }) => kind === 'memory');
  if (isShared) memory = new WebAssembly.Memory({ initial: 512, maximum: 16384, shared: true });
  const text = (start, length) => decoder.decode(new Uint8Array(memory.buffer, start, length).slice());
  const host = {
    now_ms: () => performance.now(),
    wants_stop: () => state.wantsStop(),
    reply: (start, length) => lines.push(text(start, length)),
    converted: (start, length, isGood) => (state.converted = { text: text(start, length), isGood: isGood !== 0 }),
    fault: (start, length) => console.error(text(start, length)),
  };
  const { exports } = await WebAssembly.instantiate(module, { host, env: { memory } });
  memory ??= exports.memory;
  const block = (bytes) => {
    const start = exports.allocate(bytes.length);
    new Uint8Array(memory.buffer, start, bytes.length).set(bytes);
    return [start, bytes.length];
  };
  exports.start(threads, memoryMib);
  return {
    exports,
    state,
    block,
    /** The replies to lines. */
    say(...said) {
      lines.length = 0;
      for (const line of said) exports.say(...block(encoder.encode(line)));
      return lines.slice();
    },
    addNetworks: (bytes) => exports.add_networks(...block(bytes)) !== 0,
    convert(bytes, name) {
      exports.convert(...block(bytes), ...block(encoder.encode(name)));
      return state.converted;
    },
    memoryMib: () => memory.buffer.byteLength / 2 ** 20,
  };
}
