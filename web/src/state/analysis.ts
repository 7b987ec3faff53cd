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
import { connection, resources, session, usesDatabase } from './connection';
import { edits, queryDatabase } from './database';
import { noteFoul } from './result';
import { settings } from './settings';
import { notifyError } from './refusal';
import { isOver, node, position } from './store';

/** The results of a search of one position so far. */
export interface Findings {
  readonly node: GameNode;
  readonly side: Color;
  readonly lines: readonly SearchLine[];
  readonly searching: Point | null;
  readonly searched: readonly Point[];
  readonly lost: readonly Point[];
}

/** True if positions are analysed while they are shown. */
export const isAnalysing = signal(false);
/** A job for the engine besides the analysis. */
export type Job = 'move' | 'review' | 'problem' | 'balance';
/** The job that has the engine. */
export const occupied = signal<Job | null>(null);
let running: AbortController | null = null;
/** The result of the last search. */
export const findings = signal<Findings | null>(null);
/** Counts the values that were written to nodes. */
export const valuesVersion = signal(0);

/** The findings if they are about the position shown. */
export const currentFindings = computed(() =>
  findings.value?.node === node.value ? findings.value : null,
);

/**
 * Gives the engine to a job until the job is done, and reports a failure. Another job ends this one, as
 * `stopThinking` does: the requests are then aborted, and late answers must not count.
 */
export async function withEngine(
  kind: Job,
  job: (engine: EngineSession, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  if (!session.value && connection.value !== 'connecting') return;
  const own = new AbortController();
  batch(() => {
    stopThinking();
    running = own;
    occupied.value = kind;
  });
  try {
    await job(session.value ?? (await firstSession(own.signal)), own.signal);
  } catch (error) {
    if (!(error instanceof Aborted)) notifyError(error);
  } finally {
    if (running === own) release();
  }
}

/** The session that is being begun; a user may ask for a move, or open a file, before it is there. */
export function firstSession(signal: AbortSignal): Promise<EngineSession> {
  return new Promise((resolve, reject) => {
    const dispose = effect(() => {
      const isAwaited = connection.value === 'connecting';
      if (session.value) resolve(session.value);
      else if (!isAwaited) reject(new Aborted());
      // What is settled is no longer waited for; the effect itself cannot be disposed of while it runs.
      if (session.value || !isAwaited) queueMicrotask(() => dispose());
    });
    signal.addEventListener('abort', () => {
      dispose();
      reject(new Aborted());
    });
  });
}

/** Gives up the job that has the engine. */
export function stopThinking(): void {
  const own = running;
  release();
  own?.abort();
}

function release(): void {
  running = null;
  occupied.value = null;
}

/** Time between two values that are shown, in ms: who reads them needs no more, and drawing costs time. */
const SHOWN_EVERY = 100;
/** Time in which events are gathered, in ms: the lines of an iteration come together. */
const GATHERED = 16;

/** Makes the events of a search visible, the first at once and then at most ten times a second. */
export function watchSearch(at: GameNode, side: Color, keepValue: boolean) {
  let state: Findings = {
    node: at,
    side,
    lines: [],
    searching: null,
    searched: [],
    lost: [],
  };
  let timer: ReturnType<typeof setTimeout> | null = null;
  let shownAt = -Infinity;
  const publish = () => {
    timer = null;
    shownAt = performance.now();
    batch(() => {
      findings.value = state;
      if (keepValue) keepBestValue(at, side, state.lines[0]);
    });
  };
  const show = (next: Partial<Findings>) => {
    state = { ...state, ...next };
    timer ??= setTimeout(publish, Math.max(GATHERED, shownAt + SHOWN_EVERY - performance.now()));
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
    /** Shows the last state at once: later it would hide what the next search has found. */
    end() {
      if (timer !== null) clearTimeout(timer);
      state = { ...state, searching: null };
      publish();
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

async function analyse(
  engine: EngineSession,
  at: GameNode,
  here: Position,
  signal: AbortSignal,
): Promise<void> {
  const watch = watchSearch(at, here.toMove, true);
  try {
    await engine.search(here, `YXNBEST ${settings.lines.value}`, {}, watch, signal);
  } finally {
    watch.end();
  }
}

/** Judges each position that is shown, and asks the engine for database and analysis, apart from each other. */
export function followPositions(): void {
  effect(() => noteFoul(node.value, position.value));
  followWith((engine, signal) => {
    const [at, here] = [node.value, position.value];
    if (usesDatabase()) queryDatabase(engine, at, here, signal).catch(warn);
  });
  followWith((engine, signal) => {
    void [settings.lines.value, resources(), edits.value];
    if (!isAnalysing.value || occupied.value !== null || isOver()) return;
    analyse(engine, node.value, position.value, signal).catch(warn);
  });
}

/** Asks the engine again whenever something changes on which the question depends. */
function followWith(ask: (engine: EngineSession, signal: AbortSignal) => void): void {
  effect(() => {
    const engine = session.value;
    if (!engine || connection.value !== 'ready') return undefined;
    const controller = new AbortController();
    ask(engine, controller.signal);
    return () => controller.abort();
  });
}

function warn(error: unknown): void {
  if (!(error instanceof Aborted)) console.warn(error);
}
