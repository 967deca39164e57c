import { expect, test } from 'vitest';
import { cupBody } from '#contract/wire/cups.ts';
import './errors.ts';

test('API-18: the message for a refused number says what to do', () => {
  const refused = (best: unknown) =>
    cupBody
      .safeParse({ name: 'Finals night', from: 'week', best })
      .error?.issues.map(({ message }) => message);
  expect(refused(4)).toBeUndefined();
  expect([0, 99, 1.5, null].map(refused)).toEqual([
    ['Give 1 or more.'],
    ['Give 10 or less.'],
    ['Give a whole number.'],
    ['Give a number.'],
  ]);
});
