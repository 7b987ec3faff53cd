import { signal } from '@preact/signals';
import { render } from 'preact';
import type { ReviewFile } from '../game/judgement';
import { chooseLanguage } from '../i18n/i18n';
import { ReportPage } from '../report/ReportPage';
import type { MatchFile } from '../report/data';
import '../styles/base.css';
import '../styles/panels.css';
import '../styles/judgements.css';
import '../styles/layout.css';
import '../styles/report.css';
import { ReviewPage } from './ReviewPage';

const text = document.getElementById('review')?.textContent ?? 'null';
const file = JSON.parse(text) as ReviewFile | MatchFile | null;
const dark = matchMedia('(prefers-color-scheme: dark)');
const isDark = signal(false);
const follow = () => {
  isDark.value = dark.matches;
  document.documentElement.dataset.theme = dark.matches ? 'dark' : 'light';
};
follow();
dark.addEventListener('change', follow);

/** A review, or the report of a match. */
function File() {
  if (!file) return null;
  return 'games' in file ? (
    <ReportPage file={file} isDark={isDark.value} />
  ) : (
    <ReviewPage file={file} isDark={isDark.value} />
  );
}

void chooseLanguage('auto').then(() => render(<File />, document.getElementById('app')!));
