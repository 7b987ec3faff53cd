import type { ReadonlySignal } from '@preact/signals';
import type { CloseReason, Engine } from '../engine/engine';
import type { Key } from '../i18n/en';

/** Something that the page should say above the board, and what can be done about it. */
export interface News {
  readonly text: Key;
  readonly values?: Readonly<Record<string, string | number>>;
  readonly action?: { readonly label: Key; readonly run: () => void };
  /** Where not both: only shown, as a number that changes all the time, or only said by screen readers. */
  readonly only?: 'shown' | 'said';
}

/** Where the page has its engine from. `vite.config.ts` chooses one when the page is built. */
export interface Transport {
  /** Opens an engine, or why that cannot be done. */
  readonly open: (() => Engine) | CloseReason;
  /** Whether the engine keeps a database. */
  readonly hasDatabase: boolean;
  /** Most search threads. */
  readonly maxThreads: number;
  /** Most memory of the transposition table, in MiB. */
  readonly maxHashMib: number;
  /** What there is to say; empty for nothing. */
  readonly news: ReadonlySignal<readonly News[]>;
}
