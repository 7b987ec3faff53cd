import type { CloseReason, Engine } from '../engine/engine';
import { Refused } from '../engine/session';
import { RULE_CODES } from '../game/rules';
import type { Rule } from '../game/rules';
import type { FromWorker, Program, StopSign, ToWorker } from './messages';

/** Lines that let a running search go on, and begin no search. */
const QUIET_LINES = /^(INFO|ABOUT)\b/;
/** Lines that need no network: the engine takes a position, stops or answers a question. */
const NO_SEARCH = /^(INFO|ABOUT|START|RECTSTART|RESTART|STOP|TENGENSOLVE|YX(BOARD|STOP|SHOW\w+|QUERY\w+))\b/;
const STOP_LINE = /^(YX)?STOP\b/;
const NAMES = new Map(Object.entries(RULE_CODES).map(([rule, code]) => [String(code), rule as Rule]));

/** The parts of an engine in a worker. */
export interface EngineParts {
  /** The compiled program, once it is there. */
  readonly program: Promise<Program>;
  /** Fetches the networks of a rule; never fails, but may give none. */
  readonly networks: (rule: Rule) => Promise<ArrayBuffer[]>;
  /** Called when the engine cannot use what was fetched for a rule. */
  readonly onBadNetwork: (rule: Rule) => void;
  /** Most search threads. */
  readonly maxThreads: number;
  /** Most memory of the engine in MiB. */
  readonly memoryMib: number;
  /** The maker of workers, if not the browser's own. */
  readonly Worker?: WorkerClass;
}

type WorkerClass = new (url: URL, options: { type: 'module' }) => Worker;

/**
 * The engine in a worker of this page, and its further threads in others. Lines wait here for what they
 * need: the program, threads that were granted but are not there yet, and the network of a search.
 */
export class WasmEngine implements Engine {
  private readonly worker: Worker;
  private readonly helpers: Worker[] = [];
  /** Lines that wait for the first of them; nothing overtakes. */
  private readonly waiting: string[] = [];
  /** Lines that came before the program. */
  private readonly early: ToWorker[] = [];
  /** The conversions that were asked for, by their numbers; a promise that is settled stays so. */
  private readonly conversions: { resolve: (text: string) => void; reject: (why: Error) => void }[] = [];
  private program: Program | null = null;
  private lineCallback: (line: string) => void = () => undefined;
  private closeCallback: (reason: CloseReason) => void = () => undefined;
  private isClosed = false;
  /** Threads that may still be on their way. */
  private expectedHelpers = 0;
  private sentLines = 0;
  private stopUrl = '';
  private rule: Rule = 'freestyle';
  /** The rules whose networks the engine has. */
  private readonly provided = new Set<Rule>();
  private readonly requested = new Set<Rule>();

  constructor(private readonly parts: EngineParts) {
    this.worker = newWorker(parts.Worker);
    this.listenTo(this.worker);
    parts.program.then(
      (program) => this.begin(program),
      () => this.close('broken'),
    );
  }

  send(line: string): void {
    if (this.isClosed) return;
    this.waiting.push(line);
    this.flush();
  }

  onLine(callback: (line: string) => void): void {
    this.lineCallback = callback;
  }

  onClose(callback: (reason: CloseReason) => void): void {
    this.closeCallback = callback;
    if (this.isClosed) callback('broken');
  }

  convert(bytes: ArrayBuffer, name: string): Promise<string> {
    // Nobody else ends what it thinks in the user's time, and until then the worker hears nothing.
    this.send('YXSTOP');
    return new Promise((resolve, reject) => {
      const id = this.conversions.push({ resolve, reject }) - 1;
      this.post({ kind: 'convert', id, bytes, name });
    });
  }

  /** Fetches the network of a rule before a search needs it. */
  preload(rule: Rule): void {
    if (this.isClosed || this.requested.has(rule)) return;
    this.requested.add(rule);
    void this.parts.networks(rule).then((files) => {
      for (const bytes of files) this.post({ kind: 'network', rule, bytes });
      if (files.length > 0) {
        this.provided.add(rule);
        return this.flush();
      }
      this.requested.delete(rule);
      if (rule !== this.rule) return;
      // Waiting searches go on without the network; the next search fetches the network again.
      this.provided.add(rule);
      this.flush();
      this.provided.delete(rule);
    });
  }

