import { effect, signal } from '@preact/signals';
import type { Player } from '../game/opening-rules';
import type { GameNode } from '../game/tree';
import { followPath, indexPath } from '../game/tree';
import { settings } from './settings';
import { game, node } from './store';

/**
 * Time left to each player, in ms, as of `since`; `running` is whose clock goes, and `at` the position in
 * which he is to decide.
 */
export interface Clocks {
  readonly first: number;
  readonly second: number;
  readonly running: Player | null;
  readonly since: number;
  readonly at: GameNode;
  /** Each player's time for the whole game, and the increment of a move, in ms. */
  readonly total: number;
  readonly increment: number;
  /**
   * Byo-yomi, as in `tengen play`: periods of so many ms follow the time for the game. A move within a period leaves
   * the period whole; each one that runs out is lost, and with the last the game.
   */
  readonly period: number;
  /** The number at the beginning. */
  readonly count: number;
  /** The numbers that are left, with a running one. */
  readonly periods: Readonly<Record<Player, number>>;
}

/** The clocks of the game; `null` where it has none. */
export const clocks = signal<Clocks | null>(null);

/** Sets both clocks to the settings' time; a game without time and without periods has none. */
export function setClocks(): void {
  const times = chosenTimes();
  const { total, count } = times;
  const start = { first: total, second: total, running: null, since: performance.now(), at: node.value };
  clocks.value = total > 0 || count > 0 ? { ...start, ...times, periods: { first: count, second: count } } : null;
}

/** The clock of the next game by the settings: a game under way keeps its own. */
function chosenTimes(): Pick<Clocks, 'total' | 'increment' | 'period' | 'count'> {
  return {
    total: settings.gameMinutes.value * 60_000,
    increment: settings.incrementSeconds.value * 1000,
    period: settings.periodSeconds.value * 1000,
    count: settings.periods.value,
  };
}

/** Time of a player's turn so far. */
function usedBy(state: Clocks, player: Player): number {
  return state.running === player ? performance.now() - state.since : 0;
}

/** Time left to a player now, with all his periods. */
export function timeLeft(player: Player): number {
  const state = clocks.value;
  if (!state) return Infinity;
  return Math.max(0, state[player] + state.periods[player] * state.period - usedBy(state, player));
}

/** A clock as people see it. */
export interface Face {
  /** Time left in ms: of the game, or in byo-yomi of the period. */
  readonly left: number;
  readonly isPeriod: boolean;
  /** Periods left, with the running one. */
  readonly periods: number;
}

/** The reading of a player's clock now. */
export function clockFace(player: Player): Face {
  const state = clocks.value!;
  const over = usedBy(state, player) - state[player];
  const periods = state.periods[player];
  if (over < 0 || periods === 0) return { left: Math.max(0, -over), isPeriod: false, periods };
  const lost = Math.min(periods, Math.floor(over / state.period));
  const left = lost === periods ? 0 : state.period - (over - lost * state.period);
  return { left, isPeriod: true, periods: periods - lost };
}

/** Time left after a turn: a period that ran out is lost, the running one stays whole. */
function charged(state: Clocks, player: Player): Pick<Clocks, 'first' | 'second' | 'periods'> {
  const { first, second, periods, period } = state;
  const left = state[player] - usedBy(state, player);
  const lost = left < 0 && periods[player] > 0 ? Math.ceil(-left / period) - 1 : 0;
  return {
    ...{ first, second, [player]: Math.max(0, left) },
    periods: { ...periods, [player]: Math.max(0, periods[player] - lost) },
  };
}

/** The state for a reload: the time left now, and the player whose clock goes. While the page is away, none does. */
export interface KeptClocks extends Pick<Clocks, 'first' | 'second' | 'running'> {
  // Earlier pages did not keep these.
  readonly path?: readonly number[];
  readonly total?: number;
  readonly increment?: number;
  readonly period?: number;
  readonly count?: number;
  readonly periods?: Clocks['periods'];
  /** Time used of the running period, in ms. */
  readonly used?: number;
}

/** The clocks as a reload keeps them. */
export function keptClocks(): KeptClocks | null {
  const state = clocks.value;
  if (!state) return null;
  const { running, at, since: _, ...times } = state;
  const used = running && clockFace(running).isPeriod ? state.period - clockFace(running).left : 0;
  return { ...times, ...(running ? charged(state, running) : {}), running, path: indexPath(at), used };
}

/** Sets the clocks that were kept. */
export function restoreClocks(kept: KeptClocks | null): void {
  if (!kept) {
    clocks.value = null;
    return;
  }
  const { path, used = 0, ...times } = { ...chosenTimes(), count: 0, periods: { first: 0, second: 0 }, ...kept };
  const at = path ? followPath(game.value.root, path) : node.value;
  clocks.value = { ...times, since: performance.now() - used, at };
}

/** Clocks of which none goes, with what is left now; whose time is up has what his turn began with. */
export function restingClocks(state: Clocks | null): Clocks | null {
  if (!state?.running) return state;
  const isUp = usedBy(state, state.running) >= state[state.running] + state.periods[state.running] * state.period;
  return { ...state, ...(isUp ? {} : charged(state, state.running)), running: null };
}

/** Lets one clock go and stops the other; a player who has moved within the time of the game gets the increment. */
export function switchClock(to: Player | null, hasMoved = false): void {
  const state = clocks.value;
  if (!state) return;
  const { running } = state;
  if (running === to) {
    // His turn goes on, in another position if moves were taken back.
    if (to && state.at !== node.value) clocks.value = { ...state, at: node.value };
    return;
  }
  const next = { ...state, ...(running ? charged(state, running) : {}), running: to, since: performance.now(), at: node.value };
  if (hasMoved && running && usedBy(state, running) <= state[running]) next[running] += state.increment;
  clocks.value = next;
}

/** Gives a player the time back that he had; no clock goes then. */
export function returnTime(player: Player, left: number, periods: number): void {
  const state = clocks.value;
  if (state) clocks.value = { ...state, [player]: left, periods: { ...state.periods, [player]: periods }, running: null };
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
