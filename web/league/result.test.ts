import { expect, it } from 'vitest';
import type { ClosedWeek } from '#contract/wire/leagues.ts';
import { headline, inWords } from './result.ts';

const WEEK: ClosedWeek = {
  week: 6,
  from: '2026-11-09',
  to: '2026-11-15',
  team: 'Brick City Bankers',
  team_total_score: 5872,
  opponent: 'Net Profits',
  opponent_total_score: 5310,
  players: [],
  best: { username: 'Dee-Three', score: 587 },
};

it.each([
  [5872, 5310, 'Won by 562'],
  [5310, 5872, 'Lost by 562'],
  [5310, 5310, 'Level'],
  [0, 12_345, 'Lost by 12345'],
])('%i to %i reads “%s”', (team_total_score, opponent_total_score, words) => {
  expect(headline({ ...WEEK, team_total_score, opponent_total_score })).toBe(words);
});

it('the words describe the whole picture', () => {
  expect(inWords(WEEK)).toBe(
    'Week 6: Brick City Bankers won by 562, 5872 to 5310 against Net Profits. Best game: DEE-THREE, 587.',
  );
  expect(inWords({ ...WEEK, team_total_score: 0, best: null })).toBe(
    'Week 6: Brick City Bankers lost by 5310, 0 to 5310 against Net Profits.',
  );
  expect(inWords({ ...WEEK, team_total_score: 5310 })).toContain(
    'Brick City Bankers drew level, 5310 to 5310 against Net Profits.',
  );
});
