import { useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import type { BoardModel } from '../board/model';
import { judgementSigns, plainModel } from '../board/model';
import type { Judgement, ReviewFile } from '../game/judgement';
import { MARKED_LOSS, blackWinsAfter, blameOf, isMarked } from '../game/judgement';
import { parseLabel } from '../game/point';
import { EMPTY, opponent } from '../game/rules';
import type { Position } from '../game/position';
import { cellOf, positionAt } from '../game/position';
import { readSgf } from '../game/sgf';
import { lineThrough } from '../game/tree';
import { t } from '../i18n/i18n';
import { Graph } from '../ui/Graph';
import { AccuracyTable, CurrentJudgement, MistakeList } from '../ui/judgements';
import { Replay } from './Replay';

/** A whole review in one page: board, graph, accuracy, mistakes. It needs no engine. */
export function ReviewPage({ file, isDark }: { file: ReviewFile; isDark: boolean }) {
  const at = useSignal(0);
  const game = useMemo(() => readSgf(file.sgf), [file]);
  const line = useMemo(() => lineThrough(game.root), [game]);
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
      <Replay model={model} title={t('tree.title')} isDark={isDark} at={at.value} last={line.length - 1} onGo={go} />
      <div class="panel-side">
        <div class="panel">
          <h1>{players || 'Tengen'}</h1>
          <p class="hint">
            {file.rule} {file.width}×{file.height} {game.result}
          </p>
          <Graph points={points} current={at.value} title={t('graph.title')} onPick={go} />
          <CurrentJudgement judgement={judgement} />
          {file.summary && <AccuracyTable summary={file.summary} />}
          <MistakeList
            judgements={file.positions}
            markedLoss={MARKED_LOSS}
            current={at.value}
            onPick={go}
          />
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
