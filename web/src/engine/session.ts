import type { Position } from '../game/position';
import { RULE_CODES, BLACK } from '../game/rules';
import { block, boardEntries, startLine } from './commands';
import type { CloseReason, Engine } from './engine';
import type { SearchEvents } from './progress';
import { ProgressReader } from './progress';

/** A request was given up before its answer counted. */
export class Aborted extends Error {}

/** The engine refused a request; the message is its own. */
export class Refused extends Error {}

/** The end of a request: an answer, or the engine's refusal. */
export type Outcome<T> = { readonly answer: T } | { readonly refusal: string };

/** Settings of the engine that hold for every board: the names of `INFO` and their values. */
export type Resources = () => readonly (readonly [key: string, value: number])[];

interface Request<T> {
  /** Done just before `lines` are sent. */
  readonly before?: () => void;
  /** Lines sent when the requests before are answered. */
  readonly lines: readonly string[];
  /** Takes a line; the outcome once it is known. */
  readonly collect: (line: string) => Outcome<T> | null;
  /** Sent to end the request early; without it the request is quick and is waited for. */
  readonly stop?: string;
  readonly signal?: AbortSignal | undefined;
}

interface Pending extends Request<unknown> {
  readonly resolve: (answer: unknown) => void;
  readonly reject: (error: Error) => void;
}

/**
 * One session of the protocol. Every request gets exactly one answer and they come in order, so a
 * request is sent when the one before it is answered; an aborted search is stopped and its answer
 * dropped.
 */
export class EngineSession {
  private readonly queue: Pending[] = [];
  private active: Pending | null = null;
  private lastStart = '';
  private sent = new Map<string, string>();
  /** Answers to `START` that are still to come. */
  private startsUnderWay = 0;

  constructor(
    readonly engine: Engine,
    /** Looked at before each request on a board, since only then the engine is at rest. */
    private readonly resources: Resources = () => [],
  ) {
    engine.onLine((line) => this.receive(line));
  }

  /** Called once, when the engine is gone; every request is given up before. */
  onClose(callback: (reason: CloseReason) => void): void {
    this.engine.onClose((reason) => {
      const waiting = [...(this.active ? [this.active] : []), ...this.queue.splice(0)];
      this.active = null;
      for (const pending of waiting) pending.reject(new Aborted());
      callback(reason);
    });
  }

  /** Sends a setting if its value has changed. */
  set(key: string, value: number | string): void {
    const text = String(value);
    if (this.sent.get(key) === text) return;
    this.sent.set(key, text);
    this.engine.send(`INFO ${key} ${text}`);
  }

  /** Lines that bring the engine to its resources, and to the size and rule of a position. */
  private prepare(position: Position): void {
    for (const [key, value] of this.resources()) this.set(key, value);
    const start = startLine(position);
    if (start !== this.lastStart) {
      this.lastStart = start;
      this.engine.send(start);
      this.startsUnderWay += 1;
    }
    this.set('rule', RULE_CODES[position.rule]);
    this.set('black_to_move', position.toMove === BLACK ? 1 : 0);
  }

  /** A search: `command` with the position's stones in front of it, or in its block. */
  search(
    position: Position,
    command: string,
    limits: SearchLimits,
    events: SearchEvents,
    signal?: AbortSignal,
  ): Promise<string> {
    const reader = new ProgressReader(events);
    const entries = boardEntries(position);
    const lines =
      command === 'BOARD' ? [block('BOARD', entries)] : [block('YXBOARD', entries), command];
    return this.request({
      lines,
      before: () => {
        this.prepare(position);
        this.setLimits(limits);
      },
      collect: (line) => {
        if (signal?.aborted !== true && reader.read(line)) return null;
        return /^(-?\d+,-?\d+|SWAP)/.test(line) ? { answer: line } : refusalOf(line);
      },
      stop: 'YXSTOP',
      signal,
    });
  }