  private begin(program: Program): void {
    this.program = program;
    const { maxThreads, memoryMib } = this.parts;
    this.post({ kind: 'begin', program, threads: program.shared ? maxThreads : 1, memoryMib });
    for (const message of this.early.splice(0)) this.post(message);
    this.flush();
  }

  /** Sends the lines that have what they need. */
  private flush(): void {
    while (this.program && this.expectedHelpers === 0) {
      const line = this.waiting[0];
      if (line === undefined || !this.isReadyFor(line)) return;
      this.waiting.shift();
      this.post({ kind: 'line', text: line, stop: this.stopSign(line) });
    }
  }

  private isReadyFor(line: string): boolean {
    const [, key, value = ''] = /^INFO (\w+) (\S+)/.exec(line) ?? [];
    if (key === 'rule') this.rule = NAMES.get(value) ?? this.rule;
    if (key === 'thread_num') {
      this.growTo(Math.min(Number(value), this.parts.maxThreads) - 1);
      return this.expectedHelpers === 0;
    }
    if (NO_SEARCH.test(line) || this.provided.has(this.rule)) return true;
    // Whoever stops a search does not want to wait for its network.
    if (this.waiting.some((later) => STOP_LINE.test(later))) return true;
    this.preload(this.rule);
    return false;
  }

  /** Lets the engine have so many threads besides its first. */
  private growTo(count: number): void {
    const program = this.program!;
    while (program.shared && this.helpers.length < count) {
      const helper = newWorker(this.parts.Worker);
      this.listenTo(helper);
      helper.postMessage({ kind: 'lend', program } satisfies ToWorker);
      this.helpers.push(helper);
      this.expectedHelpers += 1;
    }
  }

  /** Stops the search of the lines before, unless it may go on; the sign by which later lines will. */
  private stopSign(line: string): StopSign {
    this.sentLines += 1;
    const shared = this.program!.shared;
    const goesOn = QUIET_LINES.test(line);
    if (shared) {
      if (!goesOn) Atomics.store(new Int32Array(shared.flags), 0, this.sentLines);
      return this.sentLines;
    }
    if (!goesOn || this.stopUrl === '') {
      URL.revokeObjectURL(this.stopUrl);
      this.stopUrl = URL.createObjectURL(new Blob());
    }
    return this.stopUrl;
  }

  private listenTo(worker: Worker): void {
    worker.onmessage = (event: MessageEvent<FromWorker>) => this.receive(event.data);
    worker.onerror = () => this.close('broken');
  }

  private receive(message: FromWorker): void {
    switch (message.kind) {
      case 'line':
        return this.lineCallback(message.text);
      case 'lent':
        this.expectedHelpers -= 1;
        return this.flush();
      case 'bad-network':
        // It is tried again with the next search.
        this.provided.delete(message.rule);
        this.requested.delete(message.rule);
        return this.parts.onBadNetwork(message.rule);
      case 'converted': {
        const conversion = this.conversions[message.id];
        if (message.isGood) conversion?.resolve(message.text);
        else conversion?.reject(new Refused(message.text));
        return;
      }
      case 'fault':
        console.error(message.text);
        return this.close('broken');
    }
  }

  private post(message: ToWorker): void {
    if (this.isClosed) return;
    if (this.program) this.worker.postMessage(message);
    else this.early.push(message);
  }

  /** Ends the engine; what waits is given up. */
  close(reason: CloseReason = 'lost'): void {
    if (this.isClosed) return;
    this.isClosed = true;
    for (const worker of [this.worker, ...this.helpers]) worker.terminate();
    URL.revokeObjectURL(this.stopUrl);
    for (const { reject } of this.conversions) reject(new Error(reason));
    this.closeCallback(reason);
  }
}

function newWorker(Worker: WorkerClass = globalThis.Worker): Worker {
  return new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' });
}
