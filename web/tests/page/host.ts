import { createReadStream, existsSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';

const TYPES: Record<string, string> = {
  '.css': 'text/css',
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
  '.webmanifest': 'application/manifest+json',
};
const ISOLATING = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
};

/** A web host: gives out the files of a folder and does nothing else. */
export interface Host {
  readonly url: string;
  /** Refuses every request from now on, as if the network were gone; or no longer. */
  setOffline(isOffline: boolean): void;
  /** Gives out another folder. */
  setFolder(folder: string): void;
  close(): void;
}

/** Starts a host; with `isolates` the host sends the headers for threads. */
export async function startHost(folder: string, isolates = false): Promise<Host> {
  let [root, isOffline] = [folder, false];
  const server = createServer((request, response) => {
    if (isOffline) return void request.socket.destroy();
    const path = decodeURIComponent(new URL(request.url!, 'http://host').pathname);
    const file = join(root, normalize(path.endsWith('/') ? `${path}index.html` : path));
    if (!existsSync(file) || !statSync(file).isFile()) return void response.writeHead(404).end();
    response.writeHead(200, {
      'Content-Type': TYPES[extname(file)] ?? 'application/octet-stream',
      'Content-Length': statSync(file).size,
      'Cache-Control': 'no-cache',
      ...(isolates ? ISOLATING : {}),
    });
    createReadStream(file).pipe(response);
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    setOffline: (offline) => (isOffline = offline),
    setFolder: (next) => (root = next),
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
