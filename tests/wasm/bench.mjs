// Usage: node bench.mjs FILE.wasm DEPTH. Prints `Bench: <nodes> nodes <nps> nps` as `pbrain-tengen bench` does.
import { readFile } from "node:fs/promises";

const [file, depth] = process.argv.slice(2);
const imports = { env: { now_ms: () => performance.now() } };
const { instance } = await WebAssembly.instantiate(await readFile(file), imports);
const begin = performance.now();
const nodes = instance.exports.bench(Number(depth));
const seconds = (performance.now() - begin) / 1000;
console.log(`Bench: ${nodes} nodes ${Math.round(Number(nodes) / seconds)} nps`);
