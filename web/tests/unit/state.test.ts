import { happen } from './browser';
import { ReadyEngine } from './fake-engine';
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { currentFindings, followPositions, isAnalysing, occupied, watchSearch } from '../../src/state/analysis';
import { clocks, followClocks } from '../../src/state/clock';
import { connect, connection, session } from '../../src/state/connection';
import { database } from '../../src/state/database';
import { openBytes } from '../../src/state/files';
import { finishSetup, startGame } from '../../src/state/new-game';
import { decide, letEngineMove, mayAskEngine, phase, undo } from '../../src/state/opening';
import { keepGame, restore } from '../../src/state/persist';
import { blackHolder, concede, engineMove, players, playStone, resign } from '../../src/state/play';
import { solution } from '../../src/state/problem';
import { review, reviewGame, reviewPage } from '../../src/state/review';
import { settings } from '../../src/state/settings';
import { beginSetup, setup } from '../../src/state/setup';
import { addMove, game, goTo, isOver, node, notice, position, step, toEnd, toStart, verdicts } from '../../src/state/store';
import { boardModel } from '../../src/state/view';

const FRAME = { rule: 'freestyle', width: 15, height: 15, opening: 'free' } as const;
const SWAP2 = { ...FRAME, opening: 'swap2' };
const AT = (x: number, y: number) => ({ x, y });

let engine = new ReadyEngine();

/** Until everything that was answered has had its effect. */
async function settle(): Promise<void> {
  for (let i = 0; i < 20; i += 1) await Promise.resolve();
}

async function answer(...lines: string[]): Promise<void> {
  await settle();
  for (const line of lines) engine.say(line);
  await settle();
}

beforeAll(async () => {
  connect(() => engine);
  keepGame();
  followPositions();
  followClocks((player) => concede(player, 'time'));
  await settle();
});

beforeEach(async () => {
  isAnalysing.value = false;
  settings.gameMinutes.value = 0;
  startGame(FRAME, 'both');
  // An aborted search is answered all the same.
  await answer('0,0', 'OK');
  notice.value = null;
  engine.sent.length = 0;
});

describe('a search for a move', () => {
  it('waits for an engine that is on its way, and not for one that is gone', async () => {
    const present = session.value;
    session.value = null;
    connection.value = 'connecting';
    addMove(AT(7, 7));
    void engineMove();
    await settle();
    expect(occupied.value).toBe('move');
    expect(engine.commands).toEqual([]);
    session.value = present;
    connection.value = 'ready';
    await settle();
    expect(engine.commands).toHaveLength(1);
    await answer('0,0');
    expect(occupied.value).toBeNull();
    session.value = null;
    connection.value = 'lost';
    void engineMove();
    expect(occupied.value).toBeNull();
    session.value = present;
    connection.value = 'ready';
  });

  it('is stopped when the user goes to another position', async () => {
    addMove(AT(7, 7));
    letEngineMove();
    expect(occupied.value).toBe('move');
    await settle();
    step(-1);
    expect(engine.commands).toEqual(['BOARD 7,7,2 DONE', 'YXSTOP']);
    expect(occupied.value).toBeNull();
    await answer('8,8');
    expect(game.value.root.children[0]!.children).toEqual([]);
  });
  it('is not stopped by what else happens', async () => {
    letEngineMove();
    await settle();
    settings.lines.value = settings.lines.value === 5 ? 4 : 5;
    await answer('8,8');
    expect(position.value.last).toEqual(AT(8, 8));
    expect(occupied.value).toBeNull();
  });
  it('is followed by that for the answer where both sides are the engine', async () => {
    startGame(FRAME, 'none');
    await answer('7,7');
    expect(occupied.value).toBe('move');
    await answer('8,8');
    expect(position.value.moves).toHaveLength(2);
    expect(engine.commands.filter((line) => line === 'YXSTOP')).toEqual([]);
  });
});

describe('another game', () => {
  const REPORT = 'MESSAGE REVIEW {"move":1,"point":"h8","side":"black","win_rate":0.5,"score":"0","class":"opening"}';

  it('ends a review, whose reports then count no more', async () => {
    addMove(AT(7, 7));
    const done = reviewGame();
    await answer(REPORT);
    expect(review.value?.judgements).toHaveLength(1);
    startGame(FRAME, 'both');
    expect(engine.commands.at(-1)).toBe('YXSTOP');
    expect(occupied.value).toBeNull();
    await answer(REPORT, 'OK');
    await done;
    expect(review.value).toBeNull();
    expect(notice.value).toBeNull();
  });
  it("ends the engine's step of an opening, whose answer then belongs to nobody", async () => {
    startGame(SWAP2, 'second');
    await settle();
    startGame(SWAP2, 'second');
    expect(engine.commands).toContain('YXSTOP');
    await answer('7,7 8,8 9,9');
    expect(occupied.value).toBe('move');
    expect(position.value.moves).toEqual([]);
    await answer('6,6 5,5 9,9');
    expect(position.value.moves).toHaveLength(3);
    expect(occupied.value).toBeNull();
  });
  it('has nothing of the one before, whichever way it begins', async () => {
    const bytes = (text: string) => new TextEncoder().encode(text).buffer as ArrayBuffer;
    const ways: [string, () => unknown][] = [
      ['a file', () => openBytes(bytes('(;SZ[15];B[hh]C[50% win])'), 'game.sgf')],
      ['a link', () => openBytes(bytes('#renju-15/h8'), 'moves.txt')],
      ['a set-up', () => (beginSetup(), finishSetup())],
    ];
    for (const [name, begin] of ways) {
      settings.gameMinutes.value = 5;
      startGame(SWAP2, 'first');
      for (const x of [5, 6, 7]) decide({ do: 'put', point: AT(x, 7) });
      await answer('SWAP');
      solution.value = { node: node.value } as never;
      review.value = { line: [], judgements: [], summary: null };
      expect(await begin(), name).not.toBe(false);
      expect([phase.value, setup.value, review.value, solution.value, clocks.value], name).toEqual([null, null, null, null, null]);
      expect(players.value, name).toEqual({ first: 'human', second: 'human' });
      expect(blackHolder.value, name).toBe('first');
      expect(occupied.value, name).toBeNull();
      await answer('0,0');
    }
  });
});

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
    vi.useFakeTimers();
    settings.gameMinutes.value = 1;
    startGame(FRAME, 'both');
    playStone(AT(7, 7));
    toStart();
    vi.advanceTimersByTime(61_000);
    vi.useRealTimers();
    expect(game.value.result).toBe('B+T');
    expect(verdicts.get(node.value)).toEqual({ kind: 'time', winner: 1 });
    expect(clocks.value?.running).toBeNull();
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
  it('is that of the user whose move is taken back', async () => {
    settings.gameMinutes.value = 1;
    startGame(FRAME, 'first');
    playStone(AT(7, 7));
    expect(clocks.value?.running).toBe('second');
    undo();
    expect(clocks.value?.running).toBe('first');
    await answer('0,0');
  });
});

