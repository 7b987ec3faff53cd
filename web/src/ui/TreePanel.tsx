import { useEffect, useMemo, useRef } from 'preact/hooks';
import { blameOf } from '../game/judgement';
import { label } from '../game/point';
import { BLACK } from '../game/rules';
import type { GameNode } from '../game/tree';
import { lineThrough } from '../game/tree';
import { t } from '../i18n/i18n';
import { deleteBranch, promoteBranch } from '../state/branches';
import { review } from '../state/review';
import { game, goTo, node, touch, version } from '../state/store';
import { Button } from './parts';

const STEP = 24;

interface Placed {
  readonly node: GameNode;
  readonly column: number;
  readonly row: number;
}

interface Layout {
  /** In the order of drawing. */
  readonly placed: ReadonlyMap<GameNode, Placed>;
  readonly columns: number;
  readonly rows: number;
}

/** Columns by move number; a branch takes the first row that is free from its column on. */
function layout(root: GameNode): Layout {
  const placed = new Map<GameNode, Placed>();
  const ends: number[] = [];
  let columns = 0;
  const visit = (first: GameNode, column: number, parentRow: number): void => {
    const line: GameNode[] = [];
    for (let at: GameNode | undefined = first; at; at = at.children[0]) line.push(at);
    let row = parentRow;
    while ((ends[row] ?? -1) >= column) row += 1;
    ends[row] = column + line.length - 1;
    columns = Math.max(columns, column + line.length);
    line.forEach((node, i) => placed.set(node, { node, column: column + i, row }));
    for (let i = line.length - 1; i >= 0; i -= 1) {
      for (const child of line[i]!.children.slice(1)) visit(child, column + i + 1, row + 1);
    }
  };
  visit(root, 0, 0);
  return { placed, columns, rows: ends.length };
}

/** The tree of the game with its branches, and the comment of the position shown. */
export function TreePanel() {
  const scroller = useRef<HTMLDivElement>(null);
  const current = node.value;
  const { root } = game.value;
  // A step through the game moves the frame alone: a library has thousands of nodes.
  const tree = useMemo(() => layout(root), [root, version.value, review.value]);
  const drawing = useMemo(() => <Drawing tree={tree} />, [tree]);
  const here = tree.placed.get(current);
  useEffect(() => {
    const box = scroller.current;
    if (!box || !here) return;
    box.scrollLeft = here.column * STEP - box.clientWidth / 2;
    box.scrollTop = here.row * STEP - box.clientHeight / 2;
  }, [here?.column, here?.row]);
  return (
    <section class="tree-panel">
      <div class="tree" ref={scroller} tabIndex={0} role="region" aria-label={t('tree.title')}>
        <svg width={tree.columns * STEP} height={tree.rows * STEP} aria-hidden="true">
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

/** Moves on either side of the one shown that the list names; no rule allows as many without a pass. */
const LISTED = 500;

/** The line through the position shown as text. Tab reaches the move shown, arrows the others. */
function MoveList() {
  const list = useRef<HTMLOListElement>(null);
  void version.value;
  const line = lineThrough(node.value);
  const current = line.indexOf(node.value);
  const first = Math.max(0, current - LISTED);
  const { height } = game.value;
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
        const name = at.move ? `${first + i}. ${at.move.point ? label(at.move.point, height) : '–'}` : t('tree.start');
        return (
          <li key={at.id}>
            <button
              type="button"
              class="ply"
              tabIndex={isCurrent ? 0 : -1}
              {...(isCurrent ? { 'aria-current': 'step' as const } : {})}
              onClick={() => goTo(at)}
            >
              {name}
            </button>
          </li>
        );
      })}
    </ol>
  );
}

function Drawing({ tree }: { tree: Layout }) {
  const all = [...tree.placed.values()];
  return (
    <>
      {all.map((p) => {
        const from = p.node.parent ? tree.placed.get(p.node.parent) : undefined;
        return from && <path key={p.node.id} class="tree-edge" d={edge(from, p)} />;
      })}
      {all.map((p) => (
        <TreeNode key={p.node.id} placed={p} />
      ))}
    </>
  );
}

function edge(from: Placed, to: Placed): string {
  const [x1, y1] = [from.column * STEP + STEP / 2, from.row * STEP + STEP / 2];
  const [x2, y2] = [to.column * STEP + STEP / 2, to.row * STEP + STEP / 2];
  return y1 === y2 ? `M${x1} ${y1}H${x2}` : `M${x1} ${y1}V${y2 - STEP / 2}L${x2} ${y2}`;
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
