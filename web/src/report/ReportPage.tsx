import { useEffect } from 'preact/hooks';
import { t } from '../i18n/i18n';
import { Games } from './Games';
import { Result } from './Result';
import type { MatchFile } from './data';
import { day } from './format';
import { Colours, Ends, Openings, Settings, Times } from './sections';
import { w } from './words';

/** The report of a match in one page. It needs no engine. */
export function ReportPage({ file, isDark }: { file: MatchFile; isDark: boolean }) {
  const { games, terms, notes, summary } = file;
  const names = terms.players.map((player) => player.name);
  // As `title` of Rust's report.
  const title = names.length > 4 ? w('title.many', { n: names.length }) : w('title', { names: names.join(' – ') });
  const ended = games.map((game) => game.ended).filter((at) => at > 0).sort((a, b) => a - b);
  const days = [...new Set(ended.length > 0 ? [day(ended[0]!), day(ended.at(-1)!)] : [])];
  const hasGames = games.length > 0;
  const sections = [
    ['result', w('result'), hasGames ? <Result file={file} /> : <p>{w('empty')}</p>],
    ['colours', w('colours'), summary.games > 0 && <Colours file={file} />],
    ['openings', w('openings'), file.openings.length > 0 && <Openings file={file} />],
    ['ends', w('ends'), Object.keys(file.ends).length > 0 && <Ends file={file} />],
    ['times', w('times'), file.times.some((player) => player.moves > 0) && <Times file={file} />],
    ['games', w('games'), hasGames && <Games file={file} isDark={isDark} />],
    ['settings', t('menu.settings'), <Settings file={file} />],
  ] as const;
  const shown = sections.filter(([, , text]) => text);
  useEffect(() => {
    document.title = title;
    // The sections are not there yet when the browser looks for the one that the address names.
    if (location.hash) document.getElementById(location.hash.slice(1))?.scrollIntoView();
  }, [title]);
  return (
    <main class="report">
      <header>
        <h1>{title}</h1>
        <p class="hint">
          {[`${terms.rule} ${terms.width}×${terms.height}`, `${w('games')}: ${games.length}`, days.join(' – ')].join(' · ')}
        </p>
        <nav>
          {shown.map(([id, name]) => (
            <a key={id} href={`#${id}`}>{name}</a>
          ))}
        </nav>
        {notes.length > 0 && (
          <div class="notes" role="note">
            <strong>{w('notes')}</strong>
            <ul>
              {notes.map((note) => (
                <li key={note}>{note}</li>
              ))}
            </ul>
          </div>
        )}
      </header>
      {shown.map(([id, name, text]) => (
        <section key={id} id={id}>
          <h2>{name}</h2>
          {text}
        </section>
      ))}
      <footer class="hint">tengen match report {file.version}</footer>
    </main>
  );
}
