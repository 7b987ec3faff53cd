import { effect, signal } from '@preact/signals';
import type { SearchLimits } from '../engine/session';
import { Aborted, answerPoints } from '../engine/session';
import type { Player } from '../game/opening-rules';
import { otherPlayer } from '../game/opening-rules';
import type { Point } from '../game/point';
import { samePoint } from '../game/point';
import type { Color } from '../game/rules';
import { BLACK, opponent } from '../game/rules';
import type { GameNode } from '../game/tree';
import { t } from '../i18n/i18n';
import { occupied, watchSearch } from './analysis';
import { clocks, switchClock, timeLeft } from './clock';
import { sendResources, session } from './connection';
import { settings } from './settings';
import { addMove, forbidden, game, goTo, isOver, node, notify, position, touch, verdicts } from './store';

/** Who plays: the first player begins with Black, until swaps change that. */
export const players = signal<Readonly<Record<Player, 'human' | 'engine'>>>({
  first: 'human',
  second: 'human',
});
/** Who holds Black. */
export const blackHolder = signal<Player>('first');

let controller: AbortController | null = null;
let thinkingAt: GameNode | null = null;

/** The player who has a colour. */
export function playerOf(color: Color): Player {
  return color === BLACK ? blackHolder.value : otherPlayer(blackHolder.value);
}

/** Whether the engine has a colour. */
export function isEngines(color: Color): boolean {
  return players.value[playerOf(color)] === 'engine';
}

/** What the settings allow a move of a player to cost. */
export function moveLimits(player: Player | null): SearchLimits {
  const kind = settings.limitKind.value;
  const strength = settings.level.value;
  if (clocks.value && player) {
    return {
      strength,
      matchMs: settings.gameMinutes.value * 60_000,
      leftMs: Math.round(timeLeft(player)),
      incrementMs: settings.incrementSeconds.value * 1000,
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
  const known = forbidden.value;
  return known?.node === node.value && known.points.some((q) => samePoint(p, q));
}

/** Whether Black may put his stone nowhere else. */
function hasOnlyForbidden(): boolean {
  const known = forbidden.value;
  const free = position.value.cells.reduce((sum, cell) => sum + (cell === 0 ? 1 : 0), 0);
  return known?.node === node.value && known.points.length >= free;
}

function play(p: Point, color: Color): void {
  const foul = isFoul(p);
  const next = addMove(p);
  if (foul) {
    verdicts.set(next, 'foul');
    game.value.result = 'W+F';
    touch();
  } else if (position.value.ending) {
    const { winner } = position.value.ending;
    game.value.result = winner === null ? '0' : winner === BLACK ? 'B+' : 'W+';
    touch();
  }
  switchClock(isOver() ? null : playerOf(opponent(color)), true);
}

/** Lets the engine move if it is its turn. */
export function continueGame(): void {
  if (!isOver() && isEngines(position.value.toMove)) void engineMove();
}

/** Lets the engine play the side to move, whoever has it. */
export async function engineMove(): Promise<void> {
  const engine = session.value;
  if (!engine || isOver()) return;
  stopThinking();
  const own = new AbortController();
  controller = own;
  const [at, here] = [node.value, position.value];
  thinkingAt = at;
  occupied.value = 'move';
  sendResources(engine);
  const watch = watchSearch(at, here.toMove, false);
  try {
    const limits = moveLimits(playerOf(here.toMove));
    const answer = await engine.search(here, 'BOARD', limits, watch, own.signal);
    const [p] = answerPoints(answer);
    endThinking(own);
    if (p && node.value === at) {
      play(p, here.toMove);
      continueGame();
    }
  } catch (error) {
    endThinking(own);
    if (!(error instanceof Aborted)) notify(String((error as Error).message), true);
  } finally {
    watch.end();
  }
}

function endThinking(own: AbortController): void {
  if (controller !== own) return;
  controller = null;
  thinkingAt = null;
  occupied.value = null;
}

/** Gives up the move that the engine is thinking about. */
export function stopThinking(): void {
  const running = controller;
  if (!running) return;
  endThinking(running);
  running.abort();
}

/** Makes the engine move at once. */
export function moveNow(): void {
  session.value?.stop();
}

/** Takes moves back until it is a human's turn again. */
export function takeBack(): void {
  stopThinking();
  let at = node.value.parent;
  while (at?.move && at.parent && isEngines(opponent(at.move.color)) && players.value.first !== players.value.second) {
    at = at.parent;
  }
  if (at) goTo(at);
}

/** The side to move gives up. */
export function resign(): void {
  stopThinking();
  verdicts.set(node.value, 'resigned');
  game.value.result = position.value.toMove === BLACK ? 'W+R' : 'B+R';
  switchClock(null);
  touch();
}

/** The side to move has no time left. */
export function loseOnTime(): void {
  stopThinking();
  verdicts.set(node.value, 'time');
  game.value.result = position.value.toMove === BLACK ? 'W+T' : 'B+T';
  switchClock(null);
  touch();
}

/** A search ends when the user goes to another position. */
export function followNavigation(): () => void {
  return effect(() => {
    if (thinkingAt && node.value !== thinkingAt) stopThinking();
  });
}
