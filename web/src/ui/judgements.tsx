import { useLayoutEffect, useRef } from 'preact/hooks';
import { blameOf, isMarked } from '../game/judgement';
import type { Judgement, Mark, MoveClass, ReviewSummary } from '../game/judgement';
import { t } from '../i18n/i18n';
import { percent } from './format';

const COUNTED = ['best', 'good', 'inaccuracy', 'mistake', 'blunder'] as const;

/** The review's judgement of the move shown, or the mark in the record. */
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

/** The address of a move on the page of a review. */
export const addressOf = (move: number) => `#move-${move}`;

/** The worst moves in words, each a link to its place. */
export function WorstMoves({ moves, onPick }: { moves: readonly Judgement[]; onPick: (move: number) => void }) {
  if (moves.length === 0) return null;
  return (
    <section>
      <h2>{t('review.worst')}</h2>
      <ul class="worst">
        {moves.map(({ move, point, loss, best }) => (
          <li key={move}>
            <a href={addressOf(move)} onClick={() => onPick(move)}>
              {t('review.lost', { move: `${move}. ${point ?? '–'}`, loss: percent(loss), best: best ?? '–' })}
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** All moves of a game with what the review says of them, each a link to its place. */
export function MoveList(props: {
  /** The points from the first move on. */
  labels: readonly string[];
  judgements: ReadonlyMap<number, Judgement>;
  current: number;
  onPick: (move: number) => void;
}) {
  const { labels, judgements, current, onPick } = props;
  const list = useRef<HTMLOListElement>(null);
  useLayoutEffect(() => {
    const shown = list.current?.querySelector<HTMLElement>('.current');
    if (list.current) list.current.scrollTop = shown ? shown.offsetTop - list.current.clientHeight / 2 : 0;
  }, [current]);
  return (
    <section>
      <h2 id="moves">{t('nav.title')}</h2>
      <ol class="mistakes all-moves" ref={list} aria-labelledby="moves">
        {labels.map((label, i) => {
          const judgement = judgements.get(i + 1);
          const blame = blameOf(judgement);
          return (
            <li key={i}>
              <a
                class={i + 1 === current ? 'line current' : 'line'}
                href={addressOf(i + 1)}
                aria-current={i + 1 === current ? 'true' : undefined}
                onClick={() => onPick(i + 1)}
              >
                <span class={`swatch ${judgement?.class ?? ''}`} aria-hidden="true" />
                <b>
                  {i + 1}. {label}
                </b>
                {judgement && judgement.class !== 'unknown' && (
                  <span class="rate">{percent(judgement.win_rate)} %</span>
                )}
                {judgement && (
                  <span class="moves">
                    {t(`class.${judgement.class}`)}
                    {blame && ` → ${judgement.best}`}
                  </span>
                )}
              </a>
            </li>
          );
        })}
      </ol>
    </section>
  );
}

/** The moves that lose most, or all of them, as a list to go through. */
export function MistakeList(props: {
  judgements: readonly Judgement[];
  /** In per cent: moves that lose as much are listed; `null` for all moves. */
  markedLoss: number | null;
  current: number;
  onPick: (move: number) => void;
}) {
  const { judgements, markedLoss, current, onPick } = props;
  const listed = markedLoss === null ? judgements : judgements.filter((judgement) => isMarked(judgement, markedLoss));
  if (listed.length === 0) return judgements.length > 0 ? <p class="hint">{t('review.none-marked')}</p> : null;
  return (
    <ol class="mistakes">
      {listed.map((judgement) => (
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
            <span class="rate">{judgement.class === 'opening' ? '' : `−${percent(judgement.loss)} %`}</span>
            <span class="moves">
              {t(`class.${judgement.class}`)}
              {blameOf(judgement) && ` → ${judgement.best}`}
            </span>
          </button>
        </li>
      ))}
    </ol>
  );
}
