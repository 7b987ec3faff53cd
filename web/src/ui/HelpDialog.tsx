import type { Key } from '../i18n/en';
import { t } from '../i18n/i18n';
import { engineName } from '../state/connection';
import { dialog } from '../state/view';
import { Dialog } from './parts';

const KEYS: readonly (readonly [keys: string, text: Key])[] = [
  ['← →', 'help.arrows'],
  ['Home End', 'help.home'],
  ['↑ ↓ PgUp PgDn', 'help.updown'],
  ['B', 'help.b'],
  ['Enter', 'help.enter'],
  ['Space', 'help.space'],
  ['E', 'help.e'],
  ['U', 'help.u'],
  ['Ctrl+Z Ctrl+Y', 'help.undo'],
  ['N', 'help.n'],
];

/** The keys of the page. */
export function HelpDialog() {
  return (
    <Dialog title={t('menu.help')} onClose={() => (dialog.value = null)}>
      <dl class="keys">
        {KEYS.map(([keys, text]) => (
          <div key={text}>
            <dt>
              {keys.split(' ').map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{t(text)}</dd>
          </div>
        ))}
      </dl>
      <p class="hint">{engineName.value}</p>
    </Dialog>
  );
}
