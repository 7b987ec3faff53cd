import { AT, open, settle, usePage } from './page';
import { describe, expect, it } from 'vitest';
import { deleteBranch, promoteBranch } from '../../src/state/branches';
import { concede, playStone, resign, takeBack, takeVerdictBack } from '../../src/state/play';
import { game, isOver, node, step, toEnd } from '../../src/state/store';

usePage();

/** A game that Black wins by five in a row. */
function winAsBlack(): void {
  for (const x of [3, 4, 5, 6]) for (const y of [7, 9]) playStone(AT(x, y));
  playStone(AT(7, 7));
}

describe('the result of the game', () => {
  it('is that of its main line, whatever variations come to', () => {
    winAsBlack();
    expect(game.value.result).toBe('B+');
    step(-2);
    playStone(AT(0, 0));
    resign();
    expect(game.value.result).toBe('B+');
    takeVerdictBack();
    expect(game.value.result).toBe('B+');
    for (const p of [AT(0, 1), AT(6, 9), AT(0, 2), AT(7, 9)]) playStone(p);
    expect(isOver()).toBe(true);
    expect(game.value.result).toBe('B+');
  });
  it('is that of a main line that the rules end, also by a foul of the user', async () => {
    await open('(;RU[renju]SZ[6:5]AB[ae][be][ce][ee][fe]XB[aa:fd]PL[B])');
    playStone(AT(3, 4));
    expect(game.value.result).toBe('W+F');
  });
  it('is that of the moves played instead of those taken back', () => {
    winAsBlack();
    takeBack();
    takeBack();
    playStone(AT(0, 0));
    expect(game.value.result).toBe('');
    concede('second', 'resigned');
    expect(game.value.result).toBe('B+R');
    toEnd();
    expect(node.value.move).toEqual({ color: 2, point: AT(0, 0) });
    // Who only looks at an earlier position begins a variation.
    takeVerdictBack();
    takeBack();
    step(-1);
    playStone(AT(1, 1));
    step(-100);
    toEnd();
    expect(node.value.move).toEqual({ color: 2, point: AT(0, 0) });
  });
  it('goes with the branch that held it', () => {
    winAsBlack();
    deleteBranch();
    expect(game.value.result).toBe('');
    playStone(AT(0, 0));
    concede('first', 'resigned');
    expect(game.value.result).toBe('W+R');
    step(-1);
    playStone(AT(1, 1));
    deleteBranch();
    expect(game.value.result).toBe('W+R');
    playStone(AT(7, 7));
    promoteBranch();
    expect(game.value.result).toBe('B+');
    deleteBranch();
    expect(game.value.result).toBe('W+R');
  });
  it('stays with the line that a file has it for', async () => {
    await open('(;SZ[15]RE[B+R];B[hh];W[ii])');
    step(-1);
    playStone(AT(0, 0));
    deleteBranch();
    expect(game.value.result).toBe('B+R');
    toEnd();
    deleteBranch();
    expect(game.value.result).toBe('');
  });
  it("is a win of White's where Black's last stone is found to be a foul", async () => {
    await open('(;RU[renju]SZ[15];B[ih];W[ao];B[jh];W[am];B[hg];W[co];B[hf];W[oa];B[hh])');
    await settle();
    expect(game.value.result).toBe('W+F');
    await open('(;RU[renju]SZ[15];B[ih];W[ao];B[jh];W[am];B[hg];W[co];B[hf];W[oa];B[hh];W[aa])');
    step(-1);
    await settle();
    expect([isOver(), game.value.result]).toEqual([true, '']);
    await open('(;RU[renju]SZ[15]RE[W+R];B[ih];W[ao];B[jh];W[am];B[hg];W[co];B[hf];W[oa];B[hh])');
    await settle();
    expect([isOver(), game.value.result]).toEqual([true, 'W+R']);
  });
});
