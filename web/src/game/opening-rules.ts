/** The two players, named by who began; which colour each has may change by swaps. */
export type Player = 'first' | 'second';

/** The other player. */
export function otherPlayer(player: Player): Player {
  return player === 'first' ? 'second' : 'first';
}

/** Where a stone may be put: distances from the centre, as a king of chess counts them. */
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

const first = (area: Area): Item => ({ do: 'put', by: 'first', area });
const mover = (area: Area): Item => ({ do: 'put', by: 'mover', area });
const within = (n: number): Area => ({ within: n });
const TAKE: Item = { do: 'take', or: null };
const KEEP: Item = { do: 'keep' };
const offer = (count: number | null): Item => ({ do: 'offer', count });
const declare = (most: number | null): Item => ({ do: 'declare', most });
const CENTRE_THREE = [first(within(0)), first(within(1)), first(within(2))];
const ANY_THREE = [first('anywhere'), first('anywhere'), first('anywhere')];

const taraguchi = (count: number): Item[] => [
  mover(within(0)),
  TAKE,
  mover(within(1)),
  TAKE,
  mover(within(2)),
  TAKE,
  mover(within(3)),
  { do: 'take', or: { offer: count } },
  mover(within(4)),
  TAKE,
];

/**
 * The steps of the opening rules, by the names that the program uses.
 * Source of the renju rules: Renju International Federation, The International Rules of Renju.
 */
const OPENING_RULES = {
  free: [],
  swap1: [first('anywhere'), TAKE],
  swap: [...ANY_THREE, TAKE],
  swap2: [...ANY_THREE, { do: 'take', or: 'add' }],
  pro: [mover(within(0)), mover('anywhere'), mover({ beyond: 2 })],
  'long-pro': [mover(within(0)), mover('anywhere'), mover({ beyond: 3 })],
  rif: [...CENTRE_THREE, TAKE, mover('anywhere'), offer(2), KEEP],
  'renju-swap': [
    mover(within(0)),
    mover(within(1)),
    mover(within(2)),
    TAKE,
    mover('anywhere'),
    offer(2),
    KEEP,
  ],
  yamaguchi: [...CENTRE_THREE, declare(null), TAKE, mover('anywhere'), offer(null), KEEP],
  tarannikov: [0, 1, 2, 3, 4].flatMap((n) => [mover(within(n)), TAKE]),
  taraguchi: taraguchi(5),
  'taraguchi-10': taraguchi(10),
  'soosorv-8': [...CENTRE_THREE, TAKE, mover('anywhere'), declare(8), TAKE, offer(null), KEEP],
} as const satisfies Record<string, readonly Item[]>;

/** An opening rule without parameters. */
type PlainOpening = keyof typeof OPENING_RULES;

/** All plain rules. */
export const PLAIN_OPENINGS = Object.keys(OPENING_RULES) as PlainOpening[];

/** Whether a rule is played in renju alone. */
export function isRenjuOpening(rule: string): boolean {
  return !['free', 'swap1', 'swap', 'swap2', 'pro', 'long-pro'].includes(rule);
}

/** Shortest side of a board on which every step of a rule can be taken. */
export function leastSide(rule: string): number {
  return ['free', 'swap1', 'swap', 'swap2'].includes(rule) ? 5 : 9;
}

/** The steps of a rule; none for an unknown name. */
export function stepsOf(rule: string): readonly Item[] {
  if (rule.startsWith('designated:')) return [TAKE, mover('anywhere'), offer(null), KEEP];
  return (OPENING_RULES as Record<string, readonly Item[]>)[rule] ?? [];
}
