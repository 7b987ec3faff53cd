import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { en } from '../../src/i18n/en';
import { LANGUAGES, chooseLanguage, language, t } from '../../src/i18n/i18n';

beforeEach(() => {
  vi.stubGlobal('document', { documentElement: { lang: '' } });
});
afterEach(() => {
  vi.restoreAllMocks();
});

it('is the one that was chosen last, however long the words of another take', async () => {
  let arrive: () => void = () => undefined;
  const words = { title: '五目並べ' };
  vi.spyOn(LANGUAGES.ja, 'load').mockReturnValue(new Promise((resolve) => (arrive = () => resolve(words))));
  const japanese = chooseLanguage('ja');
  await chooseLanguage('en');
  arrive();
  await japanese;
  expect(t('title')).not.toBe(words.title);
  expect([language.value, document.documentElement.lang]).toEqual(['en', 'en']);
  await chooseLanguage('ja');
  expect([t('title'), language.value, document.documentElement.lang]).toEqual([words.title, 'ja', 'ja']);
});

it('stays as it is where the words of another cannot be loaded', async () => {
  await chooseLanguage('en');
  vi.spyOn(LANGUAGES.ko, 'load').mockRejectedValue(new TypeError('no network'));
  await chooseLanguage('ko');
  expect([language.value, document.documentElement.lang]).toEqual(['en', 'en']);
});

it.each(Object.keys(LANGUAGES) as (keyof typeof LANGUAGES)[])('has every text in %s', async (code) => {
  const words = await LANGUAGES[code].load();
  // Names that are the same everywhere are left out.
  const isName = (key: string) => /^(player\.engine|opening\.[\w-]+|settings\.engine)$/.test(key);
  expect(Object.keys(en).filter((key) => !(key in words) && !isName(key))).toEqual([]);
});
