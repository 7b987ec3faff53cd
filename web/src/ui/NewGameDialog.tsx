import { useSignal } from '@preact/signals';
import type { Key } from '../i18n/en';
import { OPENING_CODES } from '../game/named-openings';
import { PLAIN_OPENINGS, isRenjuOpening, leastSide } from '../game/opening-rules';
import { SIDES } from '../game/point';
import { RULES } from '../game/rules';
import type { Rule } from '../game/rules';
import { t } from '../i18n/i18n';
import { startGame } from '../state/new-game';
import { LEVELS, settings } from '../state/settings';
import type { UserPlays } from '../state/settings';
import { game } from '../state/store';
import { dialog } from '../state/view';
import { returnToBoard } from './keyboard';
import { MoveLimit } from './PlayPanel';
import { Button, Dialog, NumberField, Select, Tiles } from './parts';

/** A new game by level, colour and rule; more for those who want more. All choices are kept for the next one. */
export function NewGameDialog() {
  const { newRule, newWidth, newHeight, newOpening, newDesignated, newFifths, newUser } = settings;
  // Without a new game the choices are forgotten, but the engine's settings hold at once.
  const rule = useSignal<Rule>(newRule.value || game.value.rule);
  const width = useSignal(newRule.value ? newWidth.value : game.value.width);
  const height = useSignal(newRule.value ? newHeight.value : game.value.height);
  const opening = useSignal(newOpening.value);
  const designated = useSignal(newDesignated.value);
  const fifths = useSignal(newFifths.value);
  const user = useSignal<UserPlays>(newUser.value);
  const { gameMinutes, incrementSeconds, periods, periodSeconds } = settings;
  const openings = [...PLAIN_OPENINGS, 'designated'].filter(
    (name) =>
      (rule.value === 'renju' || !isRenjuOpening(name)) &&
      Math.min(width.value, height.value) >= leastSide(name),
  );
  const chosen = openings.includes(opening.value) ? opening.value : 'free';
  const hasClock = gameMinutes.value > 0 || periods.value > 0;
  const hasEngine = user.value !== 'both';
  const start = () => {
    [newRule.value, newWidth.value, newHeight.value] = [rule.value, width.value, height.value];
    [newOpening.value, newDesignated.value, newFifths.value] = [chosen, designated.value, fifths.value];
    newUser.value = user.value;
    const name = chosen === 'designated' ? `designated:${designated.value}:${fifths.value}` : chosen;
    returnToBoard();
    dialog.value = null;
    startGame({ rule: rule.value, width: width.value, height: height.value, opening: name }, user.value);
  };
  // Where an opening gives the colours, the players are the first and the second.
  const [first, second] = chosen === 'free' ? (['color.black', 'color.white'] as const) : (['new.first', 'new.second'] as const);
  const clock = `${gameMinutes.value}${incrementSeconds.value && gameMinutes.value ? `+${incrementSeconds.value} s` : ' min'}`;
  const more = [
    `${width.value}×${height.value}`,
    ...(chosen === 'free' ? [] : [t(`opening.${chosen}` as Key)]),
    ...(gameMinutes.value > 0 ? [clock] : []),
    ...(periods.value > 0 ? [`${periods.value}×${periodSeconds.value} s`] : []),
  ];
  return (
    <Dialog title={t('menu.new')} onClose={() => (dialog.value = null)}>
      <Tiles
        label={t('level')}
        name="level"
        setting={settings.level}
        isDisabled={!hasEngine}
        options={LEVELS.map(([key, strength]) => [strength as number, `${t(key)} ·\u00a0${strength}`, <LevelPicture key={key} strength={strength} />] as const)}
      />
      <Tiles<UserPlays>
        label={t('new.you')}
        name="user"
        setting={user}
        options={[
          ['first', t(first), <Stones key="b" colors={['black']} />],
          ['second', t(second), <Stones key="w" colors={['white']} />],
          ['both', t('new.both'), <Stones key="bw" colors={['black', 'white']} />],
          ['none', t('new.none'), <Stones key="n" colors={['none']} />],
        ]}
      />
      <Tiles label={t('rule')} name="rule" setting={rule} options={RULES.map((name) => [name, t(`rule.${name}`)] as const)} />
      <p class="hint rule-about">{t(`rule.${rule.value}.about`)}</p>
      <details class="more">
        <summary data-name="more">
          {t('games.more')}: {more.join(' · ')}
        </summary>
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
            options={openings.map((name) => [name as string, t(`opening.${name}` as Key)] as const)}
          />
          {chosen === 'designated' && (
            <>
              <Select
                label={t('opening.designated')}
                name="designated"
                setting={designated}
                options={OPENING_CODES.map((code) => [code as string, code] as const)}
              />
              <NumberField label={t('opening.fifths')} setting={fifths} min={1} max={20} />
            </>
          )}
        </div>
        {chosen !== 'free' && <p class="hint">{t(`opening.${chosen}.about` as Key)}</p>}
        <div class="fields">
          <NumberField label={t('new.clock')} name="clock" setting={gameMinutes} min={0} max={600} step={0.5} />
          <NumberField
            label={t('new.increment')}
            name="increment"
            setting={incrementSeconds}
            min={0}
            max={600}
            isDisabled={gameMinutes.value === 0}
          />
          <NumberField label={t('new.periods')} name="periods" setting={periods} min={0} max={99} />
          <NumberField
            label={t('new.period')}
            name="period"
            setting={periodSeconds}
            min={1}
            max={3600}
            isDisabled={periods.value === 0}
          />
        </div>
        <div class="fields">
          <MoveLimit isDisabled={hasClock || !hasEngine} />
        </div>
      </details>
      <div class="row end start-row">
        <Button isPrimary name="start" onClick={start}>
          {t('new.start')}
        </Button>
      </div>
    </Dialog>
  );
}

/** Five in a row, of which as many stones are put as the level is strong: half a stone for ten of a hundred. */
function LevelPicture({ strength }: { strength: number }) {
  return (
    <svg viewBox="0 0 70 14" aria-hidden="true">
      <path class="line" d="M0 7h70" />
      {[0, 1, 2, 3, 4].map((i) => {
        const x = 7 + 14 * i;
        const halves = Math.min(2, Math.max(0, Math.round(strength / 10) - 2 * i));
        return (
          <g key={i}>
            <circle class="place" cx={x} cy="7" r="5.5" />
            {halves > 0 && <path class="put" d={`M${x} 1.5a5.5 5.5 0 0 0 0 11${halves > 1 ? 'a5.5 5.5 0 0 0 0-11' : 'z'}`} />}
          </g>
        );
      })}
    </svg>
  );
}

function Stones({ colors }: { colors: readonly ('black' | 'white' | 'none')[] }) {
  return (
    <span class="stones" aria-hidden="true">
      {colors.map((color) => (
        <span key={color} class={`stone ${color}`} />
      ))}
    </span>
  );
}
