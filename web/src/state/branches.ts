import { makeMainLine, removeBranch } from '../game/tree';
import { changeTree } from './result';
import { cutReview } from './review';
import { goTo, node } from './store';

/** Removes the position shown and all positions after it. */
export function deleteBranch(): void {
  const gone = node.value;
  if (!gone.parent) return;
  goTo(gone.parent);
  changeTree(() => removeBranch(gone));
  cutReview(gone);
}

/** Makes the branch of the position shown the main line. */
export function promoteBranch(): void {
  changeTree(() => makeMainLine(node.value));
}
