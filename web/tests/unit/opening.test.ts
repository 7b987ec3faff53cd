import { describe, expect, it } from 'vitest';
import { choicesOfAnswer, openingCommand } from '../../src/engine/opening-commands';
import type { Choice } from '../../src/game/opening-phase';
import { OpeningPhase } from '../../src/game/opening-phase';
import { PLAIN_OPENINGS } from '../../src/game/opening-rules';
import type { Point } from '../../src/game/point';
import { opponent } from '../../src/game/rules';

const AT = (x: number, y: number) => ({ x, y });

/** A choice that the rule allows next: a swap, or what else may be done in place of it. */
function allowedChoice(phase: OpeningPhase, isOther: boolean): Choice {
  const step = phase.step!;
  const points = Array.from({ length: 225 }, (_, i) => AT(i % 15, Math.floor(i / 15)));
  const offer = () => {
    const chosen: Point[] = [];
    for (const p of points) {
      if (chosen.length < phase.offerCount && !phase.judgeOffer([...chosen, p])) chosen.push(p);
    }
    return { do: 'offer' as const, points: chosen };
  };
  switch (step.do) {
    case 'put':
      return { do: 'put', point: points.find((p) => phase.mayPut(p))! };
    case 'take':
      if (!isOther || step.or === null) return { do: 'take', color: opponent(phase.toMove) };
      return step.or === 'add' ? { do: 'add', points: [AT(0, 14), AT(14, 14)] } : offer();
    case 'declare':
      return { do: 'declare', count: 3 };
    case 'offer':
      return offer();
    case 'keep':
      return { do: 'keep', point: phase.offered[0]! };
  }
}

const TURNS = (word: string, number = '') =>
  [`${word}1${number} 0`, ...[1, 2, 3, 4].flatMap((n) => [`${word}2${number} ${n}`, `${word}1${number} ${n}`])];
const TARANNIKOV = [...TURNS('TARANNIKOVSTEP'), 'TARANNIKOVSTEP2 5'].join(', ');
const taraguchi = (n: number): [string, string] => {
  const turns = TURNS('TARAGUCHISTEP', ` ${n}`);
  return [
    [...turns, `TARAGUCHISTEP2 ${n} 5`].join(', '),
    [...turns.slice(0, -1), `TARAGUCHISTEP4 ${n} 4+${n}`].join(', '),
  ];
};
/** The protocol's words for each rule, with swaps and the lists that follow. */
const COMMANDS: Record<string, [string, string?]> = {
  swap1: ['SWAP1STBOARD 0, SWAP1STBOARD 1'],
  swap: ['SWAPBOARD 0, SWAPBOARD 3'],
  swap2: ['SWAP2BOARD 0, SWAP2BOARD 3', 'SWAP2BOARD 0, SWAP2BOARD 3, SWAP2BOARD 5'],
  pro: ['PROBOARD 0, PROBOARD 1, PROBOARD 2'],
  'long-pro': ['LONGPROBOARD 0, LONGPROBOARD 1, LONGPROBOARD 2'],
  rif: ['RIFSTEP1 0, RIFSTEP2 3, RIFSTEP3 3, RIFSTEP4 4, RIFSTEP5 4+2'],
  'renju-swap': [
    'TARANNIKOVSTEP1 0, TARANNIKOVSTEP1 1, TARANNIKOVSTEP1 2, RIFSTEP2 3, RIFSTEP3 3, RIFSTEP4 4, RIFSTEP5 4+2',
  ],
  yamaguchi: ['YAMAGUCHISTEP1 0, YAMAGUCHISTEP2 3 3, YAMAGUCHISTEP3 3 3, YAMAGUCHISTEP4 3 4, YAMAGUCHISTEP5 3 4+3'],
  tarannikov: [TARANNIKOV],
  taraguchi: taraguchi(5),
  'taraguchi-10': taraguchi(10),
  'soosorv-8': [
    'SOOSYRVSTEP1 8 0, SOOSYRVSTEP2 8 3, SOOSYRVSTEP3 8 3, SOOSYRVSTEP4 3 4, SOOSYRVSTEP5 3 4, SOOSYRVSTEP6 3 4+3',
  ],
  'designated:4D:3': ['YAMAGUCHISTEP2 3 3, YAMAGUCHISTEP3 3 3, YAMAGUCHISTEP4 3 4, YAMAGUCHISTEP5 3 4+3'],
};

