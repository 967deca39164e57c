import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ageOn, latestDate } from './birthdate.ts';
import { adultFrom, isUnderAge, lastAdultBirthdate } from './of-age.ts';

test.each([
  ['2008-11-22', '2026-11-21T09:59:59Z', true],
  ['2008-11-22', '2026-11-21T10:00:00Z', false],
  ['2008-02-29', '2026-02-28T09:59:59Z', true],
  ['2008-02-29', '2026-02-28T10:00:00Z', false],
  ['2010-02-28', '2028-02-28T10:00:00Z', false],
  ['2010-03-01', '2028-02-28T10:00:00Z', true],
])(
  'ACC-61: with adults from 18, a player born on %s is under age at %s: %s',
  (birthdate, at, expected) => {
    const now = new Date(at);
    expect(isUnderAge(birthdate, 18, now)).toBe(expected);
    expect(birthdate > (lastAdultBirthdate(18, now) ?? '')).toBe(expected);
  },
);

test('ACC-61: a player without a birth date is under age, but with ADULT_AGE=0 nobody is', () => {
  const now = new Date('2026-11-22T12:00:00Z');
  expect(isUnderAge(null, 18, now)).toBe(true);
  expect(isUnderAge(null, 0, now)).toBe(false);
  expect(isUnderAge('2026-11-01', 0, now)).toBe(false);
  expect(lastAdultBirthdate(0, now)).toBeNull();
});

test('ACC-61: the latest birth date of an adult is a real date, and agrees with the age rule', () => {
  const day = fc.date({ min: new Date('1990-01-01'), max: new Date('2040-01-01') });
  fc.assert(
    fc.property(day, day, fc.integer({ min: 1, max: 30 }), (born, at, age) => {
      fc.pre(!Number.isNaN(born.getTime()) && !Number.isNaN(at.getTime()));
      const birthdate = born.toISOString().slice(0, 10);
      const last = lastAdultBirthdate(age, at) ?? '';
      expect(new Date(`${last}T00:00:00Z`).toISOString().slice(0, 10)).toBe(last);
      expect(birthdate <= last).toBe(ageOn(birthdate, at) >= age);
      expect(isUnderAge(birthdate, age, at)).toBe(ageOn(birthdate, at) < age);
      expect(adultFrom(birthdate, age) > latestDate(at)).toBe(ageOn(birthdate, at) < age);
    }),
  );
});

test('ACC-61: a player can choose from the birthday on which the player comes of age', () => {
  expect(adultFrom('2009-09-14', 18)).toBe('2027-09-14');
  expect(adultFrom('2012-02-29', 18)).toBe('2030-03-01');
  expect(adultFrom('2012-02-29', 20)).toBe('2032-02-29');
});
