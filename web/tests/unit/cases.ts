import { readFileSync } from 'node:fs';

/** The lines of a table of cases, a path from the repository's root, by columns; comments are left out. */
export function cases(path: string): string[][] {
  const text = readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return lines.map((line) => line.split('\t'));
}
