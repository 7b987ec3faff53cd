// The large files of the site: how many bytes each has, and which networks use the rows of others. Hosts that
// compress do not say the first, and the second would cost a round trip.
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const weights = fileURLToPath(new URL('../../src/eval/weights/', import.meta.url));
const programs = fileURLToPath(new URL('../engine/dist/', import.meta.url));
/** The file in which each network is, by the numbers of `src/eval/network/file.rs`. */
const HOLDERS = ['freestyle', 'standard', 'renju', 'renju', 'caro', 'caro9'];
/** A number of codes from this one on means the rows of another network, whose number is the rest. */
const SHARED = 2 ** 31;

/** The names of the files whose rows the networks of a file use. */
function lendersOf(file) {
  const names = new Set();
  for (let i = 0; i < file.readUInt16LE(12); i += 1) {
    const codes = file.readUInt32LE(16 + 24 * i + 12);
    if (codes >= SHARED) names.add(HOLDERS[codes - SHARED]);
  }
  return [...names];
}

/** The sizes that the page is built with. */
export function siteSizes() {
  const names = readdirSync(weights).flatMap((name) => /^network-(.*)\.tgnn$/.exec(name)?.[1] ?? []);
  const networks = names.map((name) => {
    const file = readFileSync(`${weights}network-${name}.tgnn`);
    const lenders = lendersOf(file).filter((lender) => lender !== name && names.includes(lender));
    return [name, { bytes: file.length, lenders }];
  });
  const built = ['single', 'threads'].filter((name) => existsSync(`${programs}${name}.wasm`));
  return {
    networks: Object.fromEntries(networks),
    programs: Object.fromEntries(built.map((name) => [name, statSync(`${programs}${name}.wasm`).size])),
  };
}
