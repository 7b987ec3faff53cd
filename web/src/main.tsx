import { openTransport } from '#transport';
import { effect } from '@preact/signals';
import { render } from 'preact';
import { chooseLanguage, t } from './i18n/i18n';
import { followPositions } from './state/analysis';
import { useTransport } from './state/connection';
import { followClocks } from './state/clock';
import { followChanges } from './state/history';
import { concede, players } from './state/play';
import { keepGame, notifyBrokenLink, restore } from './state/persist';
import { isDark, settings } from './state/settings';
import { followSounds } from './state/status';
import { followTraining } from './state/training';
import { App } from './ui/App';
import { listenToDrops } from './ui/dropping';
import { listenToKeys } from './ui/keyboard';
import './styles/base.css';
import './styles/panels.css';
import './styles/judgements.css';
import './styles/dialogs.css';
import './styles/layout.css';

const transport = openTransport();
// Who comes for the first time plays at once: Black against Tengen.
if (!restore()) players.value = { first: 'human', second: 'engine' };
void transport.then(useTransport);
keepGame();
followChanges();
followClocks((player, at) => concede(player, 'time', at));
followPositions();
followTraining();
listenToKeys();
listenToDrops();
followSounds();
effect(() => {
  document.documentElement.dataset.theme = isDark() ? 'dark' : 'light';
});
// A broken link is told in the language of the page.
effect(() => void chooseLanguage(settings.language.value).then(notifyBrokenLink));
effect(() => {
  document.title = t('title');
});
render(<App />, document.getElementById('app')!);
