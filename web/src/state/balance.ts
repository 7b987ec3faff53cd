import { Aborted, answerPoints } from '../engine/session';
import { occupied, watchSearch } from './analysis';
import { session } from './connection';
import { addLine, goTo, node, notify, position } from './store';

/** Puts the move, or the two moves, after which the chances are as even as can be found. */
export async function playBalanced(count: 1 | 2, seconds: number): Promise<void> {
  const engine = session.value;
  if (!engine || occupied.value) return;
  const [at, here] = [node.value, position.value];
  occupied.value = 'balance';
  const watch = watchSearch(at, here.toMove, false);
  try {
    const command = count === 1 ? 'YXBALANCEONE 0' : 'YXBALANCETWO 0';
    const answer = await engine.search(here, command, { turnMs: seconds * 1000 }, watch);
    const end = addLine(answerPoints(answer), at);
    if (node.value === at) goTo(end);
  } catch (error) {
    if (!(error instanceof Aborted)) notify((error as Error).message, true);
  } finally {
    watch.end();
    occupied.value = null;
  }
}
