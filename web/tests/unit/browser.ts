// What the state of the page needs of a browser, for tests without one.
import { vi } from 'vitest';

const storage = new Map<string, string>();
vi.stubGlobal('sessionStorage', {
  getItem: (key: string) => storage.get(key) ?? null,
  setItem: (key: string, value: string) => void storage.set(key, value),
  removeItem: (key: string) => void storage.delete(key),
});
const listeners = new Map<string, () => void>();
vi.stubGlobal('addEventListener', (name: string, listener: () => void) => void listeners.set(name, listener));
vi.stubGlobal('location', { hash: '', pathname: '/', origin: 'http://127.0.0.1:1', reload: () => undefined });
vi.stubGlobal('history', { replaceState: (_: unknown, __: string, url: string) => (location.hash = url) });
vi.stubGlobal('navigator', { hardwareConcurrency: 2, languages: ['en'] });
vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener: () => undefined }));

/** The listeners of the browser's events: `pagehide`, `hashchange`. */
export function happen(name: string): void {
  listeners.get(name)?.();
}

/** The answer of a host, as parts that come one after the other. Node's own compiles WebAssembly, which tests watch. */
export function answerOf(parts: readonly Uint8Array[], headers: Readonly<Record<string, string>> = {}, status = 200) {
  return {
    ok: status === 200,
    status,
    headers: new Map(Object.entries(headers)),
    clone: () => answerOf(parts, headers, status),
    arrayBuffer: () => new Blob(parts as Uint8Array<ArrayBuffer>[]).arrayBuffer(),
    body: new ReadableStream({
      start: (controller) => {
        for (const part of parts) controller.enqueue(part);
        controller.close();
      },
    }),
  };
}
