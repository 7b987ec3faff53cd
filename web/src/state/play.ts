import { effect, signal } from '@preact/signals';
import { parsePoints } from '../engine/progress';
import { Aborted } from '../engine/session';
import type { EngineSession, SearchLimits } from '../engine/session';
import type { Player } from '../game/opening-rules';
import { otherPlayer } from '../game/opening-rules';
import type { Point } from '../game/point';
import { samePoint } from '../game/point';
import { pointsWith } from '../game/position';
import type { Color } from '../game/rules';
import { BLACK, EMPTY, WHITE, opponent } from '../game/rules';
import type { GameNode } from '../game/tree';
import { allNodes, endOfLine, makeMainLine } from '../game/tree';
import { t } from '../i18n/i18n';
import { isAnalysing, occupied, stopThinking, watchSearch, withEngine } from './analysis';
import { clocks, returnTime, switchClock, timeLeft } from './clock';
import { session } from './connection';
import { changeTree, noteResult } from './result';
import { FULL_LEVEL, settings } from './settings';
import { addMove, forbidden, game, goTo, isOver, node, notify, position, touch, verdicts } from './store';

/** The players and their colours. */
export type Players = Readonly<Record<Player, 'human' | 'engine'>>;
/** A game in which the engine has no colour. */
export const BOTH_HUMAN: Players = { first: 'human', second: 'human' };

/** The players: the first one begins with Black, until a swap. */
export const players = signal(BOTH_HUMAN);
/** The player of Black. */
export const blackHolder = signal<Player>('first');

/** The position in which a game has just ended: there the page offers the next steps. */
export const ended = signal<GameNode | null>(null);

/** The player who has a colour. */
export function playerOf(color: Color): Player {
  return color === BLACK ? blackHolder.value : otherPlayer(blackHolder.value);
}

/** True if the engine has a colour. */
export function isEngines(color: Color): boolean {
  return players.value[playerOf(color)] === 'engine';
}

/** The limits of a player's move by the settings. */
export function moveLimits(player: Player | null): SearchLimits {
  const kind = settings.limitKind.value;
  const strength = settings.level.value;
  if (clocks.value && player) {
    const { total, increment, period, count, periods } = clocks.value;
    // A move within a period costs nothing: the engine may use one period, and in byo-yomi the turn alone is limited.
    const hasPeriods = periods[player] > 0;
    const main = Math.max(0, Math.round(timeLeft(player) - periods[player] * period));
    const left = hasPeriods ? main + period : main;
    return {
      strength,
      ...(hasPeriods ? { turnMs: left } : {}),
      matchMs: total + count * period,
      leftMs: hasPeriods && main === 0 ? undefined : left,
      incrementMs: increment,
    };
  }
  if (kind === 'depth') return { strength, depth: settings.moveDepth.value };
  if (kind === 'nodes') return { strength, nodes: settings.moveNodes.value };
  return { strength, turnMs: Math.round(settings.moveSeconds.value * 1000) };
}

/** Puts the user's stone, if the game allows it, and lets the engine answer. */
export function playStone(p: Point): boolean {
  const here = position.value;
  if (isFoul(p) && !hasOnlyForbidden()) {
    notify(t('notice.forbidden'), true);
    return false;
  }
  play(p, here.toMove);
  continueGame();
  return true;
}

function isFoul(p: Point): boolean {
  return forbidden.value.some((q) => samePoint(p, q));
}

/** True if Black may put his stone nowhere else. */
function hasOnlyForbidden(): boolean {
  return forbidden.value.length >= pointsWith(position.value, EMPTY).length;
}

/** The position to which the end of the game was taken back: the next move there replaces the old ones. */
let takenBackTo: GameNode | null = null;

function play(p: Point, color: Color): void {
  const foul = isFoul(p);
  const isInstead = node.value === takenBackTo;
  const next = addMove(p);
  takenBackTo = null;
  if (isInstead) changeTree(() => makeMainLine(next));
  if (foul) verdicts.set(next, { kind: 'foul', winner: WHITE });
  if (isOver()) {
    noteResult(next);
    ended.value = next;
    touch();
  }
  switchClock(isOver() ? null : playerOf(opponent(color)), true);
}

let answers = 0;

/** Does what the engine has decided. */
export function doAnswer(change: () => void): void {
  answers += 1;
  try {
    change();
  } finally {
    answers -= 1;
  }
}

/** True while a decision of the engine is carried out. */
export function answering(): boolean {
  return answers > 0;
}

/** Lets the engine move if it is its turn. */
export function continueGame(): void {
  if (!isOver() && isEngines(position.value.toMove)) void engineMove();
}

