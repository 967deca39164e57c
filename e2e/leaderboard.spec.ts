import type { Page } from '@playwright/test';
import {
  expect,
  expectAccessible,
  expectNoSidewaysScroll,
  expectRoomForLargeText,
  type NewPlayer,
  signInAs,
  signUp,
  test,
} from './fixtures.ts';
import { openProfile, play, report } from './profile-page.ts';
import { makeLeague } from './teams.ts';

const HOUR_MS = 3_600_000;
const WEEK_MS = 7 * 24 * HOUR_MS;

const rows = (page: Page) => page.getByRole('region').getByRole('listitem');
const nameOf = (player: NewPlayer) => player.username.toUpperCase();
const choice = (page: Page, name: string) => page.getByRole('radio', { name, exact: true });

test("a league's board shows places, shared places and the player's own row, and works by keyboard", async ({
  page,
  server,
}) => {
  test.slow();
  const { league, home, away } = await makeLeague(server);
  const [mate, star] = await Promise.all([signUp(server), signUp(server)]);
  await server.backboard('team', 'create', league, `Mates of ${mate.username}`);
  await server.backboard('team', 'add', `Mates of ${mate.username}`, mate.email, star.email);
  const machine = await server.addMachine(`Wall ${home.username}`, `Hall ${home.username}`);
  await report(server, machine.key, home, [{ score: 900, ago: 2 * WEEK_MS }]);
  for (const [player, scores] of [
    [home, [300, 611]],
    [mate, [611]],
    [away, [598]],
    [star, [702]],
  ] as const)
    await play(server, machine.key, player, [...scores]);

  await openProfile(page, server, home);
  const reads: (string | null)[] = [];
  page.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url());
    if (pathname.startsWith('/api/') && pathname.includes('leaderboard'))
      reads.push(searchParams.get('period'));
  });
  await page.goto('/leaderboard');
  await expect(page.getByRole('heading', { level: 1, name: 'Leaderboard' })).toBeFocused();
  await expect(page).toHaveTitle('Leaderboard · Backboard');
  await expect(page.getByRole('region')).toHaveAccessibleName('Highest scores, league, this week');
  const own = rows(page).and(page.locator('[aria-current="true"]'));
  await expect(own).toHaveText(`Place 2, shared${nameOf(home)}YouScore 611`);
  expect(reads).toContain('week');
  expect(reads).not.toContain('all');
  const texts = await rows(page).allTextContents();
  expect(texts[0]).toBe(`Place 1${nameOf(star)}Score 702`);
  // The order of the two that share a place is not tested.
  expect(texts.slice(1, 3).sort()).toEqual(
    [
      `Place 2, shared${nameOf(home)}YouScore 611`,
      `Place 2, shared${nameOf(mate)}Score 611`,
    ].sort(),
  );
  expect(texts[3]).toBe(`Place 4${nameOf(away)}Score 598`);
  await expect(page.getByText('Highest score of each player. Equal scores share')).toBeVisible();
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  await expectRoomForLargeText(page);

  await page.getByRole('button', { name: 'Menu' }).focus();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('main').getByRole('link', { name: 'Friends' })).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(choice(page, 'League')).toBeFocused();
  await page.keyboard.press('ArrowRight');
  await expect(choice(page, 'Venue')).toBeChecked();
  await expect(page.getByRole('status').getByText('Venue, week, 4 players')).toBeAttached();
  await expect(page.locator('ol')).toHaveCount(1);
  await expect(rows(page)).toHaveCount(4);
  await page.keyboard.press('Tab');
  await expect(choice(page, 'Week')).toBeFocused();
  await page.keyboard.press('ArrowRight');
  await expect(choice(page, 'All time')).toBeFocused();
  await expect(page.getByRole('status').getByText('Venue, all time, 4 players')).toBeAttached();
  await expect(page.getByRole('region')).toHaveAccessibleName('Highest scores, venue, all time');
  await expect(rows(page).first()).toHaveText(`Place 1${nameOf(home)}YouScore 900`);
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Home');
  await choice(page, 'All').press('Space');
  await expect(page.getByRole('region')).toHaveAccessibleName('Highest scores, everyone, all time');

  const regions = page.getByRole('region');
  await page.setViewportSize({ width: 1280, height: 800 });
  await expect(regions).toHaveCount(2);
  await expect(regions.first()).toHaveAccessibleName('Highest scores, everyone, this week');
  await expect(regions.last()).toHaveAccessibleName('Highest scores, everyone, all time');
  await expect(choice(page, 'Week')).toHaveCount(0);
  await choice(page, 'Venue').press('Space');
  const both = 'Venue, week, 4 players. Venue, all time, 4 players';
  await expect(page.getByRole('status').getByText(both)).toBeAttached();
  await choice(page, 'All').press('Space');
  await page.setViewportSize({ width: 390, height: 844 });
  await expect(regions).toHaveCount(1);
  await expect(regions).toHaveAccessibleName('Highest scores, everyone, all time');

  await page.emulateMedia({ forcedColors: 'active', reducedMotion: 'reduce' });
  await choice(page, 'League').press('Space');
  await expect(regions).toHaveAccessibleName('Highest scores, league, all time');
  await expect(own).toHaveText(`Place 1${nameOf(home)}YouScore 900`);
  // The previous board fades out and goes.
  await expect(page.locator('ol')).toHaveCount(1);
  await expectAccessible(page);

  // A board that is chosen again while it fades out is there only once.
  await page.evaluate(() => {
    const radios = [...document.querySelectorAll<HTMLInputElement>('input[type="radio"]')];
    for (const name of ['all', 'league', 'all', 'league'])
      radios.find(({ value, name: legend }) => legend === 'Scope' && value === name)?.click();
  });
  await expect(regions).toHaveAccessibleName('Highest scores, league, all time');
  await expect(page.locator('ol')).toHaveCount(1);

  // The previous board goes even if its animation never ends.
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Animation.enable');
  await devtools.send('Animation.setPlaybackRate', { playbackRate: 0 });
  await choice(page, 'All').press('Space');
  await expect(page.getByRole('region')).toHaveAccessibleName('Highest scores, everyone, all time');
  await expect(page.locator('ol')).toHaveCount(1);
});

