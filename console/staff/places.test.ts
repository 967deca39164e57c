import { expect, test } from 'vitest';
import { mergePlaces, placesSent, samePlaces } from './places.ts';

test('STAFF-02: ticking and unticking everything gives the same places as before', () => {
  const given = { everything: false, venues: ['1', '2'], leagues: ['7'] };
  const all = { ...given, everything: true };
  expect(placesSent(all)).toEqual({ everything: true });
  expect(placesSent({ ...all, everything: false })).toEqual({ venues: ['1', '2'], leagues: ['7'] });
  expect(samePlaces(given, { ...given, venues: ['2', '1'] })).toBe(true);
  expect(samePlaces(given, all)).toBe(false);
  expect(samePlaces(all, { ...all, venues: [] })).toBe(true);
});

test('STAFF-25: saving a person’s venues keeps what another owner changed meanwhile', () => {
  const opened = { everything: false, venues: ['1', '2'], leagues: ['7'] };
  const live = { everything: false, venues: ['2', '3'], leagues: ['7', '8'] };
  const ticked = { ...opened, venues: ['1', '2', '4'] };
  expect(mergePlaces(opened, ticked, live)).toEqual({ ...live, venues: ['2', '3', '4'] });
  const unticked = { ...opened, venues: ['1'] };
  expect(mergePlaces(opened, unticked, live)).toEqual({ ...live, venues: ['3'] });
  expect(mergePlaces(opened, opened, live)).toEqual(live);
  const all = { ...live, everything: true };
  expect(mergePlaces(opened, ticked, all).everything).toBe(true);
  expect(mergePlaces(opened, { ...opened, everything: true }, live).everything).toBe(true);
});
