import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cleanNumber, stepNumber } from './NumberStepper.tsx';

describe('stepNumber', () => {
  it.each([
    ['00', 1, '01'],
    ['09', 1, '10'],
    ['98', 1, '99'],
    ['99', 1, '99'],
    ['10', -1, '09'],
    ['01', -1, '00'],
    ['00', -1, '00'],
  ] as const)('%s by %d is %s', (from, by, to) => {
    expect(stepNumber(from, by)).toBe(to);
  });
});

describe('cleanNumber', () => {
  it.each([
    ['7', '7'],
    ['07', '07'],
    ['1e5', '15'],
    ['-3', '3'],
    ['123', '12'],
    ['', ''],
    ['٣', ''],
  ])('%j leaves %j', (typed, left) => {
    expect(cleanNumber(typed)).toBe(left);
  });

  it('returns at most two digits, and nothing else, for any text', () => {
    fc.assert(
      fc.property(fc.string(), (typed) => {
        expect(cleanNumber(typed)).toMatch(/^[0-9]{0,2}$/);
      }),
    );
  });
});
