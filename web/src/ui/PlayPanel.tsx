import { namedOpening } from '../game/named-openings';
import { language, t } from '../i18n/i18n';
import { occupied, stopThinking } from '../state/analysis';
import { clocks } from '../state/clock';
import { letEngineMove, mayAskEngine, undo } from '../state/opening';
import { isSelfPlay, moveNow, resign } from '../state/play';
import { LEVELS, settings } from '../state/settings';
import type { LimitKind } from '../state/settings';
import { game, isOver, node, position, verdicts } from '../state/store';
import { OpeningGuide } from './OpeningGuide';
import { Button, NumberField, Select } from './parts';

/** Playing: the opening's steps, take back and resign, and what the engine may use. */
export function PlayPanel() {
  const isThinking = occupied.value === 'move';
  return (
    <div class="panel">
      <OpeningName />
      <OpeningGuide />
      <div class="row">
        {isThinking && (
          <Button isPrimary name="move-now" onClick={moveNow}>
            {t('play.now')}
          </Button>
        )}
        {isThinking && isSelfPlay() ? (
          <Button name="pause" onClick={stopThinking}>
            {t('play.pause')}
          </Button>
        ) : isSelfPlay() && mayAskEngine() ? (
          <Button isPrimary name="go-on" onClick={letEngineMove}>
            {t('play.go-on')}
          </Button>
        ) : isThinking ? null : (
          <Button name="engine-move" isDisabled={!mayAskEngine()} onClick={letEngineMove}>
            {t('play.engine-move')}
          </Button>
        )}
        <Button
          name="take-back"
          isDisabled={node.value.parent === null && !verdicts.has(node.value)}
          onClick={undo}
        >
          {t('play.take-back')}
        </Button>
        <Button name="resign" isDisabled={isThinking || isOver() || node.value.parent === null} onClick={resign}>
          {t('play.resign')}
        </Button>
      </div>
      <div class="fields">
        <Select
          label={t('level')}
          name="level"
          setting={settings.level}
          options={LEVELS.map(([key, strength]) => [strength as number, `${strength} · ${t(key)}`] as const)}
        />
        <MoveLimit isDisabled={clocks.value !== null} />
      </div>
    </div>
  );
}

/** The limits of an engine's move; with clocks these set them. */
export function MoveLimit({ isDisabled }: { isDisabled: boolean }) {
  const kind = settings.limitKind.value;
  const numbers: Record<LimitKind, [value: typeof settings.moveSeconds, min: number, max: number, step: number]> = {
    time: [settings.moveSeconds, 0.1, 3600, 0.1],
    depth: [settings.moveDepth, 1, 100, 1],
    nodes: [settings.moveNodes, 100, 1e12, 1000],
  };
  const [value, min, max, step] = numbers[kind];
  return (
    <>
      <Select<LimitKind>
        isDisabled={isDisabled}
        label={t('limit')}
        name="limit-kind"
        setting={settings.limitKind}
        options={[
          ['time', t('limit.time')],
          ['depth', t('limit.depth')],
          ['nodes', t('limit.nodes')],
        ]}
      />
      <NumberField
        isDisabled={isDisabled}
        label={kind === 'time' ? t('limit.seconds') : t(`limit.${kind}`)}
        name="limit"
        setting={value}
        min={min}
        max={max}
        step={step}
      />
    </>
  );
}

/** The name of one of the 26 openings of renju. */
function OpeningName() {
  const { rule, width, height } = game.value;
  const found = rule === 'renju' ? namedOpening(position.value.moves, width, height) : null;
  if (!found) return null;
  const local = { 'zh-CN': found.chinese, 'zh-TW': found.japanese, ja: found.japanese } as Record<string, string>;
  const name = local[language.value] ?? `${found.name} (${found.japanese})`;
  return <p class="opening-name">{t('opening.name', { name: `${found.code} ${name}` })}</p>;
}
