import {
  expect,
  expectAccessible,
  expectNoSidewaysScroll,
  expectRoomForLargeText,
  test,
} from './fixtures.ts';
import { openProfile, play } from './profile-screen.ts';
import { makeLeague, readAs, teamOf } from './teams.ts';

test('the number to beat follows the games of the week', async ({ page, server }) => {
  // The operator's command line is started eight times, each a process of its own.
  test.slow();
  const { league, home, away } = await makeLeague(server);
  const machine = await server.addMachine(`Target ${home.username}`);
  await openProfile(page, server, home);
  const beat = page.getByRole('group', { name: 'Your number to beat' });
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

  // It is brought up to date by itself, as the figures above it are.
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
  await expect(beat).toContainText('All 8 played. Your 1.8k stands.');
  await expect(beat).toContainText('New week on Monday.');
  await expect(terms.nth(1)).toHaveText(`ahead of ${teamOf(away)}`);
  await expect(figures.nth(0)).toHaveText('0');
  await expect(figures.nth(1)).toHaveText('1');

  await page.getByRole('switch', { name: 'League Mode' }).press('Space');
  await expect(beat).toHaveCount(0);
  await expectAccessible(page);
});

test('the time until the week closes follows the clock', async ({ page, server, expectNoise }) => {
  // A minute that passes in a moment is longer than the app waits for an answer.
  expectNoise(/could not be read/);
  const { home } = await makeLeague(server);
  const { week_closes_at } = await readAs(server, home, '/api/leaderboards/user-league-stats/');
  const HOUR_MS = 3_600_000;
  await page.clock.install({ time: new Date(week_closes_at).getTime() - 52 * HOUR_MS - 30_000 });
  await openProfile(page, server, home);
  const left = page.getByRole('group', { name: 'Your number to beat' }).getByRole('time');
  await expect(left).toHaveAttribute('datetime', 'P2DT4H');
  await expect(left).toHaveText('2 d 4 h2 days 4 hours');
  await page.clock.runFor(60_000);
  await expect(left).toHaveAttribute('datetime', 'P2DT3H');
  await expect(left).toHaveText('2 d 3 h2 days 3 hours');
});
