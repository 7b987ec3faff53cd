import { signal } from '@preact/signals';
import { choicesOfAnswer, openingCommand } from '../engine/opening-commands';
import { Aborted, Refused } from '../engine/session';
import type { Choice } from '../game/opening-phase';
import { OpeningPhase } from '../game/opening-phase';
import type { Point } from '../game/point';
import { samePoint } from '../game/point';
import { positionAt } from '../game/position';
import { BLACK, opponent } from '../game/rules';
import { childByMove } from '../game/tree';
import { t } from '../i18n/i18n';
import { occupied } from './analysis';
import { switchClock } from './clock';
import { session } from './connection';
import { blackHolder, continueGame, moveLimits, playStone, players } from './play';
import { game, goTo, notify, position, touch } from './store';

/** The opening under way; `null` when the game goes on by ordinary moves. */
export const phase = signal<OpeningPhase | null>(null);
/** Points picked so far for a choice of several: two stones of swap2, or fifth stones. */
export const picked = signal<readonly Point[]>([]);
/** Swap2: the user wants to add two stones; Taraguchi: to offer fifth stones. */
export const alternative = signal(false);

/** Begins the opening that the game's rule asks for. */
export function beginOpening(choices: readonly Choice[] = []): void {
  const { opening, width, height } = game.value;
  const next = OpeningPhase.replay(opening, width, height, choices);
  picked.value = [];
  alternative.value = false;
  phase.value = next.isOver ? null : next;
  blackHolder.value = next.black;
  showStones(next);
}

/** Brings the tree to the stones of the opening. */
function showStones(state: OpeningPhase): void {
  let at = game.value.root;
  state.stones.forEach((point, i) => {
    at = childByMove(at, { color: i % 2 === 0 ? BLACK : opponent(BLACK), point });
  });
  touch();
  goTo(at);
}

/** Whether the next decision of the opening is the user's. */
export function isUsersDecision(): boolean {
  const decider = phase.value?.decider;
  return !!decider && players.value[decider] === 'human';
}

/** Makes a choice and goes on; the rule may refuse it. */
export function decide(choice: Choice): boolean {
  const state = phase.value;
  if (!state) return false;
  const refusal = state.judge(choice);
  if (refusal) {
    notify(t(`refusal.${refusal}`), true);
    return false;
  }
  const next = OpeningPhase.replay(state.rule, state.width, state.height, [...state.choices, choice]);
  picked.value = [];
  alternative.value = false;
  blackHolder.value = next.black;
  phase.value = next.isOver ? null : next;
  showStones(next);
  const turn = next.decider ?? next.holder(next.toMove);
  switchClock(turn, true);
  continueOpening();
  return true;
}

/** Takes the last choice back; `false` where there is none. */
export function undoChoice(): boolean {
  const state = phase.value;
  if (!state || state.choices.length === 0) return false;
  const choices = state.choices.slice(0, -1);
  while (choices.length > 0 && !isHumanAfter(state, choices)) choices.pop();
  beginOpening(choices);
  return true;
}

function isHumanAfter(state: OpeningPhase, choices: readonly Choice[]): boolean {
  const { decider } = OpeningPhase.replay(state.rule, state.width, state.height, choices);
  return decider !== null && players.value[decider] === 'human';
}

/** A click on the board while an opening is under way. */
export function pickPoint(p: Point): void {
  const state = phase.value;
  const step = state?.step;
  if (!state || !step || !isUsersDecision()) return;
  if (step.do === 'put') decide({ do: 'put', point: p });
  else if (step.do === 'keep') decide({ do: 'keep', point: p });
  else if (step.do === 'offer' || alternative.value) pickOneOfSeveral(state, p);
}

function pickOneOfSeveral(state: OpeningPhase, p: Point): void {
  if (picked.value.some((q) => samePoint(p, q))) {
    picked.value = picked.value.filter((q) => !samePoint(p, q));
    return;
  }
  const points = [...picked.value, p];
  const isAdding = state.step?.do === 'take' && state.step.or === 'add';
  const refusal = isAdding ? (state.mayPut(p) ? null : 'taken') : state.judgeOffer(points);
  if (refusal) {
    notify(t(`refusal.${refusal}`), true);
    return;
  }
  picked.value = points;
  if (isAdding && points.length === 2) decide({ do: 'add', points: [points[0]!, points[1]!] });
  else if (!isAdding && points.length === state.offerCount) decide({ do: 'offer', points });
}

/** Lets the engine decide if that is its part, then the game go on. */
export function continueOpening(): void {
  const state = phase.value;
  if (!state) continueGame();
  else if (!isUsersDecision()) void engineDecides(state);
}

async function engineDecides(state: OpeningPhase): Promise<void> {
  const engine = session.value;
  if (!engine) return;
  occupied.value = 'move';
  try {
    const answer = await engine.ask(
      positionAt(game.value, game.value.root),
      [openingCommand(state)],
      (line) => (/^(\d+,\d+|SWAP|ERROR|UNKNOWN)/.test(line) ? { answer: line } : null),
      { limits: moveLimits(null), stop: 'YXSTOP' },
    );
    if (/^(ERROR|UNKNOWN)/.test(answer)) throw new Refused(answer);
    occupied.value = null;
    if (phase.value === state) applyAnswer(state, answer);
  } catch (error) {
    occupied.value = null;
    if (!(error instanceof Aborted)) notify((error as Error).message, true);
  }
}

function applyAnswer(state: OpeningPhase, answer: string): void {
  const { choices, rest } = choicesOfAnswer(state, answer);
  for (const choice of choices) {
    if (choice.do === 'take') {
      const color = choice.color === BLACK ? 'color.black' : 'color.white';
      notify(t('opening.engine-takes', { color: t(color) }));
    }
    if (choice.do === 'declare') notify(t('opening.engine-declares', { count: choice.count }));
  }
  const next = OpeningPhase.replay(state.rule, state.width, state.height, [...state.choices, ...choices]);
  blackHolder.value = next.black;
  phase.value = next.isOver ? null : next;
  showStones(next);
  if (next.isOver && rest[0] && position.value.cells[rest[0].y * next.width + rest[0].x] === 0) {
    playStone(rest[0]);
    return;
  }
  switchClock(next.decider ?? next.holder(next.toMove), true);
  continueOpening();
}
