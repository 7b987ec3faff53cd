import type { Language } from '../i18n/i18n';

/** The usual charset of old files in each language. */
const BY_LANGUAGE: Readonly<Record<Language, string>> = {
  en: 'windows-1252',
  'zh-CN': 'gb18030',
  'zh-TW': 'big5',
  ja: 'shift_jis',
  ko: 'euc-kr',
  ru: 'windows-1251',
  vi: 'windows-1258',
  cs: 'windows-1250',
};

/** Charsets in which `\` or `]` may end a character. */
const AMBIGUOUS = ['shift_jis', 'big5', 'gb18030'];

/**
 * The text of a file of games: UTF-8; else by the charset that the property `CA` of SGF names; else by that of the
 * language. In another charset than its own a `\` that ends a character escapes a bracket, and moves vanish; so the
 * one counts that finds the most values.
 */
export function textOf(bytes: ArrayBuffer, language: Language): string {
  const utf8 = decoded(bytes, 'utf-8');
  if (utf8 !== null) return utf8;
  const label = labelled(bytes);
  if (label) return new TextDecoder(label).decode(bytes);
  const usual = BY_LANGUAGE[language];
  let text = new TextDecoder(usual).decode(bytes);
  for (const charset of AMBIGUOUS) {
    const other = decoded(bytes, charset);
    if (other !== null && valuesIn(other) > valuesIn(text)) text = other;
  }
  return text;
}

/** The text in this charset; null where it is in another. */
function decoded(bytes: ArrayBuffer, charset: string): string | null {
  try {
    return new TextDecoder(charset, { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** The charset of the first `CA` whose value is the name of one in which ASCII is as it is here. */
function labelled(bytes: ArrayBuffer): string | null {
  const plain = new TextDecoder('latin1').decode(bytes);
  for (const [, label] of plain.matchAll(/(?<![A-Za-z0-9])CA\s*\[([^\]]{1,40})\]/g)) {
    const charset = charsetOf(label!);
    if (charset && !/^(utf-16|iso-2022)/.test(charset)) return charset;
  }
  return null;
}

function charsetOf(label: string): string | null {
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return null;
  }
}

/** Number of values in brackets. */
function valuesIn(text: string): number {
  let count = 0;
  let isInside = false;
  for (let i = 0; i < text.length; i += 1) {
    const c = text[i];
    if (isInside && c === '\\') i += 1;
    else if (c === '[') isInside = true;
    else if (c === ']' && isInside) {
      isInside = false;
      count += 1;
    }
  }
  return count;
}
