import { useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { BoardView } from '../board/BoardView';
import { geometry } from '../board/geometry';
import type { BoardModel } from '../board/model';
import { judgementSigns, plainModel } from '../board/model';
import { boardTheme } from '../board/theme';
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
import { hasModifier } from '../ui/modifiers';
import { IconButton } from '../ui/parts';

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
  const go = (index: number) => (at.value = Math.min(line.length - 1, Math.max(0, index)));
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (hasModifier(event)) return;
      const steps: Record<string, number> = {
        ArrowLeft: at.value - 1,
        ArrowRight: at.value + 1,
        Home: 0,
        End: line.length - 1,
      };
      const next = steps[event.key];
      if (next === undefined) return;
      event.preventDefault();
      go(next);
    };
    addEventListener('keydown', listen);
    return () => removeEventListener('keydown', listen);
  }, [line]);
  const position = positionAt(game, line[at.value]!);
  const judgement = judgements.get(at.value) ?? null;
  const model = reviewModel(position, judgement, at.value);
  const shape = geometry(model.width, model.height, true);
  const points = line.map((_, i) => {
    const found = judgements.get(i);
    const mark = found && isMarked(found, MARKED_LOSS) ? blameOf(found) : null;
    return { blackWins: found ? blackWinsAfter(found) : null, mark };
  });
  const steps = [
    ['nav.start', 'start', 0],
    ['nav.back', 'back', at.value - 1],
    ['nav.forward', 'forward', at.value + 1],
    ['nav.end', 'end', line.length - 1],
  ] as const;
  return (
    <main>
      <div class="board-side" style={{ '--ratio': String(shape.width / shape.height), '--scale': '1' }}>
        <svg class="board" viewBox={`0 0 ${shape.width} ${shape.height}`} role="img" aria-label={t('tree.title')}>
          <BoardView model={model} theme={boardTheme(isDark)} />
        </svg>
        <nav class="nav-bar" aria-label={t('nav.title')}>
          {steps.map(([key, icon, index]) => (
            <IconButton key={key} icon={icon} label={t(key)} onClick={() => go(index)} />
          ))}
        </nav>
      </div>
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
