import { expect, it, vi } from 'vitest';
import { lockedMessage, tooYoungMessage } from '#contract/rules/birthdate.ts';
import { isAgeRefusal, keepAgeRefusal, keptAgeRefusal } from './age-refusal.ts';

const CONFIG = { min_age: 13, brand: 'Backboard', support_email: 'help@example.com' };
const DAY_MS = 24 * 3_600_000;

it('HAND-91: only an answer about the age closes the form', () => {
  expect(isAgeRefusal(tooYoungMessage(13, 'Backboard'), CONFIG)).toBe(true);
  expect(isAgeRefusal(lockedMessage('help@example.com'), CONFIG)).toBe(true);
  const other = 'Your date of birth is already set and cannot be changed here.';
  expect(isAgeRefusal(other, CONFIG)).toBe(false);
});

it('HAND-91: a reload keeps the sentence and its account, for 24 hours', () => {
  const values = new Map<string, string>();
  const storage = {
    getItem: (key: string) => values.get(key) ?? null,
    setItem: (key: string, value: string) => void values.set(key, value),
  };
  expect(keptAgeRefusal(storage)).toBeNull();
  const refusal = { email: 'kid@example.com', sentence: lockedMessage('help@example.com') };
  keepAgeRefusal(refusal, storage);
  expect(keptAgeRefusal(storage)).toMatchObject(refusal);
  vi.useFakeTimers({ now: Date.now() + DAY_MS });
  expect(keptAgeRefusal(storage)).toBeNull();
  vi.useRealTimers();
  // An earlier version kept a time only.
  values.set('closed', String(Date.now() + DAY_MS));
  expect(keptAgeRefusal(storage)).toBeNull();
});
