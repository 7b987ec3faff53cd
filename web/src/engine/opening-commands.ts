import type { Choice } from '../game/opening-phase';
import type { OpeningPhase } from '../game/opening-phase';
import type { Point } from '../game/point';
import { opponent } from '../game/rules';
import { block, wire } from './commands';
import table from './opening-commands.json';
import { parsePoints } from './progress';

/** The command that asks for the next decision of an opening. */
export function openingCommand(state: OpeningPhase): string {
  const steps = (table as Record<string, Record<string, string>>)[state.rule.split(':')[0]!];
  const word = steps![`${state.step!.do} ${state.stones.length}`]!.replace('#', String(state.declared));
  return [block(word, state.stones.map(wire)), ...state.offered.map(wire)].join(' ');
}

/** The choices that an answer stands for, one after the other. */
export function choicesOfAnswer(state: OpeningPhase, answer: string): { choices: Choice[]; rest: Point[] } {
  const points = parsePoints(answer);
  const number = Number(/(?:^|\s)(\d+)$/.exec(answer)?.[1] ?? 0);
  const choices: Choice[] = [];
  const now = () => state.after([...state.choices, ...choices]);
  if (answer.startsWith('SWAP')) {
    return { choices: [{ do: 'take', color: opponent(state.toMove) }], rest: [] };
  }
  for (let at = now(); at.step; at = now()) {
    const step = at.step;
    if (step.do === 'declare' && number > 0) choices.push({ do: 'declare', count: number });
    else if (points.length === 0) break;
    else if (step.do === 'put') choices.push({ do: 'put', point: points.shift()! });
    else if (step.do === 'keep') choices.push({ do: 'keep', point: points.shift()! });
    else if (step.do === 'offer') choices.push({ do: 'offer', points: points.splice(0) });
    else if (step.do === 'take' && step.or === 'add' && points.length === 2) {
      choices.push({ do: 'add', points: [points.shift()!, points.shift()!] });
    } else if (step.do === 'take' && step.or && points.length > 1) {
      choices.push({ do: 'offer', points: points.splice(0) });
    } else choices.push({ do: 'take', color: at.toMove });
  }
  return { choices, rest: points };
}
