import { useSignal } from '@preact/signals';
import { parseLabels } from '../game/point';
import { colorName, t } from '../i18n/i18n';
import { occupied } from '../state/analysis';
import { connection, session } from '../state/connection';
import { download } from '../state/files';
import { solution, solve } from '../state/problem';
import type { Solution, SolveMode } from '../state/problem';
import { addLine, isOver, node, position } from '../state/store';
import { solutionStep } from '../state/view';
import { short } from './format';
import { Button, IconButton, NumberField } from './parts';
import { TrainingSection } from './TrainingSection';

/** Problems to solve; and of the position shown a forced win by fours or threats, its line move by move, its proof. */
export function ProblemPanel() {
  const seconds = useSignal(10);
  const isRunning = occupied.value === 'problem';
  const found = solution.value?.node === node.value ? solution.value : null;
  const begin = (mode: SolveMode) => {
    solutionStep.value = 0;
    void solve(mode, seconds.value).then(() => (solutionStep.value = solution.value?.line.length ?? 0));
  };
  const isDisabled = connection.value !== 'ready' || isOver() || occupied.value !== null;
  return (
    <div class="panel">
      <TrainingSection />
      <h2>{t('problem.solver')}</h2>
      <p class="hint">{t('problem.about')}</p>
      <div class="row">
        <Button isPrimary name="solve-vcf" isDisabled={isDisabled} onClick={() => begin('vcf')}>
          {t('problem.vcf')}
        </Button>
        <Button isPrimary name="solve-vct" isDisabled={isDisabled} onClick={() => begin('vct')}>
          {t('problem.vct')}
        </Button>
        {isRunning && (
          <Button name="solve-stop" onClick={() => session.value?.stop()}>
            {t('analysis.stop')}
          </Button>
        )}
        <NumberField label={t('problem.seconds')} setting={seconds} min={0.1} max={3600} step={0.1} />
      </div>
      {found && <Found found={found} />}
    </div>
  );
}

function Found({ found }: { found: Solution }) {
  const color = colorName(position.value.toMove);
  const text =
    found.verdict === 'win'
      ? t(found.byFoul ? 'problem.win-by-foul' : 'problem.win', { color, plies: found.plies })
      : t(found.verdict === 'none' ? 'problem.none' : 'problem.unknown');
  const points = parseLabels(found.line, position.value);
  return (
    <>
      <p class="turn" role="status" data-name="verdict">
        {text}
      </p>
      <p class="hint">
        {t('analysis.nodes')} {short(found.nodes)} · {found.ms} ms
      </p>
      {points.length > 0 && (
        <>
          <div class="row" data-name="solution-steps">
            <IconButton
              icon="back"
              label={t('problem.prev')}
              isDisabled={solutionStep.value === 0}
              onClick={() => (solutionStep.value -= 1)}
            />
            <span class="step-count">
              {solutionStep.value} / {points.length}
            </span>
            <IconButton
              icon="forward"
              label={t('problem.next')}
              isDisabled={solutionStep.value >= points.length}
              onClick={() => (solutionStep.value += 1)}
            />
          </div>
          <p class="solution-line">
            {found.line.map((name, i) => (
              <button
                key={i}
                type="button"
                class={i < solutionStep.value ? 'ply shown' : 'ply'}
                onClick={() => (solutionStep.value = i + 1)}
              >
                {name}
              </button>
            ))}
          </p>
          <div class="row">
            <Button name="solution-add" onClick={() => addLine(points)}>
              {t('problem.add')}
            </Button>
            {found.sgf && (
              <Button name="proof" onClick={() => download(found.sgf, 'proof.sgf', 'application/x-go-sgf')}>
                {t('problem.proof')}
              </Button>
            )}
          </div>
        </>
      )}
    </>
  );
}
