import { t } from '../i18n/i18n';
import { blameOf, isMarked } from '../game/judgement';
import { lineThrough } from '../game/tree';
import { valuesVersion } from '../state/analysis';
import { settings } from '../state/settings';
import { goTo, node, version } from '../state/store';
import { Graph } from './Graph';

/** The graph of the line through the position shown. */
export function LineGraph() {
  void [version.value, valuesVersion.value];
  const line = lineThrough(node.value);
  const points = line.map((at) => {
    const { judgement, value } = at;
    const isShown = !judgement || isMarked(judgement, settings.markedLoss.value);
    return { blackWins: value?.blackWins ?? null, mark: isShown ? blameOf(judgement ?? at.mark) : null };
  });
  return (
    <Graph
      points={points}
      current={line.indexOf(node.value)}
      title={t('graph.title')}
      onPick={(index) => goTo(line[index] ?? node.value)}
    />
  );
}
