import { expect, test } from 'vitest';
import {
  becomes,
  correctionMeans,
  countsFor,
  decidedBy,
  moveMeans,
  takenOutWords,
  takeOffMeans,
  weekOf,
} from './words.ts';

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

test('STAFF-35: before a void or a restore, the console says which figures and totals change', () => {
  const player = { username: 'Maya_Banks', highscore: 412 };
  const week = {
    ...{ team: 'Air Ballers', total: 4588, total_after: 4176, week: '2026-11-16', number: 5 },
    ...{ over: false, opponent: 'Glass Cannons', opponent_total: 4200, others: [], final: null },
  };
  const game = { state: 'counted', score: 412, week, report: null } as const;
  const reads = 'Maya_Banks reads “Taken out after review”. You can restore it.';
  expect(correctionMeans(game, player)).toBe(
    `it is out of the high score and the average. Week 5: Air Ballers from 4,588 down to 4,176, and they are behind Glass Cannons. ${reads}`,
  );
  expect(correctionMeans({ ...game, score: 90, week: null }, player)).toBe(
    `it is out of the average. ${reads}`,
  );
  const back = { ...week, total: 4176, total_after: 4588 };
  const report = { reason: 'not_mine', state: 'void' } as const;
  expect(correctionMeans({ ...game, state: 'void', week: back, report }, player)).toBe(
    'it counts again. Week 5: Air Ballers from 4,176 up to 4,588, and they are ahead of Glass Cannons. The report is open again: answer it in the inbox with “Void” or “Let it count”.',
  );
  expect(correctionMeans({ ...game, state: 'discarded' }, player)).toBe(
    'it waits in the inbox for “Release” or “Discard”.',
  );
  const others = [{ team: 'Rim Reapers', total: 213, total_after: 106 }];
  expect(correctionMeans({ ...game, state: 'void', week: { ...back, others } }, player)).toMatch(
    / A later game is then over the first 8: Rim Reapers from 213 down to 106\.$/,
  );
  expect(takenOutWords(report)).toBe('Taken out: not your game');
  expect(takenOutWords({ ...report, state: 'stands' })).toBe('Taken out after review');
});

test('OPS-18: a game’s line names who decided about the game', () => {
  const now = new Date(2026, 10, 22, 22, 4);
  const at = new Date(2026, 10, 19, 9, 10).toISOString();
  expect(decidedBy(null)).toBeNull();
  expect(decidedBy({ decision: 'release', by: 'Ines', at }, now)).toBe(
    'Released by Ines, Thu 19 Nov 09:10',
  );
});

test('OPS-18 STAFF-36: before a birth date is sent, the form says how the date changes the account', () => {
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

test('STAFF-35 LEAGUE-07: before a move, its effect on this week’s games is shown', () => {
  const team = { id: '1', name: 'Air Ballers', league_id: '2', league: 'Dock League' };
  const maya = {
    username: 'Maya_Banks',
    team,
    league_mode_enabled: true,
    week: { games: 4, own: 4, total: 1204, counts: true },
  };
  const to = { name: 'Net Profits' };
  const running = { name: 'Dock League', week: 5, starts_on: '2026-10-19' };
  const means = (change: object, league = running) => moveMeans({ ...maya, ...change }, to, league);
  const stay = '4 games of this week stay with Air Ballers, 1,204 in total.';
  expect(means({})).toBe(`the next 4 games of this week count for Net Profits. ${stay}`);
  expect(takeOffMeans(maya)).toBe(`the next games count for no team. ${stay}`);
  expect(weekOf(maya)).toBe('This week: 4 of 8 games.');
  const between = { games: 0, own: 0, total: 0, counts: false };
  expect(weekOf({ ...maya, week: between })).toBe('Games of this week count for no season.');
  expect(means({ week: { games: 7, own: 1, total: 90, counts: true } })).toBe(
    'one more game of this week counts, for Net Profits. 1 game of this week stays with Air Ballers, 90 in total.',
  );
  expect(takeOffMeans({ ...maya, week: { games: 6, own: 6, total: 1500, counts: true } })).toBe(
    'the next games count for no team. 6 games of this week stay with Air Ballers, 1,500 in total: the best four count.',
  );
  expect(means({ week: { games: 8, own: 0, total: 0, counts: true } })).toBe(
    'this week’s 8 are played, so games count for Net Profits from next week.',
  );
  expect(
    means({
      team: null,
      week: { games: 0, own: 0, total: 0, counts: true },
      league_mode_enabled: false,
    }),
  ).toBe(
    'the next 8 games of this week count for Net Profits. League mode is off: games count for no team until Maya_Banks turns it on.',
  );
  expect(means({}, { name: 'New League', week: 0, starts_on: '2026-11-30' })).toBe(
    `New League has not begun: games count for Net Profits from 30 November. ${stay}`,
  );
});
