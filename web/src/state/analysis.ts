import { batch, computed, effect, signal } from '@preact/signals';
import { Aborted } from '../engine/session';
import type { EngineSession } from '../engine/session';
import type { RootMark, SearchLine } from '../engine/progress';
import type { Point } from '../game/point';
import { samePoint } from '../game/point';
import type { Position } from '../game/position';
import { BLACK } from '../game/rules';
import type { Color } from '../game/rules';
import type { GameNode } from '../game/tree';
import { connection, sendResources, session } from './connection';
import { queryDatabase } from './database';
import { settings } from './settings';
import { forbidden, isOver, node, position, version } from './store';

/** What a search has found of one position so far. */
export interface Findings {
  readonly node: GameNode;
  readonly side: Color;
  readonly lines: readonly SearchLine[];
  readonly searching: Point | null;
  readonly searched: readonly Point[];
  readonly lost: readonly Point[];
  readonly isRunning: boolean;
}

/** Whether positions are analysed while they are shown. */
export const isAnalysing = signal(false);
/** Another search has the engine: a move, a review, a problem. */
export const occupied = signal<'move' | 'review' | 'problem' | 'balance' | null>(null);
/** What the last search found. */
export const findings = signal<Findings | null>(null);
/** Counts the values that were written to nodes. */
export const valuesVersion = signal(0);

/** The findings if they are about the position shown. */
export const currentFindings = computed(() =>
  findings.value?.node === node.value ? findings.value : null,
);

/** Makes the events of a search visible. Values come at most once a frame. */
export function watchSearch(at: GameNode, side: Color, keepValue: boolean) {
  let state: Findings = {
    node: at,
    side,
    lines: [],
    searching: null,
    searched: [],
    lost: [],
    isRunning: true,
  };
  let isScheduled = false;
  const show = (next: Partial<Findings>) => {
    state = { ...state, ...next };
    if (isScheduled) return;
    isScheduled = true;
    setTimeout(() => {
      isScheduled = false;
      batch(() => {
        findings.value = state;
        if (keepValue) keepBestValue(at, side, state.lines[0]);
      });
    }, 16);
  };
  return {
    onLine(line: SearchLine) {
      const lines = state.lines.slice();
      lines[line.index] = line;
      show({ lines });
    },
    onMark({ kind, point }: RootMark) {
      if (kind === 'searching') show({ searching: point });
      else if (kind === 'done') show({ searched: withPoint(state.searched, point) });
      else if (kind === 'lost') show({ lost: withPoint(state.lost, point) });
    },
    end() {
      show({ isRunning: false, searching: null });
    },
  };
}

function withPoint(points: readonly Point[], p: Point): readonly Point[] {
  return points.some((q) => samePoint(p, q)) ? points : [...points, p];
}

function keepBestValue(at: GameNode, side: Color, best: SearchLine | undefined): void {
  if (!best || best.depth < (at.value?.depth ?? 0)) return;
  const blackWins = side === BLACK ? best.winRate : 1 - best.winRate;
  at.value = { blackWins, score: best.score, depth: best.depth };
  valuesVersion.value += 1;
}

/** Asks for the forbidden points where there can be some. */
async function findForbidden(
  engine: EngineSession,
  at: GameNode,
  here: Position,
  signal: AbortSignal,
): Promise<void> {
  if (here.rule !== 'renju' || here.toMove !== BLACK || here.ending) {
    forbidden.value = { node: at, points: [] };
    return;
  }
  const points = await engine.forbidden(here, signal);
  forbidden.value = { node: at, points };
}

async function analyse(
  engine: EngineSession,
  at: GameNode,
  here: Position,
  signal: AbortSignal,
): Promise<void> {
  sendResources(engine);
  const watch = watchSearch(at, here.toMove, true);
  try {
    await engine.search(here, `YXNBEST ${settings.lines.value}`, {}, watch, signal);
  } finally {
    watch.end();
  }
}

/** Whoever goes on after a position is shown: forbidden points, database, analysis. */
export function followPositions(): () => void {
  let controller = new AbortController();
  return effect(() => {
    const engine = session.value;
    const [at, here] = [node.value, position.value];
    const mayAnalyse = isAnalysing.value && occupied.value === null && !isOver();
    void [settings.lines.value, settings.threads.value, settings.hashMib.value, version.value];
    const wantsDatabase = settings.showDatabase.value;
    controller.abort();
    controller = new AbortController();
    const { signal } = controller;
    if (!engine || connection.value !== 'ready') return;
    const ignore = (error: unknown) => {
      if (!(error instanceof Aborted)) console.warn(error);
    };
    findForbidden(engine, at, here, signal).catch(ignore);
    if (wantsDatabase) queryDatabase(engine, at, here, signal).catch(ignore);
    if (mayAnalyse) analyse(engine, at, here, signal).catch(ignore);
  });
}
