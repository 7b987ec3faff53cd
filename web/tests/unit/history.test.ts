import { AT, FRAME, SWAP2, answer, engine, open, settle, usePage } from './page';
import { happen } from './browser';
import { describe, expect, it, vi } from 'vitest';
import { writeSgf } from '../../src/game/sgf';
import { occupied } from '../../src/state/analysis';
import { deleteBranch, promoteBranch } from '../../src/state/branches';
import { clocks, timeLeft } from '../../src/state/clock';
import { addDeletion, redoChange, undoChange, undoable } from '../../src/state/history';
import { finishSetup, startGame } from '../../src/state/new-game';
import { decide, letEngineMove, phase, setPlayer } from '../../src/state/opening';
import { concede, playStone, players, resign } from '../../src/state/play';
import { review, reviewGame } from '../../src/state/review';
import { settings } from '../../src/state/settings';
import { beginSetup, clearSetup, setup, setupClick } from '../../src/state/setup';
import { addLine, addMove, game, goTo, node, notice, touch, verdicts } from '../../src/state/store';

usePage();

/** All that a change may change, as a text. */
const all = () =>
  JSON.stringify([
    writeSgf(game.value),
    players.value,
    phase.value?.choices,
    game.value.choices,
    setup.value && [...setup.value.cells],
    verdicts.get(node.value),
    review.value?.judgements,
  ]);

