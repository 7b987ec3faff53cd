import { useSignal } from '@preact/signals';
import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { blameOf } from '../game/judgement';
import { label } from '../game/point';
import { BLACK } from '../game/rules';
import type { GameNode } from '../game/tree';
import { lineThrough } from '../game/tree';
import { t } from '../i18n/i18n';
import { deleteBranch, promoteBranch } from '../state/branches';
import { review } from '../state/review';
import { moveName } from '../state/status';
import { game, goTo, node, touch, version } from '../state/store';
import { Button } from './parts';

const STEP = 24;

interface Placed {
  readonly node: GameNode;
  readonly column: number;
  readonly row: number;
  /** The row of the last child: as far down the trunk of the branches goes. */
  lowest: number;
}

interface Layout {
  readonly placed: ReadonlyMap<GameNode, Placed>;
  /** The nodes by their columns. */
  readonly columns: readonly (readonly Placed[])[];
  readonly rows: number;
}

/** Columns by move number; a branch takes the first row that is free from its column on. */
function layout(root: GameNode): Layout {
  const placed = new Map<GameNode, Placed>();
  const columns: Placed[][] = [];
  const ends: number[] = [];
  // A branch may begin at each move of another: a stack of our own has room for all of them.
  const waiting: [first: GameNode, column: number, row: number][] = [[root, 0, 0]];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const [first, column, parentRow] = next;
    const line: GameNode[] = [];
    for (let at: GameNode | undefined = first; at; at = at.children[0]) line.push(at);
    let row = parentRow;
    while ((ends[row] ?? -1) >= column) row += 1;
    ends[row] = column + line.length - 1;
    line.forEach((node, i) => {
      const place = { node, column: column + i, row, lowest: row };
      placed.set(node, place);
      (columns[column + i] ??= []).push(place);
      for (let j = node.children.length - 1; j > 0; j -= 1) waiting.push([node.children[j]!, column + i + 1, row + 1]);
    });
    const parent = first.parent && placed.get(first.parent);
    if (parent) parent.lowest = Math.max(parent.lowest, row);
  }
  return { placed, columns, rows: ends.length };
}

