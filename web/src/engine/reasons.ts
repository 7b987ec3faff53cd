import type { Key } from '../i18n/en';
import table from './reasons.json';

/** The reason of a refusal: the key of its words, and the names in the engine's sentence. */
export interface Reason {
  readonly code: Key;
  /** `reason` is a sentence of its own. */
  readonly values: Readonly<Record<string, string>>;
}

const patterns = Object.entries(table).flatMap(([code, sentences]) =>
  sentences.map((sentence) => [code as Key, patternOf(sentence)] as const),
);

/** `line {line}: {reason}` as a pattern; `{}` stands for a part without a name. */
function patternOf(sentence: string): RegExp {
  const plain = sentence.replace(/[.*+?^$()|[\]\\]/g, '\\$&');
  return new RegExp(`^${plain.replace(/\{(\w*)\}/g, (_, name: string) => (name ? `(?<${name}>.+?)` : '.*'))}$`, 's');
}

/**
 * The code of an engine's sentence; `null` if it has none. `tools/tests/protocol/page_reasons.rs` holds the table to
 * the sentences of the engine.
 */
export function reasonOf(sentence: string): Reason | null {
  for (const [code, pattern] of patterns) {
    const found = pattern.exec(sentence.trim());
    if (found) return { code, values: { ...found.groups } };
  }
  return null;
}
