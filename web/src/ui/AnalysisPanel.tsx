import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { SearchLine } from '../engine/progress';
import { label } from '../game/point';
import { t } from '../i18n/i18n';
import { currentFindings, isAnalysing, occupied } from '../state/analysis';
import { playBalanced } from '../state/balance';
import { connection } from '../state/connection';
import { settings } from '../state/settings';
import { addLine, goTo, isOver, node, position } from '../state/store';
import { preview, previewedLine } from '../state/view';
import { percent, short } from './format';
import { LineGraph } from './LineGraph';
import { Button, IconButton, NumberField, Toggle } from './parts';

/** Analysis while you look: lines, graph, layers, balanced moves. */
export function AnalysisPanel() {
  const mayStart = connection.value === 'ready' && !isOver();
  return (
    <div class="panel">
      <div class="row">
        <Button
          isPrimary
          name="analyse"
          isPressed={isAnalysing.value}
          isDisabled={!mayStart && !isAnalysing.value}
          onClick={() => (isAnalysing.value = !isAnalysing.value)}
        >
          {isAnalysing.value ? t('analysis.stop') : t('analysis.start')}
        </Button>
        <NumberField label={t('analysis.lines')} name="lines" setting={settings.lines} min={1} max={20} />
      </div>
      <SearchStatus />
      <LineList />
      <LineGraph />
      <div class="toggles">
        <Toggle label={t('analysis.marks')} setting={settings.showSearch} name="marks" />
        <Toggle label={t('analysis.threats')} setting={settings.showThreats} name="threats" />
        <Toggle label={t('analysis.forbidden')} setting={settings.showForbidden} name="forbidden" />
      </div>
      {settings.showThreats.value && <p class="hint">{t('analysis.threats.legend')}</p>}
      <div class="row">
        {([1, 2] as const).map((count) => (
          <Button
            key={count}
            name={`balance-${count}`}
            isDisabled={!mayStart || occupied.value !== null}
            onClick={() => void playBalanced(count, Math.max(1, settings.moveSeconds.value))}
          >
            {t(count === 1 ? 'analysis.balance-one' : 'analysis.balance-two')}
          </Button>
        ))}
      </div>
    </div>
  );
}

function SearchStatus() {
  const best = currentFindings.value?.lines[0];
  if (!best) return null;
  const items = [
    ['analysis.depth', `${best.depth}–${best.selDepth}`],
    ['analysis.nodes', short(best.nodes)],
    ['analysis.speed', short(best.speed)],
    ['analysis.time', `${(best.timeMs / 1000).toFixed(1)} s`],
  ] as const;
  return (
    <dl class="status">
      {items.map(([key, value]) => (
        <div key={key}>
          <dt>{t(key)}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function LineList() {
  const lines = currentFindings.value?.lines.filter(Boolean) ?? [];
  // The preview ends with the position: a removed line reports no leaving pointer.
  useEffect(() => () => void (preview.value = null), [node.value]);
  if (lines.length === 0) return <p class="hint">{t('analysis.empty')}</p>;
  return (
    <ol class="lines">
      {lines.map((line) => (
        <li key={line.index} class="line-row">
          <Line line={line} />
        </li>
      ))}
    </ol>
  );
}

/**
 * A line: a pointer on the line previews all moves, a pointer on a move previews the moves up to there. A click
 * plays up to the pointed move, or the first one, and a double click plays all.
 */
function Line({ line }: { line: SearchLine }) {
  const { height } = position.value;
  const names = line.moves.map((p) => label(p, height));
  const value = /M/.test(line.score) ? line.score : `${percent(line.winRate)} %`;
  const show = (count: number) => {
    const shown = previewedLine.value;
    if (shown?.length === count && shown[0] === line.moves[0]) return;
    preview.value = { node: node.value, points: line.moves.slice(0, count) };
  };
  const use = (count: number) => {
    preview.value = null;
    goTo(addLine(line.moves.slice(0, count)));
    onDoubleClick(() => goTo(addLine(line.moves.slice(count))));
  };
  // A proved win is shown with all moves of the engine's line.
  const chosen = useSignal<boolean | null>(null);
  const isWhole = chosen.value ?? line.score.includes('M');
  /** The kind of pointer that pressed the line: a finger has no other way to look at a line before playing it. */
  const pointer = useRef('');
  return (
    <>
    <button
      type="button"
      class={isWhole ? 'line whole' : 'line'}
      aria-label={`${value}: ${t('analysis.use-line', { moves: names.slice(0, 8).join(' ') })}`}
      // A line that comes under a pointer at rest is not pointed at: no `pointerenter`.
      onPointerDown={(event) => (pointer.current = event.pointerType)}
      onPointerMove={(event) => show(plyAt(event) ?? line.moves.length)}
      onPointerLeave={(event) => event.pointerType !== 'touch' && (preview.value = null)}
      onFocus={() => show(line.moves.length)}
      onBlur={(event) => {
        // The buttons beside the line play or show what is previewed.
        if (!event.currentTarget.parentElement?.contains(event.relatedTarget as Node | null)) preview.value = null;
      }}
      onClick={(event) => {
        if (event.detail > 0 && pointer.current === 'touch') show(plyAt(event) ?? line.moves.length);
        else use(plyAt(event) ?? 1);
      }}
    >
      <b class="rate">{value}</b>
      <span class="depth">{line.depth}</span>
      <span class="moves">
        {names.map((name, i) => (
          <span
            key={i}
            data-ply={i + 1}
            class={(i % 2 === 0) === (position.value.toMove === 1) ? 'ply black' : 'ply white'}
          >
            {name}
          </span>
        ))}
      </span>
    </button>
    <IconButton
      icon="more"
      label={t('analysis.whole-line')}
      name="whole-line"
      isPressed={isWhole}
      onClick={() => (chosen.value = !isWhole)}
    />
    <IconButton
      icon="forward"
      label={t('analysis.use-line', { moves: names.slice(0, previewedLine.value?.length || 1).join(' ') })}
      name="play-line"
      onClick={() => use(previewedLine.value?.[0] === line.moves[0] ? previewedLine.value!.length : 1)}
    />
    </>
  );
}

/** The number of the move in its line on which an event happens. */
function plyAt(event: Event): number | null {
  const ply = (event.target as Element).closest('[data-ply]')?.getAttribute('data-ply');
  return ply ? Number(ply) : null;
}

/** Does something if the next click is the second one of a double click, whatever it meets by then. */
function onDoubleClick(act: () => void): void {
  const isMeant = (event: MouseEvent) => {
    if (event.detail !== 2) return;
    event.preventDefault();
    event.stopPropagation();
    act();
  };
  addEventListener('click', isMeant, { capture: true, once: true });
}
