import { effect, signal, untracked } from '@preact/signals';
import problemsFile from '../../../bench_positions/problems.txt?url';
import { parsePoints } from '../engine/progress';
import type { SearchLine } from '../engine/progress';
import type { EngineSession } from '../engine/session';
import type { Judgement } from '../game/judgement';
import { isMarked } from '../game/judgement';
import type { Point } from '../game/point';
import { label, parseLabels, samePoint } from '../game/point';
import { positionAt } from '../game/position';
import type { Position } from '../game/position';
import type { Problem, Task } from '../game/problems';
import { choose, gameOf, ratingAfter, readProblems } from '../game/problems';
import type { Game, GameNode } from '../game/tree';
import { colorName, t } from '../i18n/i18n';
import { isAnalysing, withEngine } from './analysis';
import { beginGame } from './new-game';
import { BOTH_HUMAN, doAnswer, players } from './play';
import { askSolver } from './problem';
import { review } from './review';
import { settings } from './settings';
import { addMove, game, goTo, node, notify } from './store';
import { hidesNext, preview } from './view';

/** The user's progress in a problem. */
export type Progress = 'asked' | 'right' | 'wrong' | 'other' | 'solved' | 'shown';

/** The task of a problem. */
export interface Training {
  readonly task: Task | 'mistake';
  /** `null` for a mistake of a game. */
  readonly problem: Problem | null;
  readonly mistake: Judgement | null;
  readonly game: Game;
  /** The first position. */
  readonly start: GameNode;
  /** The position in which the user is to move. */
  readonly at: GameNode;
  readonly line: readonly Point[];
  readonly progress: Progress;
  /** The last move and the reply. */
  readonly move: string;
  readonly reply: string;
  /** Hints so far: the first tells the column of the first move, the second its row too. */
  readonly hints: number;
  /** True if the try was counted: only the first one is. */
  readonly isCounted: boolean;
}

/** The task in words. */
export function question({ task, mistake, start, game: asked }: Training): string {
  const color = colorName(positionAt(asked, start).toMove);
  return task === 'mistake' ? t('train.ask.mistake', { color, move: mistake?.point ?? '–' }) : t(`train.ask.${task}`, { color });
}

/** True until the task is solved, or its solution shown. */
export function isOpen({ progress }: Training): boolean {
  return progress !== 'solved' && progress !== 'shown';
}

/** The problem or the mistake that is worked at. */
export const training = signal<Training | null>(null);

/** Time of a search for a reply, and for a proof, in ms. */
const REPLY_MS = 500;
const PROOF_MS = 4000;
/** The text of a reply that is left out. */
const NO_REPLY = '–';

let problems: Promise<readonly Problem[]> | null = null;

/** The problems, which are fetched when the first one is wanted. */
function allProblems(): Promise<readonly Problem[]> {
  problems ??= fetch(problemsFile).then(async (answer) => {
    if (!answer.ok) throw new Error(`${problemsFile}: ${answer.status} ${answer.statusText}`);
    return readProblems(await answer.text());
  });
  problems.catch(() => (problems = null));
  return problems;
}

function solvedIds(): Set<string> {
  return new Set(settings.solvedProblems.value.split(' ').filter((id) => id !== ''));
}

/** Opens another problem of the kind and grade that are set. */
export async function nextProblem(): Promise<void> {
  const { problemTask, problemGrade, problemRating } = settings;
  try {
    const wish = { task: problemTask.value, grade: problemGrade.value, rating: problemRating.value, solved: solvedIds() };
    const all = await allProblems();
    const here = training.value?.problem;
    const found = choose(all.filter((problem) => problem !== here), wish);
    if (found) openProblem(found);
    else notify(t('train.none'));
  } catch (error) {
    notify((error as Error).message, true);
  }
}

function openProblem(problem: Problem): void {
  const next = gameOf(problem);
  isAnalysing.value = false;
  beginGame(next);
  const { task, line } = problem;
  begin({ task, problem, mistake: null, game: next, start: next.root, at: next.root, line });
}

function begin(what: Omit<Training, 'progress' | 'move' | 'reply' | 'hints' | 'isCounted'>): void {
  preview.value = null;
  training.value = { ...what, progress: 'asked', move: '', reply: '', hints: 0, isCounted: false };
}

/** Mistakes of the review that are worth another try, in the order of the game. */
export function mistakes(): Judgement[] {
  const judgements = review.value?.judgements ?? [];
  return judgements.filter((judgement) => judgement.best !== null && isMarked(judgement, settings.markedLoss.value));
}

/** Opens the position before the next mistake of the reviewed game: the one after that worked at. */
export function nextMistake(): void {
  const all = mistakes();
  const last = training.value?.mistake?.move ?? 0;
  const mistake = all.find(({ move }) => move > last) ?? all[0];
  const start = mistake && review.value?.line[mistake.move - 1];
  if (!mistake || !start) return;
  const line = parseLabels(mistake.line, game.value);
  isAnalysing.value = false;
  players.value = BOTH_HUMAN;
  goTo(start);
  begin({ task: 'mistake', problem: null, mistake, game: game.value, start, at: start, line });
}

/** Back to the position in which the user is to move. */
export function tryAgain(): void {
  const state = training.value;
  if (!state) return;
  training.value = { ...state, progress: 'asked' };
  preview.value = null;
  goTo(state.at);
}

/** True while the user is to find the first move. */
export function mayHint(): boolean {
  const state = training.value;
  return state !== null && isOpen(state) && state.at === state.start && state.game === game.value;
}

