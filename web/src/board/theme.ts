/** Colours of the board. They stand in attributes, so that a picture of the board needs no style sheet. */
export interface BoardTheme {
  readonly name: 'light' | 'dark';
  readonly wood: readonly [string, string, string];
  readonly grain: string;
  readonly edge: string;
  readonly line: string;
  readonly label: string;
  readonly blackStone: readonly [string, string, string];
  readonly whiteStone: readonly [string, string, string];
  readonly blackRim: string;
  readonly whiteRim: string;
  readonly onBlack: string;
  readonly onWhite: string;
  readonly accent: string;
  readonly win: string;
  readonly better: string;
  readonly forbidden: string;
  readonly blocked: string;
}

const LIGHT: BoardTheme = {
  name: 'light',
  wood: ['#f0cf94', '#e6bd78', '#dcae66'],
  grain: '#a8712c',
  edge: '#b98a45',
  line: '#5d431f',
  label: '#6b4d22',
  blackStone: ['#6d7076', '#2b2d31', '#0c0d0f'],
  whiteStone: ['#ffffff', '#f4f2ec', '#cfcabd'],
  blackRim: '#000000',
  whiteRim: '#9a927f',
  onBlack: '#f5f2ea',
  onWhite: '#26231d',
  accent: '#c8321f',
  win: '#d62d20',
  better: '#1c7c4a',
  forbidden: '#b3241a',
  blocked: '#7a5a2c',
};

const DARK: BoardTheme = {
  ...LIGHT,
  name: 'dark',
  wood: ['#a67d4c', '#96703f', '#85602f'],
  grain: '#4d3212',
  edge: '#5f4420',
  line: '#2a1c0b',
  label: '#2e1f0d',
  blackStone: ['#55585e', '#1c1e21', '#050506'],
  whiteStone: ['#fbfaf6', '#e4e0d6', '#b5ae9e'],
  whiteRim: '#6d6554',
  accent: '#ff5b45',
  win: '#ff4b35',
  better: '#3fd68a',
  forbidden: '#7d0d08',
  blocked: '#4b3414',
};

/** The colours for a light or a dark page. */
export function boardTheme(isDark: boolean): BoardTheme {
  return isDark ? DARK : LIGHT;
}

/**
 * The same with wood of one colour: a gradient over the whole board takes most of a PNG file, and becomes
 * bands in the 256 colours of a GIF.
 */
export function withPlainWood(theme: BoardTheme): BoardTheme {
  const wood = theme.wood[1];
  return { ...theme, wood: [wood, wood, wood] };
}
