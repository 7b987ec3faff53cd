import { signal as makeSignal } from '@preact/signals';
import { LinkFault, readLink } from '../game/link';
import { SIDES } from '../game/point';
import { namedRule, readSgf, sgfHead, splitSgf, writeSgf } from '../game/sgf';
import { BLACK, WHITE } from '../game/rules';
import type { Color } from '../game/rules';
import type { Game } from '../game/tree';
import { endOfLine } from '../game/tree';
import { t } from '../i18n/i18n';
import { firstSession, isAnalysing } from './analysis';
import { connection, session } from './connection';
import { beginGame } from './new-game';
import { resumeOpening } from './opening';
import { isEngines, players } from './play';
import { errorText } from './refusal';
import { game, notify } from './store';
import { dialog } from './view';

/** Most of a file that the engine reads, in MiB; `serve` takes no more (`src/serve/server.rs`). */
const MAX_FILE_MIB = 32;

/** The games of a file of several, as SGF: one of them is to be chosen. */
export const choice = makeSignal<readonly string[]>([]);

/**
 * Opens a game. The page itself reads a link, and moves for a board of the shown size; the program's reader turns
 * everything else into SGF. Of several games one is to be chosen. Nothing is opened once `signal` is aborted.
 */
export async function openBytes(bytes: ArrayBuffer, name: string, signal?: AbortSignal): Promise<boolean> {
  const wasAnalysing = isAnalysing.value;
  let isOpened = false;
  // An analysis of the former game goes on where no other game is opened.
  const goOn = () => {
    if (wasAnalysing && !isOpened) isAnalysing.value = true;
  };
  signal?.addEventListener('abort', goOn);
  try {
    signal?.throwIfAborted();
    const text = new TextDecoder().decode(bytes).trim();
    const link = readLink(text.slice(text.indexOf('#') + 1));
    if (link) {
      isAnalysing.value = false;
      beginGame(link.game, link.node);
      isOpened = true;
      return true;
    }
    const sgf = movesAsSgf(text) ?? (await convert(bytes, name, signal ?? new AbortController().signal));
    signal?.throwIfAborted();
    const games = splitSgf(sgf);
    isOpened = games.length > 1 || openSgf(sgf);
    if (games.length < 2) return isOpened;
    choice.value = games;
    dialog.value = 'choose';
    return true;
  } catch (error) {
    if (!signal?.aborted) notifyFailure(error);
    return false;
  } finally {
    signal?.removeEventListener('abort', goOn);
    // What was done since is not changed any more.
    if (!signal?.aborted) goOn();
  }
}

/**
 * Opens the first game of a text, by the shown rule where the text names none. The game opens at the end, but a
 * record with a set-up at the start, a problem and its solution, at the first position.
 */
export function openSgf(text: string): boolean {
  try {
    const { rule } = game.value;
    const found = readSgf(text, rule);
    const isNamed = namedRule(sgfHead(text) ?? new Map()) !== undefined;
    isAnalysing.value = false;
    beginGame(found, found.root.setup ? found.root : endOfLine(found.root));
    resumeOpening();
    if (!isNamed) notify(t('open.as', { rule: t(`rule.${rule}`), size: `${found.width}×${found.height}` }));
    return true;
  } catch (error) {
    notifyFailure(error);
    return false;
  }
}

/** Says why nothing was opened. */
export function notifyFailure(error: unknown): void {
  const text =
    error instanceof LinkFault
      ? t('link.failed', { reason: t(`link.${error.kind}`, { text: error.text, ...SIDES }) })
      : t('open.failed', { reason: errorText(error as Error) });
  notify(text, true);
}

/** Side of the board on which the program's reader puts moves without a board size. */
const READERS_SIDE = 15;

/**
 * Moves by their names alone, such as `1. h8 i9`, on a board of the size that is shown, where the program's reader
 * would take another size. `null` for all other texts. Lines are games of their own where points come again.
 */
function movesAsSgf(text: string): string | null {
  const { rule, width, height } = game.value;
  if (width === READERS_SIDE && height === READERS_SIDE) return null;
  const plain = text.replace(/(^|\s)\d+\.(?=\s|[a-v])/gi, ' ');
  if (!/^([a-v]\d{1,2}[\s,;-]*)+$/i.test(plain.trim())) return null;
  const read = (moves: string) => {
    try {
      return readLink(`${rule}-${width}x${height}/${moves.replace(/[^a-v\d]/gi, '')}`);
    } catch {
      return null;
    }
  };
  const one = read(plain);
  const games = one ? [one] : plain.trim().split(/\n+/).map(read);
  return games.every((found) => found !== null) ? games.map((found) => bareSgf(found.game)).join('') : null;
}

/** A game of which the rule is not said. */
function bareSgf(moves: Game): string {
  return writeSgf(moves, true).replace(/RU\[\w+\]/, '');
}

function nameInRecord(color: Color): string {
  return color === BLACK ? game.value.black : game.value.white;
}

/** The name of a player: the record's, or else who plays. */
export function playerName(color: Color): string {
  return nameInRecord(color) || t(isEngines(color) ? 'player.engine' : 'player.human');
}

/** The name of a person: the record's, unless the game goes on against the engine. */
export function personName(color: Color): string {
  const isOfRecord = players.value.first === players.value.second;
  return (isOfRecord && nameInRecord(color)) || t('player.human');
}

/** A name for a file of the game: its players and its date. */
export function fileName(ending: string): string {
  const stated = game.value.root.rest.find(([name]) => name === 'DT')?.[1][0] ?? '';
  const date = /^\d{4}(-\d\d){0,2}/.exec(stated)?.[0] ?? new Date().toLocaleDateString('sv');
  const plain = (name: string) => name.replace(/[^\p{L}\p{N}.]+/gu, ' ').trim().slice(0, 40).trim().replaceAll(' ', '_');
  const names = [BLACK, WHITE].map((color) => plain(playerName(color as Color))).filter((name) => name !== '');
  return `${[...names, date].join('-')}.${ending}`;
}

async function convert(bytes: ArrayBuffer, name: string, signal: AbortSignal): Promise<string> {
  if (bytes.byteLength > MAX_FILE_MIB * 2 ** 20) throw new Error(t('open.too-large', { mib: MAX_FILE_MIB }));
  const isOnItsWay = !session.value && connection.value === 'connecting';
  const { engine } = (isOnItsWay ? await firstSession(signal) : session.value) ?? {};
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
