import type { CloseReason, Engine } from './engine';

const TOKEN_KEY = 'tengen.token';

/**
 * The token that the program prints in the fragment of its URL. It is kept for this tab and taken out
 * of the address.
 */
export function takeToken(): string | null {
  const fragment = location.hash.slice(1);
  if (/^[\w-]{16,}$/.test(fragment) && !/-\d+$/.test(fragment)) {
    sessionStorage.setItem(TOKEN_KEY, fragment);
    history.replaceState(null, '', location.pathname);
  }
  return sessionStorage.getItem(TOKEN_KEY);
}

/** The engine of `pbrain-tengen serve`, over a WebSocket: a text message for each line. */
export class WebSocketEngine implements Engine {
  private readonly socket: WebSocket;
  private readonly waiting: string[] = [];
  private lineCallback: (line: string) => void = () => undefined;
  private closeCallback: (reason: CloseReason) => void = () => undefined;
  private wasOpen = false;

  constructor(private readonly token: string) {
    const url = `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/engine`;
    this.socket = new WebSocket(url, ['tengen', token]);
    this.socket.onopen = () => {
      this.wasOpen = true;
      for (const line of this.waiting.splice(0)) this.socket.send(line);
    };
    this.socket.onmessage = (event: MessageEvent<string>) => this.lineCallback(event.data);
    this.socket.onclose = () => this.closeCallback(this.wasOpen ? 'lost' : 'refused');
  }

  send(line: string): void {
    if (this.socket.readyState === WebSocket.CONNECTING) this.waiting.push(line);
    else if (this.socket.readyState === WebSocket.OPEN) this.socket.send(line);
  }

  onLine(callback: (line: string) => void): void {
    this.lineCallback = callback;
  }

  onClose(callback: (reason: CloseReason) => void): void {
    this.closeCallback = callback;
  }

  async convert(bytes: ArrayBuffer, name: string): Promise<string> {
    const answer = await fetch(`/convert?name=${encodeURIComponent(name)}`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${this.token}` },
      body: bytes,
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(text.trim() || answer.statusText);
    return text;
  }
}
