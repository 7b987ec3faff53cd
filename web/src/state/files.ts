import { readLink } from '../game/link';
import { readSgf } from '../game/sgf';
import { endOfLine } from '../game/tree';
import { t } from '../i18n/i18n';
import { isAnalysing } from './analysis';
import { session } from './connection';
import { beginGame } from './new-game';
import { resumeOpening } from './opening';
import { notify } from './store';

/** Most of a file that the engine reads, in MiB; `serve` takes no more (`src/serve/server.rs`). */
const MAX_FILE_MIB = 32;

/**
 * Opens a game: a link by itself, everything else by the program's reader, which gives SGF. Nothing is opened once
 * `signal` is aborted.
 */
export async function openBytes(bytes: ArrayBuffer, name: string, signal?: AbortSignal): Promise<boolean> {
  const wasAnalysing = isAnalysing.value;
  const goOn = () => {
    if (wasAnalysing) isAnalysing.value = true;
  };
  signal?.addEventListener('abort', goOn);
  try {
    signal?.throwIfAborted();
    const text = new TextDecoder().decode(bytes).trim();
    const link = readLink(text.slice(text.indexOf('#') + 1));
    if (link) beginGame(link.game, link.node);
    else {
      const sgf = await convert(bytes, name);
      signal?.throwIfAborted();
      const found = readSgf(sgf);
      beginGame(found, endOfLine(found.root));
      resumeOpening();
    }
    return true;
  } catch (error) {
    if (!signal?.aborted) notify(t('open.failed', { reason: (error as Error).message }), true);
    return false;
  } finally {
    signal?.removeEventListener('abort', goOn);
    // What was done since is not changed any more.
    if (!signal?.aborted) goOn();
  }
}

async function convert(bytes: ArrayBuffer, name: string): Promise<string> {
  if (bytes.byteLength > MAX_FILE_MIB * 2 ** 20) throw new Error(t('open.too-large', { mib: MAX_FILE_MIB }));
  const engine = session.value?.engine;
  if (!engine) throw new Error(t('connection.lost'));
  // In a worker the engine reads no file while it thinks, and an analysis has no end.
  isAnalysing.value = false;
  return engine.convert(bytes, name);
}

/** Lets the browser save a file. */
export function download(data: Blob | string, name: string, type = 'text/plain'): void {
  const blob = typeof data === 'string' ? new Blob([data], { type }) : data;
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
