import { Table, number, text } from './Table';
import { EloChart, LlrChart, RatingsChart } from './charts';
import type { Course, MatchFile, Meeting, Player, Sprt, Summary } from './data';
import { countsText, eloText, gamesOf, listOf, pointsOf, score } from './format';
import { w, wordFor } from './words';

/** The result: comparison, standings, strength, cross table, course. */
export function Result({ file: { summary, progress } }: { file: MatchFile }) {
  const { players, duel, course, uncounted } = summary;
  const ranked = [...players].sort((a, b) => a.place - b.place);
  return (
    <>
      {duel && <Comparison summary={summary} duel={duel} />}
      {uncounted > 0 && <p>{w('uncounted', { n: uncounted })}</p>}
      <Standings ranked={ranked} points={summary.points} />
      <CrossTable ranked={ranked} summary={summary} />
      {players.length > 2 && <Ratings ranked={ranked} order={summary.tie_break} />}
      {course && <Rounds course={course} />}
      <div class="charts">
        <RatingsChart ranked={ranked} players={players} />
        <EloChart points={progress} />
        <LlrChart points={progress} sprt={duel?.sprt} />
      </div>
    </>
  );
}

function Comparison({ summary: { players }, duel }: { summary: Summary; duel: NonNullable<Summary['duel']> }) {
  const [first, second] = players;
  const { elo, repeated, pairs, sprt } = duel;
  if (!first || !second) return null;
  const draws = ((100 * first.all.draws) / Math.max(1, gamesOf(first.all))).toFixed(1);
  return (
    <>
      {elo && (
        <>
          <p class="headline">{w('elo', { a: first.name, b: second.name, elo: eloText(elo, first.all) })}</p>
          <p>
            {w('los', { los: (100 * elo.los).toFixed(1), draws })} {w('pairs', { pairs: pairs.join(', ') })}
          </p>
        </>
      )}
      {repeated > 0 && <p>{w('repeated', { n: repeated })}</p>}
      {sprt && <p>{sprtText(sprt)}</p>}
    </>
  );
}

function sprtText({ elo0, elo1, llr, lower, upper, accepted, by_forfeits }: Sprt): string {
  const [value, low, high] = [llr, lower, upper].map((number) => number?.toFixed(2) ?? '?');
  const answer = accepted ? w('test.accepted', { hypothesis: accepted }) : w('test.open');
  return `${w('test')} elo0=${elo0} elo1=${elo1}: LLR ${value} [${low}, ${high}], ${answer}${by_forfeits ? `, ${w('test.by-forfeits')}` : ''}`;
}

function Standings({ ranked, points: [win, draw, loss] }: { ranked: readonly Player[]; points: Summary['points'] }) {
  const byes = ranked.filter((player) => player.bye_points > 0).map((player) => `${player.name} ${player.bye_points}`);
  return (
    <>
      <Table
        caption={w('scale', { win, draw, loss })}
        columns={[
          number('#'), text(w('player')), number(w('points')), number(w('games')), number(w('score')),
          text(w('counts')), text(w('forfeits')),
        ]}
        rows={ranked.map(({ place, name, points, all, forfeits }) => [
          place, name, points, gamesOf(all), `${score(all)} %`, countsText(all), listOf(forfeits, forfeitName),
        ])}
      />
      {byes.length > 0 && <p class="hint">{w('byes', { byes: byes.join(', ') })}</p>}
    </>
  );
}

/** The statistics have reasons in words, such as `illegal move`. */
function forfeitName(reason: string): string {
  return wordFor('reason', reason.replace(/ move$/, ''));
}

/** Results of the row's player against the column's. */
function CrossTable({ ranked, summary: { players, cross_table } }: { ranked: readonly Player[]; summary: Summary }) {
  const order = ranked.map((player) => players.indexOf(player));
  return (
    <>
      <h3>{w('cross')}</h3>
      <p class="hint">{w('cross.about')}</p>
      <Table
        columns={[text(w('player')), ...ranked.map(({ place }) => number(String(place)))]}
        rows={order.map((row, i) => [
          `${ranked[i]!.place}. ${ranked[i]!.name}`,
          ...order.map((column) => {
            const counts = cross_table[row]![column]!;
            const games = gamesOf(counts);
            return <span title={countsText(counts)}>{games === 0 ? '–' : `${pointsOf(counts)} / ${games}`}</span>;
          }),
        ])}
      />
    </>
  );
}

function Ratings({ ranked, order }: { ranked: readonly Player[]; order: string }) {
  const ranking = order.split(/[,;] /).map((part) => wordFor('rank', part)).join(', ');
  return (
    <>
      <h3>{w('strength')}</h3>
      <p class="hint">{w('strength.about', { order: ranking })}</p>
      <Table
        columns={[text(w('player')), text('Elo (95 %)'), number('Buchholz'), number('Sonneborn')]}
        rows={ranked.map(({ name, rating, buchholz, sonneborn_berger }) => [
          name, rating ? eloText(rating) : '–', buchholz.toFixed(1), sonneborn_berger.toFixed(1),
        ])}
      />
    </>
  );
}

/** The bracket: meetings, and the players that went on. */
function Rounds({ course: { groups = [], rounds } }: { course: Course }) {
  return (
    <>
      <h3>{w('course')}</h3>
      {groups.map((group, i) => (
        <p key={i}>
          {w('group', { n: i + 1 })}:{' '}
          {group
            .map(({ player, points, advances }) =>
              advances ? w('advances', { player: `${player} ${points}` }) : `${player} ${points}`,
            )
            .join(', ')}
        </p>
      ))}
      {rounds.map(({ meetings, byes }, i) => (
        <section key={i}>
          <h4>{w('round', { n: i + 1 })}</h4>
          <ul>
            {meetings.map((meeting, place) => (
              <li key={place}>
                {meeting.first} {meeting.points[0]} – {meeting.points[1]} {meeting.second}
                {meeting.outcome && `: ${outcomeText(meeting)}`}
              </li>
            ))}
            {byes.map((player) => (
              <li key={player}>{w('bye', { player })}</li>
            ))}
          </ul>
        </section>
      ))}
    </>
  );
}

function outcomeText({ first, second, outcome }: Meeting): string {
  if (!outcome || outcome === 'level') return w('level');
  const { by_first, is_out, by_order } = outcome.won;
  const [winner, loser] = by_first ? [first, second] : [second, first];
  const fate = w(is_out ? 'out' : 'lost-once', { player: loser });
  return by_order ? `${fate}: ${w('seeded', { player: winner })}` : fate;
}
