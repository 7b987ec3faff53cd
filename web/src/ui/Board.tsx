import { useSignal, useSignalEffect } from '@preact/signals';
import type { Signal } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { BoardView } from '../board/BoardView';
import { CELL, STONE, geometry, place } from '../board/geometry';
import type { Geometry } from '../board/geometry';
import type { Point } from '../game/point';
import { label, samePoint } from '../game/point';
import { cellOf } from '../game/position';
import { BLACK, BLOCKED, EMPTY, WHITE } from '../game/rules';
import { t } from '../i18n/i18n';
import { isUsersDecision, phase, pickPoint } from '../state/opening';
import { isEngines, playStone } from '../state/play';
import { settings } from '../state/settings';
import { setup, setupClick } from '../state/setup';
import { statusText } from '../state/status';
import { isOver, mayPlay, node, notify, position, step } from '../state/store';
import { boardModel, preview, theme } from '../state/view';
import { currentFindings, occupied } from '../state/analysis';
import { percent } from './format';
import { hasModifier } from './modifiers';

/** Cells that are smaller on the screen, in CSS pixels, are not hit by a finger: a second tap confirms. */
const SMALL_CELL = 20;
/** Turn of the wheel for a move, in CSS pixels; a notch of a mouse is about 100. */
const WHEEL_STEP = 50;

/** A click or its equal on a cell. */
function chooseCell(p: Point): void {
  preview.value = null;
  if (setup.value) setupClick(p);
  else if (phase.value) pickPoint(p);
  else if (mayPlay(p) && !isEnginesMove()) playStone(p);
}

/** The choice of a cell without sight of the board: where no stone can be put, a message says why. */
function chooseByName(p: Point): void {
  const isFull = cellOf(position.value, p) !== EMPTY;
  if (setup.value || phase.value) chooseCell(p);
  else if (isOver() || isEnginesMove()) notify(statusText());
  else if (isFull) notify(t('notice.taken', { point: label(p, position.value.height) }));
  else chooseCell(p);
}

/** While the engine thinks about its own move, the user's clicks put no stones. */
function isEnginesMove(): boolean {
  return occupied.value === 'move' && isEngines(position.value.toMove);
}

/** The board: drawing, pointer, keyboard and names for screen readers. */
export function Board() {
  const svg = useRef<SVGSVGElement>(null);
  const hover = useSignal<Point | null>(null);
  const waiting = useSignal<Point | null>(null);
  /** The pointer pressed on the board and still there. */
  const pressed = useRef<number | null>(null);
  // A first tap holds for its own position only.
  useSignalEffect(() => {
    void node.value;
    void setup.value;
    waiting.value = null;
  });
  const model = boardModel.value;
  const shape = useMemo(
    () => geometry(model),
    [model.width, model.height, model.hasCoordinates, model.turn],
  );
  useEffect(() => followWheel(svg.current!), []);

  const cellUnder = (event: PointerEvent): Point | null => {
    const matrix = svg.current?.getScreenCTM();
    if (!matrix) return null;
    const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse());
    const p = shape.unturned({
      x: Math.round((at.x - shape.margin) / CELL),
      y: Math.round((at.y - shape.margin) / CELL),
    });
    return p.x >= 0 && p.y >= 0 && p.x < model.width && p.y < model.height ? p : null;
  };
  const isTouch = (event: PointerEvent) => event.pointerType === 'touch';
  const onPointerMove = (event: PointerEvent) => {
    const p = cellUnder(event);
    if (isTouch(event) && settings.touch.value !== 'slide') return;
    // A sliding finger covers the cell: the stone is shown one cell and a half above it.
    hover.value = isTouch(event) ? cellUnder(liftedEvent(event, svg.current!)) : p;
  };
  const onPointerUp = (event: PointerEvent) => {
    // A press beside the board may end on it, as when a text is selected.
    if (event.button !== 0 || event.pointerId !== pressed.current) return;
    pressed.current = null;
    const isSmall = svg.current!.getBoundingClientRect().width * CELL < SMALL_CELL * shape.width;
    const chosen = settings.touch.value === 'direct' && isSmall ? 'confirm' : settings.touch.value;
    const style = isTouch(event) ? chosen : 'direct';
    const p = style === 'slide' ? hover.value : cellUnder(event);
    hover.value = null;
    if (!p) return;
    if (style === 'confirm' && !samePoint(waiting.value, p)) {
      waiting.value = isFree(p) ? p : null;
      if (waiting.value && chosen !== settings.touch.value) notify(t('notice.tap-again'));
      return;
    }
    waiting.value = null;
    chooseCell(p);
  };
  return (
    <svg
      ref={svg}
      class={`board touch-${settings.touch.value}`}
      viewBox={`0 0 ${shape.width} ${shape.height}`}
      role="presentation"
      onPointerMove={onPointerMove}
      onPointerLeave={() => {
        hover.value = null;
        pressed.current = null;
      }}
      onPointerDown={(event) => {
        event.preventDefault();
        if (event.button === 0) pressed.current = event.pointerId;
        if (isTouch(event)) onPointerMove(event);
      }}
      onPointerUp={onPointerUp}
    >
      <BoardView model={model} theme={theme.value} />
      <HoverStone hover={hover} waiting={waiting} shape={shape} />
      <Cells shape={shape} />
    </svg>
  );
}

