import type { ReadonlySignal } from '@preact/signals';
import type { CloseReason, Engine } from '../engine/engine';
import type { Key } from '../i18n/en';

/** A message above the board, and the action that the user can take. */
export interface News {
  readonly text: Key;
  readonly values?: Readonly<Record<string, string | number>>;
  readonly action?: { readonly label: Key; readonly run: () => void };
  /** Only shown, for a number that changes all the time, or only said by screen readers. Absent: both. */
  readonly only?: 'shown' | 'said';
}

/** The page's source of engines. `vite.config.ts` chooses one when the page is built. */
export interface Transport {
  /** Opens an engine, or why that cannot be done. */
  readonly open: (() => Engine) | CloseReason;
  /** True if the engine keeps a database. */
  readonly hasDatabase: boolean;
  /** Most search threads. */
  readonly maxThreads: number;
  /** Most memory of the transposition table, in MiB. */
  readonly maxHashMib: number;
  /** The messages above the board, possibly none. */
  readonly news: ReadonlySignal<readonly News[]>;
}
