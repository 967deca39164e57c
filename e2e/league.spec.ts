import type { LeagueSeason, LeagueStats, Standing } from '#contract/wire/leagues.ts';
import type { RunningServer } from '#testing/server.ts';
import { test } from './demo.ts';
import {
  expect,
  expectAccessible,
  expectNoSidewaysScroll,
  expectRoomForLargeText,
  type NewPlayer,
  setServerTime,
  signInAs,
  signUp,
} from './fixtures.ts';
import { goTo, openProfile, play } from './profile-page.ts';
import { makeLeague, readAs, setLeagueMode, teamOf, totalText } from './teams.ts';

const seasonOf = (server: RunningServer, player: NewPlayer): Promise<LeagueSeason> =>
  readAs(server, player, '/api/leaderboards/user-league-season/');
const weekOf = (server: RunningServer, player: NewPlayer): Promise<LeagueStats> =>
  readAs(server, player, '/api/leaderboards/user-league-stats/');

test('the number to beat follows the games of the week', async ({ page, server }) => {
  test.slow();
  const { league, home, away } = await makeLeague(server);
  const machine = await server.addMachine(`Target ${home.username}`);
  await openProfile(page, server, home);
  const beat = page.getByRole('region', { name: 'Your number to beat' });
  const terms = beat.getByRole('term');
  const figures = beat.getByRole('definition');

  await expect(beat).toContainText('Any score adds to your team total.');
  await expect(beat).toContainText('0 of 4 places are taken.');
  await expect(terms).toHaveText([
    'league games left',
    'No opponent this week',
    'until the week closes',
  ]);
  await expect(figures.nth(0)).toHaveText('8');
  await expect(figures.nth(1)).toHaveText('–');

  await play(server, machine.key, home, [500]);
  await expect(beat).toContainText('1 of 4 places is taken.', { timeout: 30_000 });

  await server.backboard('schedule', 'generate', league, '--weeks', '2');
  await play(server, machine.key, away, [900, 900]);
  await play(server, machine.key, home, [300, 410, 341, 200, 210]);
  await page.reload();
  await expect(beat).toContainText('Beat 300, your 4th best, and your team total grows.');
  await expect(beat).toContainText('550 takes the lead.');
  await expect(terms.nth(1)).toHaveText(`behind ${teamOf(away)}`);
  await expect(figures.nth(0)).toHaveText('2');
  await expect(figures.nth(1)).toHaveText('249');
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  await expectRoomForLargeText(page);

  await play(server, machine.key, home, [550, 100]);
  await page.reload();
  await expect(beat).toContainText('8/8');
  await expect(beat).toContainText('All 8 played. Your 1.8k stands.', { useInnerText: true });
  await expect(beat).toContainText('New week on Monday.');
  await expect(terms.nth(1)).toHaveText(`ahead of ${teamOf(away)}`);
  await expect(figures.nth(0)).toHaveText('0');
  await expect(figures.nth(1)).toHaveText('1');

  await page.getByRole('switch', { name: 'League Mode' }).press('Space');
  await expect(beat).toHaveCount(0);
  await expectAccessible(page);
});

test('PROD-166: the time until the week closes follows the server’s clock', async ({
  page,
  server,
  expectNoise,
}) => {
  // A jump of the clock makes requests time out.
  expectNoise(/could not be read/);
  const { home } = await makeLeague(server);
  const { week_closes_at } = await weekOf(server, home);
  const HOUR_MS = 3_600_000;
  const time = new Date(week_closes_at).getTime() - 48 * HOUR_MS - 30_000;
  let shift = time - Date.now();
  await setServerTime(page, () => Date.now() + shift);
  // The phone's date is wrong by a month.
  await page.clock.install({ time: time + 30 * 24 * HOUR_MS });
  await openProfile(page, server, home);
  const left = page.getByRole('region', { name: 'Your number to beat' }).getByRole('time');
  await expect(left).toHaveAttribute('datetime', 'P2D');
  await expect(left).toHaveText('2 days');
  shift += 60_000;
  await page.clock.runFor(60_000);
  await expect(left).toHaveAttribute('datetime', 'PT47H');
  await expect(left).toHaveText('47 hours');
});

