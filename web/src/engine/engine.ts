/**
 * An engine that speaks the protocol: send a line, receive a line. Nothing else in the page knows how
 * the lines travel.
 */
export interface Engine {
  /** Sends one line, without its end. */
  send(line: string): void;
  /** Called for every line that comes. */
  onLine(callback: (line: string) => void): void;
  /** Called once, when no more lines can come. */
  onClose(callback: (reason: CloseReason) => void): void;
  /** The SGF text of a game or library in one of the formats that the program reads. */
  convert(bytes: ArrayBuffer, name: string): Promise<string>;
}

/**
 * Why there is no engine (any more): the page has no token, or that of an earlier start; as many engines are open as
 * may be; the server is gone; the engine of the page broke down.
 */
export type CloseReason = 'no-token' | 'refused' | 'full' | 'lost' | 'broken';
