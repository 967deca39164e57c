import { expect, test } from 'vitest';
import type { JoinPage } from '#contract/wire/teams.ts';
import { askedAt, factsOf, noticeOf, type State, stateOf, termsOf } from './words.ts';

const PAGE: JoinPage = {
  team: 'Brick City Bankers',
  league: 'Dockside League',
  joining: 'open',
  members: [],
  size: 4,
  max: 5,
  mine: 'none',
  asked_at: null,
  other_team: null,
  other_request: null,
  week: 5,
  weeks: 10,
  place: 4,
  season_ends_on: '2026-12-27',
  counts_from: null,
  week_closes_at: '2026-11-30T00:00:00Z',
};

test.each<[State, Partial<JoinPage>]>([
  ['open', {}],
  ['ask', { joining: 'ask' }],
  ['closed', { joining: 'closed' }],
  ['closed', { joining: 'closed', size: 5 }],
  ['full', { size: 5 }],
  ['full', { size: 6, joining: 'ask' }],
  ['asked', { mine: 'asked', joining: 'ask' }],
  ['asked', { mine: 'asked', joining: 'closed' }],
  // The league was opened after the player had asked.
  ['open', { mine: 'asked' }],
  ['other', { other_team: 'Rim Reapers', size: 5 }],
  ['other', { other_team: 'Rim Reapers', joining: 'closed' }],
  ['member', { mine: 'member', size: 5, joining: 'closed' }],
])('PROD-94 the state is %s for %o', (state, fields) => {
  expect(stateOf({ ...PAGE, ...fields })).toBe(state);
});

test('PROD-94 a closed league’s notice names the end of the season, if there is a season', () => {
  expect(noticeOf('closed', PAGE)).toBe(
    'Dockside League takes no new players until the season ends on Sunday 27 December.',
  );
  expect(noticeOf('closed', { ...PAGE, season_ends_on: null })).toBe(
    'Dockside League takes no new players.',
  );
});

test('PROD-94 figures that do not exist yet are left out', () => {
  expect(factsOf(PAGE).map(([, value]) => value)).toEqual(['5/10', '4', '4/5']);
  expect(factsOf({ ...PAGE, week: 0, place: null })).toEqual([['on the team', '4/5']]);
  expect(factsOf({ ...PAGE, week: 12 })[0]).toEqual(['week of the season', '10/10']);
});

test('PROD-94 a request made today shows its time, an older request its day and time', () => {
  const at = new Date(2026, 10, 20, 19, 40);
  expect(askedAt(at, new Date(2026, 10, 20, 22))).toBe('Asked today at 19:40.');
  expect(askedAt(at, new Date(2026, 10, 22))).toBe('Asked on Fri 20 Nov at 19:40.');
});

test.each([
  ['open', null, '**From your next game on** your'],
  ['member', 'next_week', '**When the next week begins,** your'],
  ['open', 'this_season', '**Later this season,** your'],
  ['open', 'next_season', '**When the next season begins,** your'],
  ['ask', null, '**The manager of Dockside League decides.** From then on your'],
  [
    'ask',
    'next_season',
    '**The manager of Dockside League decides.** When the next season begins, your',
  ],
] as const)(
  'LEAGUE-14 the terms say from when games count (%s, %s)',
  (state, counts_from, begin) => {
    expect(termsOf(state, { ...PAGE, counts_from })).toBe(
      `${begin} games count for this team, 8 a week at most. Your team and the teams you play see your name.`,
    );
  },
);
