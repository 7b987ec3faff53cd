// What the builds of the page share: the files of a folder, and the page of a review in one file.
import { readFileSync, readdirSync, statSync } from 'node:fs';
import { join, relative, sep } from 'node:path';

/** All files below a folder. */
export function filesIn(folder) {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    return statSync(path).isDirectory() ? filesIn(path) : [path];
  });
}

/** The path of a file from a folder on, with `/` on every system. */
export function pathWithin(folder, file) {
  return relative(folder, file).split(sep).join('/');
}

/** The page of a review with its script and its styles inside. */
export function reviewPage(folder) {
  let html = readFileSync(join(folder, 'review.html'), 'utf8');
  const inline = (pattern, write) => {
    html = html.replace(pattern, (_, path) => write(readFileSync(join(folder, path), 'utf8')));
  };
  let script = '';
  inline(/<script type="module"[^>]* src="\.\/([^"]+)"><\/script>/, (text) => {
    script = `<script type="module">${text.replaceAll('</script', '<\\/script')}</script>`;
    return '';
  });
  inline(/<link rel="stylesheet"[^>]* href="\.\/([^"]+)">/, (text) => `<style>${text}</style>`);
  if (/(src|href)="\.\//.test(html)) throw new Error('review.html still needs other files');
  if (!html.includes('<script type="application/json" id="review">null</script>')) {
    throw new Error('review.html has no place for a review');
  }
  return html.replace('</body>', () => `${script}</body>`);
}