test('a player below the best 20 is shown with two neighbours on each side', async ({
  page,
  server,
}) => {
  test.slow();
  const machine = await server.addMachine(`Crowd ${Date.now()}`, `Crowd ${Date.now()}`);
  const players: NewPlayer[] = [];
  for (let at = 0; at < 26; at += 1) players.push(await signUp(server));
  for (const [at, player] of players.entries())
    await play(server, machine.key, player, [1000 - 10 * at]);
  const [me, nearer] = [players[24], players[21]];
  if (me === undefined || nearer === undefined) throw new Error('nobody has played');

  await signInAs(page, server, me);
  await page.goto('/leaderboard');
  await choice(page, 'Venue').check();
  await expect(page.getByRole('status').getByText('Venue, week, 20 players')).toBeAttached();
  await expect(rows(page)).toHaveCount(24);
  await expect(rows(page).nth(19)).toContainText('Place 20');
  const name = (at: number) => players[at]?.username.toUpperCase();
  await expect(rows(page).nth(20)).toHaveText(`Place 23${name(22)}Score 780`);
  await expect(rows(page).nth(21)).toHaveText(`Place 24${name(23)}Score 770`);
  await expect(rows(page).nth(22)).toHaveText(`Place 25${name(24)}YouScore 760`);
  await expect(rows(page).nth(23)).toHaveText(`Place 26${name(25)}Score 750`);
  await expect(rows(page).nth(22)).toHaveAttribute('aria-current', 'true');
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  await expectRoomForLargeText(page);

  // The neighbours of place 22 begin at place 20, so the list has no gap.
  await signInAs(page, server, nearer);
  await page.goto('/leaderboard');
  await choice(page, 'Venue').check();
  await expect(rows(page)).toHaveCount(24);
  await expect(rows(page).nth(20)).toContainText('Place 21');
  await expect(rows(page).nth(21)).toHaveAttribute('aria-current', 'true');
});