test('the team’s panel leads to its league: table, results and schedule', async ({
  page,
  server,
  maya,
}) => {
  const season = await seasonOf(server, maya);
  const { team_name } = await weekOf(server, maya);
  await openProfile(page, server, maya);
  await goTo(page, 'League');
  const heading = page.getByRole('heading', { level: 1 });
  await expect(heading).toHaveText('Dockside League');
  await expect(heading).toBeFocused();
  await expect(page).toHaveTitle('Dockside League · Backboard');
  await expect(page.getByText('Week 5 of 10')).toBeVisible();

  const table = page.getByRole('table', { name: 'Season' });
  // SEASON-16: a row tells why it is below a row with as many wins.
  const cells = ({ place, team, won, drawn, lost, total }: Standing, at: number) =>
    `${place}${team}${season.standings[at - 1]?.won === won ? 'Level on wins, lower total' : ''}${won}${drawn}${lost}${totalText(total)}`;
  await expect(table.getByRole('row')).toHaveText([
    '#PlaceTeamWDLTotal',
    ...season.standings.map(cells),
  ]);
  await expect(table.locator('[aria-current]')).toHaveText(new RegExp(`^\\d${team_name}`));
  // Four weeks, with a matchup for each team.
  for (const { won, drawn, lost } of season.standings) expect(won + drawn + lost).toBe(4);

  const schedule = page.getByRole('region', { name: 'Schedule' });
  const weeks = schedule.getByRole('heading', { level: 3 });
  await expect(weeks).toHaveText(['Week 4', 'Week 6']);
  const last = season.schedule[3];
  if (last === undefined) throw new Error('the demo has no fourth week');
  const played = schedule.getByRole('list').first().getByRole('listitem');
  await expect(played).toHaveCount(last.matchups.length);
  for (const { home, away, home_total, away_total } of last.matchups) {
    const row = played.filter({ hasText: home });
    await expect(row).toHaveText(
      `${home}${totalText(home_total ?? 0)} – ${totalText(away_total ?? 0)}${away}`,
    );
    const [winner, loser] =
      Number(home_total) > Number(away_total) ? ([home, away] as const) : ([away, home] as const);
    await expect(row.getByText(winner)).toHaveCSS('font-weight', '700');
    await expect(row.getByText(loser)).toHaveCSS('font-weight', '400');
  }
  await expect(schedule.getByRole('list').last().getByRole('listitem').first()).toHaveText(
    /^.+against–.+$/,
  );
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  await expectRoomForLargeText(page);

  const all = schedule.getByRole('button', { name: 'All 10 weeks' });
  await all.press('Enter');
  await expect(weeks).toHaveText(season.schedule.map(({ week }) => `Week ${week}`));
  await expect(weeks.first()).toBeFocused();
  await expectAccessible(page);
  await schedule.getByRole('button', { name: 'Fewer weeks' }).press('Space');
  await expect(weeks).toHaveCount(2);
  await expect(all).toBeFocused();
  await page.goto(`/league?week=${season.schedule[1]?.from}`);
  await expect(weeks.nth(1), 'HAND-17').toBeFocused();
  await page.goto('/league');

  await page.emulateMedia({ forcedColors: 'active' });
  await expect(table.locator('[aria-current] td').first()).toHaveCSS('border-top-style', 'solid');
  await expect(page.getByText('Live')).toBeVisible();
  await expectAccessible(page);
  await page.emulateMedia({ forcedColors: null });
  await goTo(page, 'Pass');
  await expect(heading).toHaveText(maya.username);
});

test('a game changes this week’s totals on the open page', async ({
  page,
  server,
  maya,
  hoop,
  context,
  expectNoise,
}) => {
  expectNoise(/could not be read|ERR_INTERNET_DISCONNECTED/);
  const before = await weekOf(server, maya);
  await signInAs(page, server, maya);
  await page.goto('/league');
  const week = page.getByRole('region', { name: 'This week' });
  const sides = week.getByRole('list').first().getByRole('listitem');
  const label = (lead: number) => (lead > 0 ? `Ahead by ${lead}` : lead === 0 ? 'Level' : '');
  const leadOf = ({ team_total_score, opponent }: LeagueStats) =>
    team_total_score - (opponent?.total_score ?? 0);
  const words = (stats: LeagueStats) =>
    `${stats.team_name}${label(leadOf(stats))}${stats.team_total_games_played}/${stats.team_max_possible_games} games${totalText(stats.team_total_score)}`;
  await expect(sides).toHaveCount(2);
  await expect(sides.first()).toHaveText(words(before));
  await expect(sides.last()).toHaveText(
    new RegExp(`^Opponent: ${before.opponent?.name}${label(-leadOf(before))}\\d+/\\d+`),
  );
  await expect(week.getByText('Live')).toBeVisible();
  await expect(week.getByText(/^Closes in \d+ (d|h|min)/)).toBeVisible();
  await expect(week.getByRole('list').last().getByRole('listitem')).toHaveCount(2);

  await play(server, hoop.key, maya, [2000]);
  const after = await weekOf(server, maya);
  expect(after.team_total_score).toBeGreaterThan(before.team_total_score);
  await expect(sides.first()).toHaveText(words(after), { timeout: 30_000 });

  await context.setOffline(true);
  await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')));
  await expect(week.getByText(/^As of \d\d:\d\d$/)).toBeVisible({ timeout: 30_000 });
  await expect(week.getByText('Live')).toHaveCount(0);
  await expect(sides.first()).toHaveText(words(after));
  await context.setOffline(false);
  await expect(week.getByText('Live')).toBeVisible({ timeout: 30_000 });
});

