import type { Rule } from '../game/rules';

/** Messages of the page to the worker of its engine, and to the workers that lend threads. */
export type ToWorker =
  | { readonly kind: 'begin'; readonly program: Program; readonly threads: number; readonly memoryMib: number }
  | { readonly kind: 'lend'; readonly program: Program }
  | { readonly kind: 'line'; readonly text: string; readonly stop: StopSign }
  | { readonly kind: 'network'; readonly rule: Rule; readonly bytes: ArrayBuffer }
  | { readonly kind: 'convert'; readonly id: number; readonly bytes: ArrayBuffer; readonly name: string };

/** Messages of a worker to the page. */
export type FromWorker =
  | { readonly kind: 'line'; readonly text: string }
  | { readonly kind: 'converted'; readonly id: number; readonly text: string; readonly isGood: boolean }
  | { readonly kind: 'lent' }
  | { readonly kind: 'bad-network'; readonly rule: Rule }
  | { readonly kind: 'fault'; readonly text: string };

/** The compiled program, and with threads the memory that they share. */
export interface Program {
  readonly module: WebAssembly.Module;
  readonly shared: { readonly memory: WebAssembly.Memory; readonly flags: SharedArrayBuffer } | null;
}

/**
 * The sign that a later line wants the search to stop: a searching worker hears no message. Either the number of
 * the line, compared with the first of the shared flags, or the URL of an object, revoked to stop the search.
 */
export type StopSign = number | string;