test('a row says how far it has moved since the morning (HAND-96)', async ({ page, server }) => {
  const { home, away } = await makeLeague(server);
  const machine = await server.addMachine(`Moves ${home.username}`);
  await play(server, machine.key, home, [300]);
  await play(server, machine.key, away, [200]);
  await server.sql(
    `insert into board_places (board, week, day, player_id, place)
      select 'league:' || t.league_id, w.week, (now() at time zone 'UTC')::date, p.id, 5
      from players p join teams t on t.id = p.team_id
      cross join (values ('-infinity'::date), (date_trunc('week', now() at time zone 'Europe/London')::date)) w (week)
      where p.email = $1`,
    [home.email],
  );
  await signInAs(page, server, home);
  await page.goto('/leaderboard');
  await expect(rows(page).first()).toContainText('Youup 44');
  await expect(rows(page).nth(1)).toContainText('new');
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  await expectRoomForLargeText(page);
});

test('a board of a league or venue is offered only to its players', async ({ page, server }) => {
  const player = await signUp(server);
  await signInAs(page, server, player);
  await page.goto('/leaderboard');
  const scope = page.getByRole('group', { name: 'Scope' }).getByRole('radio');
  // HAND-99: the page leaves out a choice that has only one option.
  const empty = page.getByRole('heading', { name: 'No games here yet' });
  await expect(empty.or(page.getByRole('region')).first()).toBeVisible();
  await expect(scope).toHaveCount(0);
  await expect(page.getByRole('group', { name: 'Period' }).getByRole('radio')).toHaveCount(2);

  const [somewhere, nowhere] = [
    await server.addMachine(`Here ${player.username}`, `Here ${player.username}`),
    await server.addMachine(`There ${player.username}`),
  ];
  await report(server, somewhere.key, player, [{ score: 100, ago: HOUR_MS }]);
  await page.reload();
  await expect(scope).toHaveCount(2);
  // The last game is now at no venue.
  await play(server, nowhere.key, player, [50]);
  await expect(scope).toHaveCount(0);
  await expect(page.getByRole('region')).toHaveAccessibleName(
    'Highest scores, everyone, this week',
  );
});

test('an empty board says so, and links to the code', async ({ page, server }) => {
  test.slow();
  const { home } = await makeLeague(server);
  await openProfile(page, server, home);
  await page.goto('/leaderboard');
  await expect(choice(page, 'League')).toBeChecked();
  await expect(page.getByRole('heading', { name: 'No games here yet' })).toBeVisible();
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  await expectRoomForLargeText(page);
  await page.getByRole('link', { name: 'Show my code' }).click();
  await expect(page.getByRole('dialog')).toHaveAccessibleName(home.username);
});

test('a failed board does not affect the loaded boards', async ({ page, server, expectNoise }) => {
  expectNoise(/The leaderboard could not be read|ERR_FAILED|status of 503/);
  const player = await signUp(server);
  const machine = await server.addMachine(`Sign ${player.username}`, `Sign ${player.username}`);
  await play(server, machine.key, player, [100]);
  await signInAs(page, server, player);
  await page.goto('/leaderboard');
  await expect(page.getByRole('region')).toHaveAccessibleName(
    'Highest scores, everyone, this week',
  );

  await page.route('**/api/leaderboards/**', (route) =>
    route.fulfill({ status: 503, json: { detail: 'The service is busy. Please try again.' } }),
  );
  await choice(page, 'Venue').check();
  await expect(page.getByRole('alert')).toContainText('The service is busy. Please try again.');
  await expectAccessible(page);
  await choice(page, 'All').check();
  await expect(page.getByRole('region')).toHaveAccessibleName(
    'Highest scores, everyone, this week',
  );
  await page.unroute('**/api/leaderboards/**');
  await choice(page, 'Venue').check();
  await expect(rows(page)).toHaveText([`Place 1${player.username.toUpperCase()}YouScore 100`]);
});
