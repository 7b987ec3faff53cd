import { describe, expect, it } from 'vitest';
import { judgementSigns } from '../../src/board/model';
import type { Judgement } from '../../src/game/judgement';
import type { Choice } from '../../src/game/opening-phase';
import { OpeningPhase } from '../../src/game/opening-phase';
import type { Rule } from '../../src/game/rules';
import { SgfError, readSgf, writeSgf } from '../../src/game/sgf';
import { allNodes, childByMove, endOfLine, makeMainLine, newGame } from '../../src/game/tree';
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
  it.each(['\n', '\r', '\r\n', '\n\r'])('leaves an escaped line end out: %j', (end) => {
    const game = readSgf(`(;PB[long na\\${end}me\\${end}]C[a\\${end}\\${end}b${end}c];B[hh])`);
    expect([game.black, game.root.comment]).toEqual(['long name', `ab${end}c`]);
    expect(allNodes(game.root)).toHaveLength(2);
  });
  it.each([
    ['W', 2],
    ['White', 2],
    [' w ', 2],
    ['b', 1],
    ['BLACK', 1],
  ])('reads PL[%s]', (text, side) => {
    const game = readSgf(`(;SZ[15]A${side === 1 ? 'B' : 'W'}[hh]PL[${text}])`);
    expect(positionAt(game, game.root).toMove).toBe(side);
  });
  it('keeps the depths of values, of which others have none', () => {
    const game = readSgf('(;SZ[15];B[hh]SBKV[62.5]SC[143]XD[9];W[ii]SBKV[50])');
    const values = allNodes(game.root).map(({ value }) => value?.depth);
    expect(values).toEqual([undefined, 9, 0]);
    expect(allNodes(readSgf(writeSgf(game)).root).map(({ value }) => value?.depth)).toEqual(values);
  });
  it('writes no escape sequence of a charset', () => {
    const text = '\x1b(Ja\\] \x1b$B0B\x1b(B';
    const game = readSgf('(;SZ[15];B[hh])');
    game.root.comment = text;
    const written = writeSgf(game);
    expect(written).toContain('C[\x1b\\(Ja\\\\\\] \x1b\\$B0B\x1b\\(B]');
    expect(readSgf(written).root.comment).toBe(text);
  });
  it('keeps what only others understand', () => {
    const text = '(;GM[4]SZ[15]DT[2024-05-01]EV[Cup \\]1]RE[B+];B[hh]N[a name]TR[hh][ii];W[ii]MA[aa]TE[2])';
    const written = writeSgf(readSgf(text));
    for (const part of ['DT[2024-05-01]', 'EV[Cup \\]1]', 'N[a name]', 'TR[hh][ii]', 'MA[aa]', 'TE[2]']) {
      expect(written).toContain(part);
    }
    expect(writeSgf(readSgf(written))).toBe(written);
    expect(written.match(/GM|SZ|RE|TE/g)).toHaveLength(4);
  });
  it('reads the marks of moves, for which a judgement stands once there is one', () => {
    const game = readSgf('(;SZ[15];B[hh]TE[1];W[ii]DO[];B[aa]BM[1];W[bb]BM[2];B[cc])');
    const nodes = allNodes(game.root).slice(1);
    expect(nodes.map(({ mark }) => mark?.class)).toEqual(['best', 'inaccuracy', 'mistake', 'blunder', undefined]);
    nodes[3]!.judgement = { class: 'best' } as Judgement;
    expect(writeSgf(game)).toMatch(/W\[bb\]TE\[1\]\n/);
    expect(judgementSigns(nodes[2]!.mark, { x: 0, y: 0 }, positionAt(game, nodes[2]!))).toEqual([
      { point: { x: 0, y: 0 }, kind: 'mistake' },
    ]);
  });
  it('reads the pass of old files, where it is no point of the board', () => {
    const pass = (size: string) => endOfLine(readSgf(`(;SZ[${size}];B[hh];W[tt])`).root).move;
    expect([pass('19')?.point, pass('20:15')?.point]).toEqual([null, null]);
    expect(pass('20')?.point).toEqual({ x: 19, y: 19 });
  });
  it.each(['(;PL[1];B[hh])', '(;AB[hh]PL[])', '', '(;GM[1]SZ[19];B[aa])', '(;SZ[4])', '(;SZ[15];B[zz])', '(;SZ[15];B[aa];W[aa])'])(
    'refuses %s',
    (text) => {
      expect(() => readSgf(text)).toThrow(SgfError);
    },
  );
});

