import { LANGUAGES, t } from '../i18n/i18n';
import { transport } from '../state/connection';
import { OFFERED_ADDRESS, settings } from '../state/settings';
import type { ThemeChoice, TouchStyle, ValueStyle } from '../state/settings';
import { dialog } from '../state/view';
import { Dialog, NumberField, Select, Toggle } from './parts';

/** How the page looks and what the engine may use. */
export function SettingsDialog() {
  return (
    <Dialog title={t('menu.settings')} onClose={() => (dialog.value = null)}>
      <div class="fields">
        <Select
          label={t('settings.language')}
          name="language"
          setting={settings.language}
          options={[
            ['auto', t('settings.auto')],
            ...Object.entries(LANGUAGES).map(([code, { name }]) => [code, name] as const),
          ]}
        />
        <Select<ThemeChoice>
          label={t('settings.theme')}
          name="theme"
          setting={settings.theme}
          options={[
            ['auto', t('settings.auto')],
            ['light', t('settings.light')],
            ['dark', t('settings.dark')],
          ]}
        />
        <Select<ValueStyle>
          label={t('settings.values')}
          name="values"
          setting={settings.values}
          options={[
            ['rate', t('settings.values.rate')],
            ['score', t('settings.values.score')],
            ['none', t('settings.values.none')],
          ]}
        />
        <Select<TouchStyle>
          label={t('settings.touch')}
          name="touch"
          setting={settings.touch}
          options={[
            ['direct', t('settings.touch.direct')],
            ['confirm', t('settings.touch.confirm')],
            ['slide', t('settings.touch.slide')],
          ]}
        />
        <NumberField
          label={t('settings.scale')}
          name="scale"
          setting={settings.boardScale}
          min={50}
          max={100}
          step={5}
        />
      </div>
      <div class="toggles">
        <Toggle label={t('settings.coordinates')} setting={settings.coordinates} name="coordinates" />
        <Toggle label={t('settings.numbers')} setting={settings.showNumbers} name="numbers" />
        <Toggle label={t('settings.sounds')} setting={settings.sounds} name="sounds" />
      </div>
      <AddressField />
      <h3>{t('settings.engine')}</h3>
      <div class="fields">
        <NumberField
          label={t('settings.threads')}
          name="threads"
          setting={settings.threads}
          min={1}
          max={transport.value?.maxThreads ?? 256}
        />
        <NumberField
          label={t('settings.hash')}
          name="hash"
          setting={settings.hashMib}
          min={1}
          max={transport.value?.maxHashMib ?? 65536}
        />
        <NumberField
          label={t('settings.range')}
          name="range"
          setting={settings.range}
          min={0}
          max={5}
        />
      </div>
      <div class="toggles">
        <Toggle label={t('settings.pondering')} setting={settings.pondering} name="pondering" />
        <Toggle label={t('settings.pause')} setting={settings.pause} name="pause-before-move" />
      </div>
    </Dialog>
  );
}

/** The address of a board for links: one that others can open. */
function AddressField() {
  const take = (input: HTMLInputElement) => {
    const typed = input.value.trim();
    const address = typed === '' || /^https?:/i.test(typed) ? typed : `https://${typed}`;
    if (address === '' || (URL.canParse(address) && !/\s/.test(address))) settings.address.value = address;
    // The field may hold no address.
    input.value = settings.address.value;
  };
  return (
    <label class="field wide">
      <span>{t('settings.address')}</span>
      <input
        type="text"
        inputMode="url"
        placeholder={OFFERED_ADDRESS || 'https://'}
        data-name="address"
        value={settings.address.value}
        onChange={(event) => take(event.currentTarget)}
      />
    </label>
  );
}
