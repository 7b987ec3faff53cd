import { isMarked } from '../game/judgement';
import type { Judgement, Mark, MoveClass, ReviewSummary } from '../game/judgement';
import { t } from '../i18n/i18n';
import { percent } from './format';

const COUNTED = ['best', 'good', 'inaccuracy', 'mistake', 'blunder'] as const;

/** What the review says of the move shown, or the mark that the record has. */
export function CurrentJudgement({ judgement }: { judgement: Judgement | Mark | null }) {
  if (!judgement || judgement.class === 'opening') return null;
  return (
    <p class={`judgement ${judgement.class}`} data-name="judgement">
      <b>{t(`class.${judgement.class}`)}</b>
      {'line' in judgement && judgement.best && judgement.class !== 'best' && (
        <span>
          {' '}
          {t('review.better', {
            move: judgement.line.slice(0, 6).join(' '),
            rate: `${percent(judgement.best_win_rate)}\u00a0%`,
            played: `${percent(judgement.win_rate)}\u00a0%`,
          })}
        </span>
      )}
    </p>
  );
}

/** Accuracy and counts of the classes, for both sides. */
export function AccuracyTable({ summary }: { summary: ReviewSummary }) {
  const accuracy = (value: number | null) => (value === null ? '–' : value.toFixed(1));
  return (
    <table class="summary">
      <thead>
        <tr>
          <th scope="col">
            <span class="visually-hidden">{t('review.accuracy')}</span>
          </th>
          <th scope="col">{t('color.black')}</th>
          <th scope="col">{t('color.white')}</th>
        </tr>
      </thead>
      <tbody>
        <tr class="accuracy">
          <th scope="row">{t('review.accuracy')}</th>
          <td>{accuracy(summary.accuracy.black)}</td>
          <td>{accuracy(summary.accuracy.white)}</td>
        </tr>
        {COUNTED.map((name: MoveClass) => (
          <tr key={name}>
            <th scope="row">
              <span class={`swatch ${name}`} aria-hidden="true" />
              {t(`class.${name}`)}
            </th>
            <td>{summary.counts.black[name] ?? 0}</td>
            <td>{summary.counts.white[name] ?? 0}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The moves that lose most, as a list to go through. */
export function MistakeList(props: {
  judgements: readonly Judgement[];
  /** In per cent: moves that lose as much are listed. */
  markedLoss: number;
  current: number;
  onPick: (move: number) => void;
}) {
  const { judgements, markedLoss, current, onPick } = props;
  const bad = judgements.filter((judgement) => isMarked(judgement, markedLoss));
  if (bad.length === 0) return null;
  return (
    <ol class="mistakes">
      {bad.map((judgement) => (
        <li key={judgement.move}>
          <button
            type="button"
            class={judgement.move === current ? 'line current' : 'line'}
            data-move={judgement.move}
            onClick={() => onPick(judgement.move)}
          >
            <span class={`swatch ${judgement.class}`} aria-hidden="true" />
            <b>
              {judgement.move}. {judgement.point}
            </b>
            <span class="rate">−{percent(judgement.loss)} %</span>
            <span class="moves">
              {t(`class.${judgement.class}`)} → {judgement.best}
            </span>
          </button>
        </li>
      ))}
    </ol>
  );
}
