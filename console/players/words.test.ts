import { expect, test } from 'vitest';
import { becomes, countsFor, decidedBy } from './words.ts';

const counted = { state: 'counted', team: 'Air Ballers' } as const;

test('OPS-18 STAFF-35: a game says what it counts for', () => {
  const says = (game: Partial<Parameters<typeof countsFor>[0]>) =>
    countsFor({ ...counted, counts: 'league', number: 6, ...game }, 'Air Ballers');
  expect(says({})).toBe('League, 6 of 8');
  expect(says({ counts: 'bench', team: 'Rim Reapers' })).toBe('Bench for Rim Reapers, 6 of 8');
  expect(says({ counts: 'over_8', number: null })).toBe('Over 8 games');
  expect(says({ counts: 'league_mode_off', number: null })).toBe('League mode off');
  expect(says({ state: 'void', counts: 'void' })).toBe('Void');
  expect(says({ state: 'discarded', counts: 'void' })).toBe('Discarded');
});

test('OPS-18: a game says who decided about it', () => {
  const now = new Date(2026, 10, 22, 22, 4);
  const at = new Date(2026, 10, 19, 9, 10).toISOString();
  expect(decidedBy(null)).toBeNull();
  expect(decidedBy({ decision: 'release', by: 'Ines', at }, now)).toBe(
    'Released by Ines, Thu 19 Nov 09:10',
  );
});

test('OPS-18 STAFF-36: a birth date says what it makes of the account before it is sent', () => {
  const now = new Date('2026-11-22T12:00:00Z');
  const adult = { age: '18 or over', adult_age: 18 } as const;
  expect(becomes('2010-03-14', adult, now)).toEqual({
    age: '16 or 17',
    effect: 'only their league sees the name',
  });
  expect(becomes('2001-03-14', adult, now)?.effect).toBe('nothing changes for others');
  expect(becomes('2001-03-14', { age: '16 or 17', adult_age: 18 }, now)?.effect).toBe(
    'they choose who sees the name',
  );
  expect(becomes('2016-03-14', adult, now)?.age).toBe('under 13');
  expect([becomes('', adult, now), becomes('2027-01-01', adult, now)]).toEqual([null, null]);
});