/** Asks the engine for the decision of a player, whose clock goes. */
export async function askForMove(
  player: Player | null,
  ask: (engine: EngineSession, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  switchClock(player);
  await withEngine('move', ask);
  restEngineClock();
}

/** The engine's clock goes only while the engine is asked: what was given up costs no more time. */
export function restEngineClock(): void {
  const running = clocks.value?.running;
  if (running && players.value[running] === 'engine' && occupied.value !== 'move') switchClock(null);
}

/** True if the engine plays against itself. */
export function isSelfPlay(): boolean {
  return players.value.first === 'engine' && players.value.second === 'engine';
}

/** Ends the pause before a move of the engine. */
let endPause: () => void = () => undefined;

/**
 * Waits until a weaker engine has taken 0.4 to 1.2 s over its answer to a person: an answer at once looks like a
 * machine's, and is overlooked. The clock of the engine stands still meanwhile. Nobody waits where the engine plays
 * itself, or gives advice.
 */
export async function pauseBeforeMove(player: Player | null, askedAt: number, signal: AbortSignal): Promise<void> {
  const answersPerson = player !== null && players.value[player] === 'engine' && !isSelfPlay();
  const isWanted = settings.pause.value && settings.level.value < FULL_LEVEL && !isAnalysing.value;
  const rest = 400 + 800 * Math.random() - (performance.now() - askedAt);
  if (!answersPerson || !isWanted || rest <= 0 || signal.aborted) return;
  switchClock(null);
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, rest);
    endPause = () => {
      clearTimeout(timer);
      resolve();
    };
    signal.addEventListener('abort', endPause, { once: true });
  });
  if (signal.aborted) throw new Aborted();
  switchClock(player);
}

/** Lets the engine play the side to move, whoever has it, unless the user leaves the position. */
export async function engineMove(): Promise<void> {
  if (isOver()) return;
  const [at, here] = [node.value, position.value];
  await askForMove(playerOf(here.toMove), async (engine, signal) => {
    const watch = watchSearch(at, here.toMove, false);
    const unfollow = effect(() => {
      if (node.value !== at) stopThinking();
    });
    const [mover, askedAt] = [playerOf(here.toMove), performance.now()];
    let answer: string;
    try {
      answer = await engine.search(here, 'BOARD', moveLimits(mover), watch, signal).finally(() => watch.end());
      await pauseBeforeMove(mover, askedAt, signal);
    } finally {
      unfollow();
    }
    const [p] = parsePoints(answer);
    if (!p) return;
    doAnswer(() => play(p, here.toMove));
    continueGame();
  });
}

/** Makes the engine move at once. */
export function moveNow(): void {
  endPause();
  session.value?.stop();
}

/** The position before this one in which a human is to move; `null` at the beginning. */
export function placeBefore(): GameNode | null {
  let at = node.value.parent;
  while (at?.move && at.parent && isEngines(opponent(at.move.color)) && players.value.first !== players.value.second) {
    at = at.parent;
  }
  return at;
}

/** Takes moves back until it is a human's turn again. */
export function takeBack(): void {
  stopThinking();
  const at = placeBefore();
  if (!at) return;
  takenBackTo = node.value === endOfLine(game.value.root) || node.value === takenBackTo ? at : null;
  goTo(at);
  resumeClock(playerOf(position.value.toMove));
}

/** Takes back that a player gave up or had no time left; whether one did in the position shown. */
export function takeVerdictBack(): boolean {
  const verdict = verdicts.get(node.value);
  if (!verdict || verdict.kind === 'foul') return false;
  verdicts.delete(node.value);
  noteResult(node.value);
  const { left, periods = 0 } = verdict;
  if (left !== undefined) returnTime(playerOf(opponent(verdict.winner)), left, periods);
  touch();
  return true;
}

/**
 * Lets the clock of a player go who is to decide again, if anything is left on it; the engine's goes when the
 * engine is asked.
 */
export function resumeClock(player: Player): void {
  const goes = !isOver() && players.value[player] === 'human' && timeLeft(player) > 0;
  switchClock(goes ? player : null);
}

/** The user gives up; where both players are the same, the side to move does. */
export function resign(): void {
  const { first, second } = players.value;
  const user = first === 'human' ? 'first' : 'second';
  concede(first === second ? playerOf(position.value.toMove) : user, 'resigned');
}

/** Ends the game in a position, the one shown if none is named: a player gave up or has no time left. */
export function concede(loser: Player, kind: 'resigned' | 'time', at: GameNode = node.value): void {
  stopThinking();
  const winner = loser === blackHolder.value ? WHITE : BLACK;
  const had = kind === 'time' ? clocks.value : null;
  // A deleted position cannot show the verdict; the position on the board does.
  const place = allNodes(game.value.root).includes(at) ? at : node.value;
  const kept = had && { left: had[loser], ...(had.count > 0 ? { periods: had.periods[loser] } : {}) };
  verdicts.set(place, { kind, winner, ...kept });
  noteResult(place);
  ended.value = place;
  switchClock(null);
  if (had) returnTime(loser, 0, 0);
  touch();
}
