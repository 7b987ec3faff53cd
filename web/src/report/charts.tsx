import { Chart, around, isDrawable, pathOf } from './Chart';
import type { Axis, Dot } from './Chart';
import { KINDS } from './data';
import type { MatchFile, Player, PlayerTimes, Progress, Sprt } from './data';
import { duration } from './format';
import { w } from './words';

/** The colour of a player by the place in the order of the match; more than eight share them. */
const tone = (place: number) => `var(--player${place % 8})`;
const stroke = (place: number) => ({ fill: 'none', stroke: tone(place), 'stroke-width': 2 });
const games = (points: readonly Progress[]): Axis => ({ min: 0, max: points.at(-1)?.games ?? 1, title: w('games'), isWhole: true });

/** The strengths of players with the bounds of their errors, the first at the top. */
export function RatingsChart({ ranked, players }: { ranked: readonly Player[]; players: readonly Player[] }) {
  const rows = ranked.flatMap(({ name, rating }) => {
    const place = players.findIndex((player) => player.name === name);
    return isDrawable(rating?.elo) && isDrawable(rating.error) ? [{ name, place, elo: rating.elo, error: rating.error }] : [];
  });
  if (rows.length === 0) return null;
  const cut = (name: string) => (name.length > 16 ? `${name.slice(0, 15)}…` : name);
  const at = (row: number) => rows.length - 0.5 - row;
  const bounds = rows.flatMap(({ elo, error }) => [elo - error, elo + error]);
  return (
    <Chart
      title={w('strength.chart')}
      x={{ ...around([...bounds, 0]), title: 'Elo, 95 %' }}
      y={{ min: 0, max: rows.length, labels: rows.map(({ name }, row) => [at(row), cut(name)]) }}
      height={60 + 28 * rows.length}
      left={24 + 8 * Math.max(...rows.map(({ name }) => cut(name).length))}
      draw={(x, y) =>
        rows.map(({ place, elo, error }, row) => {
          const ends = [x(elo - error), x(elo + error)] as const;
          const caps = ends.map((end) => `M${end} ${y(at(row)) - 4}v8`).join('');
          return (
            <g key={place} style={{ stroke: tone(place) }} stroke-width="2">
              <path d={`M${ends[0]} ${y(at(row))}H${ends[1]}${caps}`} />
              <circle cx={x(elo)} cy={y(at(row))} r="5" style={{ fill: tone(place) }} />
            </g>
          );
        })
      }
    />
  );
}

/** The difference in strength after each pair of games, with its error. */
export function EloChart({ points }: { points: readonly Progress[] }) {
  const shown = points.flatMap(({ games, elo: { elo, error } }) =>
    isDrawable(elo) ? [{ games, elo, error: error ?? Infinity }] : [],
  );
  if (shown.length < 2) return null;
  // The first estimates are wild; they may leave the picture.
  const settled = shown.slice(Math.floor(shown.length / 10));
  const range = around([0, ...settled.flatMap(({ elo, error }) => [elo, elo - error, elo + error])]);
  const kept = (elo: number) => Math.min(range.max, Math.max(range.min, elo));
  const line = (value: (point: (typeof shown)[number]) => number) => shown.map((p): Dot => [p.games, kept(value(p))]);
  return (
    <Chart
      title={w('elo.chart')}
      x={games(points)}
      y={{ ...range, title: 'Elo' }}
      draw={(x, y) => (
        <>
          <path
            d={`${pathOf([...line((p) => p.elo + p.error), ...line((p) => p.elo - p.error).reverse()], x, y)}Z`}
            style={{ fill: tone(0) }}
            opacity="0.2"
          />
          <path class="chart-axis" d={`M${x(0)} ${y(0)}H${x(points.at(-1)!.games)}`} />
          <path d={pathOf(line((p) => p.elo), x, y)} style={stroke(0)} />
        </>
      )}
    />
  );
}

