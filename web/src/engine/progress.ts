import type { Point } from '../game/point';

/** A best line of a search, for the side that thinks. */
export interface SearchLine {
  /** From 0: the best one. */
  readonly index: number;
  readonly depth: number;
  readonly selDepth: number;
  readonly nodes: number;
  readonly timeMs: number;
  /** Nodes a second. */
  readonly speed: number;
  /** `143`, `+M15`, `-M12`. */
  readonly score: string;
  readonly winRate: number;
  readonly moves: readonly Point[];
}

/** Progress of a search with one move at the root. */
export interface RootMark {
  readonly kind: 'searching' | 'done' | 'lost' | 'best';
  readonly point: Point;
}

/** Lines that come before the answer of a search. */
export interface SearchEvents {
  onLine(line: SearchLine): void;
  onMark(mark: RootMark): void;
}

/** Reads `7,7`; `null` if it is something else. */
function parsePoint(text: string): Point | null {
  const found = /^(-?\d+),(-?\d+)$/.exec(text.trim());
  return found ? { x: Number(found[1]), y: Number(found[2]) } : null;
}

/** Reads `7,7 8,8`; what is no point is left out. */
export function parsePoints(text: string): Point[] {
  return text.split(/\s+/).map(parsePoint).filter((p): p is Point => p !== null);
}

const MARKS: Readonly<Record<string, RootMark['kind']>> = {
  POS: 'searching',
  DONE: 'done',
  LOST: 'lost',
  BEST: 'best',
};

/** Puts the lines of `show_detail 3` together. */
export class ProgressReader {
  private fields = new Map<string, string>();
  private index = 0;

  constructor(private readonly events: SearchEvents) {}

  /** Takes a line; whether it was one of a search's progress. */
  read(text: string): boolean {
    if (text.startsWith('INFO ')) {
      this.info(text.slice(5));
      return true;
    }
    if (text.startsWith('MESSAGE REALTIME ')) {
      const [word = '', value = ''] = text.slice(17).split(' ');
      const kind = MARKS[word];
      const point = parsePoint(value);
      if (kind && point) this.events.onMark({ kind, point });
      return true;
    }
    return text.startsWith('MESSAGE depth ');
  }

  private info(text: string): void {
    const space = text.indexOf(' ');
    const [key, value] = [text.slice(0, space), text.slice(space + 1)];
    if (key === 'PV' && value !== 'DONE') {
      this.index = Number(value);
      this.fields.clear();
    } else if (key === 'PV') {
      this.events.onLine(this.line());
    } else this.fields.set(key, value);
  }

  private line(): SearchLine {
    const number = (key: string) => Number(this.fields.get(key) ?? 0);
    return {
      index: this.index,
      depth: number('DEPTH'),
      selDepth: number('SELDEPTH'),
      nodes: number('TOTALNODES') || number('NODES'),
      timeMs: number('TOTALTIME'),
      speed: number('SPEED'),
      score: this.fields.get('EVAL') ?? '0',
      winRate: number('WINRATE'),
      moves: parsePoints(this.fields.get('BESTLINE') ?? ''),
    };
  }
}
