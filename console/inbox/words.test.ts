import { expect, test } from 'vitest';
import type { InboxCase } from '#contract/inbox.ts';
import { consequenceOf, reasonOf, usual } from './words.ts';

const held: InboxCase = {
  kind: 'held',
  game: '0b9f6d3e-58a1-4c0e-9f57-6a1f6b0c2d11',
  score: 29_400,
  played_at: '2026-11-18T20:52:00.000Z',
  since: '2026-11-18T20:53:00.000Z',
  machine: 'Hoop 3',
  venue: null,
  held_reason: 'over_max_score',
  report_reason: null,
  text: null,
  player: {
    username: 'Windmill',
    avatar_color: '#376CDC',
    jersey_number: '21',
    team: 'Air Ballers',
  },
  recent: [],
  nearby: [],
  outside: null,
  week: {
    team: 'Air Ballers',
    week: '2026-11-16',
    total: 4588,
    total_after: 33_702,
    opponent: 'Glass Cannons',
    opponent_total: 5000,
  },
};
const week = (change: object) => ({ ...held, week: { ...held.week, ...change } }) as InboxCase;

test('the heading says why the game waits', () => {
  expect(reasonOf(held)).toBe('29,400 is higher than a score can be');
  expect(reasonOf({ ...held, kind: 'report', report_reason: 'not_mine' })).toBe(
    '“This game is not mine”',
  );
});

test.each<[InboxCase, string]>([
  [
    held,
    'counts in the week of 16 Nov. Air Ballers 4,588 to 33,702, and they are ahead of Glass Cannons.',
  ],
  [
    week({ total_after: 4600 }),
    'counts in the week of 16 Nov. Air Ballers 4,588 to 4,600: the result against Glass Cannons stays.',
  ],
  [
    week({ total_after: 5000 }),
    'counts in the week of 16 Nov. Air Ballers 4,588 to 5,000, and they are level with Glass Cannons.',
  ],
  [week({ opponent: null }), 'counts in the week of 16 Nov. Air Ballers 4,588 to 33,702.'],
  [week({ total_after: 4588 }), 'counts in the week of 16 Nov. Air Ballers stay at 4,588.'],
  [
    week({ total_after: null }),
    'counts in the week of 16 Nov. It changes the total only if it is among the first eight.',
  ],
  [
    { ...held, week: null, outside: 'league_mode_off' },
    'counts for Windmill alone: league mode is off.',
  ],
  [
    { ...held, week: null, outside: 'no_team', player: null },
    'counts for the player alone: no team.',
  ],
])('what a release changes', (one, says) => {
  expect(consequenceOf(one)).toBe(says);
});

test('the usual scores are the middle 90 %', () => {
  expect(usual([])).toBeNull();
  expect(usual(Array.from({ length: 21 }, (_, at) => at * 10))).toEqual({
    low: 10,
    high: 190,
    middle: 100,
  });
});
