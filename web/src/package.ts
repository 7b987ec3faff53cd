/**
 * Tengen, a Gomoku and Renju engine, for Node and browsers.
 *
 * Points are a letter for the column and a number for the row, counted from the bottom: `a1` is the bottom
 * left. Moves alternate, Black first.
 */
import WebWorker from 'web-worker';
import { block, boardEntries } from './engine/commands';
import type { CloseReason } from './engine/engine';
import type { SearchLine } from './engine/progress';
import type { SearchLimits } from './engine/session';
import { Aborted, EngineSession, Refused } from './engine/session';
import { SIDES, label, parseLabel } from './game/point';
import type { Position } from './game/position';
import type { Color } from './game/rules';
import { BLACK, RULE_CODES, WHITE } from './game/rules';
import { FLAGS_BYTES, MOST_THREADS, memoryFor, sharedMemory } from './site/memory';
import { fetchNetworks } from './site/networks';
import { PROGRAMS } from './site/programs';
import { WasmEngine } from './site/wasm-engine';

/** Five or more in a row win; exactly five; renju; caro by Gomocup's codes 8 and 9. */
export type Rule = 'freestyle' | 'standard' | 'renju' | 'caro' | 'caro9';

/** Settings of an engine, for all its life. */
export interface Settings {
  /** Default: `freestyle`. */
  readonly rule?: Rule;
  /** Length of a side, 5 to 22, or columns and rows; default 15. */
  readonly size?: number | readonly [columns: number, rows: number];
  /** Search threads, 1 to 12, as many as one asks for; default 1. A page that is not isolated has one. */
  readonly threads?: number;
  /** Size of the transposition table in MiB, up to 512; default 64. */
  readonly hashMib?: number;
}

/** Limits of a search; without one it takes a second. */
export interface Limits {
  /** Seconds. */
  readonly seconds?: number;
  /** Positions to search. */
  readonly nodes?: number;
  /** Plies. */
  readonly depth?: number;
  /** Ends the search; the promise is rejected with an `AbortError`. */
  readonly signal?: AbortSignal;
}

/** One of the best lines of a position. */
export interface Line {
  /** The first move. */
  readonly move: string;
  /** All moves. The line of a proved win goes down to the five, or to a four that nothing stops. */
  readonly moves: readonly string[];
  /** Value for the side to move, about 100 for a clear advantage; `+M15` wins in 15 plies, `-M12` loses in 12. */
  readonly score: string;
  /** Expected points of the side to move, 0 to 1. */
  readonly winRate: number;
  /** Completed depth in plies. */
  readonly depth: number;
  /** Positions searched. */
  readonly nodes: number;
}

/** The engine refused a request; its words are the message. */
export class EngineError extends Error {
  override readonly name = 'EngineError';
}

/** Sizes of the table in MiB. */
const HASH_MIB = { usual: 64, most: 512 };

/**
 * An engine with a board of one size and rule, in a worker of its own. What it learned lasts from call to
 * call; calls are carried out one after the other.
 */
export class Engine {
  /** Why no request is answered any more. */
  private ended: CloseReason | null = null;

  private constructor(
    private readonly program: WasmEngine,
    private readonly session: EngineSession,
    private readonly board: Pick<Position, 'rule' | 'width' | 'height'>,
  ) {
    session.onClose((reason) => (this.ended = reason));
  }

  /**
   * Loads the engine.
   *
   * Fails with a `RangeError` for a rule, size or number that there is not, and with an `EngineError` where
   * the program cannot be loaded.
   */
  static async open(settings: Settings = {}): Promise<Engine> {
    const { rule = 'freestyle', size = 15, threads = 1, hashMib = HASH_MIB.usual } = settings;
    const [width, height] = typeof size === 'number' ? [size, size] : size;
    if (!Object.hasOwn(RULE_CODES, rule)) throw new RangeError(`${rule} is no rule`);
    for (const side of [width, height]) checkRange('size', side, SIDES.min, SIDES.max);
    checkRange('threads', threads, 1, MOST_THREADS);
    checkRange('hashMib', hashMib, 1, HASH_MIB.most);
    // Threads need shared memory, and only an isolated page has some.
    const shared = typeof SharedArrayBuffer === 'undefined' ? null : sharedMemory();
    const module = await loadProgram(shared ? 'threads' : 'single').catch((error: unknown) => {
      throw new EngineError(`the program cannot be loaded: ${String(error)}`);
    });
    const engine = new WasmEngine({
      program: Promise.resolve({
        module,
        shared: shared && { memory: shared.memory, flags: new SharedArrayBuffer(FLAGS_BYTES) },
      }),
      networks: (needed) => fetchNetworks(needed, () => undefined, get),
      onBadNetwork: () => undefined,
      maxThreads: shared ? MOST_THREADS : 1,
      memoryMib: memoryFor(shared),
      Worker: WebWorker,
    });
    const session = new EngineSession(engine, () => [
      ['thread_num', threads],
      ['hash_size', hashMib * 1024],
      ['show_detail', 2],
    ]);
    return new Engine(engine, session, { rule, width, height });
  }

  /**
   * The engine's move after `moves`. `strength` is 0 (a beginner) to 100.
   *
   * A game that is over is not noticed. Fails with a `RangeError` for moves and numbers that there are not,
   * and an `EngineError` where no cell is free.
   */
  async bestMove(moves: readonly string[] = [], options: Limits & { readonly strength?: number } = {}): Promise<string> {
    const { strength = 100 } = options;
    checkRange('strength', strength, 0, 100);
    const limits = { ...limitsOf(options), strength };
    return this.search(moves, 'BOARD', limits, () => undefined, options.signal);
  }

