import { useSignal } from '@preact/signals';
import type { Key } from '../i18n/en';
import { OPENING_CODES } from '../game/named-openings';
import { PLAIN_OPENINGS, isRenjuOpening, leastSide } from '../game/opening-rules';
import { SIDES } from '../game/point';
import { RULES } from '../game/rules';
import type { Rule } from '../game/rules';
import { t } from '../i18n/i18n';
import { startGame } from '../state/new-game';
import type { UserPlays } from '../state/new-game';
import { settings } from '../state/settings';
import { game } from '../state/store';
import { dialog } from '../state/view';
import { EngineLimits } from './PlayPanel';
import { Button, Dialog, NumberField, Select } from './parts';

/** A new game: rule, board, opening rule, sides, level and clock. */
export function NewGameDialog() {
  const rule = useSignal<Rule>(game.value.rule);
  const width = useSignal(game.value.width);
  const height = useSignal(game.value.height);
  const opening = useSignal<string>('free');
  const designated = useSignal('4D');
  const fifths = useSignal(2);
  const user = useSignal<UserPlays>('first');
  const openings = [...PLAIN_OPENINGS, 'designated'].filter(
    (name) =>
      (rule.value === 'renju' || !isRenjuOpening(name)) &&
      Math.min(width.value, height.value) >= leastSide(name),
  );
  const chosen = openings.includes(opening.value) ? opening.value : 'free';
  const start = () => {
    const name = chosen === 'designated' ? `designated:${designated.value}:${fifths.value}` : chosen;
    dialog.value = null;
    startGame({ rule: rule.value, width: width.value, height: height.value, opening: name }, user.value);
  };
  return (
    <Dialog title={t('menu.new')} onClose={() => (dialog.value = null)}>
      <fieldset class="choices">
        <legend>{t('rule')}</legend>
        {RULES.map((name) => (
          <label key={name} class="choice">
            <input
              type="radio"
              name="rule"
              value={name}
              checked={rule.value === name}
              onChange={() => (rule.value = name)}
            />
            <span>
              <b>{t(`rule.${name}`)}</b>
              <small>{t(`rule.${name}.about`)}</small>
            </span>
          </label>
        ))}
      </fieldset>
      <div class="fields">
        {([15, 20, 19] as const).map((side) => (
          <Button
            key={side}
            isPressed={width.value === side && height.value === side}
            onClick={() => {
              width.value = side;
              height.value = side;
            }}
          >
            {side}×{side}
          </Button>
        ))}
        <NumberField label={t('new.width')} name="width" setting={width} {...SIDES} />
        <NumberField label={t('new.height')} name="height" setting={height} {...SIDES} />
      </div>
      <div class="fields">
        <Select
          label={t('opening')}
          name="opening"
          setting={opening}
          options={openings.map((name) => [name, t(`opening.${name}` as Key)] as const)}
        />
        {chosen === 'designated' && (
          <>
            <Select
              label={t('opening.designated')}
              name="designated"
              setting={designated}
              options={OPENING_CODES.map((code) => [code, code] as const)}
            />
            <NumberField label={t('opening.fifths')} setting={fifths} min={1} max={20} />
          </>
        )}
        <Select<UserPlays>
          label={t('new.you')}
          name="user"
          setting={user}
          options={[
            ['first', t('new.first')],
            ['second', t('new.second')],
            ['both', t('new.both')],
            ['none', t('new.none')],
          ]}
        />
      </div>
      <EngineLimits />
      <div class="fields">
        <NumberField
          label={t('new.clock')}
          name="clock"
          setting={settings.gameMinutes}
          min={0}
          max={600}
          step={0.5}
        />
        <NumberField
          label={t('new.increment')}
          name="increment"
          setting={settings.incrementSeconds}
          min={0}
          max={600}
        />
      </div>
      <div class="row end">
        <Button isPrimary name="start" onClick={start}>
          {t('new.start')}
        </Button>
      </div>
    </Dialog>
  );
}
