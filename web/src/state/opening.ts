import { signal } from '@preact/signals';
import { choicesOfAnswer, openingCommand } from '../engine/opening-commands';
import type { Choice, Refusal } from '../game/opening-phase';
import { OpeningPhase } from '../game/opening-phase';
import { choiceWords } from '../game/opening-record';
import type { Point } from '../game/point';
import { samePoint } from '../game/point';
import { cellOf, positionAt } from '../game/position';
import type { Player } from '../game/opening-rules';
import { BLACK, EMPTY, WHITE } from '../game/rules';
import type { Color } from '../game/rules';
import type { GameNode, Move } from '../game/tree';
import { childByMove, findChild, makeMainLine, pathTo } from '../game/tree';
import { colorName, t } from '../i18n/i18n';
import { occupied, stopThinking } from './analysis';
import { switchClock } from './clock';
import { connection } from './connection';
import {
  askForMove,
  blackHolder,
  continueGame,
  doAnswer,
  engineMove,
  moveLimits,
  pauseBeforeMove,
  placeBefore,
  playerOf,
  playStone,
  players,
  resumeClock,
  takeBack,
  takeVerdictBack,
} from './play';
import type { Players } from './play';
import { changeTree } from './result';
import { game, goTo, isOver, node, notify, position, verdicts } from './store';

/** The opening under way; `null` when the game goes on by ordinary moves. */
export const phase = signal<OpeningPhase | null>(null);
/** Points picked so far for a choice of several: two stones of swap2, or fifth stones. */
export const picked = signal<readonly Point[]>([]);
/** Swap2: the user wants to add two stones; Taraguchi: to offer fifth stones. */
export const alternative = signal(false);

/** Begins the opening that the game's rule asks for. */
export function beginOpening(choices: readonly Choice[] = []): OpeningPhase {
  const { opening, width, height } = game.value;
  const next = OpeningPhase.replay(opening, width, height, choices);
  chooseAlternative(false);
  phase.value = next.isOver ? null : next;
  blackHolder.value = next.black;
  game.value.choices = next.choices;
  showStones(next);
  return next;
}

/** Goes on with the opening of an opened game, where the record ends within the opening. */
export function resumeOpening(): void {
  const { opening, width, height, choices, result } = game.value;
  const isUnderWay = choiceWords(game.value) && !OpeningPhase.replay(opening, width, height, choices).isOver;
  if (isUnderWay && result === '') beginOpening(choices);
}

/** Gives the opening up: the game has none, or another one begins. */
export function leaveOpening(): void {
  phase.value = null;
  chooseAlternative(false);
}

/** Brings the tree to the stones of the opening; what was tried before becomes a variation. */
function showStones(state: OpeningPhase): void {
  let at = game.value.root;
  changeTree(() => {
    for (const move of movesOf(state)) at = childByMove(at, move);
    makeMainLine(at);
  });
  goTo(at);
}

function movesOf(state: OpeningPhase): Move[] {
  return state.stones.map((point, i) => ({ color: i % 2 === 0 ? BLACK : WHITE, point }));
}

/** The positions before and after each stone of an opening, as far as the tree has them. */
function placesOf(state: OpeningPhase): GameNode[] {
  const places = [game.value.root];
  for (const move of movesOf(state)) {
    const next = findChild(places.at(-1)!, move);
    if (!next) break;
    places.push(next);
  }
  return places;
}

/** True if an opening does not go on: the game ended in it, or is over in the position shown. */
export function isStopped(state: OpeningPhase): boolean {
  const last = placesOf(state)[state.stones.length];
  return isOver() || (last !== undefined && verdicts.has(last));
}

/** True if the next decision of the opening is the user's. */
export function isUsersDecision(): boolean {
  return phase.value !== null && !isStopped(phase.value) && isUsers(phase.value);
}

function isUsers(state: OpeningPhase): boolean {
  return state.decider !== null && players.value[state.decider] === 'human';
}

/** Makes a choice and goes on; the rule may refuse it. */
export function decide(choice: Choice): boolean {
  const state = phase.value;
  if (!state || isStopped(state)) return false;
  if (isRefused(state.judge(choice))) return false;
  goOn(beginOpening([...state.choices, choice]));
  return true;
}

