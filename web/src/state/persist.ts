import { effect } from '@preact/signals';
import type { Choice } from '../game/opening-phase';
import type { Player } from '../game/opening-rules';
import { LinkFault, readLink, writeLink } from '../game/link';
import { readSgf, writeSgf } from '../game/sgf';
import type { Game } from '../game/tree';
import { allNodes, followPath, indexPath } from '../game/tree';
import { t } from '../i18n/i18n';
import { isAnalysing, valuesVersion } from './analysis';
import { clocks, keptClocks, restoreClocks } from './clock';
import type { KeptClocks } from './clock';
import { beginOpening, phase } from './opening';
import { notifyFailure } from './files';
import { forgetChanges } from './history';
import { beginGame } from './new-game';
import type { Players } from './play';
import { blackHolder, players, restEngineClock } from './play';
import type { KeptReview } from './review';
import { placeOf, recentText, recentTexts, remember, setPlace } from './recent';
import { keptReview, restoreReview, review } from './review';
import { OFFERED_ADDRESS, settings } from './settings';
import type { Verdict } from './store';
import { game, node, notify, verdicts, version } from './store';

const KEY = 'tengen.game';
/** How long a game must be left alone before it and its address are written, in ms. */
const WRITE_DELAY = 300;

/** The record of a tab's game. */
interface KeptGame {
  readonly sgf: string;
  readonly path: readonly number[];
  readonly link: string;
  readonly players: Players;
  readonly blackHolder: Player;
  readonly choices: readonly Choice[] | null;
  // Earlier pages did not keep these.
  /** The address's fragment: not `link` where the browser refused the change. */
  readonly address?: string;
  readonly opening?: string;
  /** Those of the whole game, also once the opening is over. */
  readonly allChoices?: readonly Choice[];
  readonly clocks?: KeptClocks | null;
  readonly verdicts?: readonly (readonly [path: readonly number[], verdict: Verdict])[];
  readonly review?: KeptReview;
  /** Its place in the list of games. */
  readonly id?: string | undefined;
  /** The place of all of it, where there was room for the moves alone. */
  readonly whole?: string | undefined;
}

function keptGame(): KeptGame | null {
  try {
    return JSON.parse(sessionStorage.getItem(KEY) ?? 'null') as KeptGame | null;
  } catch {
    return null;
  }
}

/** Restores the game of this tab, or opens the position of the address; whether there was one. */
export function restore(): boolean {
  const kept = keptGame();
  knownHash = location.hash;
  const fragment = knownHash.slice(1);
  // A link that cannot be read must not take the place of the game.
  const found = linked(fragment);
  if (kept && (!found || [kept.link, kept.address].includes(fragment))) {
    try {
      openKept(kept, kept.id, false);
      if (kept.whole) void restoreWhole(kept, kept.whole);
      return true;
    } catch {
      // A game that cannot be read is as good as none.
    }
  }
  if (found) beginGame(found.game, found.node);
  return found !== null;
}

/** Puts all of a game in the place of its moves, unless something was changed since. */
async function restoreWhole(kept: KeptGame, id: string): Promise<void> {
  const [moves, seen] = [game.value, version.value];
  const text = await recentText(id).catch(() => undefined);
  if (text === undefined || game.value !== moves || version.value !== seen) return;
  // Both have the same tree.
  openKept({ ...(JSON.parse(text) as KeptGame), path: kept.path }, id, true);
  forgetChanges();
}

/** Goes on with a game as it was kept. */
function openKept(kept: KeptGame, id: string | undefined, isWritten: boolean): void {
  const read = readSgf(kept.sgf);
  // The text names no opening whose line is not the main one.
  const { opening = read.opening, allChoices = read.choices } = kept;
  const found = { ...read, opening, choices: allChoices };
  if (id) setPlace(found, id, isWritten ? kept.sgf : '');
  for (const [path, verdict] of kept.verdicts ?? []) verdicts.set(followPath(found.root, path), verdict);
  beginGame(found, followPath(found.root, kept.path), kept.players);
  blackHolder.value = kept.blackHolder;
  // Both before the opening's line becomes the main one: what was kept counts the branches as they are.
  restoreClocks(kept.clocks ?? null);
  if (kept.review) restoreReview(kept.review);
  if (kept.choices) beginOpening(kept.choices);
  restEngineClock();
}

/** Goes on with a game of the list. */
export async function openRecent(id: string): Promise<boolean> {
  const text = await recentText(id);
  if (text === undefined) return false;
  isAnalysing.value = false;
  openKept(JSON.parse(text) as KeptGame, id, true);
  return true;
}

/** All games of the list as one text. */
export async function recentSgf(): Promise<string> {
  return (await recentTexts()).map((text) => (JSON.parse(text) as KeptGame).sgf).join('');
}

/** The reason why the last link was not opened, until it is said. */
let failure: Error | null = null;

