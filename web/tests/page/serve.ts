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
  const child = spawn(program(), ['serve', '--port', '0', '--database', join(folder, 'positions.db')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const url = await new Promise<string>((resolve, reject) => {
    child.on('exit', () => reject(new Error('tengen serve ended')));
    createInterface(child.stdout).on('line', (line) => {
      const found = /http:\/\/\S+/.exec(line);
      if (found) resolve(found[0]);
    });
  });
  process.env['TENGEN_URL'] = url;
  return () => {
    child.removeAllListeners('exit');
    child.kill();
    rmSync(folder, { recursive: true, force: true });
  };
}
