import {
  expect,
  expectAccessible,
  expectNoSidewaysScroll,
  expectRoomForLargeText,
  holdBack,
  signInAs,
  signUp,
  test,
} from './fixtures.ts';
import { goTo, openProfile, play, report } from './profile-page.ts';
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

test('HAND-36: the last tap on a room counts, also while another room still loads', async ({
  page,
  server,
}) => {
  const release = await holdBack(page, '**/assets/Games-*.js');
  const player = await signUp(server);
  await openProfile(page, server, player);
  await goTo(page, 'Games');
  await expect(page).toHaveURL(/\/games$/);
  await goTo(page, 'Pass');
  await expect(page).toHaveURL(/\/profile$/);
  const loaded = page.waitForResponse('**/assets/Games-*.js');
  release();
  await loaded;
  await goTo(page, 'League');
  await expect(page.getByRole('heading', { level: 1, name: 'League' })).toBeVisible();
  await page.goBack();
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
    /^Score 99999Held for review\d\d:\d\d, Hoop/,
    /^Score 417League mode off/,
    /^Score 340Extra game/,
    /^Score 200Bench, 7th best/,
    /^Score 100Bench, 8th best/,
    new RegExp(`^Score 611CountedBest\\d\\d:\\d\\d, Hoop ${home.username}$`),
    /^Score 290Bench, 6th best/,
    /^Score 330Counted\d/,
    /^Score 320Counted\d/,
    /^Score 310Counted\d/,
    /^Score 300Bench, 5th best/,
  ]);
  // The heading of a day names its venue once (HAND-70).
  await expect(page.getByText(`Arcade ${home.username}`, { exact: true })).toHaveCount(2);
  await expect(page.getByRole('list').last().getByRole('listitem')).toHaveText(/^Score 250For you/);
  const heights = await today
    .getByRole('listitem')
    .evaluateAll((rows) => rows.map((row) => Math.round(row.getBoundingClientRect().height)));
  expect(new Set(heights.slice(1))).toEqual(new Set([62]));
  await expect(page.getByRole('button', { name: 'Show older games' })).toHaveCount(0);

  const chart = page.getByRole('region', { name: 'Scores over time' });
  const slider = chart.getByRole('slider', { name: 'Scores over time' });
  await expect(slider).toHaveAccessibleDescription(
    /^Your last 11 scores\. Lowest 100, highest 611 on \w{3} \d+ \w{3}, latest 417, average 315\.$/,
  );
  await expect(slider).toHaveAttribute(
    'aria-valuetext',
    new RegExp(`^417, today \\d\\d:\\d\\d, Hoop ${home.username}$`),
  );
  await slider.press('ArrowLeft');
  await expect(slider).toHaveAttribute('aria-valuetext', /^340, /);
  await slider.press('Home');
  await expect(slider).toHaveAttribute('aria-valuetext', /^250, \w{3} \d+ \w{3} /);
  const box = await slider.boundingBox();
  if (box === null) throw new Error('no chart');
  await page.mouse.move(box.x + 4, box.y + 80);
  await page.mouse.down();
  await page.mouse.move(box.x + (box.width * 5) / 10, box.y + 80);
  await page.mouse.up();
  await expect(slider).toHaveAttribute('aria-valuenow', '6');
  await slider.press('End');
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
  await expect(slider).toBeVisible();
});

test('older games are added below, and the first older game gets the focus', async ({
  page,
  server,
  context,
  expectNoise,
}) => {
  expectNoise(/The .* could not be read|ERR_INTERNET_DISCONNECTED/);
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
  const items = page.getByRole('list', { name: /\d/ }).getByRole('listitem');
  await expect(items).toHaveCount(40);
  const older = page.getByRole('button', { name: 'Show older games' });

  await context.setOffline(true);
  await older.press('Enter');
  await expect(page.getByRole('alert')).toContainText('Cannot reach the server.');
  await expect(items).toHaveCount(40);
  await context.setOffline(false);
  await expect(items).toHaveCount(42);
  await expect(items.nth(40)).toBeFocused();
  await expect(items.last()).toContainText('Best');
  await expect(older).toHaveCount(0);
  await expect(page.getByText(/^42 games since /)).toBeVisible();
  // The personal best is older than all games in the chart.
  await expect(page.getByRole('slider')).toHaveAccessibleDescription(/highest 139 on /);
});

test('HAND-72 HAND-84 a game opens its sheet, and figures appear once there are enough games', async ({
  page,
  server,
}) => {
  test.slow();
  const player = await signUp(server);
  const machine = await server.addMachine(`Fig ${player.username}`, `Hall ${player.username}`);
  const other = await server.addMachine(`Other ${player.username}`, `Den ${player.username}`);
  const shots = { shots_made: 11, shots_attempted: 20, duration_s: 45 };
  await report(
    server,
    machine.key,
    player,
    [3, 10, 17].map((days) => ({ score: 300 + days, ago: days * DAY_MS, ...shots })),
  );
  await signInAs(page, server, player);
  await page.goto('/games');
  const figures = page.getByRole('region', { name: 'Figures' });
  await expect(page.getByRole('slider')).toBeVisible();
  await expect(figures.getByRole('heading')).toHaveText(['Figures', 'Average by week']);

  await report(
    server,
    other.key,
    player,
    Array.from({ length: 8 }, (_, at) => ({ score: 400, ago: (at + 1) * HOUR_MS, ...shots })),
  );
  // The page is open: the event refetches the figures.
  await expect(figures.getByRole('definition')).toHaveText(['55 %', '400']);
  await expect(figures.getByText('121 of 220 shots')).toBeVisible();
  await expect(figures.getByText('25 over your average')).toBeVisible();
  const lists = figures.getByRole('list');
  await expect(lists.first().getByRole('listitem')).toHaveCount(8);
  // Early on a Monday, these games are of the week before.
  await expect(
    lists
      .first()
      .getByRole('listitem')
      .filter({ hasText: /^Week of \d+ \w+, average (400|389)/ }),
  ).not.toHaveCount(0);
  await expect(lists.last().getByRole('listitem')).toHaveText([
    `Other ${player.username} Den ${player.username}400`,
    `Fig ${player.username} Hall ${player.username}317`,
  ]);

  const row = page.getByRole('listitem').filter({ hasText: 'Score 317' });
  await expect(row).toContainText('shooting 55 %');
  await row.getByRole('button').click();
  const sheet = page.getByRole('dialog', { name: 'Your game' });
  await expect(sheet.getByText('For you', { exact: true })).toBeVisible();
  await expect(sheet.getByRole('definition')).toHaveText([
    /^\w{3} \d+ \w{3}, \d\d:\d\d$/,
    `Fig ${player.username}, Hall ${player.username}`,
    '11 of 20, 55 %',
    '45 s',
  ]);
  await expect(sheet.locator('code')).toBeHidden();
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  await expectRoomForLargeText(page);
  await page.keyboard.press('Escape');
  await expect(row.getByRole('button')).toBeFocused();
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  await expectRoomForLargeText(page);
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