  /**
   * Any other command on a board of the position's size and rule: `collect` says what counts. It sees
   * the lines of an aborted request too, to know where they end.
   */
  ask<T>(
    position: Position,
    lines: readonly string[],
    collect: (line: string) => { answer: T } | null,
    options: { limits?: SearchLimits; stop?: string; signal?: AbortSignal } = {},
  ): Promise<T> {
    return this.request({
      before: () => {
        this.prepare(position);
        if (options.limits) this.setLimits(options.limits);
      },
      lines,
      collect: (line) => collect(line) ?? refusalOf(line),
      ...(options.stop ? { stop: options.stop } : {}),
      signal: options.signal,
    });
  }

  /** Sends a command answered only by a refusal: the answer to `ABOUT` behind the command ends the request. */
  tell(position: Position, line: string): Promise<null> {
    let refusal: Outcome<null> | null = null;
    return this.request({
      before: () => this.prepare(position),
      lines: [line, 'ABOUT'],
      collect: (text) => {
        refusal ??= refusalOf(text);
        return text.startsWith('name=') ? (refusal ?? { answer: null }) : null;
      },
    });
  }

  /** A question that has nothing to do with a board. */
  askAnywhere<T>(lines: readonly string[], collect: (line: string) => { answer: T } | null): Promise<T> {
    return this.request({ lines, collect });
  }

  /** Ends the search that runs, if one does; its answer still counts. */
  stop(): void {
    if (this.active?.stop) this.engine.send(this.active.stop);
  }

  private setLimits(limits: SearchLimits): void {
    this.set('timeout_turn', limits.turnMs ?? -1);
    this.set('timeout_match', limits.matchMs ?? 0);
    if (limits.leftMs !== undefined) {
      this.sent.delete('time_left');
      this.set('time_left', limits.leftMs);
    } else this.set('time_left', 2147483647);
    this.set('time_increment', limits.incrementMs ?? 0);
    this.set('max_depth', limits.depth ?? 0);
    this.set('max_node', limits.nodes ?? 0);
    this.set('strength', limits.strength ?? 100);
  }

  private request<T>(request: Request<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const pending: Pending = {
        ...request,
        resolve: resolve as (answer: unknown) => void,
        reject,
      };
      request.signal?.addEventListener('abort', () => this.abort(pending), { once: true });
      if (request.signal?.aborted) reject(new Aborted());
      else {
        this.queue.push(pending);
        this.next();
      }
    });
  }

  private next(): void {
    if (this.active) return;
    const pending = this.queue.shift();
    if (!pending) return;
    this.active = pending;
    pending.before?.();
    for (const line of pending.lines) this.engine.send(line);
  }

  private abort(pending: Pending): void {
    const at = this.queue.indexOf(pending);
    if (at >= 0) this.queue.splice(at, 1);
    else if (this.active === pending && pending.stop) this.engine.send(pending.stop);
    pending.reject(new Aborted());
  }

  private receive(line: string): void {
    if (line === 'OK' && this.startsUnderWay > 0) {
      this.startsUnderWay -= 1;
      return;
    }
    const found = this.active?.collect(line);
    if (!found) return;
    const done = this.active!;
    this.active = null;
    if ('answer' in found) done.resolve(found.answer);
    else done.reject(new Refused(found.refusal));
    this.next();
  }
}

/** Limits of a search; an absent one does not limit the search. */
export interface SearchLimits {
  readonly turnMs?: number | undefined;
  readonly matchMs?: number | undefined;
  readonly leftMs?: number | undefined;
  readonly incrementMs?: number | undefined;
  readonly depth?: number | undefined;
  readonly nodes?: number | undefined;
  /** 0 to 100, the full strength. */
  readonly strength?: number | undefined;
}

/** The engine's refusal, `null` for any other line. */
function refusalOf(line: string): { refusal: string } | null {
  return /^(ERROR|UNKNOWN)/.test(line) ? { refusal: line.replace(/^ERROR\s*/, '') } : null;
}
