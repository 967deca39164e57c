import { expect, test } from 'vitest';
import { askedText, endText, lastDay, leadWords, resultWords } from './words.ts';

test('the end is midnight of the last day, or a time of day in another time zone', () => {
  expect(endText(new Date(2026, 11, 3))).toBe('Wednesday 2 December, midnight');
  expect(endText(new Date(2026, 11, 2, 18))).toBe('Wednesday 2 December, 18:00');
  expect(lastDay(new Date(2026, 10, 25, 19, 40), 8)).toBe('Wed 2 December');
});

test('the words say when the player asked', () => {
  const now = new Date(2026, 10, 26, 9);
  expect(askedText(new Date(2026, 10, 26, 8, 5), now)).toBe('You asked today, 08:05');
  expect(askedText(new Date(2026, 10, 25, 21, 12), now)).toBe('You asked yesterday, 21:12');
  expect(askedText(new Date(2026, 10, 24, 21, 12), now)).toBe('You asked Tue, 21:12');
});

test('the words say who leads, and what takes the lead', () => {
  const cases: [number | null, number | null, string][] = [
    [402, 388, 'You lead by 14. '],
    [388, 402, 'You are 14 behind. '],
    [388, 388, 'Level. 389 takes the lead.'],
    [null, 388, 'No game of yours yet. 389 takes the lead.'],
    [402, null, 'You lead. '],
    [null, null, 'No game yet. The first game takes the lead.'],
  ];
  for (const [own, other, words] of cases) {
    const { lead, hint } = leadWords(own, other);
    expect(`${lead} ${hint}`).toBe(words);
  }
});

test('the words say the result, with the difference if both played', () => {
  expect(resultWords('won', { own: 402, other: 388 })).toBe('Won by 14');
  expect(resultWords('won', { own: 402, other: null })).toBe('Won');
  expect(resultWords('lost', { own: 402, other: 428 })).toBe('Lost by 26');
  expect(resultWords('lost', { own: null, other: 1 })).toBe('Lost');
  expect(resultWords('level', { own: 5, other: 5 })).toBe('Level');
  expect(resultWords('none', { own: null, other: null })).toBe('Nobody played');
});
