import { describe, expect, it } from 'vitest';
import { LinkFault, readLink, writeLink } from '../../src/game/link';
import { namedOpening } from '../../src/game/named-openings';
import { parseLabel } from '../../src/game/point';
import { positionAt } from '../../src/game/position';
import type { Rule } from '../../src/game/rules';
import { readSgf } from '../../src/game/sgf';
import { threats } from '../../src/game/threats';
import { endOfLine } from '../../src/game/tree';

/** The position after moves written as `h8i9…`, on 15x15. */
function after(rule: Rule, moves: string) {
  const found = readLink(`${rule}-15/${moves}`);
  if (!found) throw new Error(moves);
  return { ...found, position: positionAt(found.game, found.node) };
}

/** Black makes a row from a8 on, White answers far away; `white` are White's first stones. */
function row(rule: Rule, black: string[], white: string[]) {
  const moves = black.map((p, i) => p + (i < black.length - 1 ? white[i] : '')).join('');
  return after(rule, moves).position.ending;
}

const FAR = ['a1', 'c1', 'e1', 'g1', 'i1', 'k1', 'm1'];

describe('winning rows', () => {
  const five = ['d8', 'e8', 'f8', 'g8', 'h8'];
  const six = ['d8', 'e8', 'f8', 'h8', 'i8', 'g8'];
  const closed = ['c8', 'i8', 'e1', 'g1'];

  it.each(['freestyle', 'standard', 'renju', 'caro', 'caro9'] as const)('five wins in %s', (rule) => {
    expect(row(rule, five, FAR)?.line).toHaveLength(5);
  });
  it.each([
    ['freestyle', true],
    ['standard', false],
    ['renju', false],
    ['caro', true],
    ['caro9', false],
  ] as const)('six of Black in %s: %s', (rule, wins) => {
    expect(row(rule, six, FAR) !== null).toBe(wins);
  });
  it.each([
    ['freestyle', true],
    ['standard', true],
    ['renju', true],
    ['caro', false],
    ['caro9', false],
  ] as const)('five between two stones of White in %s: %s', (rule, wins) => {
    expect(row(rule, five, closed) !== null).toBe(wins);
  });
  it('lets White win by six in renju', () => {
    const { position } = after('renju', 'a1d8c1e8e1f8g1h8i1i8k1g8');
    expect(position.ending?.winner).toBe(2);
  });
  it('does not take the edge for a stone in caro', () => {
    expect(row('caro', ['a8', 'b8', 'c8', 'd8', 'e8'], ['f8', 'c1', 'e1', 'g1'])).not.toBeNull();
  });
});

describe('threats', () => {
  it('finds a five, a straight four and a three', () => {
    const { position } = after('freestyle', 'h8a1i8a3j8');
    const kinds = (label: string) => {
      const p = parseLabel(label, 15, 15)!;
      const found = threats(position, 'freestyle').find(
        (t) => t.color === 1 && t.point.x === p.x && t.point.y === p.y,
      );
      return found?.kind;
    };
    expect(kinds('k8')).toBe('straight-four');
    expect(kinds('l8')).toBe('four');
    expect(kinds('i7')).toBeUndefined();
  });
});

describe('links', () => {
  it.each(['renju-15/h8i9h7', 'caro9-20x15/t:w/', 'standard-15/b:g8h8/w:i9/x:a1/t:w/h7', 'freestyle-15/'])(
    'writes %s as it reads it',
    (link) => {
      const found = readLink(link);
      expect(found && writeLink(found.game, found.node)).toBe(link);
    },
  );
  it.each([
    [';B[hh];B[ii];B[aa]', 'b:a15h8i7/t:w/'],
    [';B[hh];W[ii];W[aa];B[bb]', 'b:h8/w:a15i7/t:b/b14'],
    [';W[hh];B[ii]', 'w:h8/t:b/i7'],
    [';B[hh];B[];W[ii]', 'b:h8/t:w/i7'],
    [';B[hh];C[no move];W[ii]', 'h8i7'],
    [';B[hh];AB[aa]PL[B];B[bb]', 'b:a15h8/t:b/b14'],
  ])('keep the colours of %s', (moves, link) => {
    const game = readSgf(`(;SZ[15]${moves})`);
    const written = writeLink(game, endOfLine(game.root));
    expect(written).toBe(`freestyle-15/${link}`);
    const found = readLink(written)!;
    const [here, there] = [positionAt(game, endOfLine(game.root)), positionAt(found.game, found.node)];
    expect([there.cells, there.toMove]).toEqual([here.cells, here.toMove]);
  });
  it.each(['', 'C[50% win]', 'renju-15/%', '0123456789abcdef', 'h8i9'])('takes %s for none', (link) => {
    expect(readLink(link)).toBeNull();
  });
  it.each([
    ['go-19/', 'rule', 'go'],
    ['renju-99/', 'size', '99'],
    ['renju-15x4/', 'size', '15x4'],
    ['renju-15/h8i9h8', 'taken', 'h8'],
    ['renju-15/h8i9q9', 'point', 'q9'],
    ['renju-15/z9', 'point', 'z9'],
    ['renju-15/h', 'point', 'h'],
    ['renju-15/b:h8/w:h8/', 'taken', 'h8'],
    ['renju-15/b:h8H08/', 'taken', 'H08'],
    ['renju-15/b:h16/', 'point', 'h16'],
    ['renju-15/constructor:h8/', 'point', 'constructor:h8'],
    ['renju-15/q:h8/', 'point', 'q:h8'],
    ['renju-15/x:h8/t:b/h8', 'taken', 'h8'],
  ])('refuses %s for its %s', (link, kind, text) => {
    expect(() => readLink(link)).toThrow(new LinkFault(kind as LinkFault['kind'], text));
  });
  it.each(['renju-15/h8i9.', 'renju-15/h8,i9', 'renju-15/h8/i9/', 'renju-15%2Fh8i9'])('reads %s', (link) => {
    expect(writeLink(readLink(link)!.game, readLink(link)!.node)).toBe('renju-15/h8i9');
  });
});

describe('the 26 openings', () => {
  it.each([
    ['h8h9i9', '4D'],
    ['h8i9i8', '6I'],
    ['h8g8g7', '4D'],
    ['h8i9f6', '13I'],
    ['h8h9l8', undefined],
  ])('%s is %s', (moves, code) => {
    const { position } = after('renju', moves);
    expect(namedOpening(position.moves, 15, 15)?.code).toBe(code);
  });
});
