import { AT, SWAP2, answer, engine, open, settle, usePage } from './page';
import { describe, expect, it, vi } from 'vitest';
import { writeSgf } from '../../src/game/sgf';
import { isAnalysing } from '../../src/state/analysis';
import { openBytes } from '../../src/state/files';
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

it('gives the engine no file that is too large, and says so', async () => {
  const convert = vi.spyOn(engine, 'convert');
  expect(await openBytes(new ArrayBuffer(2 ** 25 + 1), 'moves.txt')).toBe(false);
  expect(convert).not.toHaveBeenCalled();
  expect(notice.value?.text).toBe('This cannot be read: the file has more than 32 MiB');
  convert.mockRestore();
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
