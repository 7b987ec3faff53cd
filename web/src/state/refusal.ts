import { SIDES } from '../game/point';
import { reasonOf } from '../engine/reasons';
import { Refused } from '../engine/session';
import { t } from '../i18n/i18n';
import { notify } from './store';

/** The reason of a refusal in the language of the page; a sentence without a code stays in the engine's words. */
export function refusalText(sentence: string): string {
  const found = reasonOf(sentence);
  if (!found) return t('reason.other', { text: sentence });
  const { reason, ...values } = found.values;
  return t(found.code, { ...SIDES, ...values, ...(reason === undefined ? {} : { reason: refusalText(reason) }) });
}

/** True if the engine has no database. */
export function isDatabaseMissing(sentence: string): boolean {
  const reason = reasonOf(sentence)?.values['reason'];
  return reason !== undefined && reasonOf(reason)?.code === 'reason.no-database';
}

/** The words for an error: the page has said its own ones in its language already. */
export function errorText(error: Error): string {
  return error instanceof Refused ? refusalText(error.message) : error.message;
}

/** Shows the reason of a failure. */
export function notifyError(error: unknown): void {
  notify(errorText(error as Error), true);
}
