import type { LayerProps } from './BoardView';
import { place } from './geometry';
import type { SignMark } from './model';
import { BLACK } from '../game/rules';
import type { BoardTheme } from './theme';

/** Colour of a candidate by its loss, 0 to 1: from blue for the best move to red for a bad one. */
function candidateColor(loss: number, isBest: boolean): string {
  if (isBest) return '#0b6bcb';
  if (loss < 0.03) return '#1c7c4a';
  if (loss < 0.1) return '#6d7a1b';
  if (loss < 0.25) return '#b06a12';
  return '#a83226';
}

/** Sizes at which a text of so many letters fits into a candidate; longer ones take the smallest. */
const TEXT_SIZES: Readonly<Record<number, number>> = { 1: 15, 2: 15, 3: 13 };

/** The candidates of a search, each with its win rate and depth. */
export function CandidateLayer({ model, shape }: LayerProps) {
  return (
    <g>
      {model.candidates.map(({ point, text, detail, loss, isBest }) => {
        const { cx, cy } = place(point, shape);
        return (
          <g key={`${point.x},${point.y}`} data-mark="candidate">
            <circle
              cx={cx}
              cy={cy}
              r="18.4"
              fill={candidateColor(loss, isBest)}
              stroke="#fff"
              stroke-opacity={isBest ? 0.95 : 0.4}
              stroke-width={isBest ? 2.2 : 1}
            />
            <text x={cx} y={cy + 2} font-size={TEXT_SIZES[text.length] ?? 11} font-weight="700" fill="#fff">
              {text}
            </text>
            <text x={cx} y={cy + 13} font-size="9.5" fill="#fff" opacity="0.9">
              {detail}
            </text>
          </g>
        );
      })}
    </g>
  );
}

const UNDER: readonly SignMark['kind'][] = ['branch', 'searched', 'three', 'four', 'straight-four', 'five'];

/** Signs on cells; those `under` the stones and candidates are drawn before them. */
export function SignLayer({ model, shape, theme, under = false }: LayerProps & { under?: boolean }) {
  return (
    <g fill="none">
      {model.signs
        .filter((sign) => UNDER.includes(sign.kind) === under)
        .map((sign) => {
          const { cx, cy } = place(sign.point, shape);
          const key = `${sign.kind}${sign.color ?? ''}${sign.point.x},${sign.point.y}`;
          return (
            <g key={key} transform={`translate(${cx} ${cy})`} data-mark={sign.kind}>
              <Sign sign={sign} theme={theme} />
            </g>
          );
        })}
    </g>
  );
}

function Sign({ sign, theme }: { sign: SignMark; theme: BoardTheme }) {
  switch (sign.kind) {
    case 'forbidden':
      return <path d="M-9-9 9 9M9-9-9 9" stroke={theme.forbidden} stroke-width="3.6" stroke-linecap="round" />;
    case 'foul':
      return <path d="M-8-8 8 8M8-8-8 8" stroke={theme.accent} stroke-width="3.6" stroke-linecap="round" />;
    case 'lost':
      return <path d="M-5-5 5 5M5-5-5 5" stroke={theme.line} stroke-width="2.4" opacity="0.8" />;
    case 'searching':
      return <circle r="7" stroke={theme.accent} stroke-width="2.4" fill={theme.accent} fill-opacity="0.25" />;
    case 'searched':
      return <circle r="2.8" fill={theme.accent} opacity="0.6" />;
    case 'offered':
      return <circle r="12" stroke={theme.accent} stroke-width="3" fill={theme.onWhite} fill-opacity="0.25" />;
    case 'branch':
      return <circle r="13" stroke={theme.line} stroke-width="1.6" stroke-dasharray="3 3" />;
    case 'better':
      return <circle r="15.5" stroke={theme.better} stroke-width="3.2" fill={theme.better} fill-opacity="0.18" />;
    case 'inaccuracy':
      return <Badge text="?!" color="#a06a00" />;
    case 'mistake':
      return <Badge text="?" color="#b8500a" />;
    case 'blunder':
      return <Badge text="??" color="#b3241a" />;
    default:
      return <ThreatSign sign={sign} theme={theme} />;
  }
}

function Badge({ text, color }: { text: string; color: string }) {
  return (
    <g transform="translate(15 -15)">
      <circle r="10" fill={color} stroke="#fff" stroke-width="1.2" />
      <text y="4.6" font-size="13" font-weight="700" fill="#fff">
        {text}
      </text>
    </g>
  );
}

const SIZES: Partial<Record<SignMark['kind'], number>> = { five: 13, 'straight-four': 11, four: 9, three: 6 };

/** A square for Black's threats, a diamond for White's; the larger, the stronger. */
function ThreatSign({ sign, theme }: { sign: SignMark; theme: BoardTheme }) {
  const size = SIZES[sign.kind] ?? 6;
  const isBlack = sign.color === BLACK;
  const path = isBlack
    ? `M${-size} ${-size}H${size}V${size}H${-size}Z`
    : `M0 ${-size * 1.35}L${size * 1.35} 0 0 ${size * 1.35} ${-size * 1.35} 0Z`;
  return (
    <path
      d={path}
      fill={isBlack ? '#111' : '#fff'}
      fill-opacity={sign.kind === 'three' ? 0.3 : 0.55}
      stroke={sign.kind === 'five' ? theme.win : isBlack ? '#111' : '#fff'}
      stroke-width="1.6"
    />
  );
}
