import { effect, signal } from '@preact/signals';
import type { Signal } from '@preact/signals';
import { MARKED_LOSS } from '../game/judgement';
import type { Task } from '../game/problems';
import type { Rule } from '../game/rules';

/** The type of a setting whose default is a literal. */
type Widened<T> = T extends number ? number : T extends boolean ? boolean : T;

/** A signal that this browser keeps. Where the browser keeps nothing, it lasts as long as the tab. */
function kept<T extends string | number | boolean>(name: string, initial: T): Signal<Widened<T>> {
  const key = `tengen.${name}`;
  let value = initial as Widened<T>;
  try {
    const text = localStorage.getItem(key);
    const found: unknown = text === null ? initial : JSON.parse(text);
    if (typeof found === typeof initial) value = found as Widened<T>;
  } catch {
    // A browser without storage, or a value of another version: the default holds.
  }
  const setting = signal(value);
  effect(() => {
    try {
      localStorage.setItem(key, JSON.stringify(setting.value));
    } catch {
      // See above.
    }
  });
  return setting;
}

const cores = navigator.hardwareConcurrency || 1;

/** A page with the engine in it is to take less than 200 MiB; WebAssembly touches all of a table. */
const DEFAULT_HASH_MIB = import.meta.env.MODE === 'site' ? 16 : 128;

/** The limit of an engine's move: one of time, depth and nodes. */
export type LimitKind = 'time' | 'depth' | 'nodes';
/** The label of candidates. */
export type ValueStyle = 'rate' | 'score' | 'none';
/** How a finger puts a stone. */
export type TouchStyle = 'direct' | 'confirm' | 'slide';
/** The user's part in a game: one of the players, both or none. */
export type UserPlays = 'first' | 'second' | 'both' | 'none';
/** Colours of the page; `auto` follows the system. */
export type ThemeChoice = 'auto' | 'light' | 'dark';

/** The server's facts in the head of the page; empty without any. */
export function serverFact(name: string): string {
  return globalThis.document?.querySelector<HTMLMetaElement>(`meta[name="tengen-${name}"]`)?.content ?? '';
}

/** The public board that `serve --address` or the build names; empty for none. */
export const OFFERED_ADDRESS: string =
  serverFact('address') || (import.meta.env['VITE_TENGEN_ADDRESS'] ?? '');

/** All settings of the page. */
export const settings = {
  language: kept<string>('language', 'auto'),
  theme: kept<ThemeChoice>('theme', 'auto'),
  coordinates: kept('coordinates', true),
  showNumbers: kept('show-numbers', true),
  turn: kept('turn', 0),
  sounds: kept('sounds', false),
  values: kept<ValueStyle>('values', 'rate'),
  touch: kept<TouchStyle>('touch', 'direct'),
  showForbidden: kept('forbidden', true),
  showThreats: kept('threats', false),
  showSearch: kept('search', true),
  showDatabase: kept('database', false),
  lines: kept('lines', 5),
  threads: kept('threads-used', Math.max(1, Math.min(4, cores >> 1))),
  hashMib: kept('hash', DEFAULT_HASH_MIB),
  pondering: kept('pondering', false),
  range: kept('range', 0),
  level: kept('level', 20),
  limitKind: kept<LimitKind>('limit-kind', 'time'),
  moveSeconds: kept('move-seconds', 3),
  moveDepth: kept('move-depth', 12),
  moveNodes: kept('move-nodes', 1_000_000),
  gameMinutes: kept('game-minutes', 0),
  incrementSeconds: kept('increment-seconds', 5),
  /** Byo-yomi: the number of periods and the length of each. */
  periods: kept('periods', 0),
  periodSeconds: kept('period-seconds', 30),
  /** The choices of the last new game; no rule: that of the page. */
  newRule: kept<Rule | ''>('new-rule', ''),
  newWidth: kept('new-width', 15),
  newHeight: kept('new-height', 15),
  newOpening: kept<string>('new-opening', 'free'),
  newDesignated: kept<string>('new-designated', '4D'),
  newFifths: kept('new-fifths', 2),
  newUser: kept<UserPlays>('new-user', 'first'),
  /** A weaker engine answers after a moment, as a person would. */
  pause: kept('pause', true),
  reviewSeconds: kept('review-seconds', 1),
  problemTask: kept<Task | 'all'>('problem-task', 'all'),
  /** 0: whatever suits the rating. */
  problemGrade: kept('problem-grade', 0),
  problemRating: kept('problem-rating', 1000),
  /** Problems solved in a row. */
  problemStreak: kept('problem-streak', 0),
  /** The names of the solved problems, with blanks between. */
  solvedProblems: kept<string>('problems-solved', ''),
  markedLoss: kept('marked-loss', MARKED_LOSS),
  allMoves: kept('all-moves', false),
  boardScale: kept('board-scale', 100),
  /** The address of a public board, for links; empty: the one offered, or this page's own. */
  address: kept<string>('address', ''),
};

/** The level without any handicap. */
export const FULL_LEVEL = 100;
/** The names of the levels and the strength of each, 0 to 100. */
export const LEVELS = [
  ['level.beginner', 0],
  ['level.novice', 10],
  ['level.easy', 20],
  ['level.relaxed', 30],
  ['level.casual', 40],
  ['level.steady', 50],
  ['level.club', 60],
  ['level.advanced', 70],
  ['level.strong', 80],
  ['level.master', 90],
  ['level.full', FULL_LEVEL],
] as const;

const systemIsDark = signal(matchMedia('(prefers-color-scheme: dark)').matches);
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', (event) => {
  systemIsDark.value = event.matches;
});

/** True if the page is dark now. */
export function isDark(): boolean {
  const choice = settings.theme.value;
  return choice === 'auto' ? systemIsDark.value : choice === 'dark';
}
