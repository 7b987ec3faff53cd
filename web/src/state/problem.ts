import { signal } from '@preact/signals';
import { block, boardEntries } from '../engine/commands';
import type { SearchLine } from '../engine/progress';
import type { EngineSession, SearchLimits } from '../engine/session';
import { Refused } from '../engine/session';
import type { Point } from '../game/point';
import { label, parseLabel } from '../game/point';
import type { Position } from '../game/position';
import type { GameNode } from '../game/tree';
import { watchSearch, withEngine } from './analysis';
import { node, position } from './store';

/** By which moves a win is looked for: fours alone, or fours and threes. */
export type SolveMode = 'vcf' | 'vct';

/** What came of it. */
export interface Solution {
  readonly node: GameNode;
  readonly mode: SolveMode;
  readonly verdict: 'win' | 'none' | 'unknown';
  /** Plies to the five; 0 without a win. */
  readonly plies: number;
  /** The winning line, as people write points; perhaps not to its end. */
  readonly line: readonly string[];
  /** The proof with all defences; empty where only the line is known. */
  readonly sgf: string;
  readonly nodes: number;
  readonly ms: number;
}

/** A solution as the engine says it. */
type Found = Omit<Solution, 'node' | 'mode' | 'plies'> & { readonly plies?: number };

/** The last solution. */
export const solution = signal<Solution | null>(null);

/** Looks for a forced win of the side to move. */
export function solve(mode: SolveMode, seconds: number): Promise<void> {
  const [at, here] = [node.value, position.value];
  const limits = { turnMs: seconds * 1000 };
  solution.value = null;
  return withEngine('problem', async (engine, signal) => {
    let found: Found | null = null;
    try {
      await engine.ask(
        here,
        [block('YXBOARD', boardEntries(here)), `TENGENSOLVE ${mode} DONE`],
        (line) => {
          if (line.startsWith('MESSAGE SOLVE ')) found = JSON.parse(line.slice(14)) as Found;
          return line === 'OK' ? { answer: null } : null;
        },
        { limits, stop: 'YXSTOP', signal },
      );
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      found = await solveBySearch(engine, at, here, limits, signal);
    }
    if (found) solution.value = { plies: found.line.length, ...found, node: at, mode };
  });
}

/** Where the engine has no command for problems: a win that its search proves. */
async function solveBySearch(
  engine: EngineSession,
  at: GameNode,
  here: Position,
  limits: SearchLimits,
  signal: AbortSignal,
): Promise<Found> {
  let best: SearchLine | null = null;
  const watch = watchSearch(at, here.toMove, true);
  const events = {
    ...watch,
    onLine(line: SearchLine) {
      if (line.index === 0) best = line;
      watch.onLine(line);
    },
  };
  try {
    await engine.search(here, 'YXNBEST 1', limits, events, signal);
  } finally {
    watch.end();
  }
  const line = best as SearchLine | null;
  const work = { sgf: '', nodes: line?.nodes ?? 0, ms: line?.timeMs ?? 0 };
  if (!line?.score.startsWith('+M')) return { verdict: 'unknown', plies: 0, line: [], ...work };
  const names = line.moves.map((p) => label(p, here.height));
  return { verdict: 'win', plies: Number(line.score.slice(2)), line: names, ...work };
}

/** The points of the solution's line. */
export function solutionPoints(found: Solution): Point[] {
  const { width, height } = position.value;
  return found.line.map((name) => parseLabel(name, width, height)).filter((p) => p !== null);
}
