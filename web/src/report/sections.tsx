import { t } from '../i18n/i18n';
import { Table, long, number, text } from './Table';
import { LengthsChart, TimesCharts } from './charts';
import type { Counts, MatchFile, SlowMove } from './data';
import { countsText, day, duration, eloText, gamesOf, listOf, score } from './format';
import { w, wordFor } from './words';

type Props = { readonly file: MatchFile };

const orDash = (value: number | null, text: (value: number) => string = String) => (value === null ? '–' : text(value));

/** Results of Black as a bar: wins of Black, draws, wins of White. */
function Bar({ black }: { black: Counts }) {
  const parts = [['black', black.wins], ['draw', black.draws], ['white', black.losses]] as const;
  return (
    <div class="bar" title={`${t('color.black')} ${countsText(black)}`}>
      {parts.map(([kind, n]) => (
        <span key={kind} style={{ width: `${(100 * n) / Math.max(1, gamesOf(black))}%`, background: `var(--end-${kind})` }} />
      ))}
    </div>
  );
}

/** A link to a game, which is numbered from 1 there. */
function GameLink({ game }: { game: number }) {
  return <a href={`#game-${game + 1}`}>{w('game', { n: game + 1 })}</a>;
}

/** Results by colour. */
export function Colours({ file: { summary } }: Props) {
  const { black, black_rating: worth, first, players } = summary;
  const white = { wins: black.losses, draws: black.draws, losses: black.wins };
  const row = (name: string, a: Counts, b: Counts) => [name, countsText(a), `${score(a)} %`, countsText(b), `${score(b)} %`];
  return (
    <>
      <Table
        caption={w('counts')}
        columns={[
          text(w('player')), text(t('color.black')), number(w('score')), text(t('color.white')),
          number(w('score')),
        ]}
        rows={[...players.map((player) => row(player.name, player.black, player.white)), row(w('all'), black, white)]}
      />
      <Bar black={black} />
      {worth && <p>{w('black-worth', { elo: eloText(worth) })}</p>}
      {first && (
        <p>
          {w('first', {
            rule: first.rule,
            score: score(first.results),
            counts: countsText(first.results),
            swapped: first.swapped,
            games: gamesOf(first.results),
          })}
        </p>
      )}
    </>
  );
}

/** Results by opening. */
export function Openings({ file: { openings } }: Props) {
  const winners = (['black', 'white', 'both', 'nobody'] as const).map(
    (winner) => `${w(`won-by.${winner}`)} ${openings.filter((opening) => opening.winner === winner).length}`,
  );
  const pairs = { black: 0, white: 0, player: 0, drawn: 0 };
  for (const opening of openings) {
    for (const key of ['black', 'white', 'player', 'drawn'] as const) pairs[key] += opening.pairs[key];
  }
  return (
    <>
      <p>
        {w('openings')}: {openings.length}. {w('won-by')}: {winners.join(', ')}. {w('openings.about')}
      </p>
      {Object.values(pairs).some((n) => n > 0) && <p>{w('openings.pairs', pairs)}</p>}
      <Table
        isTall
        columns={[
          text(w('opening')), number(w('games')), text(t('color.black')),
          text(`${t('color.black')} – ${t('color.white')}`), text(w('won-by')), text(w('first-game')),
          long(w('stones')),
        ]}
        rows={openings.map(({ name, black, winner, first_game, stones }) => [
          wordFor('opening', name), gamesOf(black), countsText(black), <Bar black={black} />,
          w(`won-by.${winner}`), <GameLink game={first_game} />, stones.join(' '),
        ])}
      />
    </>
  );
}