/**
 * The commands of a whole opening, as `WORD stones+fifths`. Who decides several steps one after the other is asked
 * for the first of them: the answer tells of all.
 */
function commandsOf(rule: string, isOther: boolean): string[] {
  const phase = new OpeningPhase(rule, 15, 15);
  const commands: string[] = [];
  let last: unknown = null;
  while (!phase.isOver) {
    if (phase.decider !== last) {
      const [, word, stones, fifths] = /^(\S+(?: \d+(?!,))?)((?: \d+,\d+)*) DONE((?: \d+,\d+)*)$/.exec(openingCommand(phase))!;
      const count = (text = '') => text.split(',').length - 1;
      commands.push(`${word} ${count(stones)}${fifths ? `+${count(fifths)}` : ''}`);
    }
    const choice = allowedChoice(phase, isOther);
    expect(phase.judge(choice)).toBeNull();
    last = phase.decider;
    phase.choose(choice);
  }
  return commands;
}

describe('opening rules', () => {
  it('goes through swap2 with two added stones', () => {
    const phase = new OpeningPhase('swap2', 15, 15);
    for (const x of [5, 6, 7]) phase.choose({ do: 'put', point: AT(x, 7) });
    expect(phase.decider).toBe('second');
    phase.choose({ do: 'add', points: [AT(8, 8), AT(9, 9)] });
    expect(phase.decider).toBe('first');
    phase.choose({ do: 'take', color: 2 });
    expect(phase.isOver).toBe(true);
    expect(phase.holder(2)).toBe('first');
  });
  it('keeps stones within their areas', () => {
    const phase = new OpeningPhase('rif', 15, 15);
    expect(phase.judge({ do: 'put', point: AT(6, 7) })).toBe('area');
    phase.choose({ do: 'put', point: AT(7, 7) });
    expect(phase.judge({ do: 'put', point: AT(7, 9) })).toBe('area');
    expect(phase.judge({ do: 'put', point: AT(8, 8) })).toBeNull();
  });
  it('refuses equivalent fifth stones', () => {
    const choices = [
      [7, 7],
      [7, 6],
      [7, 5],
    ].map(([x, y]) => ({ do: 'put' as const, point: AT(x!, y!) }));
    const phase = OpeningPhase.replay('rif', 15, 15, [
      ...choices,
      { do: 'take', color: 1 },
      { do: 'put', point: AT(7, 4) },
    ]);
    expect(phase.judgeOffer([AT(6, 7), AT(8, 7)])).toBe('equivalent');
    expect(phase.judgeOffer([AT(6, 7), AT(8, 8)])).toBeNull();
  });
  it('understands the answers of the engine', () => {
    const stones = [5, 6, 7].map((x) => ({ do: 'put' as const, point: AT(x, 7) }));
    const phase = OpeningPhase.replay('swap2', 15, 15, stones);
    expect(openingCommand(phase)).toBe('SWAP2BOARD 5,7 6,7 7,7 DONE');
    expect(choicesOfAnswer(phase, 'SWAP').choices).toEqual([{ do: 'take', color: 1 }]);
    expect(choicesOfAnswer(phase, '1,1 2,2').choices).toEqual([{ do: 'add', points: [AT(1, 1), AT(2, 2)] }]);
    const kept = choicesOfAnswer(phase, '3,3');
    expect(kept).toEqual({ choices: [{ do: 'take', color: 2 }], rest: [AT(3, 3)] });
  });
  it('reads the number behind the points', () => {
    const phase = new OpeningPhase('yamaguchi', 15, 15);
    expect(choicesOfAnswer(phase, '7,7 7,6 8,6 4').choices.at(-1)).toEqual({ do: 'declare', count: 4 });
  });
  it('knows a command for every step of every rule', () => {
    expect(Object.keys(COMMANDS)).toEqual(expect.arrayContaining(PLAIN_OPENINGS.filter((name) => name !== 'free')));
    for (const [rule, [swapping, otherwise]] of Object.entries(COMMANDS)) {
      expect(commandsOf(rule, false).join(', '), rule).toBe(swapping);
      expect(commandsOf(rule, true).join(', '), rule).toBe(otherwise ?? swapping);
    }
  });
});
