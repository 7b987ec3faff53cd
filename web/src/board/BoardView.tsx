import { useMemo } from 'preact/hooks';
import { columnName, samePoint } from '../game/point';
import type { Point } from '../game/point';
import { pointsWith } from '../game/position';
import { BLACK, BLOCKED, EMPTY, WHITE } from '../game/rules';
import { CandidateLayer, SignLayer } from './marks';
import { CELL, STONE, geometry, place, starPoints } from './geometry';
import type { Geometry } from './geometry';
import type { BoardModel } from './model';
import type { BoardTheme } from './theme';

const FONT = 'system-ui, "Segoe UI", Roboto, "Noto Sans", sans-serif';

/** The drawing of a board: nothing here listens, so that pictures are made of the same. */
export function BoardView({ model, theme }: { model: BoardModel; theme: BoardTheme }) {
  const { width, height, hasCoordinates, turn } = model;
  const shape = useMemo(() => geometry(model), [width, height, hasCoordinates, turn]);
  // What is the same in every position is drawn once: a search changes the rest many times a second.
  const ground = useMemo(
    () => (
      <>
        <Definitions theme={theme} />
        <Wood shape={shape} theme={theme} />
        <Grid model={model} shape={shape} theme={theme} />
        {hasCoordinates && <Coordinates model={model} shape={shape} theme={theme} />}
      </>
    ),
    [shape, theme],
  );
  return (
    <g font-family={FONT} text-anchor="middle">
      {ground}
      <AreaLayer model={model} shape={shape} theme={theme} />
      <SignLayer model={model} shape={shape} theme={theme} under />
      <Stones model={model} shape={shape} theme={theme} />
      <WinningLine model={model} shape={shape} theme={theme} />
      <CandidateLayer model={model} shape={shape} theme={theme} />
      <SignLayer model={model} shape={shape} theme={theme} />
      <Texts model={model} shape={shape} theme={theme} />
    </g>
  );
}

/** The properties of the drawing's layers. */
export interface LayerProps {
  readonly model: BoardModel;
  readonly shape: Geometry;
  readonly theme: BoardTheme;
}

function Definitions({ theme }: { theme: BoardTheme }) {
  const stone = (id: string, [light, middle, dark]: readonly string[]) => (
    <radialGradient id={id} cx="0.36" cy="0.3" r="0.78">
      <stop offset="0" stop-color={light!} />
      <stop offset="0.45" stop-color={middle!} />
      <stop offset="1" stop-color={dark!} />
    </radialGradient>
  );
  return (
    <defs>
      <linearGradient id="wood" x1="0" y1="0" x2="1" y2="1">
        <stop offset="0" stop-color={theme.wood[0]} />
        <stop offset="0.55" stop-color={theme.wood[1]} />
        <stop offset="1" stop-color={theme.wood[2]} />
      </linearGradient>
      {stone('black-stone', theme.blackStone)}
      {stone('white-stone', theme.whiteStone)}
    </defs>
  );
}

/** Lines of grain: the same on every board, waves of different length over the width. */
function Wood({ shape, theme }: { shape: Geometry; theme: BoardTheme }) {
  const grains = Array.from({ length: 22 }, (_, i) => {
    const y = ((i * 37) % 100) * 0.01 * shape.height;
    const sway = 5 + ((i * 13) % 9);
    const half = shape.width / 2;
    return (
      <path
        key={i}
        d={`M0 ${y.toFixed(1)}Q${(half / 2).toFixed(0)} ${(y - sway).toFixed(1)} ${half.toFixed(0)} ${y.toFixed(1)}T${shape.width} ${(y + (i % 3) * 4 - 4).toFixed(1)}`}
        stroke-width={0.7 + (i % 4) * 0.9}
        opacity={0.05 + (i % 3) * 0.03}
      />
    );
  });
  return (
    <g>
      <rect width={shape.width} height={shape.height} rx="8" fill="url(#wood)" />
      <g fill="none" stroke={theme.grain}>
        {grains}
      </g>
      <rect
        x="0.75"
        y="0.75"
        width={shape.width - 1.5}
        height={shape.height - 1.5}
        rx="7.5"
        fill="none"
        stroke={theme.edge}
        stroke-width="1.5"
      />
    </g>
  );
}

function Grid({ model, shape, theme }: LayerProps) {
  const { margin } = shape;
  const [right, bottom] = [shape.width - margin, shape.height - margin];
  let lines = '';
  for (let x = 1; x < shape.columns - 1; x += 1) lines += `M${margin + x * CELL} ${margin}V${bottom}`;
  for (let y = 1; y < shape.rows - 1; y += 1) lines += `M${margin} ${margin + y * CELL}H${right}`;
  return (
    <g stroke={theme.line} fill="none">
      <path d={lines} stroke-width="1.1" opacity="0.85" />
      <rect x={margin} y={margin} width={right - margin} height={bottom - margin} stroke-width="2" />
      <g fill={theme.line} stroke="none">
        {starPoints(model.width, model.height).map((p) => (
          <circle key={`${p.x},${p.y}`} {...place(p, shape)} r="3.6" />
        ))}
      </g>
    </g>
  );
}

