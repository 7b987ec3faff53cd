import type { Point } from '../game/point';
import type { Position } from '../game/position';
import { cellOf, pointsWith } from '../game/position';
import { BLACK, BLOCKED, EMPTY, WHITE } from '../game/rules';
import type { Color } from '../game/rules';

/** A point as the protocol writes it. */
export function wire(p: Point): string {
  return `${p.x},${p.y}`;
}

/** A block on one line: `BOARD 7,7,1 8,8,2 DONE`. */
export function block(command: string, entries: readonly string[]): string {
  return [command, ...entries, 'DONE'].join(' ');
}

/**
 * The stones for `BOARD` and `YXBOARD`, own ones (of the side to move) as 1. Black's come first,
 * because the owner of the first one is Black where the counts fit no game.
 */
export function boardEntries(position: Position, own: Color = position.toMove): string[] {
  const stones = (color: typeof BLACK | typeof WHITE) =>
    pointsWith(position, color).map((p) => `${wire(p)},${color === own ? 1 : 2}`);
  const blocked = pointsWith(position, BLOCKED).map((p) => `${wire(p)},3`);
  return [...stones(BLACK), ...stones(WHITE), ...blocked];
}

/**
 * The moves for blocks that list a game from its first move: stones in turn, Black's first. A set-up is
 * brought into turns. `null` where such moves give another position.
 */
export function moveEntries(position: Position): string[] | null {
  const [black, white] = [pointsWith(position, BLACK), pointsWith(position, WHITE)];
  const stones = position.hasSetup
    ? black.flatMap((p, i) => [p, ...white.slice(i, i + 1)])
    : position.moves.flatMap((move) => move.point ?? []);
  const inTurn = (i: number): Color => (i % 2 === 0 ? BLACK : WHITE);
  const isGiven =
    stones.every((p, i) => cellOf(position, p) === inTurn(i)) &&
    stones.length === position.cells.filter((cell) => cell !== EMPTY).length &&
    position.toMove === inTurn(stones.length);
  return isGiven ? stones.map(wire) : null;
}

/** The lines that bring the engine to a board of the position's size and rule. */
export function startLine(position: Position): string {
  const { width, height } = position;
  return width === height ? `START ${width}` : `RECTSTART ${width},${height}`;
}