/** How games ended, and after how many stones. */
export function Ends({ file: { ends, forfeits, lengths } }: Props) {
  return (
    <>
      <Table
        columns={[
          text(w('ended-by')), number(w('games')), number(w('kind.black')), number(w('kind.white')),
          number(w('kind.draw')), text(w('lost-by')),
        ]}
        rows={Object.entries(ends).map(([reason, { black, white, draws, lost_by }]) => [
          wordFor('reason', reason), black + white + draws, black, white, draws, listOf(lost_by),
        ])}
      />
      {forfeits.length > 0 && (
        <>
          <h3>{w('misbehaviour')}</h3>
          <Table
            isTall
            columns={[text(w('number')), text(w('player')), text(w('ended-by')), long(w('happened'))]}
            rows={forfeits.map(({ game, loser, reason, detail }) => [
              <GameLink game={game} />, loser, wordFor('reason', reason), detail,
            ])}
          />
        </>
      )}
      <h3>{w('lengths')}</h3>
      <Table
        columns={[
          text(w('result')), number(w('games')), number(w('shortest')), number(w('median')),
          number(w('longest')),
        ]}
        rows={lengths.ranges.map((range) => [
          w(`kind.${range.kind}`), range.games, range.shortest, range.median, range.longest,
        ])}
      />
      <div class="charts">
        <LengthsChart lengths={lengths} />
      </div>
    </>
  );
}

function SlowLink({ slow }: { slow: SlowMove | null }) {
  return slow ? <a href={`#game-${slow.game + 1}-${slow.turn}`}>{duration(slow.ms)}</a> : <>–</>;
}

/** Time and depth of moves. */
export function Times({ file: { times, summary } }: Props) {
  const searches = times
    .map((player, i) => ({ ...player, mean: summary.players[i]?.mean_depth ?? null, speed: summary.players[i]?.speed ?? null }))
    .filter(({ median_depth, median_nodes, speed }) => [median_depth, median_nodes, speed].some((value) => value !== null));
  return (
    <>
      <Table
        caption={w('times.table')}
        columns={[
          text(w('player')), number(t('share.moves')), number(w('median')), number('95 %'),
          number(w('slowest')), number(w('late')), number(w('overrun')), number(w('lost-on-time')),
          number(w('total')),
        ]}
        rows={times.map((player) => [
          player.name, player.moves, orDash(player.median_ms, duration), orDash(player.p95_ms, duration),
          <SlowLink slow={player.slowest} />, player.limited > 0 ? player.late : '–',
          <SlowLink slow={player.latest} />, player.lost_on_time, duration(player.total_ms),
        ])}
      />
      <p class="hint">
        {w('late.about')} {times.every(({ limited }) => limited === 0) && `${w('no-limits')} `}
        {w('p95.about')}
      </p>
      {searches.length > 0 && (
        <Table
          caption={w('depths.table')}
          columns={[
            text(w('player')), number(w('depth.median')), number(w('depth.mean')), number(w('depth.greatest')),
            number(w('nodes.median')), number(t('analysis.speed')),
          ]}
          rows={searches.map((player) => [
            player.name, orDash(player.median_depth), orDash(player.mean, (depth) => depth.toFixed(1)),
            orDash(player.greatest_depth), orDash(player.median_nodes),
            orDash(player.speed, (speed) => speed.toFixed(0)),
          ])}
        />
      )}
      <TimesCharts times={times} />
    </>
  );
}

/** The conditions of the match. */
export function Settings({ file: { terms, planned, games, seed } }: Props) {
  const ended = games.map((game) => game.ended).filter((at) => at > 0).sort((a, b) => a - b);
  const { sprt } = terms;
  const facts: readonly (readonly [string, string | number | null | undefined])[] = [
    [t('rule'), terms.rule],
    [w('board'), `${terms.width}×${terms.height}`],
    [w('schedule'), terms.schedule],
    [w('meeting'), terms.games],
    [w('openings'), terms.openings],
    [w('seed'), seed],
    [w('judge'), terms.judge],
    [w('test'), sprt && `elo0=${sprt.elo0} elo1=${sprt.elo1} alpha=${sprt.alpha} beta=${sprt.beta}`],
    [w('planned'), planned],
    [w('begun'), ended[0] && day(ended[0])],
    [w('ended'), ended[0] && day(ended.at(-1)!)],
    [w('played-by'), `tengen match ${terms.version}`],
  ];
  return (
    <>
      <dl>
        {facts
          .filter(([, value]) => value)
          .map(([name, value]) => (
            <>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </>
          ))}
      </dl>
      <Table
        columns={[text(w('player')), long(t('menu.settings'))]}
        rows={terms.players.map(({ name, settings }) => [name, <code>{settings.join(' ')}</code>])}
      />
    </>
  );
}
