import { lockedMessage, tooYoungMessage } from '#contract/rules/birthdate.ts';
import type { ConfigAnswer } from '#contract/wire/accounts.ts';
import { tryToKeep } from '../ui/storage.ts';

const KEY = 'closed';
const CLOSED_MS = 24 * 3_600_000;
type Store = Pick<Storage, 'getItem' | 'setItem'>;

/** The server's sentence to the account that it refused for its age (HAND-91). */
export type AgeRefusal = { email: string; sentence: string };

/** Whether the server's answer is about the age. Other answers leave the form open. */
export function isAgeRefusal(
  sentence: string,
  config: Pick<ConfigAnswer, 'min_age' | 'brand' | 'support_email'> | null,
): boolean {
  return (
    config !== null &&
    [tooYoungMessage(config.min_age, config.brand), lockedMessage(config.support_email)].includes(
      sentence,
    )
  );
}

/** Keeps the refusal across a reload, for a day. */
export function keepAgeRefusal(refusal: AgeRefusal, storage: Store = sessionStorage): void {
  tryToKeep(storage, KEY, JSON.stringify({ ...refusal, until: Date.now() + CLOSED_MS }));
}

/** The refusal that this tab keeps, or null. */
export function keptAgeRefusal(storage: Store = sessionStorage): AgeRefusal | null {
  const kept = JSON.parse(storage.getItem(KEY) ?? 'null');
  return kept !== null && kept.until > Date.now() ? kept : null;
}
