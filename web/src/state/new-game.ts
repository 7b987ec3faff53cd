import { batch } from '@preact/signals';
import type { Rule } from '../game/rules';
import { BLACK } from '../game/rules';
import type { Game, GameNode } from '../game/tree';
import { newGame } from '../game/tree';
import { isAnalysing, stopThinking } from './analysis';
import { clocks, setClocks, switchClock } from './clock';
import { beginOpening, continueOpening, leaveOpening, phase } from './opening';
import type { Players } from './play';
import { BOTH_HUMAN, blackHolder, ended, playerOf, players } from './play';
import { solution } from './problem';
import { review } from './review';
import type { UserPlays } from './settings';
import { isSetupChanged, setup, setupGame } from './setup';
import { game, openGame } from './store';
import { tab } from './view';

/** The frame of a game. */
export interface GameFrame {
  readonly rule: Rule;
  readonly width: number;
  readonly height: number;
  readonly opening: string;
}

/** Begins with another game, at one of its nodes: nothing of the one before goes on. */
export function beginGame(next: Game, at: GameNode = next.root, who: Players = BOTH_HUMAN): void {
  batch(() => {
    stopThinking();
    leaveOpening();
    setup.value = null;
    review.value = null;
    solution.value = null;
    clocks.value = null;
    ended.value = null;
    players.value = who;
    blackHolder.value = 'first';
    openGame(next, at);
  });
}

/** Begins a new game; the engine makes the first decisions where they are its own. */
export function startGame(frame: GameFrame, user: UserPlays): void {
  if (user !== 'both') isAnalysing.value = false;
  beginGame(newGame(frame.rule, frame.width, frame.height, frame.opening), undefined, {
    first: user === 'first' || user === 'both' ? 'human' : 'engine',
    second: user === 'second' || user === 'both' ? 'human' : 'engine',
  });
  setClocks();
  beginOpening();
  switchClock(phase.value?.decider ?? playerOf(BLACK));
  tab.value = 'play';
  continueOpening();
}

/** Begins the same game again with the other colours. */
export function rematch(): void {
  const { rule, width, height, opening } = game.value;
  const { first, second } = players.value;
  const user = first === second ? (first === 'human' ? 'both' : 'none') : first === 'human' ? 'second' : 'first';
  startGame({ rule, width, height, opening }, user);
}

/** Begins a game from the set-up position; an unchanged set-up leaves the game alone. */
export function finishSetup(): void {
  const next = isSetupChanged() ? setupGame() : null;
  if (next) beginGame(next);
  else setup.value = null;
}