describe('undo', () => {
  const h8i9g7 = () => addLine([AT(7, 7), AT(8, 6), AT(6, 8)]);
  const changes: [string, () => unknown][] = [
    ['a move', () => playStone(AT(0, 0))],
    ['a branch that is deleted', () => (goTo(game.value.root.children[0]!.children[0]!), deleteBranch())],
    ['another main line', () => (goTo(game.value.root.children[1]!), promoteBranch())],
    ['a comment', () => ((node.value.comment = 'a comment'), touch())],
    ['a new game', () => startGame(SWAP2, 'both')],
    ['a stone that is set up', () => (beginSetup(), setupClick(AT(0, 0)))],
    ['a set-up that is emptied', () => (beginSetup(), clearSetup())],
    ['a position that was set up', () => (beginSetup(), setupClick(AT(0, 0)), finishSetup())],
    ['a file that is opened', () => open('(;SZ[15]RU[renju];B[aa];W[bb])')],
    ['a link that is opened', () => open('#renju-15/h8', 'moves.txt')],
    ['another address', () => ((location.hash = '#standard-20x15/k10'), happen('hashchange'))],
    ['a player who gives up', resign],
    ['another player', () => setPlayer(2, 'engine')],
  ];
  it.each(changes)('takes back %s, and redo brings it again', async (_, change) => {
    goTo(h8i9g7());
    goTo(game.value.root);
    addLine([AT(3, 3)]);
    await settle();
    const [before, at] = [all(), node.value];
    const count = undoable.value.undo;
    await change();
    await settle();
    const after = all();
    expect(after).not.toBe(before);
    expect(undoable.value.undo).toBe(count + 1);
    undoChange();
    await settle();
    expect(all()).toBe(before);
    expect(node.value).toBe(at);
    redoChange();
    await settle();
    expect(all()).toBe(after);
    undoChange();
    expect(all()).toBe(before);
    expect(undoable.value).toEqual({ undo: count, redo: 1 });
  });

  it('goes back through a series of changes to the first one', async () => {
    goTo(h8i9g7());
    goTo(game.value.root);
    addLine([AT(3, 3)]);
    await settle();
    const states = [all()];
    for (const [, change] of changes) {
      await change();
      await settle();
      // The position of a game that is over takes no stone, and a set-up none of the game's changes.
      if (states.at(-1) !== all()) states.push(all());
    }
    for (const state of states.slice(0, -1).reverse()) {
      undoChange();
      await settle();
      expect(all()).toBe(state);
    }
    for (const state of states.slice(1)) {
      redoChange();
      await settle();
      expect(all()).toBe(state);
    }
  });

  it("takes the engine's answer back together with the move, and lets a new one be made", async () => {
    startGame(FRAME, 'first');
    await settle();
    playStone(AT(7, 7));
    await answer('8,8');
    playStone(AT(7, 6));
    await answer('8,7');
    undoChange();
    expect(node.value.move?.point).toEqual(AT(8, 8));
    expect(node.value.children).toEqual([]);
    undoChange();
    expect(game.value.root.children).toEqual([]);
    redoChange();
    redoChange();
    await settle();
    expect(node.value.move?.point).toEqual(AT(8, 7));
    expect(occupied.value).toBeNull();
  });
  it('stops the engine that thinks about an answer', async () => {
    startGame(FRAME, 'first');
    await settle();
    playStone(AT(7, 7));
    await settle();
    expect(occupied.value).toBe('move');
    undoChange();
    expect(occupied.value).toBeNull();
    expect(engine.commands.at(-1)).toBe('YXSTOP');
    await answer('8,8');
    expect(game.value.root.children).toEqual([]);
  });
  it('takes moves that the engine was asked for one by one', async () => {
    letEngineMove();
    await answer('7,7');
    letEngineMove();
    await answer('8,8');
    undoChange();
    expect(node.value.move?.point).toEqual(AT(7, 7));
    undoChange();
    expect(node.value).toBe(game.value.root);
  });
  it('takes a choice of an opening back, not the stones before', async () => {
    startGame(SWAP2, 'both');
    for (const x of [5, 6, 7]) {
      decide({ do: 'put', point: AT(x, 7) });
      await settle();
    }
    decide({ do: 'take', color: 2 });
    await settle();
    undoChange();
    expect(phase.value?.step?.do).toBe('take');
    undoChange();
    expect([phase.value?.stones.length, node.value.move?.point?.x]).toEqual([2, 6]);
  });
  it('leaves a step through the game alone, and goes where the change was', async () => {
    const end = addLine([AT(7, 7), AT(8, 6)]);
    await settle();
    goTo(end);
    await settle();
    addMove(AT(0, 0));
    await settle();
    goTo(game.value.root);
    await settle();
    undoChange();
    expect(node.value).toBe(end);
    expect(end.children).toEqual([]);
  });
  it('gives a text back that is still being typed', async () => {
    addMove(AT(7, 7));
    await settle();
    node.value.comment = 'half a com';
    undoChange();
    expect(node.value.comment).toBe('');
    redoChange();
    expect(node.value.comment).toBe('half a com');
  });
  it('forgets what was undone once something else is changed', async () => {
    addMove(AT(7, 7));
    await settle();
    undoChange();
    addMove(AT(8, 8));
    await settle();
    redoChange();
    expect(game.value.root.children).toHaveLength(1);
  });
  it('brings the review of a game back', async () => {
    goTo(addLine([AT(7, 7), AT(8, 6)]));
    const done = reviewGame();
    await answer('MESSAGE REVIEW {"move":1,"side":"black","class":"best","win_rate":0.5,"score":"0","line":[]}', 'OK');
    await done;
    const before = review.value;
    startGame(FRAME, 'both');
    await settle();
    undoChange();
    expect(review.value).toBe(before);
  });
  it('brings the clocks back as they were, also of a game that was lost on time', async () => {
    vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] });
    settings.gameMinutes.value = 1;
    settings.incrementSeconds.value = 0;
    startGame(FRAME, 'both');
    await settle();
    vi.advanceTimersByTime(20_000);
    playStone(AT(7, 7));
    await settle();
    vi.advanceTimersByTime(10_000);
    undoChange();
    expect(Math.round(timeLeft('first') / 1000)).toBe(40);
    expect([clocks.value?.running, timeLeft('second')]).toEqual(['first', 60_000]);
    await settle();
    vi.advanceTimersByTime(1000);
    concede('first', 'time');
    await settle();
    undoChange();
    expect(timeLeft('first')).toBeGreaterThan(0);
    expect(verdicts.get(node.value)).toBeUndefined();
    vi.useRealTimers();
  });
  it('is offered where something is gone', async () => {
    addMove(AT(7, 7));
    await settle();
    expect(notice.value).toBeNull();
    deleteBranch();
    await settle();
    expect(notice.value).toMatchObject({ text: 'Deleted.', action: { label: 'undo' } });
    notice.value!.action!.run();
    expect(node.value.move?.point).toEqual(AT(7, 7));
    expect(notice.value).toBeNull();
    await open('#renju-15/h8', 'moves.txt');
    await settle();
    expect(notice.value?.action?.label).toBe('undo');
  });
  it('takes part in what is no change of the game', () => {
    const said: string[] = [];
    addDeletion({ undo: () => said.push('undo'), redo: () => said.push('redo') });
    undoChange();
    redoChange();
    expect(said).toEqual(['undo', 'redo']);
  });
});
