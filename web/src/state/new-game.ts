import type { Rule } from '../game/rules';
import { BLACK } from '../game/rules';
import { newGame } from '../game/tree';
import { isAnalysing } from './analysis';
import { setClocks, switchClock } from './clock';
import { beginOpening, continueOpening, phase } from './opening';
import { blackHolder, playerOf, players, stopThinking } from './play';
import { review } from './review';
import { setup } from './setup';
import { openGame } from './store';
import { tab } from './view';

/** Which of the players the user is. */
export type UserPlays = 'first' | 'second' | 'both' | 'none';

/** The frame of a game. */
export interface GameFrame {
  readonly rule: Rule;
  readonly width: number;
  readonly height: number;
  readonly opening: string;
}

/** Begins a game; the engine makes the first decisions where they are its own. */
export function startGame(frame: GameFrame, user: UserPlays): void {
  stopThinking();
  setup.value = null;
  review.value = null;
  if (user !== 'both') isAnalysing.value = false;
  players.value = {
    first: user === 'first' || user === 'both' ? 'human' : 'engine',
    second: user === 'second' || user === 'both' ? 'human' : 'engine',
  };
  blackHolder.value = 'first';
  openGame(newGame(frame.rule, frame.width, frame.height, frame.opening));
  setClocks();
  beginOpening();
  switchClock(phase.value?.decider ?? playerOf(BLACK));
  tab.value = 'play';
  continueOpening();
}
