import { signal } from '@preact/signals';
import { block, boardEntries } from '../engine/commands';
import { Aborted, answerPoints } from '../engine/session';
import type { SearchLine } from '../engine/progress';
import { label, parseLabel } from '../game/point';
import { BLACK } from '../game/rules';
import type { GameNode } from '../game/tree';
import { occupied, watchSearch } from './analysis';
import { session } from './connection';
import { node, notify, position } from './store';

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
export async function solve(mode: SolveMode, seconds: number): Promise<void> {
  const engine = session.value;
  if (!engine || occupied.value) return;
  const [at, here] = [node.value, position.value];
  const limits = { turnMs: seconds * 1000 };
  occupied.value = 'problem';
  solution.value = null;
  try {
    let found: Found | null = null;
    const entries = boardEntries(here);
    const isKnown = await engine.ask(
      here,
      [block('YXBOARD', entries), `TENGENSOLVE ${mode} DONE`],
      (line) => {
        if (line.startsWith('MESSAGE SOLVE ')) found = JSON.parse(line.slice(14)) as Found;
        if (line === 'OK') return { answer: true };
        return /^(UNKNOWN|ERROR)/.test(line) ? { answer: false } : null;
      },
      { limits, stop: 'YXSTOP' },
    );
    found ??= isKnown ? null : await solveBySearch(at, seconds);
    if (found) solution.value = { plies: found.line.length, ...found, node: at, mode };
  } catch (error) {
    if (!(error instanceof Aborted)) notify((error as Error).message, true);
  } finally {
    occupied.value = null;
  }
}

/** Where the engine has no command for problems: a win that its search proves. */
async function solveBySearch(at: GameNode, seconds: number): Promise<Found> {
  const here = position.value;
  let best: SearchLine | null = null;
  const watch = watchSearch(at, here.toMove, true);
  const events = {
    ...watch,
    onLine(line: SearchLine) {
      if (line.index === 0) best = line;
      watch.onLine(line);
    },
  };
  const answer = await session.value!.search(here, 'YXNBEST 1', { turnMs: seconds * 1000 }, events);
  watch.end();
  const line = best as SearchLine | null;
  const isWin = line?.score.startsWith('+M') ?? false;
  const moves = isWin ? line!.moves : answerPoints(answer);
  return {
    verdict: isWin ? 'win' : 'unknown',
    plies: isWin ? Number(line!.score.slice(2)) : 0,
    line: isWin ? moves.map((p) => label(p, here.height)) : [],
    sgf: '',
    nodes: line?.nodes ?? 0,
    ms: line?.timeMs ?? 0,
  };
}

/** The points of the solution's line and the colour that begins it. */
export function solutionPoints(found: Solution) {
  const { width, height, toMove } = position.value;
  const points = found.line.map((name) => parseLabel(name, width, height));
  return { points: points.filter((p) => p !== null), begins: toMove ?? BLACK };
}
