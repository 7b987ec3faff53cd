import { signal } from '@preact/signals';
import type { Point } from '../game/point';
import { pointsWith } from '../game/position';
import { BLACK, BLOCKED, EMPTY, WHITE } from '../game/rules';
import type { Color } from '../game/rules';
import type { Game } from '../game/tree';
import { newGame } from '../game/tree';
import { stopThinking } from './analysis';
import { game, position } from './store';

/** A position that is being set up. */
export interface SetupState {
  readonly cells: Uint8Array;
  /** The content that a click puts; a second click takes it away. */
  readonly tool: number;
  readonly toMove: Color;
}

/** The position under construction; `null` while none is. */
export const setup = signal<SetupState | null>(null);

/** Begins with the position shown. */
export function beginSetup(): void {
  stopThinking();
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

/** True if the position set up differs from the one shown. */
export function isSetupChanged(): boolean {
  const state = setup.value;
  const { cells, toMove } = position.value;
  return state !== null && (state.toMove !== toMove || state.cells.some((cell, i) => cell !== cells[i]));
}

/** A game that begins with the position; `null` while none is set up. */
export function setupGame(): Game | null {
  const state = setup.value;
  if (!state) return null;
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
  return next;
}
