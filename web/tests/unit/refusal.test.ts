// What the engine refuses is said in the language of the page. `tools/tests/protocol/page_reasons.rs` holds the table
// of sentences to what the engine says, and `language.test.ts` every language to its words.
import './browser';
import { expect, it, vi } from 'vitest';
import table from '../../src/engine/reasons.json';
import { Refused } from '../../src/engine/session';
import { en } from '../../src/i18n/en';
import { chooseLanguage } from '../../src/i18n/i18n';
import { errorText, isDatabaseMissing, refusalText } from '../../src/state/refusal';

it('has words for every code', () => {
  expect(Object.keys(table).filter((code) => !(code in en))).toEqual([]);
});

it.each([
  ['the board is full', 'the board is full'],
  ['this is a PNG picture, no record of a game', 'it is no record of a game'],
  [
    "this is no record of a game: 'z99' is not a point of this board (expected a letter and a number, such as h8)",
    '“z99” is no point of this board',
  ],
  ["line 3: 'h8' is already taken", 'line 3: h8 is taken'],
  ['move 12 is off the board; --size 20 reads it', 'move 12 is off the board or on a taken point; a board with sides of 20 has room'],
  ['The database: it is read-only', 'Database: it is read-only'],
  ['unsupported size 99x99, use 5..22 (e.g. 15 or 20)', 'a board has sides of 5 to 22'],
  ['UNKNOWN command HELLO', 'the engine does not know HELLO'],
  ['something new', '“something new”'],
])('says %s', (sentence, words) => {
  expect(refusalText(sentence)).toBe(words);
});

it('says it in other languages, and leaves what the page has said itself', async () => {
  vi.stubGlobal('document', { documentElement: { lang: '' } });
  await chooseLanguage('ja');
  expect(errorText(new Refused("line 3: 'h8' is already taken"))).toBe('3 行目：h8 はすでに埋まっています');
  expect(errorText(new Error('自分の言葉'))).toBe('自分の言葉');
  await chooseLanguage('en');
  vi.unstubAllGlobals();
});

it('tells a database that is missing from one that is read only', () => {
  expect(isDatabaseMissing('The database: no database is open for this board')).toBe(true);
  expect(isDatabaseMissing('The database: it is read-only')).toBe(false);
});
