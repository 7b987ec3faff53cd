import { effect } from '@preact/signals';
import type { Choice } from '../game/opening-phase';
import type { Player } from '../game/opening-rules';
import { readLink, writeLink } from '../game/link';
import { readSgf, writeSgf } from '../game/sgf';
import { allNodes, followPath, indexPath } from '../game/tree';
import { clocks, keptClocks, restoreClocks } from './clock';
import type { KeptClocks } from './clock';
import { beginOpening, phase } from './opening';
import { beginGame } from './new-game';
import type { Players } from './play';
import { blackHolder, players, restEngineClock } from './play';
import type { Verdict } from './store';
import { game, node, verdicts, version } from './store';

const KEY = 'tengen.game';
/** How long a game must be left alone before it is written, in ms. */
const WRITE_DELAY = 300;

/** What a tab keeps of its game. */
interface KeptGame {
  readonly sgf: string;
  readonly path: readonly number[];
  readonly link: string;
  readonly players: Players;
  readonly blackHolder: Player;
  readonly choices: readonly Choice[] | null;
  // Earlier pages did not keep these.
  readonly opening?: string;
  /** Those of the whole game, also once the opening is over. */
  readonly allChoices?: readonly Choice[];
  readonly clocks?: KeptClocks | null;
  readonly verdicts?: readonly (readonly [path: readonly number[], verdict: Verdict])[];
}

function keptGame(): KeptGame | null {
  try {
    return JSON.parse(sessionStorage.getItem(KEY) ?? 'null') as KeptGame | null;
  } catch {
    return null;
  }
}

/** Restores the game of this tab, or opens the position of the address. */
export function restore(): void {
  const kept = keptGame();
  const fragment = location.hash.slice(1);
  if (kept && (fragment === '' || fragment === kept.link)) {
    try {
      const read = readSgf(kept.sgf);
      // The text names no opening whose line is not the main one.
      const { opening = read.opening, allChoices = read.choices } = kept;
      const found = { ...read, opening, choices: allChoices };
      for (const [path, verdict] of kept.verdicts ?? []) verdicts.set(followPath(found.root, path), verdict);
      beginGame(found, followPath(found.root, kept.path), kept.players);
      blackHolder.value = kept.blackHolder;
      // Before the opening's line becomes the main one: what was kept counts the branches as they are.
      restoreClocks(kept.clocks ?? null);
      if (kept.choices) beginOpening(kept.choices);
      restEngineClock();
      return;
    } catch {
      // A game that cannot be read is as good as none.
    }
  }
  openFragment(fragment);
}

function openFragment(fragment: string): void {
  const found = readLink(fragment);
  if (found) beginGame(found.game, found.node);
}

/** Keeps the position in the address, and the game for a reload. */
export function keepGame(): void {
  addEventListener('hashchange', () => {
    const fragment = location.hash.slice(1);
    if (fragment !== writeLink(game.value, node.value)) openFragment(fragment);
  });
  effect(() => {
    const link = writeLink(game.value, node.value);
    if (location.hash.slice(1) !== link) history.replaceState(null, '', `#${link}`);
  });
  // Writing a large game takes its time: it is done once the user rests, or leaves.
  effect(() => {
    void [version.value, game.value, node.value, players.value, blackHolder.value, phase.value, clocks.value];
    const timer = setTimeout(writeGame, WRITE_DELAY);
    return () => clearTimeout(timer);
  });
  addEventListener('pagehide', writeGame);
}

function writeGame(): void {
  const kept: KeptGame = {
    sgf: writeSgf(game.value),
    opening: game.value.opening,
    allChoices: game.value.choices,
    path: indexPath(node.value),
    link: writeLink(game.value, node.value),
    players: players.value,
    blackHolder: blackHolder.value,
    choices: phase.value?.choices ?? null,
    clocks: keptClocks(),
    verdicts: allNodes(game.value.root).flatMap((at) => {
      const verdict = verdicts.get(at);
      return verdict ? [[indexPath(at), verdict] as const] : [];
    }),
  };
  try {
    sessionStorage.setItem(KEY, JSON.stringify(kept));
  } catch {
    // Without storage a reload shows the position of the address.
  }
}

/** The address of the position, without the token of this session. */
export function positionUrl(): string {
  return `${location.origin}${location.pathname}#${writeLink(game.value, node.value)}`;
}

