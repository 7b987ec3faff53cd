// Runs a program for WASI, such as Rust's tests. Arguments: the program's file, then the program's own arguments.
import { readFile } from 'node:fs/promises';
import { WASI } from 'node:wasi';

const [file, ...rest] = process.argv.slice(2);
const wasi = new WASI({ version: 'preview1', args: [file, ...rest], env: {}, preopens: { '/': '/' } });
const { instance } = await WebAssembly.instantiate(await readFile(file), wasi.getImportObject());
process.exitCode = wasi.start(instance);
