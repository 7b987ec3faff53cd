// Packs what Vite built into page.tar: plain ustar with sorted names and no times, each file
// compressed by gzip, so that the same sources give the same bytes.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { filesIn, pathWithin, reviewPage } from './files.mjs';

/** The archive stays below so many bytes. */
const LIMIT = 400_000;
const root = fileURLToPath(new URL('..', import.meta.url));

/** The header of a member: owner 0, time 0, mode 0644. */
function header(name, size) {
  if (Buffer.byteLength(name) > 100) throw new Error(`${name}: the name is too long`);
  const block = Buffer.alloc(512);
  const octal = (value, length) => `${value.toString(8).padStart(length - 1, '0')}\0`;
  block.write(name, 0);
  block.write(octal(0o644, 8), 100);
  block.write(octal(0, 8), 108);
  block.write(octal(0, 8), 116);
  block.write(octal(size, 12), 124);
  block.write(octal(0, 12), 136);
  block.write('        ', 148);
  block.write('0', 156);
  block.write('ustar\0' + '00', 257);
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return block;
}

/** A file compressed; the byte that names the system is fixed, since zlib writes its own. */
function compressed(data) {
  const bytes = gzipSync(data, { level: 9 });
  bytes[9] = 255;
  return bytes;
}

const page = join(root, 'dist/page');
const members = filesIn(page).map((path) => [pathWithin(page, path), readFileSync(path)]);
members.push(['review.html', Buffer.from(reviewPage(join(root, 'dist/review')))]);
members.sort(([a], [b]) => (`${a}.gz` < `${b}.gz` ? -1 : 1));
const blocks = members.flatMap(([name, data]) => {
  const bytes = compressed(data);
  console.log(`${String(bytes.length).padStart(7)}  ${name}.gz`);
  return [header(`${name}.gz`, bytes.length), bytes, Buffer.alloc((512 - (bytes.length % 512)) % 512)];
});
const tar = Buffer.concat([...blocks, Buffer.alloc(1024)]);
console.log(`${String(tar.length).padStart(7)}  page.tar`);
if (tar.length >= LIMIT) throw new Error(`page.tar has ${tar.length} bytes: the limit is ${LIMIT}`);
const archive = join(root, 'page.tar');
// Cargo builds the program again when the file is written.
if (!existsSync(archive) || !readFileSync(archive).equals(tar)) writeFileSync(archive, tar);
