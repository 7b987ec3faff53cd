import { useSignal } from '@preact/signals';
import { useEffect, useLayoutEffect } from 'preact/hooks';
import { t } from '../i18n/i18n';
import { Button, Select } from '../ui/parts';
import { GameView, winnerOf } from './GameView';
import type { MatchFile, MatchGame } from './data';
import { duration } from './format';
import { fallsOf } from './replay';
import { w, wordFor } from './words';

const ROWS_AT_ONCE = 100;
const collator = new Intl.Collator('en', { numeric: true });

/** A column of the list: the value to sort by, and the text where the two differ. */
interface Column {
  readonly title: string;
  readonly value: (game: MatchGame) => string | number;
  readonly text?: (game: MatchGame) => string;
  /** A phone has no room for it. */
  readonly isWide?: boolean;
}

const reason = (game: MatchGame) => wordFor('reason', game.reason);
const opening = (game: MatchGame) => wordFor('opening', game.opening);
const total = (game: MatchGame) => (game.ms ?? []).reduce<number>((sum, ms) => sum + (ms ?? 0), 0);

function columnsOf(games: readonly MatchGame[]): Column[] {
  const round: Column = { title: w('round.number'), value: (game) => game.round, isWide: true };
  return [
    { title: w('number'), value: (game) => game.id },
    ...(games.some((game) => game.round > 1) ? [round] : []),
    { title: t('color.black'), value: (game) => game.black },
    { title: t('color.white'), value: (game) => game.white },
    { title: w('winner'), value: (game) => winnerOf(game) ?? w('kind.draw') },
    { title: w('ended-by'), value: reason },
    { title: w('stones'), value: (game) => game.stones },
    { title: w('opening'), value: opening, isWide: true },
    { title: t('limit.time'), value: total, text: (game) => (total(game) ? duration(total(game)) : ''), isWide: true },
  ];
}

/**
 * The game, and the number of moves, that the address names: `#game-12-30`. A game alone is opened
 * where a player's own value fell most, or else at its end.
 */
function addressed(games: readonly MatchGame[]): { game: MatchGame; move: number } | null {
  const [, id, move] = /^#game-(\d+)(?:-(\d+))?$/.exec(location.hash) ?? [];
  const game = games.find((other) => other.id === Number(id));
  return game ? { game, move: move === undefined ? (fallsOf(game)[0]?.move ?? Infinity) : Number(move) } : null;
}

function address(game: MatchGame): string {
  return `#game-${game.id}`;
}

/** The list of games, to sort and filter, and the chosen game. */
export function Games({ file: { games, terms }, isDark }: { file: MatchFile; isDark: boolean }) {
  const filters = { player: useSignal(''), result: useSignal(''), reason: useSignal(''), opening: useSignal('') };
  const sorting = useSignal({ column: 0, isDescending: false });
  const rows = useSignal(ROWS_AT_ONCE);
  const visit = useSignal<ReturnType<typeof addressed>>(null);
  const current = visit.value?.game ?? null;
  const at = useSignal(0);
  useEffect(() => {
    const follow = () => {
      const found = addressed(games);
      if (!found) return;
      [visit.value, at.value] = [found, found.move];
    };
    follow();
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, [games]);
  useLayoutEffect(() => {
    if (visit.value) document.getElementById('viewer')?.scrollIntoView({ block: 'start' });
  }, [visit.value]);

  const columns = columnsOf(games);
  const { column, isDescending } = sorting.value;
  const { value } = columns[column]!;
  const compare = (a: MatchGame, b: MatchGame) => {
    const [left, right] = [value(a), value(b)];
    return typeof left === 'number' ? left - Number(right) : collator.compare(left, String(right));
  };
  const isListed = (game: MatchGame) => {
    const [player, result] = [filters.player.value, filters.result.value];
    const winner = winnerOf(game);
    const isResult = result === 'won' || result === 'lost'
      ? winner !== null && player !== '' && (winner === player) === (result === 'won')
      : !result || game.outcome === result;
    return (
      (!player || game.black === player || game.white === player) &&
      isResult &&
      (!filters.reason.value || game.reason === filters.reason.value) &&
      (!filters.opening.value || game.opening === filters.opening.value)
    );
  };
  const listed = games.filter(isListed).sort((a, b) => (isDescending ? -1 : 1) * compare(a, b) || a.id - b.id);
  const choices = (values: readonly string[], name: (value: string) => string = (text) => text) => [
    ['', w('all')] as const,
    ...[...new Set(values)].sort(collator.compare).map((text) => [text, name(text)] as const),
  ];
  const results = [
    ['', w('all')],
    ...(['black', 'white', 'draw'] as const).map((kind) => [kind, w(`kind.${kind}`)] as const),
    ['won', w('won')],
    ['lost', w('lost')],
  ] as const;
  const selects = [
    ['player', w('player'), choices(games.flatMap((game) => [game.black, game.white]))],
    ['result', w('result'), results],
    ['reason', w('ended-by'), choices(games.map((game) => game.reason), (text) => wordFor('reason', text))],
    ['opening', w('opening'), choices(games.map((game) => game.opening), (text) => wordFor('opening', text))],
  ] as const;
  const beside = (step: -1 | 1) => {
    const place = current ? listed.indexOf(current) : -1;
    const other = listed[place < 0 ? 0 : place + step];
    if (other) location.hash = address(other);
  };
  return (
    <>
      {current && <GameView game={current} rule={terms.rule} isDark={isDark} at={at} onBeside={beside} />}
      <div class="fields">
        {selects.map(([name, label, options]) =>
          options.length > 2 && <Select key={name} label={label} setting={filters[name]} options={options} name={name} />,
        )}
      </div>
      <p class="hint" aria-live="polite">{w('shown', { n: listed.length, all: games.length })}</p>
      <div class="scroll tall">
        <table class="games">
          <thead>
            <tr>
              {columns.map(({ title, isWide }, place) => (
                <th
                  key={title}
                  scope="col"
                  class={isWide ? 'wide' : ''}
                  aria-sort={place !== column ? 'none' : isDescending ? 'descending' : 'ascending'}
                >
                  <button
                    type="button"
                    onClick={() => (sorting.value = { column: place, isDescending: place === column && !isDescending })}
                  >
                    {title}
                  </button>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {listed.slice(0, rows.value).map((game) => (
              <GameRow key={game.id} game={game} columns={columns} isCurrent={game === current} />
            ))}
          </tbody>
        </table>
      </div>
      {listed.length > rows.value && (
        <p>
          <Button onClick={() => (rows.value += 5 * ROWS_AT_ONCE)}>{w('more')}</Button>
        </p>
      )}
    </>
  );
}

function GameRow(props: { game: MatchGame; columns: readonly Column[]; isCurrent: boolean }) {
  const { game, columns, isCurrent } = props;
  const classes = [isCurrent ? 'current' : '', game.uncounted ? 'uncounted' : ''].join(' ');
  return (
    <tr class={classes} onClick={() => (location.hash = address(game))}>
      {columns.map(({ value, text, isWide }, place) => {
        const shown = value(game);
        const kind = `${isWide ? 'wide' : ''} ${typeof shown === 'number' ? 'number' : ''}`;
        return place === 0 ? (
          <th key={place} scope="row" class={kind}>
            <a href={address(game)}>{shown}</a>
          </th>
        ) : (
          <td key={place} class={kind}>{text ? text(game) : shown}</td>
        );
      })}
    </tr>
  );
}