function Coordinates({ model, shape, theme }: LayerProps) {
  const { margin, unturned } = shape;
  // A quarter turn puts the letters beside the rows.
  const isUpright = model.turn < 4;
  const name = (p: Point, isColumn: boolean) => (isColumn ? columnName(p.x) : String(model.height - p.y));
  const names = [];
  for (let x = 0; x < shape.columns; x += 1) {
    const cx = margin + x * CELL;
    const text = name(unturned({ x, y: 0 }), isUpright);
    names.push(
      <text key={`a${x}`} x={cx} y="19">{text}</text>,
      <text key={`b${x}`} x={cx} y={shape.height - 9}>{text}</text>,
    );
  }
  for (let y = 0; y < shape.rows; y += 1) {
    const cy = margin + y * CELL + 5;
    const text = name(unturned({ x: 0, y }), !isUpright);
    names.push(
      <text key={`l${y}`} x="13" y={cy}>{text}</text>,
      <text key={`r${y}`} x={shape.width - 13} y={cy}>{text}</text>,
    );
  }
  return (
    <g font-size="14" font-weight="500" fill={theme.label}>
      {names}
    </g>
  );
}

/** The area in which an opening rule allows the next stone: the rest of the board is shaded. */
function AreaLayer({ model, shape, theme }: LayerProps) {
  const { area } = model;
  if (!area) return null;
  const rest = pointsWith(model, EMPTY).filter((p) => !area.some((q) => samePoint(p, q)));
  let cells = '';
  for (const p of rest) {
    const { cx, cy } = place(p, shape);
    cells += `M${cx - CELL / 2} ${cy - CELL / 2}h${CELL}v${CELL}h-${CELL}z`;
  }
  return <path d={cells} fill="#000" opacity={theme.name === 'dark' ? 0.35 : 0.22} data-mark="outside" />;
}

function Stones({ model, shape, theme }: LayerProps) {
  const stones = [];
  const shadows = [];
  for (let i = 0; i < model.cells.length; i += 1) {
    const cell = model.cells[i];
    const p = { x: i % model.width, y: Math.floor(i / model.width) };
    const { cx, cy } = place(p, shape);
    if (cell === BLOCKED) {
      stones.push(
        <path
          key={i}
          d={`M${cx - 14} ${cy - 14}h28v28h-28z`}
          fill={theme.blocked}
          opacity="0.75"
          data-cell="blocked"
        />,
      );
    }
    if (cell !== BLACK && cell !== WHITE) continue;
    const number = model.numbers.get(i);
    const isLast = samePoint(p, model.last);
    const ink = cell === BLACK ? theme.onBlack : theme.onWhite;
    shadows.push(<circle key={i} cx={cx + 1.2} cy={cy + 2.6} r={STONE} />);
    stones.push(
      <g key={i} data-cell={cell === BLACK ? 'black' : 'white'}>
        <circle
          cx={cx}
          cy={cy}
          r={STONE}
          fill={cell === BLACK ? 'url(#black-stone)' : 'url(#white-stone)'}
          stroke={cell === BLACK ? theme.blackRim : theme.whiteRim}
          stroke-width="0.6"
        />
        {number !== undefined && (
          <text
            x={cx}
            y={cy + (number > 99 ? 5 : 5.8)}
            font-size={number > 99 ? 14 : 17}
            font-weight={isLast ? 700 : 500}
            fill={isLast ? (cell === BLACK ? '#ff8f7d' : '#c4200f') : ink}
          >
            {number}
          </text>
        )}
        {isLast && number === undefined && <circle cx={cx} cy={cy} r="5.2" fill={theme.accent} />}
      </g>,
    );
  }
  return (
    <g>
      <g fill="#000" opacity={theme.name === 'dark' ? 0.4 : 0.26}>
        {shadows}
      </g>
      {stones}
      {model.ghosts.map(({ point, color, number }) => {
        const { cx, cy } = place(point, shape);
        return (
          <g key={`g${point.x},${point.y}`} data-cell="ghost">
            <circle
              cx={cx}
              cy={cy}
              r={STONE}
              fill={color === BLACK ? 'url(#black-stone)' : 'url(#white-stone)'}
              opacity="0.72"
            />
            <text x={cx} y={cy + 6} font-size="17" font-weight="600" fill={color === BLACK ? theme.onBlack : theme.onWhite}>
              {number}
            </text>
          </g>
        );
      })}
    </g>
  );
}

function WinningLine({ model, shape, theme }: LayerProps) {
  return (
    <g fill="none" stroke={theme.win} stroke-width="3.2">
      {model.winning.map((p) => (
        <circle key={`${p.x},${p.y}`} {...place(p, shape)} r={STONE - 1.2} data-mark="win" />
      ))}
    </g>
  );
}

/** Sizes at which a text of so many letters fits on a cell; longer ones take the smallest. */
const TEXT_SIZES: Readonly<Record<number, number>> = { 1: 14, 2: 14, 3: 12.5 };

function Texts({ model, shape, theme }: LayerProps) {
  return (
    <g font-weight="700">
      {model.texts.map(({ point, text }) => {
        const { cx, cy } = place(point, shape);
        const cell = model.cells[point.y * model.width + point.x];
        const ink = cell === BLACK ? theme.onBlack : theme.onWhite;
        return (
          <g key={`${point.x},${point.y}`} data-mark="text">
            {cell !== BLACK && cell !== WHITE && <circle cx={cx} cy={cy} r="16" fill={theme.wood[1]} />}
            <text x={cx} y={cy + 5} font-size={TEXT_SIZES[text.length] ?? 10.5} fill={ink}>
              {text}
            </text>
          </g>
        );
      })}
    </g>
  );
}
