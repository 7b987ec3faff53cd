import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { startHost } from './host';

/** The path of the program. */
export function program(): string {
  const built = ['../target/release/tengen', '../target/debug/tengen'];
  const found = process.env['TENGEN'] ?? built.find(existsSync);
  if (!found) throw new Error('no tengen: build it, or set TENGEN');
  return found;
}

/** Starts the host of a site, or the server with a database of its own; returns what ends it. */
export default async function serve(): Promise<() => void> {
  if (process.env['TENGEN_URL']) return () => undefined;
  const site = process.env['TENGEN_SITE'];
  if (site) {
    const host = await startHost(site, process.env['TENGEN_THREADS'] !== '1');
    process.env['TENGEN_URL'] = host.url;
    return () => host.close();
  }
  const folder = mkdtempSync(join(tmpdir(), 'tengen-page-'));
  const { url, end } = await startServer('--database', join(folder, 'positions.db'));
  process.env['TENGEN_URL'] = url;
  return () => {
    void end();
    rmSync(folder, { recursive: true, force: true });
  };
}

/** Starts `tengen serve` on any port, or on that of the options. */
export async function startServer(...options: string[]): Promise<{ url: string; end: () => Promise<void> }> {
  const port = options.includes('--port') ? [] : ['--port', '0'];
  const child = spawn(program(), ['serve', ...port, ...options], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = new Promise<void>((resolve) => child.on('exit', () => resolve()));
  const url = await new Promise<string>((resolve, reject) => {
    void ended.then(() => reject(new Error('tengen serve ended')));
    createInterface(child.stdout).on('line', (line) => {
      const found = /http:\/\/\S+/.exec(line);
      if (found) resolve(found[0]);
    });
  });
  return {
    url,
    end: () => {
      child.kill();
      return ended;
    },
  };
}
