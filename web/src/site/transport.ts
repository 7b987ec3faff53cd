import { computed, effect, signal } from '@preact/signals';
import type { Rule } from '../game/rules';
import { game } from '../state/store';
import type { News, Transport } from '../transport/transport';
import type { Program } from './messages';
import { fetchNetworks } from './networks';
import { isOutdated, startServiceWorker, update } from './service-worker';
import { WasmEngine } from './wasm-engine';

/** The programs that were built, by their names: `single` and `threads`. */
const PROGRAMS = Object.fromEntries(
  Object.entries(
    import.meta.glob<string>('../../engine/dist/{single,threads}.wasm', { query: '?url', import: 'default', eager: true }),
  ).map(([path, url]) => [/(\w+)\.wasm$/.exec(path)![1]!, url]),
);
/** Most memory of the engine in MiB, the best that the browser grants: a phone may not have the most. */
const MEMORY_MIB = [1024, 512, 256] as const;
/** What of it is left for stacks, and what of the rest is not for the table. */
const STACKS_MIB = 96;
const BESIDE_TABLE_MIB = 128;
/** Pages of memory in a MiB, and pages to begin with. */
const PAGES = 16;
const FIRST_PAGES = 512;

/** How much of a network is there, while one is fetched; `done` when it has come. */
const loading = signal<number | 'done' | null>(null);
/** A rule whose network could not be fetched. */
const missing = signal<Rule | null>(null);

const news = computed<readonly News[]>(() => [
  ...loadingNews(),
  ...(missing.value && missing.value === game.value.rule ? [{ text: 'site.no-network' } as const] : []),
  ...(isOutdated.value
    ? [{ text: 'site.outdated', action: { label: 'site.update', run: () => void update() } } as const]
    : []),
]);

/** The percentage is for the eye alone: screen readers would say each step. */
function loadingNews(): readonly News[] {
  if (loading.value === null) return [];
  if (loading.value === 'done') return [{ text: 'site.loaded', only: 'said' }];
  return [
    { text: 'site.loading', values: { percent: loading.value }, only: 'shown' },
    { text: 'site.loading-begins', only: 'said' },
  ];
}

/** The engine in this page, as WebAssembly. */
export async function openTransport(): Promise<Transport> {
  const isThreaded = 'threads' in PROGRAMS;
  if (!(await startServiceWorker(isThreaded))) return never();
  const granted = isThreaded && crossOriginIsolated ? MEMORY_MIB.find((mib) => sharedMemory(mib)) : undefined;
  const hasThreads = granted !== undefined;
  const maxThreads = hasThreads ? Math.max(1, navigator.hardwareConcurrency) : 1;
  const url = PROGRAMS[hasThreads ? 'threads' : 'single']!;
  let module: Promise<WebAssembly.Module> | null = null;
  /** The program, which is compiled once; tried again where it could not be had. */
  const compiled = () => {
    module ??= compile(url).catch((error: unknown) => {
      module = null;
      throw error;
    });
    return module;
  };
  const memoryMib = (granted ?? MEMORY_MIB[0]) - STACKS_MIB;
  /** The engine that was opened last. */
  const newest = signal<WasmEngine | null>(null);
  effect(() => newest.value?.preload(game.value.rule));
  const open = () => {
    const program = compiled().then((module): Program => {
      const memory = granted && sharedMemory(granted);
      return { module, shared: memory ? { memory, flags: new SharedArrayBuffer(8) } : null };
    });
    const engine = new WasmEngine({ program, networks, maxThreads, memoryMib });
    newest.value = engine;
    return engine;
  };
  return { open, hasDatabase: false, maxThreads, maxHashMib: memoryMib - BESIDE_TABLE_MIB, news };
}

/** Memory of up to so many MiB for threads; `null` where the browser does not grant it. */
function sharedMemory(mib: number): WebAssembly.Memory | null {
  try {
    return new WebAssembly.Memory({ initial: FIRST_PAGES, maximum: mib * PAGES, shared: true });
  } catch {
    return null;
  }
}

/** The page is about to be loaded again. */
function never(): Promise<never> {
  return new Promise(() => undefined);
}

/** Compiles while the bytes come, where the host names their type. */
async function compile(url: string): Promise<WebAssembly.Module> {
  const answer = await fetch(url);
  if (answer.headers.get('Content-Type') === 'application/wasm') return WebAssembly.compileStreaming(answer);
  return WebAssembly.compile(await answer.arrayBuffer());
}

async function networks(rule: Rule): Promise<ArrayBuffer[]> {
  try {
    const files = await fetchNetworks(rule, (loaded, total) => {
      loading.value = Math.floor((100 * loaded) / total);
    });
    missing.value = null;
    if (files.length > 0) loading.value = 'done';
    return files;
  } catch {
    missing.value = rule;
    loading.value = null;
    return [];
  }
}