/** The log-likelihood ratio after each pair of games, between the bounds of the test. */
export function LlrChart({ points, sprt }: { points: readonly Progress[]; sprt: Sprt | null | undefined }) {
  if (!sprt || points.length < 2) return null;
  const line = points.flatMap(({ games, llr }): Dot[] => (isDrawable(llr) ? [[games, llr]] : []));
  const bounds = [sprt.lower, sprt.upper].map((bound) => (isDrawable(bound) ? bound : 0));
  const end = points.at(-1)!.games;
  return (
    <Chart
      title={w('test')}
      legend={[[tone(0), w('llr')], [tone(1), w('test.h0')], [tone(2), w('test.h1')]]}
      x={games(points)}
      y={{ ...around([...bounds, ...line.map(([, llr]) => llr)]), title: 'LLR', text: (llr) => llr.toFixed(1) }}
      draw={(x, y) => (
        <>
          {bounds.map((bound, i) => (
            <path key={i} d={`M${x(0)} ${y(bound)}H${x(end)}`} style={stroke(1 + i)} />
          ))}
          <path d={pathOf([[0, 0], ...line], x, y)} style={stroke(0)} />
        </>
      )}
    />
  );
}

/** Histogram of the games by their number of stones. */
export function LengthsChart({ lengths: { ranges, bins, bin_width: width } }: Pick<MatchFile, 'lengths'>) {
  const highest = Math.max(1, ...bins.map((bin) => bin.reduce((a, b) => a + b)));
  return (
    <Chart
      title={w('lengths')}
      legend={ranges.map(({ kind }) => [`var(--end-${kind})`, w(`kind.${kind}`)])}
      x={{ min: 0, max: bins.length * width, title: w('stones'), isWhole: true }}
      y={{ min: 0, max: 1.05 * highest, title: w('games'), isWhole: true }}
      draw={(x, y) =>
        bins.map((bin, i) => {
          const [from, to] = [x((i + 0.08) * width), x((i + 0.92) * width)];
          let below = 0;
          return bin.map((count, kind) => {
            const bottom = below;
            below += count;
            const box = `M${from} ${y(bottom)}H${to}V${y(below)}H${from}Z`;
            return count > 0 && <path key={kind} class="chart-axis" d={box} style={{ fill: `var(--end-${KINDS[kind]})` }} />;
          });
        })
      }
    />
  );
}

/** A line for each player over the stages of the game. */
function StagesChart(props: {
  times: readonly PlayerTimes[];
  title: string;
  value: (stage: PlayerTimes['stages'][number]) => number | null;
  text: (value: number) => string;
}) {
  const { times, title, text } = props;
  const lines = times.map(({ stages }) =>
    stages.flatMap((stage): Dot[] => {
      const value = props.value(stage);
      return isDrawable(value) && value >= 0 ? [[stage.stones, value]] : [];
    }),
  );
  const all = lines.flat();
  if (all.length === 0) return null;
  const max = Math.max(1e-3, ...all.map(([, value]) => value));
  return (
    <Chart
      title={title}
      legend={times.map(({ name }, place) => [tone(place), name])}
      x={{ min: 0, max: 5 + Math.max(...all.map(([stones]) => stones)), title: w('stones'), isWhole: true }}
      y={{ min: 0, max: 1.08 * max, text }}
      left={76}
      draw={(x, y) =>
        lines.map((line, place) => (
          <g key={place}>
            <path d={pathOf(line, x, y)} style={stroke(place)} />
            {line.map(([stones, value]) => (
              <circle key={stones} cx={x(stones)} cy={y(value)} r="3" style={{ fill: tone(place) }} />
            ))}
          </g>
        ))
      }
    />
  );
}

/** Time and depth of moves over the course of the game. */
export function TimesCharts({ times }: { times: readonly PlayerTimes[] }) {
  const time = (ms: number) => (ms === 0 ? '0' : duration(ms));
  return (
    <div class="charts">
      <StagesChart times={times} title={w('times.chart')} value={(stage) => stage.median_ms} text={time} />
      <StagesChart times={times} title={w('depths.chart')} value={(stage) => stage.mean_depth} text={String} />
    </div>
  );
}
