// Puts the site together that needs no server of its own: `npm run site` builds the engine, then the page
// into dist/site, and this script adds the service worker and prints the sizes.
import { createHash } from 'node:crypto';
import { cpSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { filesIn, pathWithin, reviewPage } from './files.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const site = join(root, 'dist/site');
const isLarge = (path) => /\.(wasm|tgnn)$/.test(path);

writeFileSync(join(site, 'review.html'), reviewPage(join(root, 'dist/review')));
// A page that is installed needs icons in pixels too; iOS takes the one of its link.
const icons = join(root, 'site/icons');
cpSync(icons, site, { recursive: true });
const manifestFile = join(site, 'manifest.webmanifest');
const manifest = JSON.parse(readFileSync(manifestFile, 'utf8'));
for (const name of readdirSync(icons)) {
  const side = /\d+/.exec(name)[0];
  manifest.icons.push({ src: `./${name}`, sizes: `${side}x${side}`, type: 'image/png' });
}
writeFileSync(manifestFile, JSON.stringify(manifest));

const paths = filesIn(site)
  .map((file) => pathWithin(site, file))
  .filter((path) => path !== 'sw.js')
  .sort();
const hash = createHash('sha256');
for (const path of paths) hash.update(`${path}\0`).update(readFileSync(join(site, path)));
const list = (wanted) => JSON.stringify(paths.filter(wanted));
const worker = readFileSync(join(root, 'site/sw.js'), 'utf8')
  .replace('__VERSION__', hash.digest('hex').slice(0, 16))
  .replace('__SHELL__', () => list((path) => !isLarge(path)))
  .replace('__LARGE__', () => list(isLarge));
writeFileSync(join(site, 'sw.js'), worker);

/** Bytes of a file: as it is, by gzip, by brotli. */
function sizes(path) {
  const bytes = readFileSync(join(site, path));
  const brotli = brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } });
  return [bytes.length, gzipSync(bytes, { level: 9 }).length, brotli.length];
}

const all = new Map([...paths, 'sw.js'].map((path) => [path, sizes(path)]));
const print = (name, columns) => console.log(columns.map((n) => String(n).padStart(9)).join(''), ` ${name}`);
const total = (wanted) =>
  [...all].filter(([path]) => wanted(path)).reduce((sums, [, size]) => sums.map((n, i) => n + size[i]), [0, 0, 0]);
const isNetwork = (path) => path.endsWith('.tgnn');
const isUsed = (path) => !path.endsWith('.wasm') || path.includes('threads') || !paths.some((p) => p.includes('threads'));
console.log('    bytes     gzip   brotli');
for (const [path, size] of all) print(path, size);
print('first visit, without a network', total((path) => isUsed(path) && !isNetwork(path)));
print('the same with the network of freestyle', total((path) => isUsed(path) && (!isNetwork(path) || path.includes('freestyle'))));
print(`all of ${site}`, total(() => true));
