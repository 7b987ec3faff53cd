import type { Point } from '../game/point';

/** The database's record of a move from the position shown. */
export interface DatabaseMove {
  readonly point: Point;
  /** Up to four characters: `W12`, `L`, `X`; empty without one. */
  readonly label: string;
  readonly value: number;
  readonly depth: number;
  readonly hasComment: boolean;
  /** The text on the cell. */
  readonly text: string;
}

/** A label is up to four characters in a number, the first in the highest byte. */
export function labelText(code: number): string {
  if (code <= 0) return '';
  const bytes = [24, 16, 8, 0].map((shift) => (code >>> shift) & 255).filter((byte) => byte > 0);
  return String.fromCharCode(...bytes);
}

/** `"a\nb"` as it is printed: quotes and escapes are taken away. */
export function unquote(text: string): string {
  const inner = text.replace(/^"|"$/g, '');
  return inner.replace(/\\(.)/g, (_, c: string) => ({ n: '\n', r: '\r', t: '\t' })[c] ?? c);
}

/** The form in which the protocol takes a comment. */
export function quote(text: string): string {
  const escapes: Record<string, string> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };
  return `"${text.replace(/["\\]/g, '\\$&').replace(/[\n\r\t]/g, (c) => escapes[c]!)}"`;
}

/** Reads a line `MESSAGE DATABASE x y label value depth bound comment text`. */
export function parseDatabaseMove(line: string): DatabaseMove | null {
  const found = /^MESSAGE DATABASE (\d+) (\d+) (-?\d+) (-?\d+) (-?\d+) (\d) (\d) ?(.*)$/.exec(line);
  if (!found) return null;
  const number = (i: number) => Number(found[i]);
  return {
    point: { x: number(1), y: number(2) },
    label: labelText(number(3)),
    value: number(4),
    depth: number(5),
    hasComment: number(7) === 1,
    text: unquote(found[8] ?? ''),
  };
}
