import { expect, test } from 'vitest';
import type { LeagueDecided } from '#contract/wire/inbox.ts';
import { decidedParts } from './decided-words.ts';

const decided: LeagueDecided = {
  id: '1',
  by: 'Ines',
  at: '2026-11-18T20:52:00.000Z',
  decision: 'moved',
  league_id: '1',
  player: { id: '7', username: 'MIA' },
  team: { id: '3', name: 'Dunkers' },
  other: { id: '4', name: 'Slammers' },
  before: null,
  after: null,
  week: null,
  week_number: null,
  reason_before: null,
  asked_at: null,
  undo: true,
};
const ruled = { decision: 'ruled', player: null, week: '2026-11-16', week_number: 3 } as const;

test.each<[string, Partial<LeagueDecided>]>([
  ['Moved MIA from Slammers to Dunkers', {}],
  ['Put MIA on Dunkers', { other: null }],
  ['Took MIA off Slammers', { team: null }],
  ['Yes to MIA for Dunkers', { decision: 'accepted', other: null }],
  ['No to MIA for Dunkers', { decision: 'declined', other: null }],
  ['MIA waits again for Dunkers', { decision: 'reopened', other: null }],
  ['Made the team Dunkers', { decision: 'made', player: null, other: null }],
  ['Renamed Dunkerz to Dunkerx', { decision: 'renamed', before: 'Dunkerz', after: 'Dunkerx' }],
  ['Deleted the team {week}', { decision: 'deleted', team: null, before: '{week}' }],
  ['Week 3: Dunkers beat Slammers by forfeit', { ...ruled, after: 'home' }],
  ['Week 3: Slammers beat Dunkers by forfeit', { ...ruled, after: 'away' }],
  ['Week 3: Dunkers and Slammers both lose', { ...ruled, after: 'both_lose' }],
  ['Week 3: Dunkers against Slammers is annulled', { ...ruled, after: 'annulled' }],
  ['Week 3: the totals of Dunkers and Slammers decide again', { ...ruled, after: 'none' }],
])('HAND-C11 a decision about a league: %s', (sentence, more) => {
  const parts = decidedParts({ ...decided, ...more });
  expect(parts.map(({ text }) => text).join('')).toBe(sentence);
});

test('HAND-C11 names of players and teams are links', () => {
  expect(decidedParts(decided).filter(({ to }) => to)).toEqual([
    { text: 'MIA', to: '/console/players/7' },
    { text: 'Slammers', to: '/console/leagues/teams/4' },
    { text: 'Dunkers', to: '/console/leagues/teams/3' },
  ]);
});
