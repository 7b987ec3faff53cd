import { signal } from '@preact/signals';
import { block, boardEntries } from '../engine/commands';
import type { Point } from '../game/point';
import { parseLabel } from '../game/point';
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

/** Looks for a forced win of the side to move. */
export function solve(mode: SolveMode, seconds: number): Promise<void> {
  const [at, here] = [node.value, position.value];
  solution.value = null;
  return withEngine('problem', async (engine, signal) => {
    await engine.ask(
      here,
      [block('YXBOARD', boardEntries(here)), `TENGENSOLVE ${mode}`],
      (line) => {
        if (line.startsWith('MESSAGE SOLVE ') && !signal.aborted) {
          const found = JSON.parse(line.slice(14)) as Omit<Solution, 'node' | 'mode' | 'byFoul'> & { by_foul: boolean };
          solution.value = { ...found, byFoul: found.by_foul, node: at, mode };
        }
        return line === 'OK' ? { answer: null } : null;
      },
      { limits: { turnMs: Math.round(seconds * 1000) }, stop: 'YXSTOP', signal },
    );
  });
}

/** The points of the solution's line. */
export function solutionPoints(found: Solution): Point[] {
  const { width, height } = position.value;
  return found.line.map((name) => parseLabel(name, width, height)).filter((p) => p !== null);
}
