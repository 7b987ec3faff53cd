import { signal } from '@preact/signals';
import { block, boardEntries, wire } from '../engine/commands';
import type { Judgement, ReviewFile, ReviewSummary } from '../game/judgement';
import { blackWinsAfter } from '../game/judgement';
import { parseLabel } from '../game/point';
import { BLACK, WHITE } from '../game/rules';
import { writeMoves } from '../game/sgf';
import { positionAt } from '../game/position';
import type { GameNode } from '../game/tree';
import { lineThrough } from '../game/tree';
import { valuesVersion, withEngine } from './analysis';
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

/** The block of a line's moves for `TENGENREVIEW`. */
function reviewCommand(line: readonly GameNode[]): string {
  const start = positionAt(game.value, line[0]!);
  const moves = line.slice(1).map((at) => (at.move?.point ? wire(at.move.point) : '-1,-1'));
  return block(`TENGENREVIEW${start.toMove === WHITE ? ' WHITE' : ''}`, [...boardEntries(start, BLACK), ...moves]);
}

/** Has every move of the line through the position shown judged. */
export async function reviewGame(): Promise<void> {
  const line = lineThrough(node.value);
  if (line.length < 2) return;
  await withEngine('review', async (engine, signal) => {
    review.value = { line, judgements: [], summary: null };
    const limits = { turnMs: Math.round(settings.reviewSeconds.value * 1000) };
    await engine.ask(
      positionAt(game.value, line[0]!),
      [reviewCommand(line)],
      (text) => {
        if (text.startsWith('MESSAGE REVIEW ') && !signal.aborted) takeReport(text.slice(15));
        return text === 'OK' ? { answer: null } : null;
      },
      { limits, stop: 'YXSTOP', signal },
    );
    addBetterLines();
  });
}

function takeReport(json: string): void {
  const report = JSON.parse(json) as Judgement | ReviewSummary;
  const before = review.value!;
  if ('accuracy' in report) {
    review.value = { ...before, summary: report };
    return;
  }
  const at = before.line[report.move];
  if (at) {
    at.judgement = report;
    at.value = { blackWins: blackWinsAfter(report), score: report.score, depth: report.depth };
  }
  const judgements = [...before.judgements, report].sort((a, b) => a.move - b.move);
  review.value = { ...before, judgements };
  valuesVersion.value += 1;
}

/** Puts the better line beside each mistake and blunder, so that a saved game keeps it. */
function addBetterLines(): void {
  const { width, height } = game.value;
  for (const judgement of review.value?.judgements ?? []) {
    if (judgement.class !== 'mistake' && judgement.class !== 'blunder') continue;
    const before = review.value!.line[judgement.move - 1];
    const points = judgement.line.map((name) => parseLabel(name, width, height));
    if (before) addLine(points.filter((p) => p !== null), before);
  }
  touch();
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
