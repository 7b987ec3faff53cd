import type { ComponentChildren } from 'preact';

/** Largest value that is drawn; a damaged journal may hold any. */
const LARGEST = 1e12;
/** Narrow, so that the texts can be read on a phone. */
const WIDTH = 500;

/** A range of values, and how it is labelled. */
export interface Axis {
  readonly min: number;
  readonly max: number;
  readonly title?: string;
  /** Only whole numbers are labelled. */
  readonly isWhole?: boolean;
  readonly text?: (value: number) => string;
  /** Labels in place of round numbers: values and texts. */
  readonly labels?: readonly (readonly [value: number, text: string])[];
}

/** A point of a line. */
export type Dot = readonly [x: number, y: number];

/** True if a value can be drawn. */
export function isDrawable(value: number | null | undefined): value is number {
  return typeof value === 'number' && Math.abs(value) <= LARGEST;
}

/** A range that holds all values with some room, and is no point. */
export function around(values: readonly (number | null)[]): { min: number; max: number } {
  const known = values.filter(isDrawable);
  if (known.length === 0) return { min: -1, max: 1 };
  const [low, high] = [known.reduce((a, b) => Math.min(a, b)), known.reduce((a, b) => Math.max(a, b))];
  const room = Math.max(0.06 * (high - low), 0.5);
  return { min: low - room, max: high + room };
}

/** Up to six round numbers in a range. */
export function roundNumbers({ min, max, isWhole }: Axis): number[] {
  const rough = (max - min) / 6;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = Math.max(isWhole ? 1 : 0, power * [1, 2, 5, 10].find((factor) => factor * power >= rough)!);
  const first = Math.ceil(min / step);
  // Sums of fractions would be labelled 0.30000000000000004.
  return Array.from({ length: Math.floor(max / step) - first + 1 }, (_, i) => Number(((first + i) * step).toPrecision(9)));
}

/** A chart with its axes; `draw` is given what maps values to the picture. */
export function Chart(props: {
  title: string;
  /** Colours and their meanings. */
  legend?: readonly (readonly [color: string, meaning: string])[];
  x: Axis;
  y: Axis;
  height?: number;
  /** Room for the labels of `y`. */
  left?: number;
  draw: (x: (value: number) => number, y: (value: number) => number) => ComponentChildren;
}) {
  const { title, legend = [], x, y, height = 300, left = 64 } = props;
  const [right, bottom] = [WIDTH - 16, height - (x.title ? 44 : 24)];
  const px = (value: number) => left + ((value - x.min) / (x.max - x.min)) * (right - left);
  const py = (value: number) => bottom - ((value - y.min) / (y.max - y.min)) * (bottom - 8);
  const labels = (axis: Axis) =>
    axis.labels ?? roundNumbers(axis).map((value) => [value, (axis.text ?? String)(value)] as const);
  return (
    <figure>
      <figcaption>
        {title}
        <ul class="legend">
          {legend.map(([color, meaning]) => (
            <li key={meaning}>
              <i style={{ background: color }} />
              {meaning}
            </li>
          ))}
        </ul>
      </figcaption>
      <svg viewBox={`0 0 ${WIDTH} ${height}`} role="img" aria-label={title}>
        {labels(y).map(([value, text]) => (
          <g key={value}>
            {!y.labels && <path class="chart-grid" d={`M${left} ${py(value)}H${right}`} />}
            <text x={left - 8} y={py(value) + 5} text-anchor="end">{text}</text>
          </g>
        ))}
        {labels(x).map(([value, text]) => (
          <text key={value} x={px(value)} y={bottom + 18} text-anchor="middle">{text}</text>
        ))}
        {x.title && <text x={(left + right) / 2} y={height - 6} text-anchor="middle">{x.title}</text>}
        {y.title && <text transform={`translate(14 ${bottom / 2})rotate(-90)`} text-anchor="middle">{y.title}</text>}
        {props.draw(px, py)}
        <path class="chart-axis" d={`M${left} 8V${bottom}H${right}`} />
      </svg>
    </figure>
  );
}

/** The path of a line through these points. */
export function pathOf(dots: readonly Dot[], x: (value: number) => number, y: (value: number) => number): string {
  return dots.length === 0 ? '' : `M${dots.map(([a, b]) => `${x(a).toFixed(1)} ${y(b).toFixed(1)}`).join('L')}`;
}
