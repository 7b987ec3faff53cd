import table from './openings.json';

/** The two players, named by who began; which colour each has may change by swaps. */
export type Player = 'first' | 'second';

/** The other player. */
export function otherPlayer(player: Player): Player {
  return player === 'first' ? 'second' : 'first';
}

/** The area for a stone: distances from the centre, as a king of chess counts them. */
export type Area = { within: number } | { beyond: number } | 'anywhere';

/** One step of a rule. */
export type Item =
  /** The first player, or the side to move, puts the next stone. */
  | { do: 'put'; by: 'first' | 'mover'; area: Area }
  /** The player who did not decide last takes a colour, or does what else is allowed. */
  | { do: 'take'; or: 'add' | { offer: number } | null }
  /** The player who decided last declares a number of fifth stones; `null`: as many as fit. */
  | { do: 'declare'; most: number | null }
  /** Black offers fifth stones; `null`: as many as were declared. */
  | { do: 'offer'; count: number | null }
  /** White keeps one of them. */
  | { do: 'keep' };

/** An opening rule as the program has it. */
interface OpeningRule {
  readonly isRenju: boolean;
  readonly leastSide: number;
  readonly steps: readonly Item[];
}

// `src/openings` writes the table: `designated` is the only rule with parameters, `designated:4D:2`.
const { designated, ...plain } = table.rules;

/** All plain rules, by the names that the program uses everywhere. */
export const PLAIN_OPENINGS = Object.keys(plain) as (keyof typeof plain)[];

function ruleOf(name: string): OpeningRule | undefined {
  const rules = { ...plain, designated } as Record<string, unknown>;
  return rules[name.split(':')[0]!] as OpeningRule | undefined;
}

/** True if a rule is played in renju alone. */
export function isRenjuOpening(rule: string): boolean {
  return ruleOf(rule)?.isRenju ?? false;
}

/** Shortest side of a board on which every step of a rule can be taken. */
export function leastSide(rule: string): number {
  return ruleOf(rule)?.leastSide ?? 0;
}

/** The steps of a rule; none for an unknown name. */
export function stepsOf(rule: string): readonly Item[] {
  return ruleOf(rule)?.steps ?? [];
}

/** A number of fifth stones, no two of them equivalent, that exists after any four stones. */
export function surelyUnequal(width: number, height: number): number {
  return Math.floor((width * height - 4) / 4);
}
