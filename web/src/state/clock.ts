import { effect, signal } from '@preact/signals';
import type { Player } from '../game/opening-rules';
import type { GameNode } from '../game/tree';
import { followPath, indexPath } from '../game/tree';
import { settings } from './settings';
import { game, node } from './store';

/**
 * What is left to each player, in ms, as of `since`; `running` is whose clock goes, and `at` the position in
 * which he is to decide.
 */
export interface Clocks {
  readonly first: number;
  readonly second: number;
  readonly running: Player | null;
  readonly since: number;
  readonly at: GameNode;
  /** What each player has for the whole game, and what a move adds to it, in ms. */
  readonly total: number;
  readonly increment: number;
}

/** The clocks of the game; `null` where it has none. */
export const clocks = signal<Clocks | null>(null);

/** Sets both clocks to the settings' time; a game of 0 minutes has none. */
export function setClocks(): void {
  const { total, increment } = chosenTimes();
  const start = { first: total, second: total, running: null, since: performance.now(), at: node.value };
  clocks.value = total > 0 ? { ...start, total, increment } : null;
}

/** What the settings say of the next game: a game under way keeps its own. */
function chosenTimes(): Pick<Clocks, 'total' | 'increment'> {
  return { total: settings.gameMinutes.value * 60_000, increment: settings.incrementSeconds.value * 1000 };
}

/** What is left to a player now. */
export function timeLeft(player: Player): number {
  const state = clocks.value;
  if (!state) return Infinity;
  const used = state.running === player ? performance.now() - state.since : 0;
  return Math.max(0, state[player] - used);
}

/** What a reload keeps: the time left now, and whose clock goes. While the page is away, none does. */
export interface KeptClocks extends Pick<Clocks, 'first' | 'second' | 'running'> {
  // Earlier pages did not keep these.
  readonly path?: readonly number[];
  readonly total?: number;
  readonly increment?: number;
}

/** The clocks as a reload keeps them. */
export function keptClocks(): KeptClocks | null {
  const state = clocks.value;
  if (!state) return null;
  const { running, at, total, increment } = state;
  const left = { first: timeLeft('first'), second: timeLeft('second') };
  return { ...left, running, path: indexPath(at), total, increment };
}

/** Sets the clocks that were kept. */
export function restoreClocks(kept: KeptClocks | null): void {
  if (!kept) {
    clocks.value = null;
    return;
  }
  const { path, ...times } = { ...chosenTimes(), ...kept };
  const at = path ? followPath(game.value.root, path) : node.value;
  clocks.value = { ...times, since: performance.now(), at };
}

/** Clocks of which none goes, with what is left now; whose time is up has what his turn began with. */
export function restingClocks(state: Clocks | null): Clocks | null {
  if (!state?.running) return state;
  const left = state[state.running] - (performance.now() - state.since);
  return { ...state, [state.running]: left > 0 ? left : state[state.running], running: null };
}

/** Lets one clock go and stops the other; a player who has moved gets the increment. */
export function switchClock(to: Player | null, hasMoved = false): void {
  const state = clocks.value;
  if (!state) return;
  if (state.running === to) {
    // His turn goes on, in another position if moves were taken back.
    if (to && state.at !== node.value) clocks.value = { ...state, at: node.value };
    return;
  }
  const left = { first: timeLeft('first'), second: timeLeft('second') };
  if (hasMoved && state.running) left[state.running] += state.increment;
  clocks.value = { ...state, ...left, running: to, since: performance.now(), at: node.value };
}

/** Gives a player the time back that he had; no clock goes then. */
export function returnTime(player: Player, left: number): void {
  if (clocks.value) clocks.value = { ...clocks.value, [player]: left, running: null };
}

/** Calls `onTimeUp` when a player has no time left, with the position in which he was to decide. */
export function followClocks(onTimeUp: (player: Player, at: GameNode) => void): void {
  effect(() => {
    const [player, at] = [clocks.value?.running, clocks.value?.at];
    if (!player || !at) return undefined;
    const timer = setTimeout(() => onTimeUp(player, at), timeLeft(player));
    return () => clearTimeout(timer);
  });
}
