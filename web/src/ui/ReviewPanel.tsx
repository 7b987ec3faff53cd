import { t } from '../i18n/i18n';
import { occupied, valuesVersion } from '../state/analysis';
import { connection, session } from '../state/connection';
import { download } from '../state/files';
import { review, reviewGame, reviewPage } from '../state/review';
import { settings } from '../state/settings';
import { game, goTo, node, version } from '../state/store';
import { LineGraph } from './LineGraph';
import { AccuracyTable, CurrentJudgement, MistakeList } from './judgements';
import { Button, NumberField } from './parts';

/** The review of a whole game: graph, accuracy, mistakes with the better line. */
export function ReviewPanel() {
  void [version.value, valuesVersion.value];
  const isRunning = occupied.value === 'review';
  const found = review.value;
  const hasMoves = game.value.root.children.length > 0;
  return (
    <div class="panel">
      <div class="row">
        {isRunning ? (
          <Button isPrimary name="review-stop" onClick={() => session.value?.stop()}>
            {t('review.stop')}
          </Button>
        ) : (
          <Button
            isPrimary
            name="review"
            isDisabled={connection.value !== 'ready' || !hasMoves || occupied.value !== null}
            onClick={() => void reviewGame()}
          >
            {t('review.start')}
          </Button>
        )}
        <NumberField
          label={t('review.seconds')}
          name="review-seconds"
          value={settings.reviewSeconds.value}
          min={0.05}
          max={600}
          step={0.05}
          onChange={(value) => (settings.reviewSeconds.value = value)}
        />
      </div>
      {isRunning && found && (
        <progress max={found.line.length - 1} value={found.judgements.length}>
          {t('review.progress', { done: found.judgements.length, all: found.line.length - 1 })}
        </progress>
      )}
      {!found && <p class="hint">{t('review.empty')}</p>}
      <LineGraph />
      <CurrentJudgement judgement={node.value.judgement} />
      {found?.summary && <AccuracyTable summary={found.summary} />}
      {found && (
        <MistakeList
          judgements={found.judgements}
          blunderLoss={settings.blunderLoss.value}
          current={found.line.indexOf(node.value)}
          onPick={(move) => goTo(found.line[move] ?? node.value)}
        />
      )}
      <NumberField
        label={t('review.blunder-loss')}
        name="blunder-loss"
        value={settings.blunderLoss.value}
        min={1}
        max={100}
        onChange={(value) => (settings.blunderLoss.value = value)}
      />
      {found?.summary && !isRunning && (
        <div class="row">
          <Button
            name="review-html"
            onClick={() => void reviewPage().then((page) => download(page, 'review.html', 'text/html'))}
          >
            {t('review.html')}
          </Button>
        </div>
      )}
    </div>
  );
}
