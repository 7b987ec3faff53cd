import type { Rule } from '../game/rules';

/** The files of networks that the site has, by their names. */
const FILES = Object.fromEntries(
  Object.entries(
    import.meta.glob<string>('../../../src/eval/weights/network-*.tgnn', {
      query: '?url',
      import: 'default',
      eager: true,
    }),
  ).map(([path, url]) => [/network-(.*)\.tgnn$/.exec(path)![1]!, url]),
);
/** The file in which each network is, by the numbers of `src/eval/network/file.rs`. */
const HOLDERS = ['freestyle', 'standard', 'renju', 'renju', 'caro', 'caro9'] as const;
/** The file for a rule whose own file the site has not. */
const STAND_INS: Partial<Record<Rule, Rule>> = { caro: 'freestyle', caro9: 'standard' };
/** A number of codes from this one on means the rows of another network, whose number is the rest. */
const SHARED = 2 ** 31;

/** Bytes that came, and how many there will be. */
export type Progress = (loaded: number, total: number) => void;

/** Fetches the networks that searches by a rule need, by `get` where `fetch` does not reach them. */
export async function fetchNetworks(rule: Rule, onProgress: Progress, get = fetch): Promise<ArrayBuffer[]> {
  const name = rule in FILES ? rule : STAND_INS[rule];
  if (!name || !(name in FILES)) return [];
  const own = await fetchFile(FILES[name]!, onProgress, get);
  const lenders = lendersOf(own).filter((lender) => lender !== name && lender in FILES);
  return [own, ...(await Promise.all(lenders.map((lender) => fetchFile(FILES[lender]!, onProgress, get))))];
}

/** The names of the files whose rows a file's networks use. */
function lendersOf(file: ArrayBuffer): string[] {
  const view = new DataView(file);
  const names = new Set<string>();
  for (let i = 0; i < view.getUint16(12, true); i += 1) {
    const codes = view.getUint32(16 + 24 * i + 12, true);
    if (codes >= SHARED) names.add(HOLDERS[codes - SHARED] ?? '');
  }
  return [...names];
}

async function fetchFile(url: string, onProgress: Progress, get: typeof fetch): Promise<ArrayBuffer> {
  const answer = await get(url);
  if (!answer.ok || !answer.body) throw new Error(`${url}: ${answer.status} ${answer.statusText}`);
  // Where the host compresses, the length is that of the compressed file.
  const total = answer.headers.has('Content-Encoding') ? 0 : Number(answer.headers.get('Content-Length') ?? 0);
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let loaded = 0;
  const reader = answer.body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    parts.push(value);
    loaded += value.byteLength;
    onProgress(loaded, Math.max(total, loaded));
  }
  return new Blob(parts).arrayBuffer();
}
