import { describe, expect, it } from 'vitest';
import { SgfError, readSgf, writeSgf } from '../../src/game/sgf';
import { allNodes, childByMove, newGame } from '../../src/game/tree';
import { positionAt } from '../../src/game/position';

describe('SGF', () => {
  it('keeps variations, comments, values and set-ups', () => {
    const game = newGame('renju', 20, 15);
    game.root.setup = {
      black: [{ x: 3, y: 3 }],
      white: [],
      empty: [],
      blocked: [{ x: 0, y: 0 }],
      toMove: 2,
    };
    const a = childByMove(game.root, { color: 2, point: { x: 4, y: 4 } });
    a.comment = 'brackets ] and \\ too';
    a.texts = [{ point: { x: 6, y: 6 }, text: 'a:]' }];
    a.value = { blackWins: 0.625, score: '+M15', depth: 9 };
    childByMove(a, { color: 1, point: { x: 5, y: 5 } });
    childByMove(a, { color: 1, point: null });
    const text = writeSgf(game);
    const again = readSgf(text);
    expect(writeSgf(again)).toBe(text);
    expect([again.rule, again.width, again.height]).toEqual(['renju', 20, 15]);
    expect(allNodes(again.root)).toHaveLength(4);
    expect(again.root.children[0]!.comment).toBe('brackets ] and \\ too');
    expect(again.root.children[0]!.texts).toEqual(a.texts);
    expect(again.root.children[0]!.value?.blackWins).toBeCloseTo(0.625);
    expect(positionAt(again, again.root).toMove).toBe(2);
  });
  it('reads what others write', () => {
    const game = readSgf('\ufeff(;GM[4]SZ[15]AB[aa:bb]\n;B[hh]C[a\\]b](;W[ii])(;W[jj];B[]))');
    expect(positionAt(game, game.root).cells.filter((c) => c === 1)).toHaveLength(4);
    expect(allNodes(game.root)).toHaveLength(5);
  });
  it.each(['', '(;GM[1]SZ[19];B[aa])', '(;SZ[4])', '(;SZ[15];B[zz])', '(;SZ[15];B[aa];W[aa])'])(
    'refuses %s',
    (text) => {
      expect(() => readSgf(text)).toThrow(SgfError);
    },
  );
});