/** The stone that a click would put. It alone is drawn again when the pointer moves. */
function HoverStone(props: {
  hover: Signal<Point | null>;
  waiting: Signal<Point | null>;
  shape: Geometry;
}) {
  const { hover, waiting, shape } = props;
  const p = waiting.value ?? hover.value;
  const tone = setup.value?.tool ?? phase.value?.toMove ?? position.value.toMove;
  if (!p || !isFree(p) || (tone !== BLACK && tone !== WHITE)) return null;
  return (
    <circle
      {...place(p, shape)}
      r={STONE}
      class="hover-stone"
      fill={tone === BLACK ? 'url(#black-stone)' : 'url(#white-stone)'}
      opacity={waiting.value ? 0.8 : 0.5}
    />
  );
}

function liftedEvent(event: PointerEvent, svg: SVGSVGElement): PointerEvent {
  const scale = svg.getBoundingClientRect().width / svg.viewBox.baseVal.width;
  return { clientX: event.clientX, clientY: event.clientY - 1.5 * CELL * scale } as PointerEvent;
}

function isFree(p: Point): boolean {
  if (setup.value) return true;
  if (phase.value) return isUsersDecision() && phase.value.mayPut(p);
  return mayPlay(p) && !isEnginesMove();
}

/** Goes through the moves with the wheel on the board. */
function followWheel(board: SVGSVGElement): () => void {
  let turned = 0;
  const onWheel = (event: WheelEvent) => {
    // With Ctrl the wheel makes the page larger.
    if (event.ctrlKey || event.deltaY === 0 || setup.value) return;
    event.preventDefault();
    const pixels = event.deltaMode === WheelEvent.DOM_DELTA_PIXEL ? event.deltaY : WHEEL_STEP * Math.sign(event.deltaY);
    turned = Math.sign(turned) === -Math.sign(pixels) ? pixels : turned + pixels;
    if (Math.abs(turned) < WHEEL_STEP) return;
    step(Math.sign(turned));
    turned = 0;
  };
  // The listener of an attribute may be passive, and could not keep the page from scrolling.
  board.addEventListener('wheel', onWheel, { passive: false });
  return () => board.removeEventListener('wheel', onWheel);
}

/** The cells for keyboard and screen readers, a grid of which Tab reaches one cell and arrows the others. */
function Cells({ shape }: { shape: Geometry }) {
  const focused = useSignal<Point>({ x: -1, y: -1 });
  const { width, height } = boardModel.value;
  const home = { x: width >> 1, y: height >> 1 };
  const current = focused.value.x >= 0 && focused.value.x < width && focused.value.y < height ? focused.value : home;
  const move = (event: KeyboardEvent, p: Point) => {
    const steps: Record<string, [number, number]> = {
      ArrowLeft: [-1, 0],
      ArrowRight: [1, 0],
      ArrowUp: [0, -1],
      ArrowDown: [0, 1],
    };
    if (hasModifier(event)) return;
    const by = steps[event.key];
    if (by) {
      const at = shape.turned(p);
      const x = Math.min(shape.columns - 1, Math.max(0, at.x + by[0]));
      const y = Math.min(shape.rows - 1, Math.max(0, at.y + by[1]));
      focused.value = shape.unturned({ x, y });
      const svg = (event.currentTarget as SVGElement).ownerSVGElement!;
      svg.querySelector<SVGElement>(`[data-cell-at="${x},${y}"]`)?.focus();
    } else if (event.key === 'Enter') chooseByName(p);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const rows = [];
  for (let y = 0; y < shape.rows; y += 1) {
    const row = [];
    for (let x = 0; x < shape.columns; x += 1) {
      const p = shape.unturned({ x, y });
      const { cx, cy } = place(p, shape);
      row.push(
        <rect
          key={`${x},${y}`}
          class="cell"
          role="gridcell"
          data-cell-at={`${x},${y}`}
          x={cx - CELL / 2}
          y={cy - CELL / 2}
          width={CELL}
          height={CELL}
          fill="transparent"
          // In small letters: SVG has no `tabIndex`.
          tabindex={samePoint(p, current) ? 0 : -1}
          aria-label={cellName(p)}
          onFocus={() => (focused.value = p)}
          onKeyDown={(event) => move(event, p)}
          onClick={(event) => {
            // A pointer's click has been answered already; this one comes from assistive software.
            if (event.detail === 0) chooseByName(p);
          }}
        />,
      );
    }
    rows.push(
      <g key={y} role="row">
        {row}
      </g>,
    );
  }
  return (
    <g role="grid" aria-label={t('board.label', { width, height })}>
      {rows}
    </g>
  );
}

/** `h8: black, 3, last move`. */
function cellName(p: Point): string {
  const model = boardModel.value;
  const i = p.y * model.width + p.x;
  const cell = model.cells[i];
  const parts: string[] = [];
  if (cell === BLACK) parts.push(t('color.black'));
  else if (cell === WHITE) parts.push(t('color.white'));
  else if (cell === BLOCKED) parts.push(t('cell.blocked'));
  else parts.push(t('cell.empty'));
  const number = model.numbers.get(i);
  if (number !== undefined) parts.push(String(number));
  if (samePoint(p, model.last)) parts.push(t('cell.last'));
  if (cell === EMPTY && model.signs.some((s) => s.kind === 'forbidden' && samePoint(s.point, p))) {
    parts.push(t('cell.forbidden'));
  }
  const line = currentFindings.value?.lines.find((found) => samePoint(found?.moves[0], p));
  if (cell === EMPTY && line) parts.push(t('cell.candidate', { rate: `${percent(line.winRate)} %` }));
  return `${label(p, model.height)}: ${parts.join(', ')}`;
}
