import { effect } from '@preact/signals';
import { render } from 'preact';
import { WebSocketEngine, takeToken } from './engine/websocket';
import { chooseLanguage } from './i18n/i18n';
import { followPositions } from './state/analysis';
import { connect, engineName, refuseConnection, session } from './state/connection';
import { followNavigation } from './state/play';
import { keepGame, restore } from './state/persist';
import { isDark, settings } from './state/settings';
import { position } from './state/store';
import { App } from './ui/App';
import { listenToKeys } from './ui/keyboard';
import './styles/base.css';
import './styles/panels.css';
import './styles/judgements.css';
import './styles/dialogs.css';
import './styles/layout.css';

const token = takeToken();
restore();
if (token) connect(new WebSocketEngine(token));
else refuseConnection('no-token');
keepGame();
followNavigation();
followPositions();
listenToKeys();
effect(() => {
  document.documentElement.dataset.theme = isDark() ? 'dark' : 'light';
});
effect(() => void chooseLanguage(settings.language.value));
void session.value
  ?.ask(position.value, ['ABOUT'], (line) => {
    const found = /^name="(.*?)", version="(.*?)"/.exec(line);
    return found ? { answer: `${found[1]} ${found[2]}` } : null;
  })
  .then((name) => (engineName.value = name));

render(<App />, document.getElementById('app')!);
