import { effect } from '@preact/signals';
import type { Choice } from '../game/opening-phase';
import type { Player } from '../game/opening-rules';
import { readLink, writeLink } from '../game/link';
import { readSgf, writeSgf } from '../game/sgf';
import { followPath, indexPath } from '../game/tree';
import { beginOpening, phase } from './opening';
import { blackHolder, players } from './play';
import { game, node, openGame, version } from './store';

const KEY = 'tengen.game';

/** What a tab keeps of its game. */
interface KeptGame {
  readonly sgf: string;
  readonly path: readonly number[];
  readonly link: string;
  readonly players: Readonly<Record<Player, 'human' | 'engine'>>;
  readonly blackHolder: Player;
  readonly choices: readonly Choice[] | null;
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
      const found = readSgf(kept.sgf);
      openGame(found, followPath(found.root, kept.path));
      players.value = kept.players;
      blackHolder.value = kept.blackHolder;
      if (kept.choices) beginOpening(kept.choices);
      return;
    } catch {
      // A game that cannot be read is as good as none.
    }
  }
  openFragment(fragment);
}

function openFragment(fragment: string): void {
  const found = readLink(fragment);
  if (!found) return;
  phase.value = null;
  openGame(found.game, found.node);
}

/** Keeps the game for a reload, and the position in the address. */
export function keepGame(): () => void {
  addEventListener('hashchange', () => {
    const fragment = location.hash.slice(1);
    if (fragment !== writeLink(game.value, node.value)) openFragment(fragment);
  });
  return effect(() => {
    void version.value;
    const link = writeLink(game.value, node.value);
    if (location.hash.slice(1) !== link) history.replaceState(null, '', `#${link}`);
    const kept: KeptGame = {
      sgf: writeSgf(game.value),
      path: indexPath(node.value),
      link,
      players: players.value,
      blackHolder: blackHolder.value,
      choices: phase.value?.choices ?? null,
    };
    try {
      sessionStorage.setItem(KEY, JSON.stringify(kept));
    } catch {
      // Without storage a reload shows the position of the address.
    }
  });
}

/** The address of the position, without the key of this session. */
export function positionUrl(): string {
  return `${location.origin}${location.pathname}#${writeLink(game.value, node.value)}`;
}

