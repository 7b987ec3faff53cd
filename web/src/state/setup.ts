import { signal } from '@preact/signals';
import type { Point } from '../game/point';
import { pointsWith } from '../game/position';
import { BLACK, BLOCKED, EMPTY, WHITE } from '../game/rules';
import type { Color } from '../game/rules';
import { newGame } from '../game/tree';
import { stopThinking, players } from './play';
import { phase } from './opening';
import { game, openGame, position } from './store';

/** A position that is being set up. */
export interface SetupState {
  readonly cells: Uint8Array;
  /** What a click puts; a second click takes it away. */
  readonly tool: number;
  readonly toMove: Color;
}

/** The position under construction; `null` while none is. */
export const setup = signal<SetupState | null>(null);

/** Begins with the position shown. */
export function beginSetup(): void {
  stopThinking();
  phase.value = null;
  const { cells, toMove } = position.value;
  setup.value = { cells: cells.slice(), tool: BLACK, toMove };
}

/** A click on a cell. */
export function setupClick(p: Point): void {
  const state = setup.value;
  if (!state) return;
  const cells = state.cells.slice();
  const at = p.y * position.value.width + p.x;
  cells[at] = cells[at] === state.tool ? EMPTY : state.tool;
  setup.value = { ...state, cells };
}

/** Empties the board. */
export function clearSetup(): void {
  const state = setup.value;
  if (state) setup.value = { ...state, cells: new Uint8Array(state.cells.length) };
}

/** Begins a game from the position. */
export function finishSetup(): void {
  const state = setup.value;
  if (!state) return;
  const { rule, width, height } = game.value;
  const next = newGame(rule, width, height);
  const board = { ...position.value, cells: state.cells };
  next.root.setup = {
    black: pointsWith(board, BLACK),
    white: pointsWith(board, WHITE),
    blocked: pointsWith(board, BLOCKED),
    empty: [],
    toMove: state.toMove,
  };
  setup.value = null;
  players.value = { first: 'human', second: 'human' };
  openGame(next);
}
