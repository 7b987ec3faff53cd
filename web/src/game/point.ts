/** A cell of the board: column and row, counted from 0 at the upper left, as the protocol counts. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** Smallest and largest length of a side. */
export const SIDES = { min: 5, max: 22 } as const;

/** The name that people use: a letter for the column, the row counted from 1 at the bottom. */
export function label(p: Point, height: number): string {
  return columnName(p.x) + String(height - p.y);
}

/** The letter of a column. */
export function columnName(x: number): string {
  return String.fromCharCode(97 + x);
}

/** Reads a name such as `h8`; `null` if the board has no such cell. */
export function parseLabel(text: string, width: number, height: number): Point | null {
  const found = /^([a-v])(\d{1,2})$/i.exec(text);
  if (!found) return null;
  const p = { x: found[1]!.toLowerCase().charCodeAt(0) - 97, y: height - Number(found[2]) };
  return isOnBoard(p, width, height) ? p : null;
}

/** The cells of names; names of no cell are left out. */
export function parseLabels(names: readonly string[], { width, height }: { width: number; height: number }): Point[] {
  return names.map((name) => parseLabel(name, width, height)).filter((p) => p !== null);
}

/** True if the point lies on a board of this size. */
export function isOnBoard(p: Point, width: number, height: number): boolean {
  return p.x >= 0 && p.y >= 0 && p.x < width && p.y < height;
}

/** True if two points are the same cell. */
export function samePoint(a: Point | null | undefined, b: Point | null | undefined): boolean {
  return !!a && !!b && a.x === b.x && a.y === b.y;
}

/** The centre; the cell after the middle where a side has even length. */
export function centre(width: number, height: number): Point {
  return { x: width >> 1, y: height >> 1 };
}
