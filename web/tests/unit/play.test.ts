import { AT, FRAME, SWAP2, answer, engine, open, settle, usePage } from './page';
import { happen } from './browser';
import { describe, expect, it, vi } from 'vitest';
import { writeSgf } from '../../src/game/sgf';
import { isAnalysing, occupied, stopThinking } from '../../src/state/analysis';
import { deleteBranch } from '../../src/state/branches';
import { clockFace, clocks, timeLeft } from '../../src/state/clock';
import { connection, session } from '../../src/state/connection';
import { startGame } from '../../src/state/new-game';
import { decide, letEngineMove, mayAskEngine, phase, undo } from '../../src/state/opening';
import { restore } from '../../src/state/persist';
import { moveLimits, moveNow, playStone, players, resign, takeBack } from '../../src/state/play';
import { settings } from '../../src/state/settings';
import { beginSetup, setup } from '../../src/state/setup';
import { addLine, game, isOver, node, position, step, toEnd, toStart, verdicts } from '../../src/state/store';

usePage();

/** A game for two with a clock of a minute each, after its first move; time stands still. */
function beginTimedGame(): void {
  vi.useFakeTimers();
  settings.gameMinutes.value = 1;
  startGame(FRAME, 'both');
  playStone(AT(7, 7));
}

describe('an opening', () => {
  it('goes on when a choice is taken back that the engine has to make again', async () => {
    startGame(SWAP2, 'second');
    await answer('6,6 7,7 8,8');
    expect(position.value.moves).toHaveLength(3);
    undo();
    expect(position.value.moves).toEqual([]);
    expect(occupied.value).toBe('move');
    await answer('5,5 6,6 7,7');
    expect(position.value.moves).toHaveLength(3);
  });
  it('is gone on with on request where the engine was interrupted', async () => {
    startGame(SWAP2, 'second');
    await settle();
    expect(mayAskEngine()).toBe(false);
    beginSetup();
    setup.value = null;
    expect(phase.value).not.toBeNull();
    expect(mayAskEngine()).toBe(true);
    letEngineMove();
    await answer('0,0', '6,6 7,7 8,8');
    expect(position.value.moves).toHaveLength(3);
    expect(mayAskEngine()).toBe(false);
    const sent = engine.sent.length;
    letEngineMove();
    expect(engine.sent).toHaveLength(sent);
  });
  it('is in the record with its choices, also once it is over', async () => {
    startGame(SWAP2, 'both');
    for (const x of [5, 9]) decide({ do: 'put', point: AT(x, 7) });
    // What is taken back is no step of the opening: the record has it as a variation.
    undo();
    for (const x of [6, 7]) decide({ do: 'put', point: AT(x, 7) });
    decide({ do: 'take', color: 2 });
    playStone(AT(8, 8));
    expect(phase.value).toBeNull();
    const text = writeSgf(game.value);
    expect(text).toContain('XO[swap2]');
    expect(text).toMatch(/;B\[fh\]\s*\(;W\[gh\]\s*;B\[hh\]XC\[takes white\]\s*;W\[ii\]\)\s*\(;W\[jh\]\)/);
    await open(text);
    expect(writeSgf(game.value)).toBe(text);
  });
  it('goes on after a reload, also where its record does not name it', () => {
    startGame(SWAP2, 'both');
    decide({ do: 'put', point: AT(7, 7) });
    addLine([AT(0, 0), AT(1, 1)]);
    expect(writeSgf(game.value)).not.toContain('XO');
    happen('pagehide');
    startGame(FRAME, 'both');
    location.hash = '';
    restore();
    expect(phase.value?.rule).toBe('swap2');
    expect(position.value.moves).toHaveLength(1);
  });
});

