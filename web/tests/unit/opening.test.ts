import { describe, expect, it } from 'vitest';
import { choicesOfAnswer, openingCommand } from '../../src/engine/opening-commands';
import { OpeningPhase } from '../../src/game/opening-phase';
import { PLAIN_OPENINGS } from '../../src/game/opening-rules';

const AT = (x: number, y: number) => ({ x, y });

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
    for (const rule of PLAIN_OPENINGS.filter((name) => name !== 'free')) {
      expect(openingCommand(new OpeningPhase(rule, 15, 15))).toMatch(/DONE/);
    }
  });
});
