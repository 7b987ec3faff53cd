import { render } from 'preact';
import type { ReviewFile } from '../game/judgement';
import { chooseLanguage } from '../i18n/i18n';
import '../styles/base.css';
import '../styles/panels.css';
import '../styles/judgements.css';
import '../styles/layout.css';
import { ReviewPage } from './ReviewPage';

const text = document.getElementById('review')?.textContent ?? 'null';
const file = JSON.parse(text) as ReviewFile | null;
const dark = matchMedia('(prefers-color-scheme: dark)');
document.documentElement.dataset.theme = dark.matches ? 'dark' : 'light';

void chooseLanguage('auto').then(() => {
  const app = document.getElementById('app')!;
  if (file) render(<ReviewPage file={file} isDark={dark.matches} />, app);
});
