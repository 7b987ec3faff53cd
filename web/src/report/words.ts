import { fill, language } from '../i18n/i18n';
import type { Language } from '../i18n/i18n';
import { cs } from './words/cs';
import { en } from './words/en';
import type { Word, Words } from './words/en';
import { ja } from './words/ja';
import { ko } from './words/ko';
import { ru } from './words/ru';
import { vi } from './words/vi';
import { zhCN } from './words/zh-CN';
import { zhTW } from './words/zh-TW';

/** Apart from the words of the page, whose script stays small. */
export const WORDS: Readonly<Record<Language, Words>> = { en, 'zh-CN': zhCN, 'zh-TW': zhTW, ja, ko, ru, vi, cs };

/** The report's text for a word, with `{name}` replaced by the values. */
export function w(word: Word, values: Readonly<Record<string, string | number>> = {}): string {
  return fill(WORDS[language.value][word], values);
}

/** The word of a group for what the program says, such as a reason; where there is none, what it says. */
export function wordFor(group: 'opening' | 'rank' | 'reason', said: string): string {
  const word = `${group}.${said}`;
  return word in en ? w(word as Word) : said;
}
