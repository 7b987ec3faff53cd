import { signal } from '@preact/signals';
import { block, boardEntries, wire } from '../engine/commands';
import type { Judgement, ReviewFile, ReviewSummary } from '../game/judgement';
import { blackWinsAfter } from '../game/judgement';
import { parseLabels } from '../game/point';
import { BLACK, WHITE, opponent } from '../game/rules';
import { writeMoves } from '../game/sgf';
import type { Position } from '../game/position';
import { positionAt } from '../game/position';
import type { GameNode } from '../game/tree';
import { allNodes, lineThrough, pathTo } from '../game/tree';
import { occupied, stopThinking, valuesVersion, withEngine } from './analysis';
import { settings } from './settings';
import { addLine, game, node, touch } from './store';

/** The review of a line of the game. */
export interface Review {
  readonly line: readonly GameNode[];
  readonly judgements: readonly Judgement[];
  readonly summary: ReviewSummary | null;
}

/** The last review. */
export const review = signal<Review | null>(null);

/** A pass among the moves of `TENGENREVIEW`. */
const PASS = '-1,-1';

/** A question to the engine about a line. */
interface Question {
  readonly start: Position;
  readonly command: string;
  /** The places of the question's moves in the line; `null` for a pass that the line does not have. */
  readonly places: readonly (number | null)[];
}

/** The moves since the last set-up. The sides take turns: who is passed over in the line passes. */
function questionAbout(line: readonly GameNode[]): Question {
  const base = Math.max(0, line.findLastIndex((at) => at.setup !== null));
  const start = positionAt(game.value, line[base]!);
  const made = line.flatMap(({ move }, place) => (move && place > base ? [{ move, place }] : []));
  const first = made[0]?.move.color ?? start.toMove;
  const entries = boardEntries(start, BLACK);
  const places: (number | null)[] = [];
  let toMove = first;
  for (const { move, place } of made) {
    if (move.color !== toMove) {
      entries.push(PASS);
      places.push(null);
    }
    entries.push(move.point ? wire(move.point) : PASS);
    places.push(place);
    toMove = opponent(move.color);
  }
  return { start, command: block(`TENGENREVIEW${first === WHITE ? ' WHITE' : ''}`, entries), places };
}

/** Has every move of the line through the position shown judged. */
export async function reviewGame(): Promise<void> {
  const line = lineThrough(node.value);
  const { start, command, places } = questionAbout(line);
  if (places.length === 0) return;
  await withEngine('review', async (engine, signal) => {
    review.value = { line, judgements: [], summary: null };
    const limits = { turnMs: Math.round(settings.reviewSeconds.value * 1000) };
    await engine.ask(
      start,
      [command],
      (text) => {
        if (text.startsWith('MESSAGE REVIEW ') && !signal.aborted) takeReport(text.slice(15), places);
        return text === 'OK' ? { answer: null } : null;
      },
      { limits, stop: 'YXSTOP', signal },
    );
    addBetterLines();
  });
}

/** Takes a line of the review; moves are numbered by their places in the line from here on. */
function takeReport(json: string, places: Question['places']): void {
  const report = JSON.parse(json) as Judgement | ReviewSummary;
  const before = review.value!;
  if ('accuracy' in report) {
    review.value = { ...before, summary: report };
    return;
  }
  const place = places[report.move - 1];
  if (!place) return;
  const at = before.line[place]!;
  const judgement: Judgement = { ...report, move: place };
  at.judgement = judgement;
  at.value = { blackWins: blackWinsAfter(judgement), score: judgement.score, depth: judgement.depth };
  const judgements = [...before.judgements, judgement].sort((a, b) => a.move - b.move);
  review.value = { ...before, judgements };
  valuesVersion.value += 1;
}

/** Forgets what was said of positions that are deleted; a review that still judges them ends. */
export function cutReview(gone: GameNode): void {
  const before = review.value;
  const place = before?.line.indexOf(gone) ?? -1;
  if (!before || place < 0) return;
  if (occupied.value === 'review') stopThinking();
  const judgements = before.judgements.filter(({ move }) => move < place);
  // The summary counts the deleted moves as well, so the review has none from now on.
  review.value = place > 1 ? { line: before.line.slice(0, place), judgements, summary: null } : null;
}

/** Puts the better line beside each mistake and blunder: a saved game then has the line. */
function addBetterLines(): void {
  for (const judgement of review.value?.judgements ?? []) {
    if (judgement.class !== 'mistake' && judgement.class !== 'blunder') continue;
    const before = review.value!.line[judgement.move - 1];
    const points = parseLabels(judgement.line, game.value);
    const side = judgement.side === 'black' ? BLACK : WHITE;
    if (before) addLine(points, before, side);
  }
  touch();
}

/** The part of reviews kept over a reload. */
export interface KeptReview {
  /** The judged nodes by their numbers among all, and how they were judged. */
  readonly judgements: readonly (readonly [node: number, judgement: Judgement])[];
  /** The last review: the end of its line, its judged moves, and its summary. */
  readonly last: {
    readonly end: number;
    readonly moves: readonly number[];
    readonly summary: ReviewSummary | null;
  } | null;
}

/** The reviews as a reload keeps them. */
export function keptReview(): KeptReview {
  const numbers = new Map(allNodes(game.value.root).map((at, number) => [at, number]));
  const judgements = [...numbers].flatMap(([at, number]) => (at.judgement ? [[number, at.judgement] as const] : []));
  if (!review.value) return { judgements, last: null };
  const { line, summary } = review.value;
  const end = numbers.get(line.at(-1)!) ?? 0;
  return { judgements, last: { end, moves: review.value.judgements.map(({ move }) => move), summary } };
}

/** Sets the reviews that were kept. */
export function restoreReview({ judgements, last }: KeptReview): void {
  const nodes = allNodes(game.value.root);
  for (const [number, judgement] of judgements) nodes[number]!.judgement = judgement;
  if (!last) return;
  const line = pathTo(nodes[last.end]!);
  const judged = line.flatMap((at) => at.judgement ?? []).filter(({ move }) => last.moves.includes(move));
  review.value = { line, judgements: judged, summary: last.summary };
}

/** The self-contained review as a page: the game and its judgements are written into it. */
export async function reviewPage(): Promise<string> {
  const { line, judgements, summary } = review.value!;
  const { rule, width, height } = game.value;
  const file: ReviewFile = {
    version: 1,
    sgf: writeMoves(game.value, line),
    rule,
    width,
    height,
    positions: judgements,
    summary,
  };
  const answer = await fetch('review.html');
  if (!answer.ok) throw new Error(`review.html: ${answer.status} ${answer.statusText}`);
  const page = await answer.text();
  // Names and comments may hold what ends a script or begins a comment of HTML.
  const json = JSON.stringify(file).replaceAll('<', '\\u003c');
  return page.replace('id="review">null</script>', () => `id="review">${json}</script>`);
}
