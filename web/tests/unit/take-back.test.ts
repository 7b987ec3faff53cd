import { AT, FRAME, SWAP2, answer, engine, open, settle, usePage } from './page';
import { describe, expect, it } from 'vitest';
import { happen } from './browser';
import { occupied } from '../../src/state/analysis';
import { clocks } from '../../src/state/clock';
import { startGame } from '../../src/state/new-game';
import { decide, isUsersDecision, letEngineMove, mayAskEngine, phase, pickPoint, undo } from '../../src/state/opening';
import { restore } from '../../src/state/persist';
import { blackHolder, playStone, resign } from '../../src/state/play';
import { settings } from '../../src/state/settings';
import { isOver, node, position, step, toStart } from '../../src/state/store';

usePage();

const stones = () => position.value.moves.length;

/** Swap2 with both sides up to the choice of a colour. */
function putThree(): void {
  startGame(SWAP2, 'both');
  for (const x of [5, 6, 7]) decide({ do: 'put', point: AT(x, 7) });
}

describe('taking back after an opening', () => {
  it("leads to the user's last choice where its moves would be stones of the opening", async () => {
    startGame(SWAP2, 'second');
    await answer('5,7 6,7 7,7');
    decide({ do: 'take', color: 1 });
    await answer('8,8');
    expect(stones()).toBe(4);
    undo();
    expect(stones()).toBe(3);
    expect(phase.value?.step?.do).toBe('take');
    expect(isUsersDecision()).toBe(true);
    decide({ do: 'take', color: 2 });
    expect(blackHolder.value).toBe('first');
    expect(occupied.value).toBeNull();
  });
  it('takes moves first, then a colour that was chosen by mistake', () => {
    putThree();
    decide({ do: 'take', color: 2 });
    playStone(AT(8, 8));
    undo();
    expect([stones(), phase.value]).toEqual([3, null]);
    undo();
    expect([stones(), phase.value?.step?.do]).toEqual([3, 'take']);
    expect(blackHolder.value).toBe('first');
    undo();
    expect([stones(), phase.value?.step?.do]).toEqual([2, 'put']);
  });
  it("leads to the user's stone where the engine chose a colour and moved", async () => {
    startGame(SWAP2, 'first');
    for (const x of [5, 6, 7]) decide({ do: 'put', point: AT(x, 7) });
    await answer('9,9');
    expect([stones(), phase.value]).toEqual([4, null]);
    undo();
    expect([stones(), phase.value?.step?.do]).toEqual([2, 'put']);
    expect(isUsersDecision()).toBe(true);
  });
  it('does so after a reload and in a record that is opened', async () => {
    putThree();
    decide({ do: 'take', color: 1 });
    happen('pagehide');
    startGame(FRAME, 'both');
    location.hash = '';
    restore();
    undo();
    expect([stones(), phase.value?.step?.do]).toEqual([3, 'take']);
    await open('(;SZ[15]XO[swap2];B[fh];W[gh];B[hh]XC[takes white])');
    undo();
    expect([stones(), phase.value?.step?.do]).toEqual([3, 'take']);
  });
  it('takes moves alone in a variation of its stones, and nothing at the beginning', () => {
    putThree();
    decide({ do: 'take', color: 1 });
    toStart();
    undo();
    expect([stones(), phase.value]).toEqual([0, null]);
    playStone(AT(0, 0));
    undo();
    expect([stones(), phase.value]).toEqual([0, null]);
  });
  it('leaves the stones that a designated opening begins with', () => {
    startGame({ ...FRAME, rule: 'renju', opening: 'designated:4D:2' }, 'both');
    undo();
    expect([stones(), phase.value?.step?.do]).toEqual([3, 'take']);
  });
  it('lets the clock go of who is to choose, if he has time left', () => {
    settings.gameMinutes.value = 1;
    putThree();
    decide({ do: 'take', color: 1 });
    undo();
    expect(clocks.value?.running).toBe('second');
  });
});

describe('an opening in which the game is given up', () => {
  it('does not go on, wherever the user looks, until that is taken back', async () => {
    startGame(SWAP2, 'both');
    pickPoint(AT(7, 7));
    resign();
    const over = node.value;
    for (const look of [() => undefined, toStart]) {
      look();
      pickPoint(AT(8, 6));
      expect(decide({ do: 'put', point: AT(8, 6) })).toBe(false);
      letEngineMove();
      await settle();
      expect([isUsersDecision(), mayAskEngine(), over.children]).toEqual([false, false, []]);
    }
    expect(engine.commands).toEqual([]);
    node.value = over;
    undo();
    expect(isOver()).toBe(false);
    pickPoint(AT(8, 6));
    expect(stones()).toBe(2);
  });
  it('does not go on either where a choice leads there again', async () => {
    settings.gameMinutes.value = 1;
    startGame(SWAP2, 'first');
    for (const x of [5, 6, 7]) decide({ do: 'put', point: AT(x, 7) });
    resign();
    await answer('0,0');
    step(-1);
    undo();
    expect(isUsersDecision()).toBe(true);
    engine.sent.length = 0;
    decide({ do: 'put', point: AT(7, 7) });
    await settle();
    expect([isOver(), clocks.value?.running, engine.commands]).toEqual([true, null, []]);
  });
});
