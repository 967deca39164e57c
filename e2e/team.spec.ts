import {
  expect,
  expectAccessible,
  expectNoSidewaysScroll,
  expectRoomForLargeText,
  signUp,
  test,
} from './fixtures.ts';
import { expectCode, NAVY, openProfile, play, RED } from './profile-page.ts';
import { makeLeague, setLeagueMode, teamOf } from './teams.ts';

test('a team member sees the week, and the code follows league mode', async ({ page, server }) => {
  test.slow();
  const { league, home, away } = await makeLeague(server);
  const machine = await server.addMachine(`Court ${home.username}`);
  await play(server, machine.key, home, [100, 700, 600, 500, 300]);
  await play(server, machine.key, away, [411]);
  await openProfile(page, server, home);
  const team = page.getByRole('region', { name: 'Team Stats (Weekly)' });
  const row = (name: RegExp) => team.getByRole('row', { name });
  const cells = (name: RegExp) => row(name).locator('th, td');

  await expect(team.getByText(teamOf(home))).toBeVisible();
  await expect(team.getByRole('cell', { name: 'No opponent this week' })).toBeVisible();
  const name = home.username.toUpperCase();
  const own = new RegExp(`^1 ${name} `);
  await expect(cells(own)).toHaveText(['1', name, '5/8', '440', '2.1k2100']);
  await expect(row(own)).toHaveAttribute('aria-current', 'true');
  await expect(cells(/^Total/)).toHaveText(['Total', '5/8', '440', '2.1k2100']);
  await page.setViewportSize({ width: 1280, height: 800 });
  await expect(cells(/^Total/).last()).toHaveText('2100', { useInnerText: true });
  await page.setViewportSize({ width: 390, height: 844 });
  await expect(team.getByText("*Total from player's top 4 weekly games")).toBeVisible();

  await server.backboard('schedule', 'generate', league, '--weeks', '2');
  await page.reload();
  await expect(cells(/^Opponent/)).toHaveText([`Opponent: ${teamOf(away)}`, '1/8', '411', '411']);
  await expect(page.getByText('Count games towards weekly team stats')).toBeVisible();
  await expect(page.getByText('League mode on')).toBeVisible();
  await expectCode(page, home.uuid, NAVY);
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  await expectRoomForLargeText(page);

  const league_mode = page.getByRole('switch', { name: 'League Mode' });
  await expect(league_mode).toBeChecked();
  await page.getByText('Count games towards weekly team stats').click();
  await expect(league_mode).not.toBeChecked();
  await expect(page.getByText('League mode off')).toBeVisible();
  await expectCode(page, home.uuid, RED);
  await expectAccessible(page);
  await page.reload();
  await expect(league_mode).not.toBeChecked();
  await league_mode.press('Space');
  await expectCode(page, home.uuid, NAVY);
});

test('the switch of league mode moves back when the server cannot be reached', async ({
  page,
  server,
  context,
  expectNoise,
}) => {
  // Without a network, reads fail too.
  expectNoise(/League mode was not changed|could not be read|ERR_INTERNET_DISCONNECTED/);
  const { home } = await makeLeague(server);
  await openProfile(page, server, home);
  const league_mode = page.getByRole('switch', { name: 'League Mode' });
  await expect(page.getByRole('table')).toBeVisible();

  await page.evaluate(() => {
    // Record only changes, because the page may render the same words again.
    const words = ['League mode on'];
    Object.assign(window, { words });
    new MutationObserver(() => {
      const now = /League mode (on|off)/.exec(document.body.textContent ?? '')?.[0] ?? '';
      if (words.at(-1) !== now) words.push(now);
    }).observe(document.body, { childList: true, subtree: true, characterData: true });
  });
  await context.setOffline(true);
  await league_mode.press('Space');
  await expect
    .poll(() => page.evaluate(() => (window as unknown as { words: string[] }).words))
    .toEqual(['League mode on', 'League mode off', 'League mode on']);
  await expect(league_mode).toBeChecked();
  await context.setOffline(false);
  await page.reload();
  await expect(league_mode).toBeChecked();
});

test('if the league stats fail, the page logs the failure and shows only the team', async ({
  page,
  server,
  expectNoise,
}) => {
  expectNoise(/The league stats could not be read|status of 503/);
  const { home } = await makeLeague(server);
  await page.route('**/user-league-stats/', (route) =>
    route.fulfill({ status: 503, json: { detail: 'The service is busy. Please try again.' } }),
  );
  await openProfile(page, server, home);
  const team = page.getByRole('region', { name: 'Team Stats (Weekly)' });
  await expect(team).toContainText(teamOf(home));
  await expect(team.getByRole('table')).toHaveCount(0);
  await expectAccessible(page);
});

test('a 400 for the league stats hides the stats and logs nothing', async ({ page, server }) => {
  const { home } = await makeLeague(server);
  await page.route('**/user-league-stats/', (route) =>
    route.fulfill({ status: 400, json: { detail: 'You are not on a team.' } }),
  );
  await openProfile(page, server, home);
  await expect(page.getByRole('switch', { name: 'League Mode' })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Team Stats (Weekly)' })).toHaveCount(0);
});

test('a player of a team of four scrolls at most 1600 px (HAND-38)', async ({ page, server }) => {
  const { league, home, away } = await makeLeague(server);
  const machine = await server.addMachine(`Court ${home.username}`);
  for (const mate of await Promise.all([signUp(server), signUp(server), signUp(server)])) {
    await server.backboard('team', 'add', teamOf(home), mate.email);
    await setLeagueMode(server, mate, true);
    await play(server, machine.key, mate, [300]);
  }
  await play(server, machine.key, home, [100, 700, 600, 500, 300]);
  await play(server, machine.key, away, [411]);
  await server.backboard('schedule', 'generate', league, '--weeks', '2');
  await server.backboard('league', 'joining', league, 'open');
  await server.backboard('team', 'rename', teamOf(home), 'Brick City Bankers');
  await server.backboard('team', 'rename', teamOf(away), 'Rim Reapers');
  // Use an address and names that fit on one line, as most do.
  await server.sql('update players set email = $1 where email = $2', [
    'maya@example.com',
    home.email,
  ]);
  await page.setViewportSize({ width: 390, height: 844 });
  await openProfile(page, server, home);
  await expect(page.getByRole('heading', { name: 'Your number to beat' })).toBeVisible();
  await expect(page.getByText('Ahead by 2589')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Invite' })).toBeVisible();
  const height = () => page.evaluate(() => document.documentElement.scrollHeight);
  await expect.poll(height).toBeLessThanOrEqual(1600);
  // The last game is above the bar without scrolling (HAND-38).
  const line = await page.getByRole('link', { name: /^Last game 300/ }).boundingBox();
  const bar = await page.getByRole('navigation', { name: 'Rooms' }).boundingBox();
  expect((line?.y ?? 0) + (line?.height ?? 0)).toBeLessThanOrEqual(bar?.y ?? 0);
});
