// The licences of the packages whose code is in a script that Vite builds. They ask for their texts in all
// copies, so each script begins with those of its own packages.
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const packages = fileURLToPath(new URL('../node_modules', import.meta.url));
/** The package of a module: the installed package, or Vite or Rolldown for a module of their own. */
const PACKAGE = /^.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\/|^\0(\w+)\//;

/** The comment before a chunk: names and texts of licences. Empty where all of the chunk is Tengen's. */
export function licencesOf(chunk) {
  const names = chunk.moduleIds.flatMap((id) => {
    const [, installed, maker] = PACKAGE.exec(id) ?? [];
    return installed ?? maker ?? [];
  });
  /** Names of packages by their texts. */
  const texts = new Map();
  for (const name of [...new Set(names)].sort()) texts.set(textOf(name), [...(texts.get(textOf(name)) ?? []), name]);
  if (texts.size === 0) return '';
  const comment = [...texts].map(([text, users]) => `${users.join(', ')}:\n\n${text}`).join('\n\n');
  if (comment.includes('*/')) throw new Error('a licence would end its comment');
  return `/*!\n${comment}\n*/`;
}

/** The text of a package's licence. */
function textOf(name) {
  const folder = join(packages, name);
  const file = readdirSync(folder).find((file) => /^licen[cs]e/i.test(file));
  if (!file) throw new Error(`${name} has no text of its licence`);
  // Vite's file goes on with what Vite itself is built of.
  return readFileSync(join(folder, file), 'utf8').split('# Licenses of bundled dependencies')[0].trim();
}
