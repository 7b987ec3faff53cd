import { AT, SWAP2, answer, engine, open, settle, usePage } from './page';
import { describe, expect, it, vi } from 'vitest';
import { writeSgf } from '../../src/game/sgf';
import { isAnalysing } from '../../src/state/analysis';
import { connection, session } from '../../src/state/connection';
import { choice, openBytes, openSgf } from '../../src/state/files';
import { dialog } from '../../src/state/view';
import { startGame } from '../../src/state/new-game';
import { decide, phase } from '../../src/state/opening';
import { addMove, game, node, notice, position } from '../../src/state/store';

usePage();

describe('a game that was saved in its opening', () => {
  it('goes on with it, and is saved with it again', async () => {
    startGame(SWAP2, 'both');
    for (const x of [5, 6]) decide({ do: 'put', point: AT(x, 7) });
    await open(writeSgf(game.value));
    expect(phase.value?.stones).toHaveLength(2);
    decide({ do: 'put', point: AT(7, 7) });
    decide({ do: 'take', color: 2 });
    expect(phase.value).toBeNull();
    expect(writeSgf(game.value)).toMatch(/XO\[swap2\][^]*XC\[takes white\]/);
  });
  it('goes on with it also before its first stone', async () => {
    await open('(;SZ[15]XO[swap2])');
    expect(phase.value?.step?.do).toBe('put');
  });
  it.each([
    ['is over', '(;SZ[15]XO[swap1];B[hh]XC[takes white];W[ii])'],
    ['was left', '(;SZ[15]XO[swap2];B[hh];W[hg];B[ig];W[aa];B[bb];W[cc])'],
    ['was given up', '(;SZ[15]XO[swap2]RE[W+R];B[hh];W[hg])'],
    ['is none', '(;SZ[15];B[hh];W[hg])'],
  ])('does not where the opening %s', async (_, text) => {
    await open(text);
    expect(phase.value).toBeNull();
    expect(node.value.children).toEqual([]);
    expect(position.value.moves.length).toBeGreaterThan(1);
  });
});

it('opens a problem with its solution at its first position, and a game at its end', async () => {
  await open('(;SZ[15]AB[hh][ii]AW[jj]PL[W];W[kk];B[ll])');
  expect(node.value).toBe(game.value.root);
  expect(node.value.children).toHaveLength(1);
  await open('(;SZ[15];B[hh];W[ii])');
  expect(node.value.children).toEqual([]);
  expect(position.value.moves).toHaveLength(2);
});

it('gives the engine no file that is too large, and says so', async () => {
  const convert = vi.spyOn(engine, 'convert');
  expect(await openBytes(new ArrayBuffer(2 ** 25 + 1), 'moves.txt')).toBe(false);
  expect(convert).not.toHaveBeenCalled();
  expect(notice.value?.text).toBe('This cannot be read: the file has more than 32 MiB');
  convert.mockRestore();
});

it('says what is wrong with a link that is pasted', async () => {
  addMove(AT(7, 7));
  expect(await open('http://127.0.0.1:1/#renju-15/h8i9h8')).toBe(false);
  expect(notice.value?.text).toBe('This link cannot be opened: h8 is taken');
  expect(position.value.moves).toHaveLength(1);
});