describe('a game that is given up', () => {
  it('is lost by the user, whoever is to move', async () => {
    startGame(FRAME, 'first');
    playStone(AT(7, 7));
    resign();
    expect(verdicts.get(node.value)).toEqual({ kind: 'resigned', winner: 2 });
    expect(game.value.result).toBe('W+R');
  });
  it('is lost on time by the player whose clock ran out, without a board to look at', () => {
    beginTimedGame();
    toStart();
    vi.advanceTimersByTime(61_000);
    vi.useRealTimers();
    expect(game.value.result).toBe('B+T');
    expect(isOver()).toBe(false);
    toEnd();
    expect(verdicts.get(node.value)).toEqual({ kind: 'time', winner: 1, left: 60_000 });
    expect(clocks.value?.running).toBeNull();
  });
  it('is not lost on time once more where an earlier position is gone on with', () => {
    beginTimedGame();
    playStone(AT(8, 8));
    playStone(AT(9, 9));
    vi.advanceTimersByTime(120_000);
    expect(game.value.result).toBe('B+T');
    toStart();
    step(3);
    step(-1);
    takeBack();
    expect(clocks.value?.running).toBeNull();
    vi.useRealTimers();
  });
  it('is lost on time in the position shown where the one is deleted in which the clock began', () => {
    beginTimedGame();
    deleteBranch();
    vi.advanceTimersByTime(61_000);
    vi.useRealTimers();
    expect(verdicts.get(node.value)?.kind).toBe('time');
  });
  it('is lost on time after a reload too in the position in which the clock began', () => {
    beginTimedGame();
    toStart();
    happen('pagehide');
    location.hash = '';
    restore();
    vi.advanceTimersByTime(61_000);
    vi.useRealTimers();
    expect(isOver()).toBe(false);
    toEnd();
    expect(verdicts.get(node.value)?.kind).toBe('time');
  });
  it('goes on where that alone is taken back', () => {
    settings.gameMinutes.value = 1;
    startGame(FRAME, 'both');
    playStone(AT(7, 7));
    resign();
    undo();
    expect(isOver()).toBe(false);
    expect(game.value.result).toBe('');
    expect(position.value.last).toEqual(AT(7, 7));
    expect(clocks.value?.running).toBe('second');
    startGame(SWAP2, 'both');
    decide({ do: 'put', point: AT(7, 7) });
    resign();
    undo();
    expect(isOver()).toBe(false);
    expect(phase.value?.stones).toHaveLength(1);
  });
  it('goes on with the time of the turn in which it was lost on time', () => {
    vi.useFakeTimers();
    settings.gameMinutes.value = 1;
    settings.incrementSeconds.value = 0;
    startGame(FRAME, 'both');
    vi.advanceTimersByTime(20_000);
    for (const x of [7, 8]) playStone(AT(x, 7));
    vi.advanceTimersByTime(41_000);
    expect(game.value.result).toBe('W+T');
    undo();
    expect(game.value.result).toBe('');
    expect(position.value.moves).toHaveLength(2);
    expect(clocks.value).toMatchObject({ first: 40_000, running: 'first' });
    vi.useRealTimers();
  });
  it('is no longer so where its main line goes on', async () => {
    await open('(;SZ[15]RE[B+R];B[hh];W[ii])');
    step(-1);
    playStone(AT(0, 0));
    expect(game.value.result).toBe('B+R');
    toStart();
    toEnd();
    playStone(AT(0, 0));
    expect(game.value.result).toBe('');
  });
  it('is over after a reload too', () => {
    playStone(AT(7, 7));
    resign();
    const over = node.value;
    toStart();
    happen('pagehide');
    startGame(FRAME, 'both');
    location.hash = '';
    restore();
    expect(isOver()).toBe(false);
    toEnd();
    expect(node.value).not.toBe(over);
    expect(verdicts.get(node.value)).toEqual({ kind: 'resigned', winner: 1 });
  });
});