  /**
   * The best `count` moves after `moves`, best first, at full strength. `onLine` gets each line as it is
   * found. Fails as `bestMove` does, and with an `EngineError` where the limits end the search before its
   * first depth.
   */
  async analyse(
    moves: readonly string[] = [],
    options: Limits & { readonly count?: number; readonly onLine?: (line: Line, index: number) => void } = {},
  ): Promise<Line[]> {
    const { count = 1 } = options;
    checkRange('count', count, 1, SIDES.max ** 2);
    const found: Line[] = [];
    const take = (line: SearchLine) => {
      const names = line.moves.map((p) => label(p, this.board.height));
      const { score, winRate, depth, nodes } = line;
      found[line.index] = { move: names[0] ?? '', moves: names, score, winRate, depth, nodes };
      options.onLine?.(found[line.index]!, line.index);
    };
    await this.search(moves, `YXNBEST ${count}`, limitsOf(options), take, options.signal);
    if (found.length === 0) throw new EngineError('the limits ended the search before its first depth');
    return found;
  }

  /** The points that the side to move must not play after `moves`: Black's in renju. Fails as `bestMove` does. */
  async forbidden(moves: readonly string[] = []): Promise<string[]> {
    const position = this.position(moves);
    const lines = [block('YXBOARD', boardEntries(position)), 'YXSHOWFORBID'];
    const digits = await this.ask(() =>
      this.session.ask(position, lines, (line) => (line.startsWith('FORBID') ? { answer: line } : null)),
    );
    return [...digits.matchAll(/(\d\d)(\d\d)/g)].map(([, x, y]) =>
      label({ x: Number(x), y: Number(y) }, this.board.height),
    );
  }

  /** The games of a file in any format that Tengen reads, as SGF; `name` is the file's. */
  async toSgf(bytes: Uint8Array, name = ''): Promise<string> {
    if (this.ended) throw new EngineError('the engine is closed');
    return this.program.convert(bytes.slice().buffer, name).catch((error: Error) => {
      throw new EngineError(error.message);
    });
  }

  /** Ends the engine. Calls that wait are rejected. */
  close(): void {
    this.program.close();
  }

  private async search(
    moves: readonly string[],
    command: string,
    limits: SearchLimits,
    onLine: (line: SearchLine) => void,
    signal: AbortSignal | undefined,
  ): Promise<string> {
    const events = { onLine, onMark: () => undefined };
    const position = this.position(moves);
    const answer = await this.ask(() => this.session.search(position, command, limits, events, signal));
    const [x = 0, y = 0] = answer.split(',').map(Number);
    return label({ x, y }, this.board.height);
  }

  /** The answer of a request, its failures as the errors of this package. */
  private async ask<T>(request: () => Promise<T>): Promise<T> {
    try {
      if (this.ended) throw new Aborted();
      return await request();
    } catch (error) {
      if (error instanceof Refused) throw new EngineError(error.message);
      if (!(error instanceof Aborted)) throw error;
      if (this.ended === 'broken') throw new EngineError('the program has failed');
      throw new DOMException(this.ended ? 'the engine is closed' : 'the search was given up', 'AbortError');
    }
  }

  private position(moves: readonly string[]): Position {
    if (!Array.isArray(moves)) throw new TypeError('moves are a list, such as ["h8", "i9"]');
    const { width, height } = this.board;
    const cells = new Uint8Array(width * height);
    const played = moves.map((name, number) => {
      const point = parseLabel(name, width, height);
      if (!point) throw new RangeError(`move ${number + 1}: ${name} is no point of a board of ${width}x${height}`);
      const at = point.y * width + point.x;
      if (cells[at]) throw new RangeError(`move ${number + 1}: ${name} is taken`);
      const color: Color = number % 2 === 0 ? BLACK : WHITE;
      cells[at] = color;
      return { color, point };
    });
    const toMove = played.length % 2 === 0 ? BLACK : WHITE;
    const last = played.at(-1)?.point ?? null;
    return { ...this.board, cells, moves: played, hasSetup: false, toMove, last, ending: null };
  }
}

function limitsOf({ seconds, nodes, depth }: Limits): SearchLimits {
  if (seconds !== undefined && !(seconds >= 0 && seconds <= 1e9)) throw new RangeError(`seconds is ${seconds}: 0 to 1e9`);
  if (nodes !== undefined) checkRange('nodes', nodes, 1, 1e9);
  if (depth !== undefined) checkRange('depth', depth, 1, 1e9);
  const isFree = seconds === undefined && nodes === undefined && depth === undefined;
  const turnMs = isFree ? 1000 : seconds === undefined ? undefined : Math.round(seconds * 1000);
  return { turnMs, nodes, depth };
}

function checkRange(name: string, value: number, min: number, max: number): void {
  if (!Number.isInteger(value) || value < min || value > max) {
    throw new RangeError(`${name} is ${value}: ${min} to ${max}`);
  }
}

async function loadProgram(name: 'single' | 'threads'): Promise<WebAssembly.Module> {
  const answer = await get(PROGRAMS[name]!);
  return WebAssembly.compile(await answer.arrayBuffer());
}

/** `fetch`, which in Node reads no files. */
async function get(url: Parameters<typeof fetch>[0]): Promise<Response> {
  if (!String(url).startsWith('file:')) return fetch(url);
  // A variable hides the module from bundlers for browsers.
  const files: string = 'node:fs/promises';
  const { readFile } = (await import(/* @vite-ignore */ files)) as { readFile(file: URL): Promise<BodyInit> };
  return new Response(await readFile(new URL(String(url))));
}
