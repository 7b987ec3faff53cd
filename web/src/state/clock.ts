import { effect, signal } from '@preact/signals';
import type { Player } from '../game/opening-rules';
import { settings } from './settings';

/** What is left to each player, in ms, as of `since`; `running` is whose clock goes. */
export interface Clocks {
  readonly first: number;
  readonly second: number;
  readonly running: Player | null;
  readonly since: number;
}

/** The clocks of the game; `null` where it has none. */
export const clocks = signal<Clocks | null>(null);

/** Sets both clocks to the settings' time; a game of 0 minutes has none. */
export function setClocks(): void {
  const ms = settings.gameMinutes.value * 60_000;
  clocks.value = ms > 0 ? { first: ms, second: ms, running: null, since: performance.now() } : null;
}

/** What is left to a player now. */
export function timeLeft(player: Player): number {
  const state = clocks.value;
  if (!state) return Infinity;
  const used = state.running === player ? performance.now() - state.since : 0;
  return Math.max(0, state[player] - used);
}

/** What a reload keeps: the time left now, and whose clock goes. While the page is away, none does. */
export type KeptClocks = Omit<Clocks, 'since'>;

/** The clocks as a reload keeps them. */
export function keptClocks(): KeptClocks | null {
  const { running } = clocks.value ?? { running: null };
  return clocks.value && { first: timeLeft('first'), second: timeLeft('second'), running };
}

/** Sets the clocks that were kept. */
export function restoreClocks(kept: KeptClocks | null): void {
  clocks.value = kept && { ...kept, since: performance.now() };
}

/** Lets one clock go and stops the other; a player who has moved gets the increment. */
export function switchClock(to: Player | null, hasMoved = false): void {
  const state = clocks.value;
  if (!state || state.running === to) return;
  const left = { first: timeLeft('first'), second: timeLeft('second') };
  if (hasMoved && state.running) left[state.running] += settings.incrementSeconds.value * 1000;
  clocks.value = { ...left, running: to, since: performance.now() };
}

/** Calls `onTimeUp` when a player who is to move has no time left. */
export function followClocks(onTimeUp: (player: Player) => void): void {
  effect(() => {
    const player = clocks.value?.running;
    if (!player) return undefined;
    const timer = setTimeout(() => onTimeUp(player), timeLeft(player));
    return () => clearTimeout(timer);
  });
}
