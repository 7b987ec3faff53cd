import { LANGUAGES, t } from '../i18n/i18n';
import { settings } from '../state/settings';
import type { ThemeChoice, TouchStyle, ValueStyle } from '../state/settings';
import { dialog } from '../state/view';
import { Dialog, NumberField, Select, Toggle } from './parts';

/** How the page looks and what the engine may use. */
export function SettingsDialog() {
  const numbers = { value: settings.numbers.value === 'all' };
  return (
    <Dialog title={t('menu.settings')} onClose={() => (dialog.value = null)}>
      <div class="fields">
        <Select
          label={t('settings.language')}
          name="language"
          value={settings.language.value}
          options={[
            ['auto', t('settings.auto')],
            ...Object.entries(LANGUAGES).map(([code, { name }]) => [code, name] as const),
          ]}
          onChange={(code) => (settings.language.value = code)}
        />
        <Select<ThemeChoice>
          label={t('settings.theme')}
          name="theme"
          value={settings.theme.value}
          options={[
            ['auto', t('settings.auto')],
            ['light', t('settings.light')],
            ['dark', t('settings.dark')],
          ]}
          onChange={(theme) => (settings.theme.value = theme)}
        />
        <Select<ValueStyle>
          label={t('settings.values')}
          name="values"
          value={settings.values.value}
          options={[
            ['rate', t('settings.values.rate')],
            ['score', t('settings.values.score')],
            ['none', t('settings.values.none')],
          ]}
          onChange={(values) => (settings.values.value = values)}
        />
        <Select<TouchStyle>
          label={t('settings.touch')}
          name="touch"
          value={settings.touch.value}
          options={[
            ['direct', t('settings.touch.direct')],
            ['confirm', t('settings.touch.confirm')],
            ['slide', t('settings.touch.slide')],
          ]}
          onChange={(touch) => (settings.touch.value = touch)}
        />
        <NumberField
          label={t('settings.scale')}
          name="scale"
          value={settings.boardScale.value}
          min={50}
          max={100}
          step={5}
          onChange={(scale) => (settings.boardScale.value = scale)}
        />
      </div>
      <div class="toggles">
        <Toggle label={t('settings.coordinates')} setting={settings.coordinates} name="coordinates" />
        <label class="toggle">
          <input
            type="checkbox"
            data-name="numbers"
            checked={numbers.value}
            onChange={(event) => (settings.numbers.value = event.currentTarget.checked ? 'all' : 'none')}
          />
          <span>{t('settings.numbers')}</span>
        </label>
      </div>
      <h3>{t('settings.engine')}</h3>
      <div class="fields">
        <NumberField
          label={t('settings.threads')}
          name="threads"
          value={settings.threads.value}
          min={1}
          max={256}
          onChange={(n) => (settings.threads.value = Math.round(n))}
        />
        <NumberField
          label={t('settings.hash')}
          name="hash"
          value={settings.hashMib.value}
          min={1}
          max={65536}
          onChange={(n) => (settings.hashMib.value = Math.round(n))}
        />
        <NumberField
          label={t('settings.range')}
          name="range"
          value={settings.range.value}
          min={0}
          max={5}
          onChange={(n) => (settings.range.value = Math.round(n))}
        />
      </div>
      <div class="toggles">
        <Toggle label={t('settings.pondering')} setting={settings.pondering} name="pondering" />
      </div>
    </Dialog>
  );
}
