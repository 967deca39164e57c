import {
  expect,
  expectAccessible,
  expectNoSidewaysScroll,
  expectRoomForLargeText,
  signInAs,
  signUp,
  test,
} from './fixtures.ts';
import { goTo, openProfile, play, report } from './profile-screen.ts';
import { makeLeague, setLeagueMode } from './teams.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

test('a new player opens the empty Games page from the profile, and the code from Games', async ({
  page,
  server,
}) => {
  const player = await signUp(server);
  await openProfile(page, server, player);
  await goTo(page, 'Games');
  const heading = page.getByRole('heading', { level: 1, name: 'Games' });
  await expect(heading).toBeFocused();
  await expect(page).toHaveTitle('Games · Backboard');
  await expect(page.getByRole('heading', { name: 'No games yet' })).toBeVisible();
  await expect(page.getByText('Hold your code up to a machine.')).toBeVisible();
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  await page.getByRole('link', { name: 'Show my code' }).click();
  await expect(page.getByRole('dialog')).toHaveAccessibleName(player.username);
  await page.keyboard.press('Escape');
  await expect(heading).toBeVisible();
  await goTo(page, 'Pass');
  await expect(page.getByRole('heading', { level: 1, name: player.username })).toBeVisible();
});

test('every game says what it counted for, or why it did not count', async ({ page, server }) => {
  test.slow();
  const { home } = await makeLeague(server);
  const machine = await server.addMachine(`Hoop ${home.username}`, `Arcade ${home.username}`);
  await report(server, machine.key, home, [{ score: 250, ago: 2 * DAY_MS }]);
  await play(server, machine.key, home, [300, 310, 320, 330, 290, 611, 100, 200, 340]);
  await setLeagueMode(server, home, false);
  // These games have times after the change of league mode, as from a machine with a fast clock.
  await report(server, machine.key, home, [
    { score: 417, ago: -30_000 },
    { score: 99_999, ago: -60_000 },
  ]);

  await signInAs(page, server, home);
  await page.goto('/games');
  await expect(page.getByText(/^11 games since \d/)).toBeVisible();
  const today = page.getByRole('list', { name: /^Today, / });
  await expect(today.getByRole('listitem')).toHaveText([
    /Held for review.*Score 99999$/,
    /League mode was off.*Score 417$/,
    /Extra game.*Score 340$/,
    /Bench, 7th best.*Score 200$/,
    /Bench, 8th best.*Score 100$/,
    new RegExp(
      `Counted for your team\\d\\d:\\d\\d · Hoop ${home.username}, Arcade ${home.username}Personal bestScore 611$`,
    ),
    /Bench, 6th best.*Score 290$/,
    /Counted for your team.*Score 330$/,
    /Counted for your team.*Score 320$/,
    /Counted for your team.*Score 310$/,
    /Bench, 5th best.*Score 300$/,
  ]);
  await expect(page.getByRole('list').last().getByRole('listitem')).toHaveText(
    /For you.*Score 250$/,
  );
  await expect(page.getByRole('button', { name: 'Show older games' })).toHaveCount(0);

  const chart = page.getByRole('region', { name: 'Scores over time' });
  await expect(chart.getByRole('img')).toHaveAccessibleName(
    /^Your last 11 scores\. Lowest 100, highest 611 on \w{3} \d+ \w{3}, latest 417\.$/,
  );
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  await expectRoomForLargeText(page);
  const toggle = chart.getByRole('button');
  await toggle.press('Enter');
  await expect(toggle).toHaveText('Show chart');
  await expect(toggle).toBeFocused();
  const rows = chart.getByRole('table', { name: 'Your last scores' }).getByRole('row');
  await expect(rows).toHaveCount(12);
  await expect(rows.nth(5)).toHaveText(/Best 611$/);
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  await expectRoomForLargeText(page);
  await toggle.press('Enter');
  await expect(chart.getByRole('img')).toBeVisible();
});

test('older games are added below, and the first of them gets the focus', async ({
  page,
  server,
  context,
  expectNoise,
}) => {
  expectNoise(/The (games|profile) could not be read|ERR_INTERNET_DISCONNECTED/);
  const player = await signUp(server);
  const machine = await server.addMachine(`Long ${player.username}`);
  await report(
    server,
    machine.key,
    player,
    Array.from({ length: 42 }, (_, at) => ({ score: 100 + at, ago: (at + 1) * 6 * HOUR_MS })),
  );
  await signInAs(page, server, player);
  await page.goto('/games');
  const items = page.locator('main').getByRole('listitem');
  await expect(items).toHaveCount(40);
  const older = page.getByRole('button', { name: 'Show older games' });

  await context.setOffline(true);
  await older.press('Enter');
  await expect(page.getByRole('alert')).toContainText('Cannot reach the server.');
  await expect(items).toHaveCount(40);
  await context.setOffline(false);
  await expect(items).toHaveCount(42);
  await expect(items.nth(40)).toBeFocused();
  await expect(items.last()).toContainText('Personal best');
  await expect(older).toHaveCount(0);
  await expect(page.getByText(/^42 games since /)).toBeVisible();
  // The personal best is older than all games in the chart, so the chart marks the best of its own.
  await expect(page.getByText('Best of these')).toBeVisible();
});

test('the menu is the same as on the profile', async ({ page, server }) => {
  const player = await signUp(server);
  await signInAs(page, server, player);
  await page.goto('/games');
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('menuitem', { name: 'Edit Profile' }).click();
  await expect(page.getByRole('dialog', { name: 'Edit Profile' })).toBeVisible();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.reload();
  await expect(page.getByRole('heading', { level: 1, name: player.username })).toBeVisible();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await page.goto('/games');
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('menuitem', { name: 'Sign Out' }).click();
  await expect(page).toHaveURL(/\/login$/);
  await page.goto('/games');
  await expect(page).toHaveURL(/\/login$/);
});
