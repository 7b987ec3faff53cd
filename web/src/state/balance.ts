import { parsePoints } from '../engine/progress';
import { watchSearch, withEngine } from './analysis';
import { addLine, goTo, node, position } from './store';

/** Puts the move, or the two moves, after which the chances are as even as can be found. */
export function playBalanced(count: 1 | 2, seconds: number): Promise<void> {
  const [at, here] = [node.value, position.value];
  return withEngine('balance', async (engine, signal) => {
    const watch = watchSearch(at, here.toMove, false);
    const command = count === 1 ? 'YXBALANCEONE 0' : 'YXBALANCETWO 0';
    try {
      const answer = await engine.search(here, command, { turnMs: seconds * 1000 }, watch, signal);
      const end = addLine(parsePoints(answer), at);
      if (node.value === at) goTo(end);
    } finally {
      watch.end();
    }
  });
}
