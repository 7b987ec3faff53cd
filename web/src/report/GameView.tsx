import { useSignal } from '@preact/signals';
import type { Signal } from '@preact/signals';
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { t } from '../i18n/i18n';
import { Replay } from '../review/Replay';
import { Button, Toggle } from '../ui/parts';
import type { MatchGame } from './data';
import { duration } from './format';
import { boardsOf, fallsOf, labelsOf } from './replay';
import { w, wordFor } from './words';

/** The name of the winner; `null` of a draw. */
export function winnerOf(game: MatchGame): string | null {
  return game.outcome === 'draw' ? null : game[game.outcome];
}

/** A game that is played through: board, moves with what the engines said of them. */
export function GameView(props: {
  game: MatchGame;
  rule: string;
  isDark: boolean;
  /** Number of moves shown. */
  at: Signal<number>;
  onBeside: (step: -1 | 1) => void;
}) {
  const { game, rule, isDark, at } = props;
  const hasNumbers = useSignal(true);
  const labels = useMemo(() => labelsOf(game).map((label) => (label === '-' ? w('pass') : label)), [game]);
  const boards = useMemo(() => boardsOf(game, rule), [game, rule]);
  const falls = useMemo(() => fallsOf(game), [game]);
  const shown = Math.min(at.value, labels.length);
  const onGo = (move: number) => (at.value = move);
  const title =
    shown > 0
      ? w('move.at', { n: shown, all: labels.length, move: labels[shown - 1]! })
      : w(labels.length > 0 ? 'move.none' : 'moves.none');
  return (
    <div class="panel" id="viewer">
      <h3>
        {w('game', { n: game.id })}: {game.black} – {game.white}
      </h3>
      <p>{factsOf(game).join(' · ')}</p>
      {game.steps && (
        <p class="hint">
          {w('opening')}: {game.steps.map(({ player, does }) => `${w('step', { n: player })} ${does}`).join(', ')}
        </p>
      )}
      <div class="play">
        <div>
          <Replay
            model={boards(shown, hasNumbers.value)}
            title={title}
            isDark={isDark}
            at={shown}
            last={labels.length}
            onGo={onGo}
            isPart
          />
          <input
            type="range"
            min="0"
            max={labels.length}
            value={shown}
            aria-label={w('move')}
            onInput={(event) => onGo(Number(event.currentTarget.value))}
          />
          <p aria-live="polite">{title}</p>
          <div class="row">
            <Button name="previous" onClick={() => props.onBeside(-1)}>{w('previous')}</Button>
            <Button name="next" onClick={() => props.onBeside(1)}>{w('next')}</Button>
            <Toggle label={t('settings.numbers')} setting={hasNumbers} name="numbers" />
          </div>
        </div>
        <div>
          {falls.length > 0 && (
            <p>
              {w('moves.worst')}:{' '}
              {falls.map(({ move, before, after }, i) => (
                <span key={move}>
                  {i > 0 && '; '}
                  <a href={`#game-${game.id}-${move}`}>
                    {move}. {labels[move - 1]}
                  </a>{' '}
                  ({move % 2 ? game.black : game.white}: {before} → {after ?? '–'})
                </span>
              ))}
            </p>
          )}
          <MoveTable game={game} labels={labels} shown={shown} onGo={onGo} />
          <label class="field wide">
            <span>{w('moves.text')}</span>
            <input type="text" readOnly value={labelsOf(game).map((label) => (label === '-' ? 'pass' : label)).join(' ')} />
          </label>
        </div>
      </div>
    </div>
  );
}

function factsOf(game: MatchGame): string[] {
  const { outcome, reason, detail, stones, opening, ended, uncounted } = game;
  const player = winnerOf(game);
  return [
    outcome === 'draw' ? w('kind.draw') : w('wins', { player: player!, color: t(`color.${outcome}`) }),
    w('by', { reason: wordFor('reason', reason) }) + (detail ? ` (${detail})` : ''),
    `${w('stones')}: ${stones}`,
    `${w('opening')}: ${wordFor('opening', opening)}`,
    ...(ended > 0 ? [`${new Date(1000 * ended).toISOString().slice(0, 16).replace('T', ' ')} UTC`] : []),
    ...(uncounted ? [w('not-counted')] : []),
  ];
}

/** The moves with time, value, depth and nodes; the one shown stands in the middle. */
function MoveTable(props: { game: MatchGame; labels: readonly string[]; shown: number; onGo: (move: number) => void }) {
  const { game, labels, shown, onGo } = props;
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const row = box.current?.querySelector<HTMLElement>('tr.current');
    if (box.current) box.current.scrollTop = row ? row.offsetTop - box.current.clientHeight / 2 : 0;
  }, [game, shown]);
  const time = (turn: number) => {
    const [ms, limit] = [game.ms?.[turn] ?? null, game.limit?.[turn] ?? null];
    if (ms === null) return turn < game.given ? w('opening') : '';
    return duration(ms) + (limit !== null && ms > limit ? ` ${w('late')}` : '');
  };
  return (
    <div class="scroll tall" ref={box}>
      <table>
        <thead>
          <tr>
            {['#', w('move'), t('limit.time'), t('database.value'), t('limit.depth'), t('limit.nodes')].map((title) => (
              <th key={title} scope="col">{title}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {labels.map((label, turn) => (
            <tr key={turn} class={turn + 1 === shown ? 'current' : ''} onClick={() => onGo(turn + 1)}>
              <th scope="row">
                {turn % 2 ? '○' : '●'} <a href={`#game-${game.id}-${turn + 1}`}>{turn + 1}</a>
              </th>
              <td>{label}</td>
              <td>{time(turn)}</td>
              <td>{game.eval?.[turn]}</td>
              <td>{game.depth?.[turn]}</td>
              <td>{game.nodes?.[turn]?.toLocaleString('en')}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
