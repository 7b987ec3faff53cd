import { t } from '../i18n/i18n';
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
    const judgement = at.judgement;
    const isMarked = judgement && 100 * judgement.loss >= Math.min(settings.blunderLoss.value, 100);
    return {
      blackWins: at.value?.blackWins ?? null,
      mark: judgement && (isMarked || judgement.class !== 'blunder') ? judgement.class : null,
    };
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
