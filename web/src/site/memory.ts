/** Most memory of the engine in MiB, the best that is granted: a phone may not have the most. */
const MEMORY_MIB = [1024, 512, 256] as const;
/** The part of the memory for stacks, one a thread; see `web/engine/src/threads.rs`. */
const STACKS_MIB = 96;
const STACK_MIB = 8;
/** Threads for whose stacks there is room. */
export const MOST_THREADS = STACKS_MIB / STACK_MIB;
/** The part of the rest for everything but the transposition table. */
export const BESIDE_TABLE_MIB = 128;
/** Pages of memory in a MiB, and pages to begin with. */
const PAGES = 16;
const FIRST_PAGES = 512;

/** Bytes of the flags that the workers of an engine share; see `worker.ts`. */
export const FLAGS_BYTES = 12;

/** Memory that threads share, and its most MiB. */
export interface SharedMemory {
  readonly memory: WebAssembly.Memory;
  readonly mib: number;
}

/** The largest memory for threads that is granted; `null` where none is. */
export function sharedMemory(): SharedMemory | null {
  for (const mib of MEMORY_MIB) {
    try {
      return { memory: new WebAssembly.Memory({ initial: FIRST_PAGES, maximum: mib * PAGES, shared: true }), mib };
    } catch {
      // Less may be granted.
    }
  }
  return null;
}

/** Memory for an engine beside stacks, in MiB. Without shared memory the memory grows on demand. */
export function memoryFor(shared: SharedMemory | null): number {
  return (shared?.mib ?? MEMORY_MIB[0]) - STACKS_MIB;
}
