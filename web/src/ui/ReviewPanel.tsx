import { t } from '../i18n/i18n';
import { occupied, valuesVersion } from '../state/analysis';
import { connection, session } from '../state/connection';
import { download } from '../state/files';
import { review, reviewGame, reviewPage } from '../state/review';
import { settings } from '../state/settings';
import { mistakes, nextMistake } from '../state/training';
import { game, goTo, node, notify, version } from '../state/store';
import { hidesNext } from '../state/view';
import { LineGraph } from './LineGraph';
import { TrainingTask } from './TrainingSection';
import { AccuracyTable, CurrentJudgement, MistakeList } from './judgements';
import { Button, NumberField, Toggle } from './parts';

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
          setting={settings.reviewSeconds}
          min={0.05}
          max={600}
          step={0.05}
        />
      </div>
      {isRunning && found && (
        <progress max={found.line.length - 1} value={found.judgements.length}>
          {t('review.progress', { done: found.judgements.length, all: found.line.length - 1 })}
        </progress>
      )}
      {!found && <p class="hint">{t('review.empty')}</p>}
      <LineGraph />
      <CurrentJudgement judgement={node.value.judgement ?? node.value.mark} />
      {!isRunning && mistakes().length > 0 && (
        <div class="row">
          <Button name="learn" onClick={nextMistake}>
            {t('train.learn')}
          </Button>
        </div>
      )}
      <TrainingTask isLesson />
      {found?.summary && <AccuracyTable summary={found.summary} />}
      <div class="row">
        <NumberField
          label={t('review.blunder-loss')}
          name="blunder-loss"
          setting={settings.markedLoss}
          min={1}
          max={100}
          isDisabled={settings.allMoves.value}
        />
        <Toggle label={t('review.all')} setting={settings.allMoves} name="all-moves" />
      </div>
      {found && !hidesNext.value && (
        <MistakeList
          judgements={found.judgements}
          markedLoss={settings.allMoves.value ? null : settings.markedLoss.value}
          current={found.line.indexOf(node.value)}
          onPick={(move) => goTo(found.line[move] ?? node.value)}
        />
      )}
      {found?.summary && !isRunning && (
        <div class="row">
          <Button name="review-html" onClick={() => void saveReview()}>
            {t('review.html')}
          </Button>
        </div>
      )}
    </div>
  );
}

async function saveReview(): Promise<void> {
  try {
    download(await reviewPage(), 'review.html', 'text/html');
  } catch (error) {
    notify((error as Error).message, true);
  }
}
