import type { BySide } from '../game/judgement';

/** Games won, drawn and lost. */
export interface Counts {
  readonly wins: number;
  readonly draws: number;
  readonly losses: number;
}

/** A strength with half of its 95 % interval; `null` is infinite. */
export interface Elo {
  readonly elo: number | null;
  readonly error: number | null;
}

/** A player and the player's results. */
export interface Player extends BySide<Counts> {
  readonly name: string;
  readonly place: number;
  readonly points: number;
  readonly bye_points: number;
  readonly buchholz: number;
  readonly sonneborn_berger: number;
  readonly rating: Elo | null;
  readonly all: Counts;
  /** Games lost by misbehaviour, by reason. */
  readonly forfeits: Readonly<Record<string, number>>;
  readonly mean_depth: number | null;
  readonly speed: number | null;
}

/** The state of a sequential test. */
export interface Sprt {
  readonly elo0: number;
  readonly elo1: number;
  readonly llr: number;
  readonly lower: number;
  readonly upper: number;
  readonly accepted: 'H0' | 'H1' | null;
  readonly by_forfeits: boolean;
}

/** How a meeting of a knock-out ended. */
export type MeetingOutcome =
  | 'level'
  | { readonly won: { readonly by_first: boolean; readonly is_out: boolean; readonly by_order: boolean } };

/** A meeting of two players. */
export interface Meeting {
  readonly first: string;
  readonly second: string;
  readonly points: readonly [number, number];
  readonly outcome?: MeetingOutcome;
}

/** The bracket: meetings, and the players that went on. */
export interface Course {
  readonly groups?: readonly (readonly { readonly player: string; readonly points: number; readonly advances: boolean }[])[];
  readonly rounds: readonly { readonly meetings: readonly Meeting[]; readonly byes: readonly string[] }[];
}

/** The result of a match. */
export interface Summary {
  readonly rule: string;
  readonly width: number;
  readonly height: number;
  readonly games: number;
  readonly uncounted: number;
  readonly points: readonly [number, number, number];
  readonly players: readonly Player[];
  readonly duel: {
    readonly elo: (Elo & { readonly los: number }) | null;
    readonly repeated: number;
    readonly pairs: readonly number[];
    readonly sprt: Sprt | null;
  } | null;
  readonly course?: Course;
  readonly tie_break: string;
  readonly black_rating: Elo | null;
  readonly black: Counts;
  readonly first?: { readonly rule: string; readonly results: Counts; readonly swapped: number };
  readonly cross_table: readonly (readonly Counts[])[];
}

/** Results of the games that began alike. */
export interface OpeningResult {
  readonly name: string;
  readonly stones: readonly string[];
  /** From 0, as all numbers of games but those in the list. */
  readonly first_game: number;
  readonly black: Counts;
  readonly winner: 'black' | 'white' | 'both' | 'nobody';
  readonly pairs: Readonly<Record<'black' | 'white' | 'player' | 'drawn', number>>;
}

/** The ways to end that the lengths tell apart, in the order of the bins' counts. */
export const KINDS = ['black', 'white', 'draw', 'forfeit'] as const;

/** A move that took long, or was late. */
export interface SlowMove {
  readonly ms: number;
  readonly game: number;
  readonly turn: number;
}

/** Time and depth of a player's moves. */
export interface PlayerTimes {
  readonly name: string;
  readonly moves: number;
  readonly median_ms: number | null;
  readonly p95_ms: number | null;
  readonly total_ms: number;
  readonly slowest: SlowMove | null;
  readonly limited: number;
  readonly late: number;
  readonly latest: SlowMove | null;
  readonly lost_on_time: number;
  readonly median_depth: number | null;
  readonly greatest_depth: number | null;
  readonly median_nodes: number | null;
  readonly stages: readonly {
    readonly stones: number;
    readonly median_ms: number | null;
    readonly mean_depth: number | null;
  }[];
}

/** The comparison after so many games. */
export interface Progress {
  readonly games: number;
  readonly elo: Elo;
  readonly llr: number | null;
}

/** A game of the list. The lists of values have one for each turn. */
export interface MatchGame extends BySide<string> {
  readonly id: number;
  readonly round: number;
  readonly outcome: 'black' | 'white' | 'draw';
  readonly reason: string;
  readonly detail?: string;
  readonly opening: string;
  /** Turns of the opening. */
  readonly given: number;
  readonly size: readonly [number, number];
  readonly stones: number;
  /** In seconds since 1970; 0 if unknown. */
  readonly ended: number;
  readonly uncounted?: boolean;
  readonly steps?: readonly { readonly player: number; readonly does: string }[];
  /** `h8i9-h7`: a pass is `-`. */
  readonly moves: string;
  readonly ms?: readonly (number | null)[];
  readonly limit?: readonly (number | null)[];
  readonly eval?: readonly (string | null)[];
  readonly depth?: readonly (number | null)[];
  readonly nodes?: readonly (number | null)[];
}

/** The JSON inside the report of a match: `games.rs` writes it. */
export interface MatchFile {
  /** Of the program that wrote the report. */
  readonly version: string;
  readonly terms: {
    readonly version: string;
    readonly rule: string;
    readonly width: number;
    readonly height: number;
    readonly players: readonly { readonly name: string; readonly settings: readonly string[] }[];
    readonly schedule: string;
    readonly games: number;
    readonly openings: string;
    readonly judge: string;
    readonly sprt: { readonly elo0: number; readonly elo1: number; readonly alpha: number; readonly beta: number } | null;
  };
  /** As text: no number of a script holds all seeds. */
  readonly seed: string;
  readonly summary: Summary;
  readonly planned: number | null;
  readonly openings: readonly OpeningResult[];
  readonly ends: Readonly<Record<string, BySide<number> & { readonly draws: number; readonly lost_by: Readonly<Record<string, number>> }>>;
  readonly forfeits: readonly { readonly game: number; readonly loser: string; readonly reason: string; readonly detail: string }[];
  readonly lengths: {
    readonly ranges: readonly {
      readonly kind: (typeof KINDS)[number];
      readonly games: number;
      readonly shortest: number;
      readonly median: number;
      readonly longest: number;
    }[];
    readonly bin_width: number;
    readonly bins: readonly (readonly number[])[];
  };
  readonly times: readonly PlayerTimes[];
  readonly progress: readonly Progress[];
  readonly notes: readonly string[];
  readonly games: readonly MatchGame[];
}