describe('a clock', () => {
  it('goes on after a reload where it was', () => {
    vi.useFakeTimers();
    settings.gameMinutes.value = 1;
    startGame(FRAME, 'first');
    vi.advanceTimersByTime(20_000);
    happen('pagehide');
    vi.advanceTimersByTime(30_000);
    location.hash = '';
    restore();
    expect(clocks.value).toMatchObject({ first: 40_000, second: 60_000, running: 'first' });
    vi.advanceTimersByTime(41_000);
    expect(game.value.result).toBe('W+T');
    vi.useRealTimers();
  });
  it('keeps the times of its game where those of the next one are chosen, also over a reload', async () => {
    vi.useFakeTimers();
    settings.gameMinutes.value = 1;
    settings.incrementSeconds.value = 2;
    startGame(FRAME, 'first');
    settings.gameMinutes.value = 9;
    settings.incrementSeconds.value = 50;
    vi.advanceTimersByTime(20_000);
    playStone(AT(7, 7));
    expect(clocks.value).toMatchObject({ first: 42_000, running: 'second' });
    await settle();
    expect(engine.sent).toContain('INFO timeout_match 60000');
    expect(engine.sent).toContain('INFO time_increment 2000');
    await answer('8,8');
    happen('pagehide');
    location.hash = '';
    restore();
    playStone(AT(9, 9));
    expect(clocks.value).toMatchObject({ first: 44_000, running: 'second', total: 60_000 });
    vi.useRealTimers();
  });
  it('is what the engine has for its part of an opening', async () => {
    settings.gameMinutes.value = 2;
    startGame(SWAP2, 'second');
    await settle();
    const sent = engine.sent.join('\n');
    expect(sent).toMatch(/INFO timeout_match 120000\nINFO time_left 1(19|20)\d{3}\n/);
  });
  it("waits after a reload where it is the engine's, until the engine is asked", async () => {
    settings.gameMinutes.value = 1;
    startGame(FRAME, 'second');
    await settle();
    happen('pagehide');
    location.hash = '';
    restore();
    expect(clocks.value?.running).toBeNull();
    letEngineMove();
    expect(clocks.value?.running).toBe('first');
    await answer('0,0', '7,7');
    expect(clocks.value?.running).toBe('second');
  });
  it("stands still where it is the engine's and the search is given up", async () => {
    settings.gameMinutes.value = 1;
    const cancelledSetup = () => {
      beginSetup();
      setup.value = null;
    };
    const asked = () => {
      startGame(FRAME, 'first');
      playStone(AT(7, 7));
    };
    const ways: [string, () => void, () => void][] = [
      ['another position', asked, () => step(-1)],
      ['a set-up', asked, cancelledSetup],
      ['a set-up in an opening', () => startGame(SWAP2, 'second'), cancelledSetup],
    ];
    for (const [name, begin, giveUp] of ways) {
      begin();
      await settle();
      expect(players.value[clocks.value!.running!], name).toBe('engine');
      giveUp();
      await answer('0,0');
      expect(clocks.value!.running, name).toBeNull();
    }
  });
  it("does not go where it is the engine's and there is no engine", async () => {
    const present = session.value;
    session.value = null;
    connection.value = 'lost';
    settings.gameMinutes.value = 1;
    startGame(FRAME, 'first');
    playStone(AT(7, 7));
    await settle();
    expect(clocks.value?.running).toBeNull();
    session.value = present;
    connection.value = 'ready';
  });
  it("does not go where the user takes back to the engine's first move", async () => {
    settings.gameMinutes.value = 1;
    startGame(FRAME, 'second');
    await answer('7,7');
    expect(clocks.value?.running).toBe('second');
    undo();
    expect(position.value.moves).toEqual([]);
    expect(clocks.value?.running).toBeNull();
    letEngineMove();
    expect(clocks.value?.running).toBe('first');
    await answer('8,8');
    expect(clocks.value?.running).toBe('second');
  });
  it('is that of the user whose move is taken back', async () => {
    settings.gameMinutes.value = 1;
    startGame(FRAME, 'first');
    playStone(AT(7, 7));
    expect(clocks.value?.running).toBe('second');
    undo();
    expect(clocks.value?.running).toBe('first');
    await answer('0,0');
  });
  it('has periods after the time of the game: a move within one leaves it whole, as in the terminal', () => {
    vi.useFakeTimers();
    settings.gameMinutes.value = 1;
    settings.incrementSeconds.value = 0;
    settings.periods.value = 3;
    settings.periodSeconds.value = 10;
    startGame(FRAME, 'both');
    vi.advanceTimersByTime(59_000);
    expect(clockFace('first')).toEqual({ left: 1000, isPeriod: false, periods: 3 });
    vi.advanceTimersByTime(10_000);
    expect(clockFace('first')).toEqual({ left: 1000, isPeriod: true, periods: 3 });
    for (const x of [0, 1]) playStone(AT(x, 0));
    expect(clocks.value).toMatchObject({ first: 0, second: 60_000, periods: { first: 3, second: 3 } });
    // A period runs out, the next one is left within its last moment.
    vi.advanceTimersByTime(20_000);
    for (const x of [2, 3]) playStone(AT(x, 0));
    expect(clocks.value!.periods.first).toBe(2);
    vi.advanceTimersByTime(4000);
    happen('pagehide');
    vi.advanceTimersByTime(10_000);
    location.hash = '';
    restore();
    expect(clockFace('first')).toEqual({ left: 6000, isPeriod: true, periods: 2 });
    vi.advanceTimersByTime(15_999);
    expect(game.value.result).toBe('');
    vi.advanceTimersByTime(2);
    expect(game.value.result).toBe('W+T');
    expect(timeLeft('first')).toBe(0);
    undo();
    expect(clocks.value).toMatchObject({ first: 0, running: 'first', periods: { first: 2 } });
    vi.useRealTimers();
  });
  it('gives the engine one period for a move, and the time of the game before', async () => {
    settings.gameMinutes.value = 1;
    settings.periods.value = 3;
    settings.periodSeconds.value = 10;
    startGame(FRAME, 'second');
    await settle();
    expect(engine.sent.join('\n')).toMatch(/timeout_turn (70000|6999\d)\nINFO timeout_match 90000\nINFO time_left (70000|6999\d)\n/);
    clocks.value = { ...clocks.value!, first: 0 };
    expect(moveLimits('first')).toMatchObject({ turnMs: 10_000, leftMs: undefined, matchMs: 90_000 });
    clocks.value = { ...clocks.value!, periods: { first: 0, second: 3 } };
    expect(moveLimits('first')).toMatchObject({ leftMs: 0 });
    await answer('7,7');
  });
});