describe('a game of renju that is opened', () => {
  const open = (text: string) => openBytes(new TextEncoder().encode(text).buffer as ArrayBuffer, 'game.sgf');

  it('is over where Black played a forbidden point', async () => {
    engine.forbidden = '0707';
    await open('(;RU[renju]SZ[15];B[ih];W[ao];B[hh];W[aa])');
    await settle();
    expect(isOver()).toBe(false);
    step(-1);
    await settle();
    expect(verdicts.get(node.value)).toEqual({ kind: 'foul', winner: 2 });
    expect(boardModel.value.signs).toContainEqual({ point: AT(7, 7), kind: 'foul' });
    const asked = engine.commands.length;
    step(-1);
    await settle();
    step(1);
    await settle();
    expect(engine.commands).toHaveLength(asked + 1);
    engine.forbidden = '';
  });
});

describe('a review as a page', () => {
  const PAGE = '<script type="application/json" id="review">null</script>';

  it('holds nothing that ends its script', async () => {
    addMove(AT(7, 7));
    game.value.black = '</script><!--';
    review.value = { line: [game.value.root, node.value], judgements: [], summary: null };
    vi.stubGlobal('fetch', async () => new Response(PAGE));
    const page = await reviewPage();
    expect(page.match(/</g)).toHaveLength(2);
    const file = JSON.parse(page.replace(/<.*?>/g, '')) as { sgf: string };
    expect(file.sgf).toContain('PB[</script><!--]');
    vi.stubGlobal('fetch', async () => new Response('no session', { status: 403 }));
    await expect(reviewPage()).rejects.toThrow('403');
  });
});

describe('the analysis', () => {
  it('shows what it finds at once, then ten times a second, and its end before what comes next', () => {
    vi.useFakeTimers();
    const searching = () => currentFindings.value?.searching;
    const first = watchSearch(node.value, 1, false);
    const mark = (x: number) => first.onMark({ kind: 'searching', point: AT(x, 0) });
    mark(1);
    vi.advanceTimersByTime(16);
    expect(searching()).toEqual(AT(1, 0));
    mark(2);
    vi.advanceTimersByTime(99);
    expect(searching()).toEqual(AT(1, 0));
    vi.advanceTimersByTime(1);
    expect(searching()).toEqual(AT(2, 0));
    mark(3);
    first.end();
    expect(searching()).toBeNull();
    watchSearch(node.value, 1, false).onMark({ kind: 'searching', point: AT(4, 0) });
    vi.advanceTimersByTime(16);
    expect(searching()).toEqual(AT(4, 0));
    vi.runAllTimers();
    expect(searching()).toEqual(AT(4, 0));
    vi.useRealTimers();
  });

  it('is begun again for another number of lines, without the forbidden points', async () => {
    startGame({ ...FRAME, rule: 'renju' }, 'both');
    await settle();
    const asked = () => engine.commands.filter((line) => line === 'YXSHOWFORBID').length;
    const before = asked();
    isAnalysing.value = true;
    settings.lines.value = 3;
    await answer('0,0');
    expect(engine.commands.at(-1)).toBe('YXNBEST 3');
    settings.lines.value = 5;
    await answer('0,0');
    expect(engine.commands.at(-1)).toBe('YXNBEST 5');
    expect(asked()).toBe(before);
    isAnalysing.value = false;
    await answer('0,0');
    expect(connection.value).toBe('ready');
  });
  it('sends changed resources before it begins again', async () => {
    isAnalysing.value = true;
    await settle();
    settings.threads.value = settings.threads.value === 1 ? 2 : 1;
    await answer('0,0');
    const at = engine.sent.lastIndexOf(`INFO thread_num ${settings.threads.value}`);
    expect(at).toBeGreaterThan(engine.sent.lastIndexOf('YXSTOP'));
    expect(at).toBeLessThan(engine.sent.lastIndexOf(`YXNBEST ${settings.lines.value}`));
    goTo(game.value.root);
    isAnalysing.value = false;
    await answer('0,0');
  });
});

describe('the database', () => {
  it('tells why it says nothing of a position', async () => {
    settings.showDatabase.value = true;
    await answer('ERROR the file is damaged');
    expect(database.value).toMatchObject({ error: 'the file is damaged', moves: [] });
    settings.showDatabase.value = false;
    await settle();
  });
});
