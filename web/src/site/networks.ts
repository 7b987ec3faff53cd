import type { Rule } from '../game/rules';
import { load } from './load';

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
/** The file for a rule whose own file the site has not. */
const STAND_INS: Partial<Record<Rule, Rule>> = { caro: 'freestyle', caro9: 'standard' };

/** Bytes that came, and how many there will be. */
export type Progress = (loaded: number, total: number) => void;

/**
 * Fetches the networks for searches by a rule: the rule's own network, and its lenders of rows. `get` takes the place
 * of `fetch` where `fetch` does not reach the files.
 */
export async function fetchNetworks(rule: Rule, onProgress: Progress, get = fetch): Promise<ArrayBuffer[]> {
  const own = rule in FILES ? rule : STAND_INS[rule];
  if (!own || !(own in FILES)) return [];
  const names = [own, ...(__SIZES__.networks[own]?.lenders ?? [])];
  const total = names.reduce((sum, name) => sum + (__SIZES__.networks[name]?.bytes ?? 0), 0);
  let loaded = 0;
  const onBytes = (count: number) => {
    loaded += count;
    onProgress(loaded, Math.max(total, loaded));
  };
  return Promise.all(names.map(async (name) => (await load(FILES[name]!, onBytes, get)).arrayBuffer()));
}
