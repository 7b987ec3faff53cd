import type { CloseReason, Engine } from '../../src/engine/engine';

/** An engine that notes what is sent and says what the test wants. */
export class FakeEngine implements Engine {
  readonly sent: string[] = [];
  say: (line: string) => void = () => undefined;
  /** Ends the connection. */
  lose: () => void = () => undefined;
  send(line: string) {
    this.sent.push(line);
  }
  onLine(callback: (line: string) => void) {
    this.say = callback;
  }
  onClose(callback: (reason: CloseReason) => void) {
    this.lose = () => callback('lost');
  }
  /** The program's reader gives the text as it came. */
  async convert(bytes: ArrayBuffer, _name: string) {
    return new TextDecoder().decode(bytes);
  }
}

/** An engine that begins boards by itself, and leaves searches to the test. */
export class ReadyEngine extends FakeEngine {
  override send(line: string) {
    super.send(line);
    if (/^(START|RECTSTART)/.test(line)) queueMicrotask(() => this.say('OK'));
    if (line === 'ABOUT') queueMicrotask(() => this.say('name="Fake", version="1"'));
  }
  /** The commands that were sent, without settings and what prepares a board. */
  get commands(): string[] {
    return this.sent.filter((line) => !/^(INFO|START|RECTSTART|YXBOARD|ABOUT)/.test(line));
  }
}