/** Tells why the rule refuses something, if it does. */
function isRefused(refusal: Refusal | null): boolean {
  if (refusal) notify(t(`refusal.${refusal}`), true);
  return refusal !== null;
}

/** Takes back choices up to the user's last one; `false` if moves are to be taken back instead. */
function undoChoice(): boolean {
  const state = phase.value ?? openingToReopen();
  if (!state) return false;
  const choices = state.choices.slice(0, -1);
  while (choices.length > 0 && !isUsers(state.after(choices))) choices.pop();
  const { decider } = beginOpening(choices);
  if (decider) resumeClock(decider);
  continueOpening();
  return true;
}

/** The opening that is over, where taking moves back would take one of its stones away. */
function openingToReopen(): OpeningPhase | null {
  const { opening, width, height, choices } = game.value;
  const back = placeBefore();
  if (choices.length === 0 || !back) return null;
  const state = OpeningPhase.replay(opening, width, height, choices);
  const path = pathTo(node.value);
  const taken = path[path.indexOf(back) + 1]!;
  return placesOf(state).includes(taken) ? state : null;
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
  if (isRefused(refusal)) return;
  picked.value = points;
  if (isAdding && points.length === 2) decide({ do: 'add', points: [points[0]!, points[1]!] });
  else if (!isAdding && points.length === state.offerCount) decide({ do: 'offer', points });
}

/** Lets the engine decide if that is its part, then the game go on. */
export function continueOpening(): void {
  const state = phase.value;
  if (!state) continueGame();
  else if (!isStopped(state) && !isUsers(state)) void engineDecides(state);
}

/** Gives a colour to the user or to the engine; an engine to move goes on at once. */
export function setPlayer(color: Color, who: Players[Player]): void {
  if (occupied.value === 'move') stopThinking();
  players.value = { ...players.value, [playerOf(color)]: who };
  resumeClock(phase.value?.decider ?? playerOf(position.value.toMove));
  continueOpening();
}

/** True if the engine can be asked for a move, or for its part of the opening. */
export function mayAskEngine(): boolean {
  const isAtRest = phase.value ? isStopped(phase.value) : isOver();
  return connection.value === 'ready' && !isAtRest && !isUsersDecision() && occupied.value !== 'move';
}

/** Lets the engine move, or go on with the opening, as far as it may. */
export function letEngineMove(): void {
  if (!mayAskEngine()) return;
  if (phase.value) continueOpening();
  else void engineMove();
}

/** Instead of a colour the user wants to add or offer stones; or no longer. */
export function chooseAlternative(isChosen: boolean): void {
  picked.value = [];
  alternative.value = isChosen;
}

/** Takes back a resignation or a loss on time; otherwise the last choice of the opening, or moves. */
export function undo(): void {
  stopThinking();
  if (takeVerdictBack()) resumeClock(phase.value?.decider ?? playerOf(position.value.toMove));
  else if (!undoChoice()) takeBack();
}

function engineDecides(state: OpeningPhase): Promise<void> {
  return askForMove(state.decider, async (engine, signal) => {
    const askedAt = performance.now();
    const answer = await engine.ask(
      positionAt(game.value, game.value.root),
      [openingCommand(state)],
      (line) => (/^(\d+,\d+|SWAP)/.test(line) ? { answer: line } : null),
      { limits: moveLimits(state.decider), stop: 'YXSTOP', signal },
    );
    await pauseBeforeMove(state.decider, askedAt, signal);
    doAnswer(() => applyAnswer(state, answer));
  });
}

function applyAnswer(state: OpeningPhase, answer: string): void {
  const { choices, rest } = choicesOfAnswer(state, answer);
  for (const choice of choices) {
    if (choice.do === 'take') {
      notify(t('opening.engine-takes', { color: colorName(choice.color) }));
    }
    if (choice.do === 'declare') notify(t('opening.engine-declares', { count: choice.count }));
  }
  const next = beginOpening([...state.choices, ...choices]);
  if (next.isOver && rest[0] && cellOf(position.value, rest[0]) === EMPTY) {
    playStone(rest[0]);
    return;
  }
  goOn(next);
}

/** Lets the clock of whoever is next go, and the engine decide if that is its part. */
function goOn(state: OpeningPhase): void {
  switchClock(isStopped(state) ? null : (state.decider ?? state.holder(state.toMove)), true);
  continueOpening();
}