/** The position of a fragment; without one the reason is kept. */
function linked(fragment: string): ReturnType<typeof readLink> {
  failure = null;
  try {
    const found = readLink(fragment);
    if (!found && fragment !== '') failure = new LinkFault('none', fragment);
    return found;
  } catch (error) {
    failure = error as Error;
    return null;
  }
}

/** Says why the link of the address was not opened. */
export function notifyBrokenLink(): void {
  if (failure) notifyFailure(failure);
  failure = null;
}

/** Keeps the position in the address, and the game for a reload. */
export function keepGame(): void {
  addEventListener('hashchange', () => {
    knownHash = location.hash;
    const fragment = location.hash.slice(1);
    if (fragment === writeLink(game.value, node.value)) return;
    const found = linked(fragment);
    if (found) beginGame(found.game, found.node);
    else writeAddress();
    notifyBrokenLink();
  });
  // Writing a large game takes its time, and browsers refuse an address that changes often: both are done once
  // the user rests, or leaves.
  effect(() => {
    void [version.value, game.value, node.value, players.value, blackHolder.value, phase.value, clocks.value];
    void review.value;
    const timer = setTimeout(() => {
      writeAddress();
      writeGame();
    }, WRITE_DELAY);
    return () => clearTimeout(timer);
  });
  addEventListener('pagehide', () => {
    written = null;
    // The next page may have the address of before, which the game then knows, or the new one.
    writeGame();
    writeAddress();
  });
}

/** The address's fragment as this page wrote it, or as its last change was taken in. */
let knownHash = '';

function writeAddress(): void {
  const link = writeLink(game.value, node.value);
  // Another fragment is a link that the user has just opened: its event comes soon.
  if (location.hash.slice(1) === link || location.hash !== knownHash) return;
  try {
    history.replaceState(null, '', `#${link}`);
  } catch {
    // Too many changes: some browsers throw, others do nothing. The address stays as it was.
  }
  knownHash = location.hash;
}

/** The last game of which not all could be kept. */
let tooLarge: Game | null = null;

/** Keeps the game; the moves alone where there is no room for all of it. */
function writeGame(): void {
  const kept = keptNow(false);
  const of = game.value;
  // The list knows the game by its place from here on.
  const isWhole = () => writeKept({ ...kept, id: placeOf(of) });
  // A part of the game must not be written to the place of all of it.
  const writeBare = () => writeKept({ ...keptNow(true), id: undefined, whole: placeOf(of) });
  const done = remember(kept.sgf, JSON.stringify(kept));
  if (isWhole()) {
    void done.then((state) => state === 'moved' && game.value === of && isWhole());
    return;
  }
  // An older state of the game must not come back in its place.
  sessionStorage.removeItem(KEY);
  writeBare();
  void done.then((state) => {
    if (game.value !== of) return;
    if (state === 'moved') writeBare();
    if (state === 'failed' && tooLarge !== of) {
      notify(t('notice.too-large'), true);
      tooLarge = of;
    }
  });
}

/** Writes what is to be kept; false where there is no room for it. */
function writeKept(kept: KeptGame): boolean {
  try {
    sessionStorage.setItem(KEY, JSON.stringify(kept));
  } catch (error) {
    // Without any storage a reload shows the position of the address.
    return !/quota/i.test((error as Error).name);
  }
  return true;
}

/** The game's last written text: a step through the game does not change the text. */
let written: { of: Game; version: number; values: number; sgf: string } | null = null;

/** The game as text. A closing page writes the text again: a comment may still be being typed. */
function sgfNow(): string {
  const now = { of: game.value, version: version.value, values: valuesVersion.value };
  const isSame = written?.of === now.of && written.version === now.version && written.values === now.values;
  if (!isSame) written = { ...now, sgf: writeSgf(game.value) };
  return written!.sgf;
}

/** The game with everything to keep, or without the remarks on moves. */
function keptNow(isBare: boolean): KeptGame {
  return {
    sgf: isBare ? writeSgf(game.value, true) : sgfNow(),
    opening: game.value.opening,
    allChoices: game.value.choices,
    path: indexPath(node.value),
    link: writeLink(game.value, node.value),
    address: location.hash.slice(1),
    id: placeOf(game.value),
    players: players.value,
    blackHolder: blackHolder.value,
    choices: phase.value?.choices ?? null,
    clocks: keptClocks(),
    verdicts: allNodes(game.value.root).flatMap((at) => {
      const verdict = verdicts.get(at);
      return verdict ? [[indexPath(at), verdict] as const] : [];
    }),
    ...(isBare ? {} : { review: keptReview() }),
  };
}

/** The address of the position on the public board of the settings, or here without the token of this session. */
export function positionUrl(): string {
  const address = settings.address.value || OFFERED_ADDRESS || `${location.origin}${location.pathname}`;
  return `${address.split('#')[0]}#${writeLink(game.value, node.value)}`;
}

/** True if that address leads others to their own machine. */
export function isUrlLocal(): boolean {
  return /^https?:\/\/(127\.|localhost\b|\[::1\])/.test(positionUrl());
}

