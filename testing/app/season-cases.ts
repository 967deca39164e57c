import { addDays, weekOf } from '../../server/leagues/calendar.ts';
import { makeLeague, makeTeam } from './make.ts';
import { OPERATOR_KEY, type TestApp } from './test-app.ts';

/** Bodies with which calls of seasons succeed, by the end of the path. Each makes its league. */
export function seasonCases(t: TestApp): Record<string, () => Promise<Record<string, unknown>>> {
  const post = (path: string, body: object) =>
    t.call('POST', `/api/operator/${path}`, { as: { key: OPERATOR_KEY }, body });

  /** A league whose two teams met last week and meet again this week. */
  async function met() {
    const week = weekOf(t.clock.now(), 'UTC');
    const league = await makeLeague(t, { starts: addDays(week, -7) });
    const [team, opponent] = [await makeTeam(t, league), await makeTeam(t, league)];
    await post('leagues/schedule/', { league: league.name, weeks: 2 });
    return { of: league, league: league.name, team: team.name, opponent: opponent.name };
  }

  async function endedLeague(): Promise<string> {
    const { league } = await met();
    await post('seasons/end/', { league, now: true });
    return league;
  }

  const postponed = async () => ({
    league: (await met()).league,
    week: weekOf(t.clock.now(), 'UTC'),
    reason: 'Why',
  });

  return {
    'seasons/next/': async () => ({ league: await endedLeague(), weeks: 1 }),
    'seasons/change/': async () => ({ season: `${(await met()).league}/Season 1`, name: 'Other' }),
    'seasons/drop/': async () => {
      const league = await endedLeague();
      await post('seasons/next/', { league, weeks: 1 });
      return { season: `${league}/Season 2` };
    },
    'seasons/end/': async () => ({ league: (await met()).league }),
    'seasons/correct/': async () => {
      const { league, team, opponent } = await met();
      await post('seasons/end/', { league, now: true });
      const week = weekOf(new Date(t.clock.now().getTime() - 7 * 86_400_000), 'UTC');
      await post('leagues/ruling/', { league, week, team, ruling: 'both_lose', reason: opponent });
      return { season: `${league}/Season 1`, reason: 'Why' };
    },
    'seasons/leave/': async () => ({ season: `${await endedLeague()}/Season 1` }),
    'leagues/postpone/': postponed,
    'leagues/postpone/undo/': async () => {
      const body = await postponed();
      await post('leagues/postpone/', body);
      return { league: body.league, week: body.week };
    },
    'leagues/swap/': async () => {
      const week = weekOf(t.clock.now(), 'UTC');
      const league = await makeLeague(t, { starts: week });
      const [team, , opponent] = [
        await makeTeam(t, league),
        await makeTeam(t, league),
        await makeTeam(t, league),
        await makeTeam(t, league),
      ];
      await post('leagues/schedule/', { league: league.name, weeks: 2 });
      const coming = addDays(week, 7);
      return { league: league.name, team: team.name, opponent: opponent.name, week: coming };
    },
    'leagues/ruling/': async () => {
      const { league, team } = await met();
      return { league, team, week: weekOf(t.clock.now(), 'UTC'), ruling: 'home', reason: 'Why' };
    },
    'teams/enter/': async () => {
      const { of } = await met();
      return { team: (await makeTeam(t, of)).name, matchups: 'none', season: undefined };
    },
    'teams/withdraw/': async () => ({ team: (await met()).team, reason: 'Why' }),
    'teams/withdraw/undo/': async () => {
      const { team } = await met();
      await post('teams/withdraw/', { team, reason: 'Why' });
      return { team };
    },
  };
}
