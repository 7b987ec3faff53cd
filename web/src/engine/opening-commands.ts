import type { Choice } from '../game/opening-phase';
import type { OpeningPhase } from '../game/opening-phase';
import type { Point } from '../game/point';
import { opponent } from '../game/rules';
import { block, wire } from './commands';
import { parsePoints } from './progress';

/** The command that asks for the next decision of an opening. */
export function openingCommand(state: OpeningPhase): string {
  const stones = state.stones.map(wire);
  const fifths = state.offered.map(wire);
  const step = state.step!;
  const number = state.declared || state.offerCount;
  const ask = (word: string) => [block(word, stones), ...fifths].join(' ');
  const rif = (word: string, suffix: string, first: string) => {
    if (stones.length < 3) return ask(first);
    if (step.do === 'take') return ask(`${word}2${suffix}`);
    if (step.do === 'put') return ask(`${word}3${suffix}`);
    return ask(`${word}${step.do === 'keep' ? 5 : 4}${suffix}`);
  };
  const turns = (word: string, suffix: string) =>
    ask(`${word}${step.do === 'take' ? 2 : 1}${suffix}`);
  switch (state.rule.split(':')[0]) {
    case 'swap1':
      return ask('SWAP1STBOARD');
    case 'swap':
      return ask('SWAPBOARD');
    case 'swap2':
      return ask('SWAP2BOARD');
    case 'pro':
      return ask('PROBOARD');
    case 'long-pro':
      return ask('LONGPROBOARD');
    case 'rif':
      return rif('RIFSTEP', '', 'RIFSTEP1');
    case 'renju-swap':
      return rif('RIFSTEP', '', 'TARANNIKOVSTEP1');
    case 'yamaguchi':
    case 'designated':
      return rif('YAMAGUCHISTEP', ` ${number}`, 'YAMAGUCHISTEP1');
    case 'tarannikov':
      return turns('TARANNIKOVSTEP', '');
    case 'taraguchi':
    case 'taraguchi-10': {
      const count = state.rule === 'taraguchi' ? 5 : 10;
      return step.do === 'keep' ? ask(`TARAGUCHISTEP4 ${count}`) : turns('TARAGUCHISTEP', ` ${count}`);
    }
    default:
      return soosorvCommand(state, ask);
  }
}

function soosorvCommand(state: OpeningPhase, ask: (word: string) => string): string {
  const step = state.step!.do;
  const stones = state.stones.length;
  if (stones < 3) return ask('SOOSYRVSTEP1 8');
  if (stones === 3) return ask(step === 'take' ? 'SOOSYRVSTEP2 8' : 'SOOSYRVSTEP3 8');
  if (step === 'take') return ask(`SOOSYRVSTEP4 ${state.declared}`);
  return ask(`SOOSYRVSTEP${step === 'keep' ? 6 : 5} ${state.declared}`);
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
