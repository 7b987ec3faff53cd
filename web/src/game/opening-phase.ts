import { openingStones } from './named-openings';
import type { Area, Item, Player } from './opening-rules';
import { otherPlayer, stepsOf, surelyUnequal } from './opening-rules';
import type { Point } from './point';
import { centre, isOnBoard, samePoint } from './point';
import type { Color } from './rules';
import { BLACK, WHITE } from './rules';
import { areEquivalent } from './symmetry';

/** A player's decision in one step. */
export type Choice =
  | { do: 'put'; point: Point }
  /** Plays this colour from now on. */
  | { do: 'take'; color: Color }
  /** Swap2: puts a white and a black stone, and lets the other player choose. */
  | { do: 'add'; points: readonly [Point, Point] }
  | { do: 'declare'; count: number }
  | { do: 'offer'; points: readonly Point[] }
  | { do: 'keep'; point: Point };

/** Why a choice is refused. */
export type Refusal = 'taken' | 'area' | 'equivalent' | 'offered' | 'count' | 'step';

const KEEP_ONLY: readonly Item[] = [{ do: 'keep' }];
const TAKE_ONLY: readonly Item[] = [{ do: 'take', or: null }];

/** The opening of one game: the stones so far, who has which colour, and what is to be decided. */
export class OpeningPhase {
  readonly stones: Point[] = [];
  readonly choices: Choice[] = [];
  black: Player = 'first';
  declared = 0;
  offered: readonly Point[] = [];
  private script: readonly Item[];
  private last: Player = 'first';

  constructor(
    readonly rule: string,
    readonly width: number,
    readonly height: number,
  ) {
    this.script = stepsOf(rule);
    const [, code, fifths] = rule.split(':');
    if (code) {
      this.stones.push(...openingStones(code, width, height));
      this.declared = Number(fifths) || 1;
    }
  }

  /** The same opening after these choices, without choices that the rule refuses. */
  static replay(rule: string, width: number, height: number, choices: readonly Choice[]): OpeningPhase {
    const phase = new OpeningPhase(rule, width, height);
    for (const choice of choices) if (!phase.judge(choice)) phase.choose(choice);
    return phase;
  }

  /** The same opening from its beginning with other choices. */
  after(choices: readonly Choice[]): OpeningPhase {
    return OpeningPhase.replay(this.rule, this.width, this.height, choices);
  }

  /** True if nothing is left to decide. */
  get isOver(): boolean {
    return this.script.length === 0;
  }

  /** The next decision. */
  get step(): Item | null {
    return this.script[0] ?? null;
  }

  /** The side to move. */
  get toMove(): Color {
    return this.stones.length % 2 === 0 ? BLACK : WHITE;
  }

  /** The player who has a colour now. */
  holder(color: Color): Player {
    return color === BLACK ? this.black : otherPlayer(this.black);
  }

  /** The player who decides next. */
  get decider(): Player | null {
    const step = this.step;
    switch (step?.do) {
      case undefined:
        return null;
      case 'put':
        return step.by === 'first' ? 'first' : this.holder(this.toMove);
      case 'take':
        return otherPlayer(this.last);
      case 'declare':
        return this.last;
      case 'offer':
        return this.holder(BLACK);
      case 'keep':
        return this.holder(WHITE);
    }
  }

  /** Number of fifth stones to offer in this step; 0 where none are. */
  get offerCount(): number {
    const step = this.step;
    if (step?.do === 'offer') return step.count ?? this.declared;
    return step?.do === 'take' && typeof step.or === 'object' && step.or ? step.or.offer : 0;
  }

  /** Most fifth stones that may be declared: a number of unequal ones that always exists. */
  get mostDeclared(): number {
    const most = this.step?.do === 'declare' ? this.step.most : 0;
    return most ?? surelyUnequal(this.width, this.height);
  }

  /** True if a stone may be put on `p` in this step, by area and occupation. */
  mayPut(p: Point): boolean {
    const step = this.step;
    if (step?.do === 'put') return !this.judgePoint(p, step.area);
    if (step?.do === 'keep') return this.offered.some((q) => samePoint(p, q));
    return step !== null && !this.judgePoint(p);
  }

  /** Why the rule refuses a choice; `null` if it does not. */
  judge(choice: Choice): Refusal | null {
    const step = this.step;
    if (choice.do === 'put' && step?.do === 'put') return this.judgePoint(choice.point, step.area);
    if (choice.do === 'take' && step?.do === 'take') return null;
    if (choice.do === 'add' && step?.do === 'take' && step.or === 'add') {
      const [a, b] = choice.points;
      return this.judgePoint(a) ?? this.judgePoint(b) ?? (samePoint(a, b) ? 'taken' : null);
    }
    if (choice.do === 'declare' && step?.do === 'declare') {
      return choice.count >= 1 && choice.count <= this.mostDeclared ? null : 'count';
    }
    if (choice.do === 'offer' && this.offerCount > 0) {
      return this.judgeOffer(choice.points) ?? (choice.points.length === this.offerCount ? null : 'count');
    }
    if (choice.do === 'keep' && step?.do === 'keep') {
      return this.offered.some((p) => samePoint(p, choice.point)) ? null : 'offered';
    }
    return 'step';
  }

  /** Why some of the points cannot be offered together as fifth stones. */
  judgeOffer(points: readonly Point[]): Refusal | null {
    for (const [i, p] of points.entries()) {
      const refusal = this.judgePoint(p);
      if (refusal) return refusal;
      if (points.slice(0, i).some((q) => areEquivalent(this.stones, p, q))) return 'equivalent';
    }
    return null;
  }

  /** Makes a choice that [`judge`] has not refused. */
  choose(choice: Choice): void {
    const decider = this.decider!;
    const item = this.script[0]!;
    this.script = this.script.slice(1);
    switch (choice.do) {
      case 'put':
        this.stones.push(choice.point);
        break;
      case 'take':
        this.black = choice.color === BLACK ? decider : otherPlayer(decider);
        break;
      case 'add':
        this.stones.push(...choice.points);
        this.script = TAKE_ONLY;
        break;
      case 'declare':
        this.declared = choice.count;
        break;
      case 'offer':
        this.offered = choice.points;
        if (item.do === 'take') this.script = KEEP_ONLY;
        break;
      case 'keep':
        this.stones.push(choice.point);
        this.offered = [];
        break;
    }
    this.last = decider;
    this.choices.push(choice);
  }

  /** Why no stone may be put on `p`, if so. */
  private judgePoint(p: Point, area: Area = 'anywhere'): Refusal | null {
    if (!isOnBoard(p, this.width, this.height)) return 'area';
    if (this.stones.some((stone) => samePoint(stone, p))) return 'taken';
    if (area === 'anywhere') return null;
    const middle = centre(this.width, this.height);
    const distance = Math.max(Math.abs(p.x - middle.x), Math.abs(p.y - middle.y));
    const isWithin = 'within' in area ? distance <= area.within : distance > area.beyond;
    return isWithin ? null : 'area';
  }
}
