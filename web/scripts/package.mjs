// Puts the package for npm together in dist/package: `npm run package`, after the engine and with
// `packages/npm` as its face.
import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const face = join(root, '../packages/npm');
const out = join(root, 'dist/package');

/** The types of the entry alone: whatever it uses of the page is private there. */
const tsc = 'tsc -p . --noEmit false --declaration --emitDeclarationOnly --rootDir src --outDir dist/types'.split(' ');
execFileSync('npx', tsc, { cwd: root, stdio: 'inherit' });
const types = readFileSync(join(root, 'dist/types/package.d.ts'), 'utf8');
if (/^import /m.test(types)) throw new Error('the types of the package need those of the page');
writeFileSync(join(out, 'index.d.ts'), types);

const own = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const description = JSON.parse(readFileSync(join(face, 'package.json'), 'utf8'));
const manifest = execFileSync('cargo', ['metadata', '--locked', '--no-deps', '--format-version', '1'], {
  cwd: root,
  encoding: 'utf8',
  maxBuffer: 1 << 26,
});
description.version = JSON.parse(manifest).packages.find(({ name }) => name === 'tengen').version;
description.dependencies = { 'web-worker': own.devDependencies['web-worker'] };
writeFileSync(join(out, 'package.json'), JSON.stringify(description, null, 2) + '\n');
copyFileSync(join(face, 'README.md'), join(out, 'README.md'));
for (const name of ['LICENSE-MIT', 'LICENSE-APACHE']) copyFileSync(join(root, '..', name), join(out, name));
if (!existsSync(join(out, 'assets'))) throw new Error('the engine is missing: npm run engine');
