import { describe, expect, it } from 'vitest';
import { around, roundNumbers } from '../../src/report/Chart';
import type { MatchGame } from '../../src/report/data';
import { duration, eloText, score } from '../../src/report/format';
import { boardsOf, fallsOf, labelsOf } from '../../src/report/replay';
import { WORDS } from '../../src/report/words';

const game = (moves: string) => ({ moves, size: [20, 12] }) as unknown as MatchGame;

describe('a game of a match', () => {
  it('has points of any board, and passes', () => {
    expect(labelsOf(game('a12t1-h8'))).toEqual(['a12', 't1', '-', 'h8']);
    expect(labelsOf(game(''))).toEqual([]);
    const board = boardsOf(game('a12t1-h8'), 'freestyle')(4, true);
    expect([...board.numbers]).toEqual([[0, 1], [11 * 20 + 19, 2], [4 * 20 + 7, 4]]);
    expect([board.width, board.height, board.last]).toEqual([20, 12, { x: 7, y: 4 }]);
  });

  it('is replayed on the board with the row that wins', () => {
    // Black: e5 f6 g7 i9, then h8 between them; White somewhere else.
    const boards = boardsOf(game('e5a1f6a2g7a3i9b1h8'), 'renju');
    const row = boards(9, false).winning.map(({ x, y }) => `${'abcdefghij'[x]}${12 - y}`);
    expect(row.sort()).toEqual(['e5', 'f6', 'g7', 'h8', 'i9']);
    expect(boards(8, false).winning).toEqual([]);
    expect(boards(0, true).cells.every((cell) => cell === 0)).toBe(true);
    expect(boards(2, false).numbers.size).toBe(0);
  });

  it('is shown by an unknown rule too, as a damaged journal may name', () => {
    expect(boardsOf(game('h8'), 'none')(1, true).last).toEqual({ x: 7, y: 4 });
  });
});

it('names the moves after which the own value of a player fell', () => {
  const falls = (values: (string | null)[], outcome: MatchGame['outcome']) =>
    fallsOf({ eval: values, outcome } as unknown as MatchGame).map(({ move, before, after }) => [move, before, after]);
  // Black at moves 1, 3, 5, White at 2, 4, 6.
  expect(falls([null, '0', '200', '0', '-200', '20'], 'draw')).toEqual([[3, '200', '-200']]);
  expect(falls(['0', '+M5', '0', '0', '0', '-M2'], 'draw')).toEqual([[2, '+M5', '0'], [4, '0', '-M2']]);
  // The end counts where no value tells it.
  expect(falls(['100', '100'], 'white')).toEqual([[1, '100', null]]);
  expect(falls(['100', '-M2'], 'black')).toEqual([]);
  expect(falls([], 'black')).toEqual([]);
});

it('rounds a duration before it is split', () => {
  const times = [0, 9.94, 9.96, 999.7, 9996, 59_940, 59_970, 119_700, 125_400].map(duration);
  const texts = ['0.0 ms', '9.9 ms', '10 ms', '1.00 s', '10.0 s', '59.9 s', '1 min 00 s', '2 min 00 s', '2 min 05 s'];
  expect(times).toEqual(texts);
});

it('writes strengths and scores as the program does', () => {
  expect(eloText({ elo: -0.04, error: 12.34 })).toBe('+0.0 ± 12.3');
  expect(eloText({ elo: -20.06, error: null })).toBe('-20.1 ± ?');
  expect(eloText({ elo: null, error: null }, { wins: 0, draws: 0, losses: 4 })).toBe('-∞ ± ?');
  expect([score({ wins: 1, draws: 1, losses: 0 }), score({ wins: 0, draws: 0, losses: 0 })]).toEqual(['75.0', '50.0']);
});

it('labels axes by round numbers, whatever a journal holds', () => {
  expect(roundNumbers({ min: 0, max: 1.1 })).toEqual([0, 0.2, 0.4, 0.6, 0.8, 1]);
  expect(roundNumbers({ min: 0, max: 2, isWhole: true })).toEqual([0, 1, 2]);
  expect(roundNumbers({ min: -650, max: 450 })).toEqual([-600, -400, -200, 0, 200, 400]);
  expect(around([1e300, null, NaN])).toEqual({ min: -1, max: 1 });
  expect(around([3])).toEqual({ min: 2.5, max: 3.5 });
});

it('has every word with the same values in every language', () => {
  const values = (text: string) => (text.match(/\{\w+\}/g) ?? []).sort();
  for (const [language, words] of Object.entries(WORDS)) {
    for (const [word, text] of Object.entries(words)) {
      expect(values(text), `${word} in ${language}`).toEqual(values(WORDS.en[word as keyof typeof words]));
    }
  }
});