/** A part of the tree, in columns and rows; the ends are part of it. */
interface Frame {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** Columns and rows drawn around the visible ones; the frame moves by as many at once. */
const MARGIN = 16;

function frameOf(box: HTMLElement): Frame {
  const first = (pixels: number) => (Math.floor(pixels / STEP / MARGIN) - 1) * MARGIN;
  const last = (pixels: number) => (Math.ceil(pixels / STEP / MARGIN) + 1) * MARGIN;
  return {
    left: first(box.scrollLeft),
    top: first(box.scrollTop),
    right: last(box.scrollLeft + box.clientWidth),
    bottom: last(box.scrollTop + box.clientHeight),
  };
}

/** The tree of the game with its branches, and the comment of the position shown. */
export function TreePanel() {
  const scroller = useRef<HTMLDivElement>(null);
  const seen = useSignal<Frame>({ left: 0, top: 0, right: 2 * MARGIN, bottom: 2 * MARGIN });
  const current = node.value;
  const { root } = game.value;
  // A step through the game moves the frame alone: a library has thousands of nodes.
  const tree = useMemo(() => layout(root), [root, version.value, review.value]);
  const { left, top, right, bottom } = seen.value;
  const drawing = useMemo(() => <Drawing tree={tree} frame={seen.value} />, [tree, left, top, right, bottom]);
  const here = tree.placed.get(current);
  const look = () => {
    if (!scroller.current) return;
    const next = frameOf(scroller.current);
    const before = seen.peek();
    if (Object.values(next).join() !== Object.values(before).join()) seen.value = next;
  };
  useLayoutEffect(() => {
    const box = scroller.current;
    if (!box || !here) return;
    box.scrollLeft = here.column * STEP - box.clientWidth / 2;
    box.scrollTop = here.row * STEP - box.clientHeight / 2;
    look();
  }, [tree, here?.column, here?.row]);
  useEffect(() => {
    const watcher = new ResizeObserver(look);
    watcher.observe(scroller.current!);
    return () => watcher.disconnect();
  }, []);
  return (
    <section class="tree-panel">
      <div class="tree" ref={scroller} tabIndex={0} role="region" aria-label={t('tree.title')} onScroll={look}>
        <svg width={tree.columns.length * STEP} height={tree.rows * STEP} aria-hidden="true">
          {here && (
            <rect x={here.column * STEP + 1} y={here.row * STEP + 1} width="22" height="22" rx="5" class="tree-current" />
          )}
          {drawing}
        </svg>
      </div>
      <MoveList />
      <textarea
        class="comment"
        rows={2}
        aria-label={t('tree.comment')}
        placeholder={t('tree.comment')}
        value={current.comment}
        onInput={(event) => (current.comment = event.currentTarget.value)}
        onChange={touch}
      />
      {current.parent && (
        <div class="row">
          <Button name="main-line" onClick={promoteBranch}>
            {t('tree.main')}
          </Button>
          <Button name="delete-branch" onClick={deleteBranch}>
            {t('tree.delete')}
          </Button>
        </div>
      )}
    </section>
  );
}

/** Moves on either side of the one shown that the list names: all of a game on the usual board. */
const LISTED = 250;

/** The line through the position shown as text. Tab reaches the move shown, arrows the others. */
function MoveList() {
  const list = useRef<HTMLOListElement>(null);
  void version.value;
  const line = lineThrough(node.value);
  const current = line.indexOf(node.value);
  const first = Math.max(0, current - LISTED);
  useEffect(() => {
    const box = list.current;
    const button = box?.querySelector<HTMLElement>('[aria-current]');
    if (!box || !button) return;
    box.scrollTop = button.offsetTop - box.clientHeight / 2;
    // The focus stays with the move shown while arrows go through the list.
    if (box.contains(document.activeElement)) button.focus();
  }, [current]);
  if (line.length < 2) return null;
  return (
    <ol class="moves-list" ref={list} aria-label={t('nav.title')} data-name="moves-list">
      {line.slice(first, current + LISTED).map((at, i) => {
        const isCurrent = first + i === current;
        return (
          <li key={at.id}>
            <button
              type="button"
              class="ply"
              tabIndex={isCurrent ? 0 : -1}
              {...(isCurrent ? { 'aria-current': 'step' as const } : {})}
              onClick={() => goTo(at)}
            >
              {moveName(at, first + i)}
            </button>
          </li>
        );
      })}
    </ol>
  );
}

/** The part of the tree in the frame. */
function Drawing({ tree, frame }: { tree: Layout; frame: Frame }) {
  const isIn = ({ row }: Placed) => row >= frame.top && row <= frame.bottom;
  const shown = tree.columns.slice(Math.max(0, frame.left), frame.right + 1).flatMap((column) => column.filter(isIn));
  const parents = tree.columns.slice(Math.max(0, frame.left - 1), frame.right + 1);
  const trunks = parents.flatMap((column) =>
    column.filter(({ row, lowest }) => lowest > row && row <= frame.bottom && lowest >= frame.top),
  );
  return (
    <>
      {trunks.map((p) => (
        <path key={`trunk ${p.node.id}`} class="tree-edge" d={trunk(p, Math.min(p.lowest, frame.bottom + 1))} />
      ))}
      {shown.map((p) => {
        const from = p.node.parent ? tree.placed.get(p.node.parent) : undefined;
        return from && <path key={p.node.id} class="tree-edge" d={edge(from, p)} />;
      })}
      {shown.map((p) => (
        <TreeNode key={p.node.id} placed={p} />
      ))}
    </>
  );
}

/** From a node down to where its last branch, or the last that is shown, turns off. */
function trunk({ column, row }: Placed, end: number): string {
  return `M${column * STEP + STEP / 2} ${row * STEP + STEP / 2}V${end * STEP}`;
}

/** From the parent, or from its trunk. */
function edge(from: Placed, to: Placed): string {
  const [x1, x2, y2] = [from.column * STEP + STEP / 2, to.column * STEP + STEP / 2, to.row * STEP + STEP / 2];
  return from.row === to.row ? `M${x1} ${y2}H${x2}` : `M${x1} ${y2 - STEP / 2}L${x2} ${y2}`;
}

function TreeNode({ placed }: { placed: Placed }) {
  const { move, judgement, mark, comment } = placed.node;
  const blame = blameOf(judgement ?? mark);
  const name = move?.point ? label(move.point, game.value.height) : t('tree.start');
  const tone = !move ? 'root' : move.color === BLACK ? 'black' : 'white';
  const cx = placed.column * STEP + STEP / 2;
  const cy = placed.row * STEP + STEP / 2;
  return (
    <g class={`tree-node ${tone}`} data-move={name} onClick={() => goTo(placed.node)}>
      <title>{comment ? `${name}: ${comment}` : name}</title>
      <circle cx={cx} cy={cy} r={8} />
      {move && (
        <text x={cx} y={cy + 3.2}>
          {placed.column}
        </text>
      )}
      {blame && <circle cx={cx + 7} cy={cy - 7} r="3.5" class={`dot ${blame}`} />}
      {comment && <circle cx={cx - 7} cy={cy - 7} r="3" class="dot comment" />}
    </g>
  );
}
