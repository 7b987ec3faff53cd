import { BLACK, BLOCKED, EMPTY, WHITE } from '../game/rules';
import { t } from '../i18n/i18n';
import { finishSetup } from '../state/new-game';
import { clearSetup, setup } from '../state/setup';
import { Button } from './parts';

const TOOLS = [
  ['setup.black', BLACK],
  ['setup.white', WHITE],
  ['setup.blocked', BLOCKED],
  ['setup.empty', EMPTY],
] as const;

/** Setting up a position: what a click puts, and who moves next. */
export function SetupPanel() {
  const state = setup.value;
  if (!state) return null;
  return (
    <div class="panel" data-name="setup">
      <h2>{t('setup.title')}</h2>
      <div class="row">
        {TOOLS.map(([key, tool]) => (
          <Button
            key={key}
            name={key}
            isPressed={state.tool === tool}
            onClick={() => (setup.value = { ...state, tool })}
          >
            {t(key)}
          </Button>
        ))}
      </div>
      <label class="toggle">
        <input
          type="checkbox"
          data-name="white-first"
          checked={state.toMove === WHITE}
          onChange={(event) =>
            (setup.value = { ...state, toMove: event.currentTarget.checked ? WHITE : BLACK })
          }
        />
        <span>{t('setup.white-first')}</span>
      </label>
      <div class="row">
        <Button isPrimary name="setup-done" onClick={finishSetup}>
          {t('setup.done')}
        </Button>
        <Button name="setup-clear" onClick={clearSetup}>
          {t('setup.clear')}
        </Button>
        <Button name="setup-cancel" onClick={() => (setup.value = null)}>
          {t('setup.cancel')}
        </Button>
      </div>
    </div>
  );
}
