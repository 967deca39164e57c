import { expect, test } from 'vitest';
import { whyUncounted } from './team-week.ts';

const RUNNING = { state: 'running', postponed: null, entered: true };
const NEXT = '2026-12-07T00:00:00Z';

test.each([
  ['in a week of the season', RUNNING, null, null],
  ['with an answer of an older version', { state: 'running', postponed: null }, null, null],
  ['before the first season', null, NEXT, 'not_begun'],
  ['before the team’s first week', RUNNING, NEXT, 'joins'],
  ['after the team withdrew', { ...RUNNING, entered: false }, null, 'outside'],
  ['without an entry, the next season planned', { ...RUNNING, entered: false }, NEXT, 'outside'],
  ['in a postponed week', { ...RUNNING, postponed: 'Snow' }, NEXT, 'postponed'],
  ['while late games count', { ...RUNNING, state: 'grace' }, null, 'between'],
  [
    'after a season without the team',
    { ...RUNNING, state: 'final', entered: false },
    NEXT,
    'between',
  ],
] as const)(
  'SEASON-04, SEASON-07, SEASON-32, SEASON-34: why the week does not count, %s',
  (_, season, season_starts_at, why) => {
    expect(whyUncounted({ season, season_starts_at })).toBe(why);
  },
);
