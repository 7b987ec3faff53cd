import { samePoint } from '../game/point';
import type { Position } from '../game/position';
import { positionAt } from '../game/position';
import { BLACK, WHITE } from '../game/rules';
import type { Color } from '../game/rules';
import { forbiddenPoints } from '../game/threats';
import type { GameNode } from '../game/tree';
import { endOfLine } from '../game/tree';
import type { Verdict } from './store';
import { game, touch, verdicts } from './store';

const REASONS: Readonly<Record<Verdict['kind'], string>> = { foul: 'F', resigned: 'R', time: 'T' };

/** Writes what a position makes of the game. A variation leaves it alone: the result is that of the main line. */
export function noteResult(at: GameNode): void {
  if (at === endOfLine(game.value.root)) game.value.result = resultAt(at);
}

/** Ends the game where Black's last stone is a foul, as in a game that was opened. */
export function noteFoul(at: GameNode, here: Position): void {
  const { move, parent } = at;
  if (here.rule !== 'renju' || here.ending || move?.color !== BLACK || !parent || at.setup || verdicts.has(at)) return;
  const before = positionAt(game.value, parent);
  if (before.toMove !== BLACK || !forbiddenPoints(before).some((p) => samePoint(p, move.point))) return;
  verdicts.set(at, { kind: 'foul', winner: WHITE });
  // What a record says of its own end stands.
  if (game.value.result === '') noteResult(at);
  touch();
}

/** As SGF writes results; empty where the game goes on. */
function resultAt(at: GameNode): string {
  const verdict = verdicts.get(at);
  if (verdict) return wonBy(verdict.winner) + REASONS[verdict.kind];
  const { ending } = positionAt(game.value, at);
  if (!ending) return '';
  return ending.winner === null ? '0' : wonBy(ending.winner);
}

function wonBy(winner: Color): string {
  return winner === BLACK ? 'B+' : 'W+';
}

/** Changes the tree. Where another position ends the main line then, the new last position gives the result. */
export function changeTree(change: () => void): void {
  const { root } = game.value;
  const before = endOfLine(root);
  change();
  const end = endOfLine(root);
  if (end !== before) noteResult(end);
  touch();
}
