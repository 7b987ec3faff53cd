import { computed, effect, signal } from '@preact/signals';
import type { Rule } from '../game/rules';
import { game } from '../state/store';
import type { News, Transport } from '../transport/transport';
import { BESIDE_TABLE_MIB, FLAGS_BYTES, MOST_THREADS, memoryFor, sharedMemory } from './memory';
import type { Program } from './messages';
import { load } from './load';
import { fetchNetworks } from './networks';
import { PROGRAMS } from './programs';
import { isOutdated, startServiceWorker, update } from './service-worker';
import { WasmEngine } from './wasm-engine';

/** How much of the program is there in percent, while it is fetched. */
const programLoading = signal<number | null>(null);
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
  const percent = programLoading.value;
  if (percent !== null) return [{ text: 'site.loading-program', values: { percent }, only: 'shown' }];
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
  /** Memory that no engine has yet: what is granted says how many threads and how large a table there may be. */
  let spare = isThreaded && crossOriginIsolated ? sharedMemory() : null;
  const hasThreads = spare !== null;
  const maxThreads = hasThreads ? Math.min(navigator.hardwareConcurrency || 1, MOST_THREADS) : 1;
  const memoryMib = memoryFor(spare);
  const modules = new Map<string, Promise<WebAssembly.Module>>();
  /** A program, which is compiled once; tried again where it could not be had. */
  const compiled = (name: string) => {
    let module = modules.get(name);
    if (!module) {
      module = compile(name);
      modules.set(name, module);
      module.catch(() => modules.delete(name));
    }
    return module;
  };
  /** The engine that was opened last. */
  const newest = signal<WasmEngine | null>(null);
  effect(() => newest.value?.preload(game.value.rule));
  const open = () => {
    // Where the memory of an earlier engine is not free yet, there may be less or none.
    const granted = spare ?? (hasThreads ? sharedMemory() : null);
    spare = null;
    const program = compiled(granted ? 'threads' : 'single').then(
      (module): Program => ({ module, shared: granted && { memory: granted.memory, flags: new SharedArrayBuffer(FLAGS_BYTES) } }),
      (error: unknown) => {
        spare ??= granted;
        throw error;
      },
    );
    const engine = new WasmEngine({ program, networks, onBadNetwork: miss, maxThreads, memoryMib: memoryFor(granted) });
    newest.value = engine;
    return engine;
  };
  return { open, hasDatabase: false, maxThreads, maxHashMib: memoryMib - BESIDE_TABLE_MIB, news };
}

/** The page is about to be loaded again. */
function never(): Promise<never> {
  return new Promise(() => undefined);
}

/** Compiles while the bytes come, where the host names their type. */
async function compile(name: string): Promise<WebAssembly.Module> {
  const total = __SIZES__.programs[name] ?? 0;
  let loaded = 0;
  try {
    const answer = await load(PROGRAMS[name]!, (count) => {
      loaded += count;
      programLoading.value = loaded < total ? Math.floor((100 * loaded) / total) : null;
    });
    if (answer.headers.get('Content-Type') === 'application/wasm') return await WebAssembly.compileStreaming(answer);
    return await WebAssembly.compile(await answer.arrayBuffer());
  } finally {
    programLoading.value = null;
  }
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
    miss(rule);
    return [];
  }
}

/** Says that a rule has no network. */
function miss(rule: Rule): void {
  missing.value = rule;
  loading.value = null;
}
