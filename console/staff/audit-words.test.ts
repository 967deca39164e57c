import { expect, test } from 'vitest';
import { changesOf, gameOf } from './audit-words.ts';

test('STAFF-06: an audit line names the game by its points, machine and time', () => {
  const game = {
    ...{ points: 1461, machine: 'Hoop 5', machine_id: 3, game: 48213, report: 'void' },
    played: new Date(2026, 10, 19, 19, 34).toISOString(),
  };
  const now = new Date(2026, 10, 22, 22, 4);
  expect(gameOf(game, now)).toBe('#48213: 1,461 points on Hoop 5, played Thu 19 Nov 19:34');
  expect(gameOf({ ...game, played: new Date(2026, 10, 22, 19).toISOString() }, now)).toBe(
    '#48213: 1,461 points on Hoop 5, played today 19:00',
  );
  // Version 0.2.0 wrote no number. Earlier versions wrote no time either.
  const { played: _, ...older } = { ...game, game: '0b9f6d3e' };
  expect(gameOf(older, now)).toBe('1,461 points on Hoop 5');
  expect(gameOf({ name: 'Hoop 5' })).toBeNull();
  expect(changesOf({ before: { state: 'counted' }, after: { ...game, state: 'void' } })).toEqual([
    { name: 'Game', was: 'counts', now: 'void' },
  ]);
});

test('STAFF-06: an audit line names settings in the console’s words', () => {
  const changed = (key: string, before: string | null, after: string | number | null) =>
    changesOf({ before: { [key]: before }, after: { [key]: after } })[0];
  expect(changed('joining', 'closed', 'ask')).toEqual({
    name: 'Joining',
    was: 'closed',
    now: 'waits for a manager',
  });
  expect(changed('until', null, '2026-11-23 23:30')).toMatchObject({
    was: 'until somebody takes it down',
    now: 'Mon 23 Nov, 23:30',
  });
  expect(changed('starts on', null, '2026-11-23')).toMatchObject({
    name: 'Starts on',
    now: 'Mon 23 Nov',
  });
  expect(changed('weeks', null, 1200)).toMatchObject({ was: 'none', now: '1,200' });
  expect(changesOf({ before: { venue_id: 1 }, after: { venue_id: 2 } })).toEqual([]);
});
