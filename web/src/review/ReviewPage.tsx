import { useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import type { BoardModel } from '../board/model';
import { judgementSigns, plainModel } from '../board/model';
import type { Judgement, ReviewFile } from '../game/judgement';
import { MARKED_LOSS, blackWinsAfter, blameOf, isMarked, worstMoves } from '../game/judgement';
import { label, parseLabel } from '../game/point';
import { EMPTY, opponent } from '../game/rules';
import type { Position } from '../game/position';
import { cellOf, positionAt } from '../game/position';
import { readSgf } from '../game/sgf';
import { lineThrough } from '../game/tree';
import { t } from '../i18n/i18n';
import { Graph } from '../ui/Graph';
import { AccuracyTable, CurrentJudgement, MoveList, WorstMoves } from '../ui/judgements';
import { Replay } from './Replay';

/** Number of moves named as the worst. */
const WORST = 5;

/** Number of moves to show by the address: `#move-23`. */
function addressed(last: number): number | null {
  const [, move] = /^#move-(\d+)$/.exec(location.hash) ?? [];
  return move === undefined ? null : Math.min(last, Number(move));
}

/**
 * A whole review in one page: board, graph, accuracy, the worst moves and all moves. It needs no
 * engine. It opens at the worst move, or else at the end.
 */
export function ReviewPage({ file, isDark }: { file: ReviewFile; isDark: boolean }) {
  const game = useMemo(() => readSgf(file.sgf), [file]);
  const line = useMemo(() => lineThrough(game.root), [game]);
  const last = line.length - 1;
  const worst = useMemo(() => worstMoves(file.positions, WORST), [file]);
  const at = useSignal(addressed(last) ?? Math.min(last, worst[0]?.move ?? last));
  useEffect(() => {
    const follow = () => (at.value = addressed(last) ?? at.value);
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, [last]);
  const labels = useMemo(
    () => line.slice(1).map(({ move }) => (move?.point ? label(move.point, file.height) : '–')),
    [line, file],
  );
  const players = [game.black, game.white].filter(Boolean).join(' – ');
  const judgements = useMemo(() => new Map(file.positions.map((j) => [j.move, j])), [file]);
  useEffect(() => {
    if (players) document.title = `${players} – Tengen`;
  }, [players]);
  const go = (index: number) => (at.value = index);
  const position = positionAt(game, line[at.value]!);
  const judgement = judgements.get(at.value) ?? null;
  const model = reviewModel(position, judgement, at.value);
  const points = line.map((_, i) => {
    const found = judgements.get(i);
    const mark = found && isMarked(found, MARKED_LOSS) ? blameOf(found) : null;
    return { blackWins: found ? blackWinsAfter(found) : null, mark };
  });
  return (
    <main>
      <Replay model={model} title={t('tree.title')} isDark={isDark} at={at.value} last={last} onGo={go} />
      <div class="panel-side">
        <div class="panel">
          <h1>{players || 'Tengen'}</h1>
          <p class="hint">
            {file.rule} {file.width}×{file.height} {game.result}
          </p>
          <Graph points={points} current={at.value} title={t('graph.title')} onPick={go} />
          <CurrentJudgement judgement={judgement} />
          {file.summary && <AccuracyTable summary={file.summary} />}
          <WorstMoves moves={worst} onPick={go} />
          <MoveList labels={labels} judgements={judgements} current={at.value} onPick={go} />
        </div>
      </div>
    </main>
  );
}

/** The board after a move, with its sign and the better line as ghost stones. */
function reviewModel(position: Position, judgement: Judgement | null, move: number): BoardModel {
  const { width, height, last } = position;
  const plain = { ...plainModel(position), last, winning: position.ending?.line ?? [] };
  const signs = judgementSigns(judgement, last, position);
  if (!judgement || signs.length === 0) return plain;
  const line = judgement.line.slice(0, 5).map((name) => parseLabel(name, width, height));
  const color = opponent(position.toMove);
  const ghosts = line.flatMap((point, i) =>
    point && cellOf(position, point) === EMPTY
      ? [{ point, color: i % 2 === 0 ? color : position.toMove, number: move + i }]
      : [],
  );
  return { ...plain, signs, ghosts };
}