/** Tells where the first move is, from the first position; the problem is lost, as in `tengen play --problems`. */
export function hint(): void {
  if (!mayHint()) return;
  count(false);
  tryAgain();
  training.value = { ...training.value!, hints: training.value!.hints + 1 };
}

/** Shows the solution on the board; the problem is lost. */
export function showSolution(): void {
  const state = training.value;
  if (!state) return;
  count(false);
  goTo(state.start);
  training.value = { ...training.value!, at: state.start, progress: 'shown' };
  preview.value = { node: state.start, points: state.line };
}

/** Leaves the problem; the board stays. */
export function endTraining(): void {
  training.value = null;
  preview.value = null;
}

/** Counts the first try for streak and rating. */
function count(isSolved: boolean): void {
  const state = training.value;
  if (!state?.problem) return;
  if (isSolved) settings.solvedProblems.value = [...solvedIds().add(state.problem.id)].join(' ');
  if (state.isCounted) return;
  const { problemRating, problemStreak } = settings;
  problemRating.value = ratingAfter(problemRating.value, state.problem.grade, isSolved);
  problemStreak.value = isSolved ? problemStreak.value + 1 : 0;
  training.value = { ...state, isCounted: true };
}

function advance(progress: Progress, at: GameNode, move: string, reply = NO_REPLY): void {
  if (progress === 'solved') count(true);
  if (progress === 'wrong') count(false);
  training.value = { ...training.value!, progress, at, move, reply };
}

/** Judges each move of the user in the position of the task. */
export function followTraining(): void {
  effect(() => {
    hidesNext.value = training.value !== null && isOpen(training.value);
  });
  effect(() => {
    const [at, state] = [node.value, training.peek()];
    if (!state) return;
    if (game.value !== state.game) untracked(endTraining);
    else if (at.parent === state.at && at.move?.point && (state.progress === 'asked' || state.progress === 'right')) {
      untracked(() => void judge(state, at, at.move!.point!));
    }
  });
}

function judge(state: Training, after: GameNode, p: Point): Promise<void> {
  const here = positionAt(state.game, after);
  const name = label(p, here.height);
  const isFirst = state.at === state.start;
  const isSolution = isFirst && samePoint(p, state.line[0]!);
  if (here.ending || (isSolution && (state.task === 'defend' || state.task === 'mistake'))) {
    advance('solved', state.at, name);
    return Promise.resolve();
  }
  return withEngine('problem', async (engine, signal) => {
    const stillHere = () => node.value === after && training.value?.at === state.at;
    if (state.task === 'mistake') {
      const { line, reply } = await bestReply(engine, here, settings.reviewSeconds.value * 1000, signal);
      if (!stillHere()) return;
      const loss = state.mistake!.best_win_rate - (1 - (line?.winRate ?? 0.5));
      if (isMarked({ ...state.mistake!, loss }, settings.markedLoss.value)) refute(state, name, reply);
      else advance('solved', state.at, name);
      return;
    }
    if (state.task === 'defend') {
      const found = await proof(engine, here, signal);
      const first = found?.line[0] ?? null;
      const reply = first ?? (await bestReply(engine, here, REPLY_MS, signal)).reply;
      if (stillHere()) refute(state, name, reply, found?.line.slice(1));
      return;
    }
    const { reply } = await bestReply(engine, here, REPLY_MS, signal);
    if (!stillHere()) return;
    if (reply) doAnswer(() => addMove(reply));
    const replied = node.value;
    const answered = positionAt(state.game, replied);
    const won = answered.ending ? null : await proof(engine, answered, signal);
    if (node.value !== replied || training.value?.at !== state.at) return;
    const isAsAsked = won !== null && (state.task === 'threats' || won.isByFours);
    const text = reply ? label(reply, here.height) : NO_REPLY;
    if (isFirst ? !isSolution : !isAsAsked) advance(won ? 'other' : 'wrong', state.at, name, text);
    else if (won?.plies === 1) advance('solved', state.at, name, text);
    else advance('right', replied, name, text);
  });
}

/** Puts the refutation of a wrong move on the board, and previews the rest of the line. */
function refute(state: Training, name: string, reply: Point | null, rest: readonly Point[] = []): void {
  if (reply) doAnswer(() => addMove(reply));
  advance('wrong', state.at, name, reply ? label(reply, state.game.height) : NO_REPLY);
  if (rest.length > 0) preview.value = { node: node.value, points: rest };
}

/** The move of a short search, the longest defence in a lost position, and the search's best line. */
async function bestReply(
  engine: EngineSession,
  here: Position,
  turnMs: number,
  signal: AbortSignal,
): Promise<{ reply: Point | null; line: SearchLine | null }> {
  let line: SearchLine | null = null;
  const events = { onLine: (found: SearchLine) => void (found.index === 0 && (line = found)), onMark: () => undefined };
  const answer = await engine.search(here, 'BOARD', { turnMs: Math.round(turnMs) }, events, signal);
  return { reply: parsePoints(answer)[0] ?? null, line };
}

/** A forced win of the side to move; `null` where none is found. */
async function proof(engine: EngineSession, here: Position, signal: AbortSignal) {
  const found = await askSolver(engine, here, 'auto', PROOF_MS, signal);
  if (found?.verdict !== 'win') return null;
  return { plies: found.plies, isByFours: found.mode === 'vcf', line: parseLabels(found.line, here) };
}
