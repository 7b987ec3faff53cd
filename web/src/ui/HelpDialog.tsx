import type { Key } from '../i18n/en';
import { PLAIN_OPENINGS } from '../game/opening-rules';
import { RULES } from '../game/rules';
import { t } from '../i18n/i18n';
import { engineName } from '../state/connection';
import { game } from '../state/store';
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
  ['H', 'train.hint'],
  ['Ctrl+Z Ctrl+Y', 'help.undo'],
  ['N', 'help.n'],
];

const OPENINGS = [...PLAIN_OPENINGS.filter((name) => name !== 'free'), 'designated'] as const;

/** The rules of the game, the opening rules, and the keys of the page. */
export function HelpDialog() {
  return (
    <Dialog title={t('menu.help')} onClose={() => (dialog.value = null)}>
      <p>{t('help.goal')}</p>
      <dl class="rules" data-name="rules">
        {RULES.map((rule) => (
          <div key={rule} class={rule === game.value.rule ? 'current' : ''}>
            <dt>{t(`rule.${rule}`)}</dt>
            <dd>
              {t(`rule.${rule}.about`)} {rule === 'renju' && t('help.renju')}
            </dd>
          </div>
        ))}
      </dl>
      <details>
        <summary data-name="help-openings">{t('help.openings')}</summary>
        <p>{t('help.openings.about')}</p>
        <dl class="rules">
          {OPENINGS.map((name) => (
            <div key={name}>
              <dt>{t(`opening.${name}`)}</dt>
              <dd>{t(`opening.${name}.about`)}</dd>
            </div>
          ))}
        </dl>
      </details>
      <details>
        <summary data-name="help-keys">{t('help.keys')}</summary>
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
      </details>
      <p class="hint">{engineName.value}</p>
    </Dialog>
  );
}