describe('an opening in SGF', () => {
  const AT = (x: number, y: number) => ({ x, y });
  const put = (...points: [number, number][]) => points.map(([x, y]) => ({ do: 'put' as const, point: AT(x, y) }));

  /** A game after these choices, and its last node. */
  function opened(rule: Rule, opening: string, choices: readonly Choice[]) {
    const game = newGame(rule, 15, 15, opening);
    const phase = OpeningPhase.replay(opening, 15, 15, choices);
    expect(phase.choices).toHaveLength(choices.length);
    game.choices = phase.choices;
    let end = game.root;
    phase.stones.forEach((point, i) => {
      end = childByMove(end, { color: i % 2 === 0 ? 1 : 2, point });
    });
    return { game, end };
  }

  const THREE = put([7, 7], [7, 6], [8, 6]);
  const FIFTHS: Choice[] = [
    ...put([6, 8]),
    { do: 'offer', points: [AT(9, 9), AT(5, 5)] },
    { do: 'keep', point: AT(5, 5) },
  ];
  it.each<[Rule, string, Choice[], string[]]>([
    ['freestyle', 'swap2', [...THREE, { do: 'take', color: 2 }], ['B[ig]XC[takes white]']],
    [
      'freestyle',
      'swap2',
      [...THREE, { do: 'add', points: [AT(0, 0), AT(1, 1)] }, { do: 'take', color: 1 }],
      ['B[ig]\n;W[aa]\n;B[bb]XC[takes black]'],
    ],
    [
      'renju',
      'yamaguchi',
      [...THREE, { do: 'declare', count: 2 }, { do: 'take', color: 1 }, ...FIFTHS],
      ['B[ig]XC[declares 2][takes black]', 'W[gi]XC[offers j6 f10]\n;B[ff]'],
    ],
    ['renju', 'designated:4D:2', [{ do: 'take', color: 2 }, ...FIFTHS], ['B[ig]XC[takes white]', 'W[gi]XC[offers j6 f10]']],
    ['freestyle', 'swap2', THREE.slice(0, 2), ['W[hg])']],
  ])('of %s by %s is written in words that play reads', (rule, opening, choices, words) => {
    const { game } = opened(rule, opening, choices);
    const text = writeSgf(game);
    for (const part of [`XO[${opening}]`, ...words]) expect(text).toContain(part);
    const again = readSgf(text);
    expect(again.choices).toEqual(choices);
    expect(writeSgf(again)).toBe(text);
  });
  it('is read as play writes it', () => {
    const game = readSgf('(;GM[4]SZ[15]RU[renju]XO[rif];B[hh];W[hg];B[hf]XC[takes black];W[ao])');
    expect(game.choices.map((choice) => choice.do)).toEqual(['put', 'put', 'put', 'take', 'put']);
    expect(writeSgf(game)).toContain('B[hf]XC[takes black]');
  });
  it('is not named where the main line is not that of its choices', () => {
    const after = { color: 2, point: AT(3, 3) } as const;
    const tried = opened('freestyle', 'swap2', THREE);
    childByMove(tried.end, after);
    expect(writeSgf(tried.game)).not.toContain('XO');
    const over = opened('freestyle', 'swap2', [...THREE, { do: 'take', color: 1 }]);
    childByMove(over.end, after);
    expect(writeSgf(over.game)).toContain('XO');
    makeMainLine(childByMove(over.game.root, { color: 1, point: AT(0, 0) }));
    expect(writeSgf(over.game)).not.toMatch(/XO|XC/);
    const old = readSgf('(;SZ[15]XO[swap2];B[hh];W[hg];B[ig];W[aa];B[bb];W[cc])');
    expect(old.choices).toEqual([]);
    expect(writeSgf(old)).not.toContain('XO');
  });
});
