import { isAnalysing } from '../state/analysis';
import { letEngineMove, undo } from '../state/opening';
import { isOver, step, toEnd, toSibling, toStart } from '../state/store';
import { dialog } from '../state/view';
import { hasModifier } from './modifiers';

const KEYS: Readonly<Record<string, () => void>> = {
  ArrowLeft: () => step(-1),
  ArrowRight: () => step(1),
  ArrowUp: () => toSibling(-1),
  ArrowDown: () => toSibling(1),
  PageUp: () => step(-5),
  PageDown: () => step(5),
  Home: toStart,
  End: toEnd,
  ' ': () => {
    if (!isOver() || isAnalysing.value) isAnalysing.value = !isAnalysing.value;
  },
  e: letEngineMove,
  u: undo,
  n: () => (dialog.value = 'new'),
  b: () => document.querySelector<SVGElement>('.board .cell[tabindex="0"]')?.focus(),
  '?': () => (dialog.value = 'help'),
};

/** Keys that work everywhere but in fields and dialogs. */
export function listenToKeys(): void {
  addEventListener('keydown', (event) => {
    if (hasModifier(event) || dialog.value) return;
    const at = event.target as HTMLElement;
    if (at.closest('input, textarea, select')) return;
    // Space presses a button; on the tab that is open already it would do nothing.
    if (event.key === ' ' && at.closest('button:not([aria-selected="true"])')) return;
    const act = KEYS[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!act) return;
    event.preventDefault();
    act();
  });
}
