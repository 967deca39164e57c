import { expect, test } from 'vitest';
import { placesSent, samePlaces } from './places.ts';

test('STAFF-02: ticking and unticking everything gives the same places as before', () => {
  const given = { everything: false, venues: ['1', '2'], leagues: ['7'] };
  const all = { ...given, everything: true };
  expect(placesSent(all)).toEqual({ everything: true });
  expect(placesSent({ ...all, everything: false })).toEqual({ venues: ['1', '2'], leagues: ['7'] });
  expect(samePlaces(given, { ...given, venues: ['2', '1'] })).toBe(true);
  expect(samePlaces(given, all)).toBe(false);
  expect(samePlaces(all, { ...all, venues: [] })).toBe(true);
});
