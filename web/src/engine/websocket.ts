import type { CloseReason, Engine } from './engine';
import { Refused } from './session';

const TOKEN_KEY = 'tengen.token';

/** True if the fragment of the address is a token, and no position such as `freestyle-15`. */
function holdsToken(): boolean {
  const fragment = location.hash.slice(1);
  return /^[\w-]{16,}$/.test(fragment) && !/-\d+$/.test(fragment);
}

/**
 * The token that the program prints in the fragment of its URL. It is kept for this tab and taken out
 * of the address.
 */
export function takeToken(): string | null {
  if (holdsToken()) {
    sessionStorage.setItem(TOKEN_KEY, location.hash.slice(1));
    history.replaceState(null, '', location.pathname);
  }
  return sessionStorage.getItem(TOKEN_KEY);
}

/**
 * Loads the page again when an address with a token is opened in its tab: for the browser only the
 * fragment has changed. The game is kept, and the next load uses the token.
 */
export function followToken(): void {
  addEventListener('hashchange', () => {
    if (!holdsToken()) return;
    // At once: until the page is gone, its position may be written to the address.
    takeToken();
    location.reload();
  });
}

/** The engine of `tengen serve`, over a WebSocket: a text message for each line. */
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
    this.socket.onclose = () => {
      if (this.wasOpen) this.closeCallback('lost');
      else void this.whyClosed().then((reason) => this.closeCallback(reason));
    };
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

  /** Browsers do not tell why a socket was refused; another request with the token does. */
  private async whyClosed(): Promise<CloseReason> {
    try {
      const { status } = await this.post(new ArrayBuffer(), '');
      return status === 403 ? 'refused' : 'full';
    } catch {
      return 'lost';
    }
  }

  private post(bytes: ArrayBuffer, name: string): Promise<Response> {
    return fetch(`/convert?name=${encodeURIComponent(name)}`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${this.token}` },
      body: bytes,
    });
  }

  async convert(bytes: ArrayBuffer, name: string): Promise<string> {
    const answer = await this.post(bytes, name);
    const text = await answer.text();
    if (!answer.ok) throw new Refused(text.trim() || answer.statusText);
    return text;
  }
}
