import { useSignal } from '@preact/signals';
import type { OpeningPhase } from '../game/opening-phase';
import type { Area } from '../game/opening-rules';
import { BLACK, WHITE } from '../game/rules';
import { colorName, t } from '../i18n/i18n';
import type { Key } from '../i18n/en';
import { alternative, chooseAlternative, decide, isStopped, isUsersDecision, phase, picked } from '../state/opening';
import { Button, NumberField } from './parts';

/** The next step of the opening rule: what is to be done, and the buttons for it. */
export function OpeningGuide() {
  const state = phase.value;
  const step = state?.step;
  if (!state || !step || isStopped(state)) return null;
  return (
    <div class="guide" data-name="guide">
      <h3>{t(`opening.${state.rule.split(':')[0]!}` as Key)}</h3>
      {isUsersDecision() ? <Step state={state} /> : <p>{t('opening.engine-turn')}</p>}
    </div>
  );
}

function Step({ state }: { state: OpeningPhase }) {
  const count = useSignal(1);
  const step = state.step!;
  switch (step.do) {
    case 'put': {
      const color = colorName(state.toMove);
      const number = state.stones.length + 1;
      return (
        <p>
          {t('opening.put', { number, color })}, {areaText(step.area)}
        </p>
      );
    }
    case 'take':
      return <Take state={state} />;
    case 'declare':
      return (
        <>
          <p>{t('opening.declare')}</p>
          <div class="row">
            <NumberField label={t('opening.fifths')} name="declare" setting={count} min={1} max={state.mostDeclared} />
            <Button isPrimary name="declare-ok" onClick={() => decide({ do: 'declare', count: count.value })}>
              {t('setup.done')}
            </Button>
          </div>
        </>
      );
    case 'offer':
      return <p>{t('opening.offer', { count: state.offerCount, picked: picked.value.length })}</p>;
    case 'keep':
      return <p>{t('opening.keep')}</p>;
  }
}

function Take({ state }: { state: OpeningPhase }) {
  const or = state.step?.do === 'take' ? state.step.or : null;
  if (alternative.value) {
    const values = { count: state.offerCount, picked: picked.value.length };
    return (
      <>
        <p>{or === 'add' ? t('opening.adding') : t('opening.offer', values)}</p>
        <Button name="cancel-alternative" onClick={() => chooseAlternative(false)}>
          {t('setup.cancel')}
        </Button>
      </>
    );
  }
  return (
    <>
      <p>{t('opening.take')}</p>
      <div class="row">
        <Button name="take-black" onClick={() => decide({ do: 'take', color: BLACK })}>
          {t('opening.take.black')}
        </Button>
        <Button name="take-white" onClick={() => decide({ do: 'take', color: WHITE })}>
          {t('opening.take.white')}
        </Button>
        {or && (
          <Button name="take-other" onClick={() => chooseAlternative(true)}>
            {or === 'add' ? t('opening.take.add') : t('opening.take.offer', { count: or.offer })}
          </Button>
        )}
      </div>
    </>
  );
}

function areaText(area: Area): string {
  if (area === 'anywhere') return t('opening.put.anywhere');
  if ('beyond' in area) return t('opening.put.beyond', { side: 2 * area.beyond + 1 });
  if (area.within === 0) return t('opening.put.centre');
  return t('opening.put.within', { side: 2 * area.within + 1 });
}
