import { expect, test } from 'vitest';
import {
  joinTeam,
  makeGames,
  makeLeague,
  makeMachine,
  makePlayer,
  makeTeam,
  setLeagueMode,
} from '#testing/app/make.ts';
import { HOUR, midweekApp } from '#testing/app/midweek.ts';
import { attribute } from './attribution.ts';
import { dayOf, startOf, weekOf } from './calendar.ts';
import { removeFromTeam } from './rosters.ts';

const { t, ago } = midweekApp();

const countsOf = (games: { outcome: unknown }[]) =>
  games.map(({ outcome }) => (outcome as { counts?: string; status: string }).counts ?? 'held');

test('P31e: what a game counts for depends on when it was played, however late it arrives', async () => {
  const player = await makePlayer(t);
  const league = await makeLeague(t);
  const team = await makeTeam(t, league);
  await joinTeam(t, team, [player], ago(10 * HOUR));
  await setLeagueMode(t, player, false, ago(6 * HOUR));
  await setLeagueMode(t, player, true, ago(3 * HOUR));
  await removeFromTeam(t, team, player.email, ago(HOUR));
  const machine = await makeMachine(t);
  const games = await makeGames(
    t,
    machine,
    player,
    [11, 9, 5, 2, 0.5].map((hours) => ({ played_at: ago(hours * HOUR) })),
  );
  expect(countsOf(games)).toEqual(['no_team', 'league', 'league_mode_off', 'league', 'no_team']);
});

test('a change of team applies from its exact millisecond', async () => {
  const player = await makePlayer(t);
  const team = await makeTeam(t, await makeLeague(t));
  const at = ago(HOUR);
  await joinTeam(t, team, [player], at);
  const games = await makeGames(t, await makeMachine(t), player, [
    { played_at: new Date(at.getTime() - 1) },
    { played_at: at },
  ]);
  expect(countsOf(games)).toEqual(['no_team', 'league']);
});

test('LEAGUE-01: PostgreSQL finds the day and week of a game as Intl does', async () => {
  for (const zone of ['Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'Pacific/Kiritimati']) {
    const player = await makePlayer(t);
    const team = await makeTeam(t, await makeLeague(t, { timezone: zone, starts: '2026-01-05' }));
    await setLeagueMode(t, player, true, new Date('2026-01-01'));
    await joinTeam(t, team, [player], new Date('2026-01-01'));
    // Around Mondays, in weeks with and without a clock change.
    const plays = ['2026-03-09', '2026-03-30', '2026-10-26', '2026-11-02', '2026-11-09'].flatMap(
      (monday) => {
        const opens = startOf(monday, zone).getTime();
        return [-HOUR, -1, 0, HOUR].map((ms) => ({
          player_id: player.id,
          played_at: new Date(opens + ms),
        }));
      },
    );
    const found = await attribute(t.db, plays, t.clock.now());
    expect(found.map(({ day, week }) => ({ day, week }))).toEqual(
      plays.map(({ played_at }) => ({
        day: dayOf(played_at, zone),
        week: weekOf(played_at, zone),
      })),
    );
  }
});