describe('a file that is no longer wanted when the engine has read it', () => {
  /** Has the engine read a file, and returns what ends that. */
  function read(signal: AbortSignal) {
    let finish: (text: string) => void = () => undefined;
    const convert = vi.spyOn(engine, 'convert').mockImplementation(
      () =>
        new Promise((resolve, reject) => {
          finish = (text) => (text ? resolve(text) : reject(new Error('no game')));
        }),
    );
    const done = openBytes(new TextEncoder().encode('h8').buffer as ArrayBuffer, 'moves.txt', signal);
    return {
      done,
      finish: (text: string) => {
        finish(text);
        convert.mockRestore();
      },
    };
  }

  it.each(['(;SZ[15];B[hh])', ''])('is not opened, and nothing is said of it (%j)', async (text) => {
    const controller = new AbortController();
    const { done, finish } = read(controller.signal);
    addMove(AT(0, 0));
    const before = game.value;
    controller.abort();
    finish(text);
    expect(await done).toBe(false);
    expect(game.value).toBe(before);
    expect(notice.value).toBeNull();
  });
  it('lets the analysis go on at once, and not once more when it comes', async () => {
    isAnalysing.value = true;
    await settle();
    const controller = new AbortController();
    const { done, finish } = read(controller.signal);
    expect(isAnalysing.value).toBe(false);
    controller.abort();
    expect(isAnalysing.value).toBe(true);
    isAnalysing.value = false;
    finish('(;SZ[15];B[hh])');
    await done;
    expect(isAnalysing.value).toBe(false);
    await answer('0,0', '0,0');
  });
  it('is not read at all where it was given up before', async () => {
    const bytes = new TextEncoder().encode('#renju-15/h8').buffer as ArrayBuffer;
    expect(await openBytes(bytes, 'moves.txt', AbortSignal.abort())).toBe(false);
    expect(position.value.moves).toEqual([]);
  });
});

describe('a file', () => {
  it('waits for an engine that is on its way', async () => {
    const present = session.value;
    session.value = null;
    connection.value = 'connecting';
    const done = open('(;SZ[15];B[hh])');
    await settle();
    expect(notice.value).toBeNull();
    session.value = present;
    connection.value = 'ready';
    expect(await done).toBe(true);
    expect(position.value.moves).toHaveLength(1);
  });
  it.each([
    ['(;SZ[15];B[hh])', 'renju', 'it is Renju 15×15'],
    ['(;SZ[15]RU[Japanese];B[hh])', 'renju', 'it is Renju 15×15'],
    ['(;SZ[15]RU[caro];B[hh])', 'caro', ''],
    ['(;SZ[15]XO[RIF];B[hh])', 'renju', ''],
  ])('%s has the rule that is shown where it names none', async (text, rule, said) => {
    startGame({ rule: 'renju', width: 20, height: 20, opening: 'free' }, 'both');
    await open(text);
    expect(game.value.rule).toBe(rule);
    expect(notice.value?.text ?? '').toContain(said);
    if (said === '') expect(notice.value?.text ?? '').not.toContain('rule');
  });
  it.each([
    ['h8 i9 t20', 20, 3],
    ['1. h8 i9 2. h7', 20, 3],
    ['h8-i9, h7; t20', 20, 4],
    ['h8i9h7', 20, 3],
  ])('of the moves %s is for a board of the size that is shown', async (text, side, moves) => {
    startGame({ rule: 'standard', width: side, height: side, opening: 'free' }, 'both');
    await open(text, 'moves.txt');
    expect([game.value.rule, game.value.width, game.value.height]).toEqual(['standard', side, side]);
    expect(position.value.moves).toHaveLength(moves);
    expect(position.value.moves[0]!.point).toEqual(AT(7, side - 8));
    expect(notice.value?.text).toContain('Standard 20×20');
  });
  it('of several games asks which one', async () => {
    const games = ['(;SZ[15]C[a \\] ( b];B[hh])', '(;SZ[15];B[aa](;W[bb])(;W[cc]))', '(;SZ[15])'];
    const before = game.value;
    expect(await open(games.join('\n'))).toBe(true);
    expect(game.value).toBe(before);
    expect(choice.value).toEqual(games);
    expect(dialog.value).toBe('choose');
    dialog.value = null;
    openSgf(choice.value[1]!);
    expect(game.value.root.children[0]!.children).toHaveLength(2);
  });
  it('of lines with the same points is of several games too', async () => {
    startGame({ rule: 'standard', width: 20, height: 20, opening: 'free' }, 'both');
    await open('h8 i9 h7\nh8 g7 g8', 'moves.txt');
    expect(choice.value).toHaveLength(2);
    dialog.value = null;
  });
});
