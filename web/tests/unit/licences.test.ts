import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { expect, it } from 'vitest';

/** The texts of the members of page.tar, by their names. */
function members(): Map<string, string> {
  const tar = readFileSync('page.tar');
  const found = new Map<string, string>();
  for (let at = 0; tar[at]; ) {
    const name = tar.toString('utf8', at, tar.indexOf(0, at));
    const size = parseInt(tar.toString('utf8', at + 124, at + 135), 8);
    found.set(name.replace(/\.gz$/, ''), String(gunzipSync(tar.subarray(at + 512, at + 512 + size))));
    at += 512 * (1 + Math.ceil(size / 512));
  }
  return found;
}

it('scripts carry the licences of the packages in them', () => {
  const texts = members();
  const script = (name: string) => {
    const path = [...texts.keys()].find((path) => path.startsWith(`assets/${name}-`) && path.endsWith('.js'));
    return texts.get(path!)!;
  };
  const licence = (file: string) => readFileSync(`node_modules/${file}`, 'utf8').trim();
  const files = ['preact/LICENSE', '@preact/signals/LICENSE', '@preact/signals-core/LICENSE'];
  for (const [name, text] of [['index', script('index')], ['review', texts.get('review.html')!]] as const) {
    for (const file of files) {
      expect(text.includes(licence(file)), `${file} in ${name}`).toBe(true);
    }
    expect(text.includes('VoidZero Inc. and Vite contributors'), name).toBe(true);
  }
  // It joins a script of one file by helpers of its own.
  expect(texts.get('review.html')!.includes(licence('rolldown/LICENSE'))).toBe(true);
  expect(script('gif').includes(licence('gifenc/LICENSE.md'))).toBe(true);
  // Where all is Tengen's there is nothing to say.
  expect(script('ja').includes('/*!')).toBe(false);
});
