import { signal } from '@preact/signals';
import type { Color } from '../game/rules';
import { BLACK } from '../game/rules';
import type { Key, Words } from './en';
import { en } from './en';

/** The languages with their own names, and where their words are. */
export const LANGUAGES = {
  en: { name: 'English', load: async (): Promise<Words> => en },
  'zh-CN': { name: '简体中文', load: async () => (await import('./zh-CN')).words },
  'zh-TW': { name: '繁體中文', load: async () => (await import('./zh-TW')).words },
  ja: { name: '日本語', load: async () => (await import('./ja')).words },
  ko: { name: '한국어', load: async () => (await import('./ko')).words },
  ru: { name: 'Русский', load: async () => (await import('./ru')).words },
  vi: { name: 'Tiếng Việt', load: async () => (await import('./vi')).words },
  cs: { name: 'Čeština', load: async () => (await import('./cs')).words },
} as const satisfies Record<string, { name: string; load: () => Promise<Words> }>;

/** The code of a language. */
export type Language = keyof typeof LANGUAGES;

const words = signal<Words>(en);
/** The language that is shown. */
export const language = signal<Language>('en');
/** The one that was chosen last; its words may be on their way. */
let chosen: Language = 'en';

/** The text for a key, with `{name}` replaced by the values. */
export function t(key: Key, values: Readonly<Record<string, string | number>> = {}): string {
  return fill(words.value[key] ?? en[key], values);
}

/** The text with `{name}` replaced by the values. */
export function fill(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replace(/\{(\w+)\}/g, (all, name: string) => String(values[name] ?? all));
}

/** The name of a side. */
export function colorName(color: Color): string {
  return t(color === BLACK ? 'color.black' : 'color.white');
}

/** The best language for what a user or a browser wants, such as `zh-Hant-TW`. */
function matchLanguage(wanted: readonly string[]): Language {
  for (const tag of wanted) {
    if (/^zh\b/i.test(tag)) return /hant|tw|hk|mo/i.test(tag) ? 'zh-TW' : 'zh-CN';
    const found = (Object.keys(LANGUAGES) as Language[]).find(
      (code) => code === tag || code === tag.split('-')[0],
    );
    if (found) return found;
  }
  return 'en';
}

/**
 * Shows the page in the language of this choice; `auto` is the browser's. Where its words cannot be
 * loaded, the language stays as it is.
 */
export async function chooseLanguage(choice: string): Promise<void> {
  const next = matchLanguage(choice === 'auto' ? navigator.languages : [choice]);
  chosen = next;
  const loaded = await LANGUAGES[next].load().catch(() => null);
  // Another may have been chosen meanwhile.
  if (!loaded || chosen !== next) return;
  words.value = loaded;
  language.value = next;
  document.documentElement.lang = next;
}
