import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { GameResult } from '#contract/wire/machines.ts';
import { games, HELD, nameless, slipLines, waitedFor } from './words.ts';

const id = '0198f0a5-0000-7e0b-9a57-4b1d8c3e5f62';
const names = new Map([['first-game', 'First game']]);
const said = (
  result: GameResult | null,
  stopped: { status: number; detail: string } | null = null,
) =>
  slipLines(result, stopped, names).map(({ words, more, code }) =>
    [words, more, code].filter(Boolean).join(' · '),
  );
const recorded = (counts: 'league' | 'over_8' | 'league_mode_off' | 'no_team'): GameResult => ({
  id,
  status: 'recorded',
  counts,
  personal_best: false,
  achievements: [],
});

test.each([
  [recorded('league'), 'Counted for your team · league'],
  [recorded('over_8'), 'Over 8 games · For you, not for your team · over_8'],
  [recorded('league_mode_off'), 'League mode was off · league_mode_off'],
  [recorded('no_team'), 'You had no team · no_team'],
  [{ id, status: 'duplicate' }, 'Was there already. Counted once · duplicate'],
  [
    { id, status: 'held', reason: 'two_machines' },
    'Held for review · The player was playing on another machine at that moment. · two_machines',
  ],
  [
    { id, status: 'rejected', reason: 'bad_time', detail: 'Too old.' },
    'Not taken · Too old. · bad_time',
  ],
  [null, 'On disk. It will be sent. · You’ll see then what it counts for · queued'],
] as [GameResult | null, string][])('LOOK-92 %j', (result, words) => {
  expect(said(result)).toEqual([words]);
});

test('LOOK-92, SEASON-05: a player on a team is not told that there was no team', () => {
  const [line] = slipLines(recorded('no_team'), null, names, true);
  expect(line).toMatchObject({ words: 'Counted for you', more: 'No league games this week' });
});

test('LOOK-92 after a refused key the machine is stopped, and the game stays on disk', () => {
  expect(said(null, { status: 401, detail: 'no' })).toEqual([
    'The machine has stopped: its key is not good · The game stays on disk · 401',
  ]);
});

test('LOOK-92 a personal best and achievements are listed below what the game counts for', () => {
  expect(
    said({
      id,
      status: 'recorded',
      counts: 'league',
      personal_best: true,
      achievements: ['first-game', 'of-a-later-server'],
    }),
  ).toEqual([
    'Counted for your team · league',
    'Personal best · personal_best',
    'First game · New achievement · first-game',
    'of-a-later-server · New achievement · of-a-later-server',
  ]);
});

test('LOOK-92 the reasons for holding a game are the sentences of the API page', () => {
  const page = readFileSync(new URL('../docs/machine-api.md', import.meta.url), 'utf8');
  for (const [reason, sentence] of Object.entries(HELD))
    expect(page).toMatch(new RegExp(`\`${reason}\` +\\| ${sentence.replace(/[().]/g, '\\$&')} `));
});

test('the words say how many games waited, how long, and for whom', () => {
  expect([59_000, 60_000, 119 * 60_000, 3 * 3_600_000].map(waitedFor)).toEqual([
    'for less than a minute',
    'for 1 minute',
    'for 119 minutes',
    'for 3 hours',
  ]);
  expect([games(1), games(3), nameless(id)]).toEqual(['1 game', '3 games', 'Player 0198…']);
});
