import { signal } from '@preact/signals';
import { block, boardEntries } from '../engine/commands';
import type { EngineSession } from '../engine/session';
import type { Position } from '../game/position';
import type { GameNode } from '../game/tree';
import { withEngine } from './analysis';
import { node, position } from './store';

/** By which moves a win is looked for: fours alone, or fours and threes. */
export type SolveMode = 'vcf' | 'vct';

/** The outcome. */
export interface Solution {
  readonly node: GameNode;
  readonly mode: SolveMode;
  readonly verdict: 'win' | 'none' | 'unknown';
  /** Plies to the five; 0 without a win. */
  readonly plies: number;
  /** Black has only forbidden moves after the line; the foul counts as two plies. */
  readonly byFoul: boolean;
  /** The winning line, as people write points. */
  readonly line: readonly string[];
  /** The proof with all defences; empty without a win, and where it would be too long. */
  readonly sgf: string;
  readonly nodes: number;
  readonly ms: number;
}

/** The last solution. */
export const solution = signal<Solution | null>(null);

/** Asks the engine for a forced win of the side to move; `auto` tries fours first. `null` without an answer. */
export async function askSolver(
  engine: EngineSession,
  here: Position,
  mode: SolveMode | 'auto',
  turnMs: number,
  signal: AbortSignal,
): Promise<Omit<Solution, 'node'> | null> {
  let found: Omit<Solution, 'node'> | null = null;
  await engine.ask(
    here,
    [block('YXBOARD', boardEntries(here)), `TENGENSOLVE ${mode}`],
    (line) => {
      if (line.startsWith('MESSAGE SOLVE ')) {
        const { by_foul: byFoul, ...told } = JSON.parse(line.slice(14)) as Omit<Solution, 'node' | 'byFoul'> & {
          by_foul: boolean;
        };
        found = { ...told, byFoul };
      }
      return line === 'OK' ? { answer: null } : null;
    },
    { limits: { turnMs: Math.round(turnMs) }, stop: 'YXSTOP', signal },
  );
  return found;
}

/** Looks for a forced win of the side to move. */
export function solve(mode: SolveMode, seconds: number): Promise<void> {
  const [at, here] = [node.value, position.value];
  solution.value = null;
  return withEngine('problem', async (engine, signal) => {
    const found = await askSolver(engine, here, mode, seconds * 1000, signal);
    if (found && !signal.aborted) solution.value = { ...found, mode, node: at };
  });
}
