import { isAnalysing } from '../state/analysis';
import { redoChange, undoChange } from '../state/history';
import { letEngineMove, undo } from '../state/opening';
import { setup } from '../state/setup';
import { isOver, step, toEnd, toSibling, toStart } from '../state/store';
import { hint } from '../state/training';
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
  h: hint,
  n: () => (dialog.value = 'new'),
  b: focusBoard,
  '?': () => (dialog.value = 'help'),
};

/** Gives the focus to the board. */
function focusBoard(): void {
  document.querySelector<SVGElement>('.board .cell[tabindex="0"]')?.focus();
}

/** Gives the focus to the board after a press by key of a button that goes with its dialog or card. */
export function returnToBoard(): void {
  if (document.activeElement?.matches(':focus-visible')) requestAnimationFrame(focusBoard);
}

/** The keys that still act while a position is set up: the game is hidden then. */
const KEYS_OF_SETUP = ['b', 'n', '?'];

/** The name of a key in `KEYS`. A letter of another script stands for the Latin one of its place. */
function nameOf({ key, code }: KeyboardEvent): string {
  const isOtherScript = !/[\x00-\x7f]|\p{Script=Latin}/u.test(key);
  const place = isOtherScript ? /^Key([A-Z])$/.exec(code)?.[1] : undefined;
  const name = place ?? key;
  return name.length === 1 ? name.toLowerCase() : name;
}

/** Fields with texts of their own, in which the browser undoes what was typed. */
const TEXTS = 'input:not([type="checkbox"]), textarea';
/** The dialogs in which changes are undone, and the page without one. */
const MAY_UNDO: readonly (typeof dialog.value)[] = [null, 'games'];

/** The meaning of Ctrl-Z, Ctrl-Y and Ctrl-Shift-Z; on a Mac with Command. */
function changeOf(event: KeyboardEvent): (() => void) | null {
  if (!(event.ctrlKey || event.metaKey) || event.altKey) return null;
  const name = nameOf(event);
  if (name === 'z') return event.shiftKey ? redoChange : undoChange;
  return name === 'y' && !event.shiftKey ? redoChange : null;
}

/** Keys that work everywhere but in fields and dialogs. */
export function listenToKeys(): void {
  addEventListener('keydown', (event) => {
    const at = event.target as HTMLElement;
    const change = at.closest(TEXTS) || !MAY_UNDO.includes(dialog.value) ? null : changeOf(event);
    if (change) {
      event.preventDefault();
      change();
      return;
    }
    if (hasModifier(event) || dialog.value) return;
    if (event.key === 'Escape' || (event.key === 'Enter' && at.matches('input:not([type="checkbox"])'))) {
      // Leaving a field takes what was typed.
      focusBoard();
      event.preventDefault();
      return;
    }
    if (at.closest(TEXTS) || at.closest('select')) return;
    // Space presses a button, but not the open tab: a press would do nothing there.
    if (event.key === ' ' && at.closest('input, summary, button:not([aria-selected="true"])')) return;
    const name = nameOf(event);
    const act = KEYS[name];
    if (!act || (setup.value && !KEYS_OF_SETUP.includes(name))) return;
    event.preventDefault();
    act();
  });
}
