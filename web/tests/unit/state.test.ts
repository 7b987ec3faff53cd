import { AT, FRAME, SWAP2, answer, engine, open, settle, usePage } from './page';
import { describe, expect, it, vi } from 'vitest';
import { currentFindings, isAnalysing, occupied, watchSearch } from '../../src/state/analysis';
import { deleteBranch } from '../../src/state/branches';
import { clocks } from '../../src/state/clock';
import { connection, session } from '../../src/state/connection';
import { database, deletePosition, setCellText, setComment, setLabel } from '../../src/state/database';
import { redoChange, undoChange } from '../../src/state/history';
import { finishSetup, startGame } from '../../src/state/new-game';
import { decide, letEngineMove, phase } from '../../src/state/opening';
import { blackHolder, engineMove, playStone, players } from '../../src/state/play';
import { solution } from '../../src/state/problem';
import { review, reviewGame, reviewPage } from '../../src/state/review';
import { settings } from '../../src/state/settings';
import { beginSetup, setup, setupClick } from '../../src/state/setup';
import { addMove, game, goTo, isOver, node, notice, position, step, verdicts } from '../../src/state/store';
import { boardModel, preview } from '../../src/state/view';

usePage();

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
    expect(notice.value?.isError).not.toBe(true);
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
    const ways: [string, () => unknown][] = [
      ['a file', () => open('(;SZ[15];B[hh]C[50% win])')],
      ['a link', () => open('#renju-15/h8', 'moves.txt')],
      ['a set-up', () => (beginSetup(), setupClick(AT(0, 0)), finishSetup())],
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

describe('a set-up', () => {
  it('leaves the game as it is where it changes nothing', async () => {
    startGame(FRAME, 'first');
    playStone(AT(7, 7));
    await answer('8,8');
    const before = [game.value, node.value, players.value];
    beginSetup();
    setupClick(AT(0, 0));
    setupClick(AT(0, 0));
    finishSetup();
    expect(setup.value).toBeNull();
    expect([game.value, node.value, players.value]).toEqual(before);
    expect(game.value).toBe(before[0]);
    beginSetup();
    setup.value = { ...setup.value!, toMove: 2 };
    finishSetup();
    expect(game.value).not.toBe(before[0]);
    expect(position.value.toMove).toBe(2);
  });
});

describe('a game of renju that is opened', () => {
  it('is over where Black played a forbidden point', async () => {
    await open('(;RU[renju]SZ[15];B[ih];W[ao];B[jh];W[am];B[hg];W[co];B[hf];W[oa];B[hh];W[aa])');
    await settle();
    expect(isOver()).toBe(false);
    step(-1);
    await settle();
    expect(verdicts.get(node.value)).toEqual({ kind: 'foul', winner: 2 });
    expect(boardModel.value.signs).toContainEqual({ point: AT(7, 7), kind: 'foul' });
  });
});

describe('a file that the engine reads', () => {
  it('is not kept waiting by the analysis, which was of the game before', async () => {
    isAnalysing.value = true;
    await settle();
    const convert = vi.spyOn(engine, 'convert').mockImplementation(async () => {
      expect(engine.commands.at(-1)).toBe('YXSTOP');
      return '(;SZ[15];B[hh])';
    });
    expect(await open('h8', 'moves.txt')).toBe(true);
    expect(isAnalysing.value).toBe(false);
    await answer('0,0');
    expect(engine.commands.at(-1)).toBe('YXSTOP');
    expect(position.value.last).toEqual(AT(7, 7));
    // Where nothing is opened, it goes on.
    isAnalysing.value = true;
    await settle();
    convert.mockRejectedValue(new Error('no game'));
    expect(await open('h8', 'moves.txt')).toBe(false);
    expect(isAnalysing.value).toBe(true);
    convert.mockRestore();
    isAnalysing.value = false;
    await answer('0,0', '0,0');
  });

  it('does not take the move from an engine that is to make one', async () => {
    const move = engineMove();
    await settle();
    const asked = engine.commands.length;
    const convert = vi.spyOn(engine, 'convert').mockRejectedValue(new Error('no game'));
    expect(await open('nonsense', 'moves.txt')).toBe(false);
    convert.mockRestore();
    expect(engine.commands.length).toBe(asked);
    await answer('7,7');
    await move;
    expect(position.value.last).toEqual(AT(7, 7));
  });
});

describe('a review', () => {
  const report = (move: number, side: string) =>
    `MESSAGE REVIEW ${JSON.stringify({ move, side, class: 'mistake', win_rate: 0.5, score: '0', line: ['o1', 'n1'] })}`;

  it('is of the moves since the last set-up, between which the sides take turns', async () => {
    await open('(;SZ[15];B[hh];AB[aa]AW[bb]PL[W];W[ii];C[no move];W[jj];B[kk])');
    const done = reviewGame();
    await settle();
    const entries = '0,0,1 7,7,1 1,1,2 8,8 -1,-1 9,9 10,10';
    expect(engine.commands.at(-1)).toBe(`TENGENREVIEW WHITE ${entries} DONE`);
    await answer(report(3, 'white'), report(2, 'black'), 'OK');
    await done;
    const { line, judgements } = review.value!;
    expect(judgements.map(({ move }) => move)).toEqual([5]);
    expect(line.filter(({ judgement }) => judgement)).toEqual([line[5]]);
    const better = line[4]!.children[1]!;
    expect(better.move).toEqual({ color: 2, point: AT(14, 14) });
    expect(better.children[0]!.move).toEqual({ color: 1, point: AT(13, 14) });
  });
  it('says nothing of moves that are deleted', async () => {
    await open('(;SZ[15];B[hh];W[ii];B[jj];W[kk])');
    const done = reviewGame();
    await answer(report(2, 'white'), report(4, 'white'), 'MESSAGE REVIEW {"accuracy":{}}', 'OK');
    await done;
    goTo(review.value!.line[1]!.children[1]!);
    deleteBranch();
    expect(review.value!.judgements).toHaveLength(2);
    goTo(review.value!.line[3]!);
    deleteBranch();
    expect(review.value!.line.at(-1)).toBe(node.value);
    expect(review.value).toMatchObject({ judgements: [{ move: 2 }], summary: null });
    goTo(review.value!.line[1]!);
    deleteBranch();
    expect(review.value).toBeNull();
  });
  it('ends where moves are deleted that it still has to judge', async () => {
    await open('(;SZ[15];B[hh];W[ii];B[jj];W[kk])');
    const done = reviewGame();
    await answer(report(4, 'white'));
    goTo(review.value!.line[3]!);
    deleteBranch();
    expect(occupied.value).toBeNull();
    await answer(report(3, 'black'), 'OK');
    await done;
    expect(review.value!.judgements).toEqual([]);
    expect(notice.value?.isError).not.toBe(true);
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

  it('is begun again for another number of lines', async () => {
    startGame({ ...FRAME, rule: 'renju' }, 'both');
    await settle();
    isAnalysing.value = true;
    settings.lines.value = 3;
    await answer('0,0');
    expect(engine.commands.at(-1)).toBe('YXNBEST 3');
    settings.lines.value = 5;
    await answer('0,0');
    expect(engine.commands.at(-1)).toBe('YXNBEST 5');
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

describe('a previewed line', () => {
  it('is shown in the position alone from which it goes', () => {
    addMove(AT(7, 7));
    preview.value = { node: node.value, points: [AT(8, 8), AT(9, 9)] };
    const watch = watchSearch(game.value.root, 1, false);
    watch.onLine({ index: 0, moves: [AT(7, 7)], winRate: 0.5, score: '0', depth: 1 } as never);
    watch.end();
    isAnalysing.value = true;
    expect(boardModel.value.ghosts).toHaveLength(2);
    step(-1);
    expect(boardModel.value.ghosts).toEqual([]);
    expect(boardModel.value.candidates).toHaveLength(1);
    preview.value = null;
    isAnalysing.value = false;
  });
});

describe('the database', () => {
  const ALL = 'YXQUERYDATABASEALLT 7,7 DONE';
  const ONE = 'YXQUERYDATABASEONE 7,7 DONE';
  const FOUND = ['MESSAGE DATABASE DONE', 'MESSAGE DATABASE ONE 0 0 0 0 0'];

  it('is asked, and told of edits, before the analysis that has no end', async () => {
    settings.showDatabase.value = true;
    isAnalysing.value = true;
    await answer(...FOUND);
    addMove(AT(7, 7));
    const analysis = `YXNBEST ${settings.lines.value}`;
    await answer('0,0', ...FOUND);
    expect(engine.commands.slice(-3)).toEqual([ALL, ONE, analysis]);
    expect(database.value!.node).toBe(node.value);
    const done = setComment('a comment');
    await settle();
    expect(engine.commands.at(-1)).toBe('YXSTOP');
    await answer('0,0');
    await answer('MESSAGE DATABASE DONE', `MESSAGE DATABASE ONE ${0x57000000} 0 0 0 0`);
    await done;
    expect(engine.commands.slice(-4)).toEqual(['YXEDITTEXTDATABASE "a comment" 7,7 DONE', ALL, ONE, analysis]);
    expect(database.value!.label).toBe('W');
    isAnalysing.value = false;
    settings.showDatabase.value = false;
    await answer('0,0');
  });
  it('has its edits undone and done again like all other changes', async () => {
    settings.showDatabase.value = true;
    await answer(...FOUND);
    addMove(AT(7, 7));
    const known = [
      `MESSAGE DATABASE 8 8 0 0 0 0 0 "here"`,
      'MESSAGE DATABASE TEXT "a \\"word\\""',
      'MESSAGE DATABASE DONE',
      `MESSAGE DATABASE ONE ${0x57313200} 29000 12 3 1`,
    ];
    await answer(...known);
    await answer(...known);
    const edits = () => engine.commands.filter((line) => /^YX(EDIT|DELETE)/.test(line));
    const changes: [() => Promise<void>, string, string[]][] = [
      [() => setLabel('L'), 'YXEDITTVDDATABASE 1 76 0 0 7,7 DONE', ['YXEDITTVDDATABASE 1 87 0 0 7,7 DONE']],
      [() => setComment('b'), 'YXEDITTEXTDATABASE "b" 7,7 DONE', ['YXEDITTEXTDATABASE "a \\"word\\"" 7,7 DONE']],
      [() => setCellText(AT(8, 8), ''), 'YXEDITLABELDATABASE 8,8 7,7 DONE', ['YXEDITLABELDATABASE 8,8 here 7,7 DONE']],
      [
        () => deletePosition(),
        'YXDELETEDATABASEONE 7,7 DONE',
        [
          'YXEDITTVDDATABASE 7 87 29000 12 7,7 DONE',
          'YXEDITTEXTDATABASE "a \\"word\\"" 7,7 DONE',
          'YXEDITLABELDATABASE 8,8 here 7,7 DONE',
        ],
      ],
    ];
    for (const [change, command, back] of changes) {
      engine.sent.length = 0;
      const done = change();
      await answer(...known);
      await done;
      expect(edits()).toEqual([command]);
      engine.sent.length = 0;
      // The position is shown again to which the change belongs.
      step(-1);
      await answer(...FOUND);
      undoChange();
      for (let i = 0; i < 4; i += 1) await answer(...known);
      expect(edits()).toEqual(back);
      expect(position.value.last).toEqual(AT(7, 7));
      engine.sent.length = 0;
      redoChange();
      for (let i = 0; i < 3; i += 1) await answer(...known);
      expect(edits()).toEqual([command]);
    }
    settings.showDatabase.value = false;
    await settle();
  });
  it('tells why it says nothing of a position', async () => {
    settings.showDatabase.value = true;
    await answer('ERROR the file is damaged', 'ERROR the file is damaged');
    expect(database.value).toMatchObject({ error: 'the file is damaged', moves: [] });
    settings.showDatabase.value = false;
    await settle();
  });
  it('is not asked about a position that it cannot have, nor told anything of it', async () => {
    settings.showDatabase.value = true;
    await answer('ERROR the file is damaged', 'ERROR the file is damaged');
    engine.sent.length = 0;
    await open('#standard-15/x:a1/t:b/', 'moves.txt');
    await settle();
    expect(database.value).toMatchObject({ node: node.value, moves: [] });
    expect(database.value!.error).toContain('alternating');
    await setComment('of another position');
    expect(engine.commands).toEqual([]);
    settings.showDatabase.value = false;
    await settle();
  });
});