test('a bye is described in words, with the other matchups', async ({ page, server }) => {
  test.slow();
  const { league, home, away } = await makeLeague(server);
  const third = await signUp(server);
  await server.backboard('team', 'create', league, teamOf(third));
  await server.backboard('team', 'add', teamOf(third), third.email);
  await setLeagueMode(server, third, true);
  await server.backboard('schedule', 'generate', league, '--weeks', '3');
  const players = [home, away, third];
  const [first] = (await seasonOf(server, home)).schedule;
  const free = players.find((one) => teamOf(one) === first?.bye);
  if (free === undefined) throw new Error('nobody has a bye');

  await signInAs(page, server, free);
  await page.goto('/league');
  const week = page.getByRole('region', { name: 'This week' });
  await expect(week.getByText('No opponent this week. Your team has a bye.')).toBeVisible();
  await expect(week.getByRole('list').first().getByRole('listitem')).toHaveText([
    `${teamOf(free)}0/8 games0`,
  ]);
  const matchup = first?.matchups[0];
  if (matchup === undefined) throw new Error('nobody meets');
  const { home: winner, away: loser } = matchup;
  const others = week.getByRole('list').last();
  await expect(others.getByRole('listitem')).toHaveText([`${winner}0 – 0${loser}`]);
  const why = 'Too few players';
  await server.backboard(
    'schedule',
    'rule',
    league,
    first?.from ?? '',
    winner,
    'home',
    '--why',
    why,
  );
  await expect(others.getByRole('listitem')).toHaveText([
    `${winner}0 – 0${loser}Forfeit: ${winner} win`,
  ]);
  await expect(others.getByText(winner, { exact: true })).toHaveCSS('font-weight', '700');
  await expect(others.getByText(loser, { exact: true })).toHaveCSS('text-align', 'right');
  const schedule = page.getByRole('region', { name: 'Schedule' });
  await expect(schedule.getByRole('heading', { level: 3 })).toHaveText(['Week 2']);
  await schedule.getByRole('button', { name: 'All 3 weeks' }).click();
  const bye = schedule.getByText(`${teamOf(free)} have a bye`);
  await expect(bye).toBeVisible();
  await expect(bye).toHaveCSS('text-align', 'start');
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  await expectRoomForLargeText(page);

  const other = players.find((one) => one !== free);
  if (other === undefined) throw new Error('there is nobody else');
  await signInAs(page, server, other);
  await page.goto('/league');
  await expect(week.getByText(`${teamOf(free)} have a bye`)).toBeVisible();
  // P108: the reason is for the two teams alone.
  await expect(week.getByText(`Forfeit: ${winner} win. ${why}`)).toBeVisible();
});

test('the page describes a season without a schedule, and a season that has not begun', async ({
  page,
  server,
}) => {
  test.slow();
  const { home } = await makeLeague(server);
  await signInAs(page, server, home);
  await page.goto('/league');
  await expect(page.getByText('Week 1', { exact: true })).toBeVisible();
  const week = page.getByRole('region', { name: 'This week' });
  await expect(week.getByText('No opponent this week.', { exact: true })).toBeVisible();
  await expect(page.getByText('No matchups are scheduled yet.')).toBeVisible();
  await expect(page.getByRole('row').nth(1)).toHaveText(/000$/);
  await expectAccessible(page);

  const early = await signUp(server);
  const name = `Spring ${early.username}`;
  const starts = new Date(Date.now() + 21 * 24 * 3_600_000).toISOString().slice(0, 10);
  await server.backboard('league', 'create', name, '--timezone', 'UTC', '--starts', starts);
  await server.backboard('team', 'create', name, teamOf(early));
  await server.backboard('team', 'add', teamOf(early), early.email);
  await signInAs(page, server, early);
  await page.goto('/league');
  await expect(page.getByText('Before the season')).toBeVisible();
  await expect(week.getByText(/^The season starts on Mon \d+ \w{3}/)).toBeVisible();
  await expect(week.getByText('Live')).toHaveCount(0);
  await expectAccessible(page);
});

test('HAND-41 without a team the page says so, and asks for a code', async ({ page, server }) => {
  const player = await signUp(server);
  await signInAs(page, server, player);
  await page.goto('/league');
  await expect(page.getByText('You are not on a team yet')).toBeVisible();
  await expect(page.getByLabel('Team code')).toBeVisible();
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
});
