import type { Blame } from '../game/judgement';

/** A point of the graph: the position after so many moves. */
export interface GraphPoint {
  /** Points that Black can expect, 0 to 1; `null` where no search has been. */
  readonly blackWins: number | null;
  readonly mark: Blame | null;
}

const WIDTH = 320;
const HEIGHT = 96;
/** Room for the marks at the edges. */
const MARGIN = 6;
const MARK_COLORS: Readonly<Record<Blame, string>> = {
  inaccuracy: '#c98a00',
  mistake: '#d1640f',
  blunder: '#c8321f',
};

/** The win rate of Black over the moves of a line; a click goes to a move. */
export function Graph(props: {
  points: readonly GraphPoint[];
  current: number;
  title: string;
  onPick: (index: number) => void;
}) {
  const { points, current, title, onPick } = props;
  const last = Math.max(1, points.length - 1);
  const x = (i: number) => MARGIN + (i / last) * (WIDTH - 2 * MARGIN);
  const y = (rate: number) => MARGIN + (HEIGHT - 2 * MARGIN) * (1 - rate);
  const known = points.flatMap((p, i) => (p.blackWins === null ? [] : [{ i, rate: p.blackWins }]));
  // The picture is stretched: a line's end stays round where a circle would not.
  const dot = (i: number, rate: number) => `M${x(i)} ${y(rate)}h0`;
  const line = known.map(({ i, rate }) => `${x(i).toFixed(1)} ${y(rate).toFixed(1)}`).join('L');
  const pick = (event: MouseEvent) => {
    const box = (event.currentTarget as SVGElement).getBoundingClientRect();
    const at = (((event.clientX - box.left) / box.width) * WIDTH - MARGIN) / (WIDTH - 2 * MARGIN);
    onPick(Math.round(Math.min(1, Math.max(0, at)) * last));
  };
  return (
    <svg
      class="graph"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={title}
      onClick={pick}
    >
      <rect class="graph-white" width={WIDTH} height={HEIGHT} />
      {known.length > 1 && (
        <path
          class="graph-black"
          d={`M${x(known[0]!.i)} ${HEIGHT}L${line}L${x(known.at(-1)!.i)} ${HEIGHT}Z`}
        />
      )}
      <path class="graph-middle" d={`M0 ${HEIGHT / 2}H${WIDTH}`} />
      {known.length > 1 && <path class="graph-line" d={`M${line}`} />}
      {known.length === 1 && <path class="graph-dot" d={dot(known[0]!.i, known[0]!.rate)} />}
      <path class="graph-current" d={`M${x(current)} 0V${HEIGHT}`} />
      {points.map((p, i) => {
        if (!p.mark || p.blackWins === null) return null;
        const d = dot(i, p.blackWins);
        return (
          <g key={i}>
            <path class="graph-dot border" d={d} />
            <path class="graph-dot" d={d} stroke={MARK_COLORS[p.mark]} />
          </g>
        );
      })}
    </svg>
  );
}
