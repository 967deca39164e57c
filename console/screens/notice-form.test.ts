import { expect, test } from 'vitest';
import { NOTICE_MAX } from '#contract/rules/screens.ts';
import { formOf, missingOf } from './notice-form.ts';

const HOUSE = { timezone: 'Europe/London', closes_at: '2026-12-02T01:00:00Z' };
const NONE = { notice: null, notice_from: null, notice_until: null, notice_weekly: null };

test('SCREEN-02: a notice that is too long is refused, and its text is kept', () => {
  const stored = formOf(NONE, HOUSE);
  const form = { ...stored, text: 'a'.repeat(NOTICE_MAX) };
  expect(missingOf(form, stored, HOUSE)).toBe('');
  expect(missingOf({ ...form, text: `${form.text}bc` }, stored, HOUSE)).toBe(
    'Shorten the text by 2 characters.',
  );
});
