import type { Counts, Elo } from './data';

/** A time, given in ms, in a fitting unit. */
export function duration(ms: number): string {
  // Each form ends where its rounded number would reach the next one.
  if (ms < 9.95) return `${ms.toFixed(1)} ms`;
  if (ms < 999.5) return `${ms.toFixed(0)} ms`;
  if (ms < 59_950) return `${(ms / 1000).toFixed(ms < 9995 ? 2 : 1)} s`;
  const seconds = Math.round(ms / 1000);
  return `${Math.floor(seconds / 60)} min ${String(seconds % 60).padStart(2, '0')} s`;
}

/** `+4 =2 -3`. */
export function countsText({ wins, draws, losses }: Counts): string {
  return `+${wins} =${draws} -${losses}`;
}

/** The number of games. */
export function gamesOf({ wins, draws, losses }: Counts): number {
  return wins + draws + losses;
}

/** The share of the points in per cent; half of them without games. */
export function score(counts: Counts): string {
  const games = gamesOf(counts);
  return (100 * (games === 0 ? 0.5 : pointsOf(counts) / games)).toFixed(1);
}

/** Wins and half of the draws. */
export function pointsOf({ wins, draws }: Counts): number {
  return wins + draws / 2;
}

/** `+12.3 ± 4.5`; an infinite strength has the sign of the results. */
export function eloText({ elo, error }: Elo, results?: Counts): string {
  const isBelow = elo === null ? !!results && results.wins < results.losses : elo <= -0.05;
  const size = elo === null ? '∞' : Math.abs(elo).toFixed(1);
  return `${isBelow ? '-' : '+'}${size} ± ${error === null ? '?' : error.toFixed(1)}`;
}

/** The day of a time in seconds since 1970, UTC. */
export function day(seconds: number): string {
  return new Date(1000 * seconds).toISOString().slice(0, 10);
}

/** `A 3, B 1`. */
export function listOf(counts: Readonly<Record<string, number>>, name = (key: string) => key): string {
  return Object.entries(counts).map(([key, n]) => `${name(key)} ${n}`).join(', ');
}
