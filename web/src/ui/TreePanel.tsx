import { useEffect, useRef } from 'preact/hooks';
import { label } from '../game/point';
import { BLACK } from '../game/rules';
import type { GameNode } from '../game/tree';
import { makeMainLine } from '../game/tree';
import { t } from '../i18n/i18n';
import { deleteBranch, game, goTo, node, touch, version } from '../state/store';
import { Button } from './parts';

const STEP = 24;

interface Placed {
  readonly node: GameNode;
  readonly column: number;
  readonly row: number;
}

/** Columns by move number; a branch takes the first row that is free from its column on. */
function layout(root: GameNode): Placed[] {
  const placed: Placed[] = [];
  const ends: number[] = [];
  const visit = (first: GameNode, column: number, parentRow: number): void => {
    const line: GameNode[] = [];
    for (let at: GameNode | undefined = first; at; at = at.children[0]) line.push(at);
    let row = parentRow;
    while ((ends[row] ?? -1) >= column) row += 1;
    ends[row] = column + line.length - 1;
    line.forEach((at, i) => placed.push({ node: at, column: column + i, row }));
    for (let i = line.length - 1; i >= 0; i -= 1) {
      for (const child of line[i]!.children.slice(1)) visit(child, column + i + 1, row + 1);
    }
  };
  visit(root, 0, 0);
  return placed;
}

/** The tree of the game with its branches, and the comment of the position shown. */
export function TreePanel() {
  void version.value;
  const scroller = useRef<HTMLDivElement>(null);
  const current = node.value;
  const placed = layout(game.value.root);
  const at = new Map(placed.map((p) => [p.node, p]));
  const here = at.get(current);
  useEffect(() => {
    const box = scroller.current;
    if (!box || !here) return;
    box.scrollLeft = here.column * STEP - box.clientWidth / 2;
    box.scrollTop = here.row * STEP - box.clientHeight / 2;
  }, [here?.column, here?.row]);
  const width = (Math.max(...placed.map((p) => p.column)) + 1) * STEP;
  const height = (Math.max(...placed.map((p) => p.row)) + 1) * STEP;
  return (
    <section class="tree-panel">
      <div class="tree" ref={scroller} tabIndex={0} role="region" aria-label={t('tree.title')}>
        <svg width={width} height={height} aria-hidden="true">
          {placed.map((p) => {
            const from = p.node.parent ? at.get(p.node.parent) : undefined;
            return from && <path key={p.node.id} class="tree-edge" d={edge(from, p)} />;
          })}
          {placed.map((p) => (
            <TreeNode key={p.node.id} placed={p} isCurrent={p.node === current} />
          ))}
        </svg>
      </div>
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
          <Button
            name="main-line"
            onClick={() => {
              makeMainLine(current);
              touch();
            }}
          >
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

function edge(from: Placed, to: Placed): string {
  const [x1, y1] = [from.column * STEP + STEP / 2, from.row * STEP + STEP / 2];
  const [x2, y2] = [to.column * STEP + STEP / 2, to.row * STEP + STEP / 2];
  return y1 === y2 ? `M${x1} ${y1}H${x2}` : `M${x1} ${y1}V${y2 - STEP / 2}L${x2} ${y2}`;
}

function TreeNode({ placed, isCurrent }: { placed: Placed; isCurrent: boolean }) {
  const { move, judgement, comment } = placed.node;
  const name = move?.point ? label(move.point, game.value.height) : t('tree.start');
  const tone = !move ? 'root' : move.color === BLACK ? 'black' : 'white';
  const cx = placed.column * STEP + STEP / 2;
  const cy = placed.row * STEP + STEP / 2;
  return (
    <g class={`tree-node ${tone}${isCurrent ? ' current' : ''}`} data-move={name} onClick={() => goTo(placed.node)}>
      <title>{comment ? `${name}: ${comment}` : name}</title>
      {isCurrent && <rect x={cx - 11} y={cy - 11} width="22" height="22" rx="5" class="tree-current" />}
      <circle cx={cx} cy={cy} r={8} />
      {move && (
        <text x={cx} y={cy + 3.2}>
          {placed.column}
        </text>
      )}
      {judgement && ['inaccuracy', 'mistake', 'blunder'].includes(judgement.class) && (
        <circle cx={cx + 7} cy={cy - 7} r="3.5" class={`dot ${judgement.class}`} />
      )}
      {comment && <circle cx={cx - 7} cy={cy - 7} r="3" class="dot comment" />}
    </g>
  );
}
