import { columnName } from '../game/point';
import { PROBLEM_GRADES, TASKS } from '../game/problems';
import type { Task } from '../game/problems';
import { t } from '../i18n/i18n';
import { occupied } from '../state/analysis';
import { connection } from '../state/connection';
import { settings } from '../state/settings';
import { game, goTo, node } from '../state/store';
import { endTraining, hint, isOpen, mayHint, nextMistake, nextProblem, question, showSolution, training, tryAgain } from '../state/training';
import type { Training } from '../state/training';
import { Button, Select } from './parts';

const TASK_NAMES = { fours: 'problem.vcf', threats: 'problem.vct', defend: 'train.defend', foul: 'train.foul' } as const;

/** Problems to solve: the choice of the next one, the one that is worked at, and the user's rating. */
export function TrainingSection() {
  const { problemRating, problemStreak, problemGrade, problemTask } = settings;
  const tasks = TASKS.map((task) => [task, t(TASK_NAMES[task])] as const);
  const grades = PROBLEM_GRADES.map((grade) => [grade, String(grade)] as const);
  return (
    <section class="training-section">
      <h2 class={training.value ? 'visually-hidden' : ''}>{t('train.title')}</h2>
      <TrainingTask />
      <div class="row">
        <Button
          isPrimary
          name="next-problem"
          isDisabled={connection.value !== 'ready'}
          onClick={() => void nextProblem()}
        >
          {t('train.next')}
        </Button>
        <span class="hint" data-name="problem-rating">
          {t('train.record', { rating: problemRating.value, count: problemStreak.value })}
        </span>
      </div>
      <div class="row">
        <Select<Task | 'all'>
          label={t('train.kind')}
          name="problem-task"
          setting={problemTask}
          options={[['all', t('train.all')], ...tasks]}
        />
        <Select<number>
          label={t('train.grade')}
          name="problem-grade"
          setting={problemGrade}
          options={[[0, t('train.suited')], ...grades]}
        />
      </div>
    </section>
  );
}

/** The task, the judgement of the last move, and the choices that follow. */
export function TrainingTask({ isLesson = false }: { isLesson?: boolean }) {
  const state = training.value;
  if (!state || state.game !== game.value || (state.task === 'mistake') !== isLesson) return null;
  const { progress, problem, at } = state;
  const isAway = node.value !== at && occupied.value === null;
  return (
    <section class="training" data-name="training" data-progress={progress} data-problem={problem?.id}>
      {problem && (
        <p class="hint">
          {t('train.grade')} {problem.grade} · {t(`rule.${problem.rule}`)}
        </p>
      )}
      <p class="turn">{question(state)}</p>
      <p role="status" data-name="training-answer" class={`training-answer ${progress}`}>
        {occupied.value === 'problem' ? t('play.thinking') : answer(state)}
      </p>
      <div class="row">
        {isOpen(state) && isAway && (
          <Button isPrimary name="try-again" onClick={tryAgain}>
            {t('train.again')}
          </Button>
        )}
        {mayHint() && (
          <Button name="hint" onClick={hint}>
            {t('train.hint')}
          </Button>
        )}
        {isOpen(state) && (
          <Button name="show-solution" onClick={showSolution}>
            {t('train.solution')}
          </Button>
        )}
        {isLesson && (
          <Button name="next-mistake" onClick={nextMistake}>
            {t('train.next-mistake')}
          </Button>
        )}
        <Button
          name="end-training"
          onClick={() => {
            goTo(state.start);
            endTraining();
          }}
        >
          {t('help.close')}
        </Button>
      </div>
    </section>
  );
}

function answer({ progress, move, reply, hints, line, game: asked }: Training): string {
  if (progress === 'asked') {
    if (hints === 0) return '';
    const { x, y } = line[0]!;
    return t(hints === 1 ? 'train.hint-column' : 'train.hint-row', { column: columnName(x), row: asked.height - y });
  }
  if (progress === 'solved' || progress === 'shown' || progress === 'other') return t(`train.${progress}`, { move });
  return t(`train.${progress}`, { move, reply });
}