describe('a moment before the move of a weaker engine', () => {
  /** A game of which the engine has answered at once; real time is short. */
  async function answered(): Promise<void> {
    settings.pause.value = true;
    settings.level.value = 20;
    startGame(FRAME, 'first');
    playStone(AT(7, 7));
    await answer('8,8');
  }

  it('passes before the stone is put, and costs the clock nothing', async () => {
    vi.useFakeTimers();
    settings.gameMinutes.value = 1;
    settings.incrementSeconds.value = 0;
    await answered();
    expect(position.value.moves).toHaveLength(1);
    expect(occupied.value).toBe('move');
    await vi.advanceTimersByTimeAsync(390);
    expect(position.value.moves).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(820);
    expect(position.value.moves).toHaveLength(2);
    expect(clocks.value).toMatchObject({ second: 60_000, running: 'first' });
    vi.useRealTimers();
  });
  it('ends at once by the button, and by a move that is taken back', async () => {
    await answered();
    moveNow();
    await settle();
    expect(position.value.moves).toHaveLength(2);
    await answered();
    undo();
    await settle();
    expect(position.value.moves).toEqual([]);
    expect(occupied.value).toBeNull();
  });
  it('is left out at full strength, by the setting, in self-play, as advice and during an analysis', async () => {
    const moves = () => position.value.moves.length;
    settings.pause.value = true;
    settings.level.value = 100;
    startGame(FRAME, 'second');
    await answer('7,7');
    expect(moves()).toBe(1);
    settings.level.value = 20;
    settings.pause.value = false;
    startGame(FRAME, 'second');
    await answer('7,7');
    expect(moves()).toBe(1);
    settings.pause.value = true;
    startGame(FRAME, 'none');
    await answer('7,7');
    await answer('8,8');
    expect(moves()).toBe(2);
    stopThinking();
    await answer('0,0');
    startGame(FRAME, 'both');
    letEngineMove();
    await answer('7,7');
    expect(moves()).toBe(1);
    startGame(FRAME, 'second');
    isAnalysing.value = true;
    await answer('7,7');
    expect(moves()).toBe(1);
  });
});

describe('the engine against itself', () => {
  it('pauses, and goes on', async () => {
    startGame(FRAME, 'none');
    await answer('7,7');
    expect(occupied.value).toBe('move');
    stopThinking();
    await answer('8,8');
    expect(position.value.moves).toHaveLength(1);
    expect(mayAskEngine()).toBe(true);
    letEngineMove();
    await answer('8,8');
    expect(position.value.moves).toHaveLength(2);
    stopThinking();
    await answer('0,0');
  });
});
