import { describe, expect, it } from 'vitest';
import { textOf } from '../../src/game/charset';
import { readSgf } from '../../src/game/sgf';
import { allNodes } from '../../src/game/tree';
import type { Language } from '../../src/i18n/i18n';

/** A game whose player of Black has a name of these bytes. */
function file(name: readonly number[], before = ''): ArrayBuffer {
  const latin1 = (text: string) => [...text].map((c) => c.charCodeAt(0));
  const bytes = [...latin1(`(;GM[4]${before}PB[`), ...name, ...latin1(']SZ[20];B[hh];W[ih])')];
  return new Uint8Array(bytes).buffer;
}

const SJIS_HYOU = [0x95, 0x5c];
const BIG5_HSU = [0xb3, 0x5c];
const GBK_SHENG = [0x81, 0x5c];

describe('the charset of a file', () => {
  it('is UTF-8 where that can be read', () => {
    const text = '\ufeff(;PB[表];B[hh])';
    expect(textOf(new TextEncoder().encode(text).buffer, 'en')).toBe(text.slice(1));
  });
  it.each<[string, number[], string]>([
    ['CA[Shift_JIS]', SJIS_HYOU, '表'],
    ['CA[x]CA\n[ Big5 ]', BIG5_HSU, '許'],
    ['PCA[UTF-8]CA[GBK]', GBK_SHENG, '乗'],
    ['CA[windows-1251]', [0xc5], 'Е'],
    ['CA[UTF-16]CA[ISO-8859-2]', [0xe8], 'č'],
  ])('is that of %s', (before, name, text) => {
    const game = readSgf(textOf(file(name, before), 'en'));
    expect([game.black, game.width, allNodes(game.root).length]).toEqual([text, 20, 3]);
  });
  it.each<[Language, number[], string]>([
    ['ja', SJIS_HYOU, '表'],
    ['zh-TW', BIG5_HSU, '許'],
    ['zh-CN', GBK_SHENG, '乗'],
    ['ko', [0xb9, 0xda], '박'],
    ['ru', [0xc5], 'Е'],
    ['cs', [0xe8], 'č'],
    ['vi', [0xd0], 'Đ'],
    ['en', [0xe9], 'é'],
  ])('is that of the language %s', (language, name, text) => {
    const game = readSgf(textOf(file(name), language));
    expect([game.black, game.width, allNodes(game.root).length]).toEqual([text, 20, 3]);
  });
  it.each([SJIS_HYOU, BIG5_HSU, GBK_SHENG])('of another language costs no moves', (...name) => {
    for (const language of ['en', 'ru', 'ko'] as const) {
      const game = readSgf(textOf(file(name), language));
      expect([game.width, allNodes(game.root).length]).toEqual([20, 3]);
    }
  });
  it('leaves brackets that are escaped', () => {
    const game = readSgf(textOf(file([0xe9, 0x5c, 0x5d, 0x20, 0xf1]), 'en'));
    expect([game.black, allNodes(game.root).length]).toEqual(['é] ñ', 3]);
  });
});
