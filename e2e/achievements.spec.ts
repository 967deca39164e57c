import type { Page } from '@playwright/test';
import {
  expect,
  expectAccessible,
  expectNoSidewaysScroll,
  expectRoomForLargeText,
  signInAs,
  signUp,
  test,
} from './fixtures.ts';
import { openProfile, play, report } from './profile-page.ts';
import { makeLeague } from './teams.ts';

const HOUR_MS = 3_600_000;
const SYMBOL = 'M42.8 19.2V9.8';

const won = (page: Page) => page.getByRole('region', { name: 'Won' }).getByRole('listitem');
const next = (page: Page) => page.getByRole('region', { name: 'Next up' }).getByRole('listitem');
const open = (page: Page) =>
  page.getByRole('region', { name: 'Still to win' }).getByRole('listitem');
const summary = (page: Page) => page.getByText(/^\d+ won, \d+ still to win$/);

test('a new player sees all achievements and their progress', async ({ page, server }) => {
  const player = await signUp(server);
  await openProfile(page, server, player);
  await page
    .getByRole('region', { name: 'Player Stats' })
    .getByRole('link', { name: 'Achievements' })
    .click();
  await expect(page.getByRole('heading', { level: 1, name: 'Achievements' })).toBeFocused();
  await expect(page).toHaveTitle('Achievements · Backboard');
  await expect(page.getByText('0 won, 12 still to win')).toBeVisible();
  await expect(page.getByRole('region', { name: 'Won' })).toHaveCount(0);
  await expect(next(page)).toHaveText(['First gamePlay your first game']);
  await expect(open(page)).toHaveCount(11);
  const hundred = open(page).filter({ hasText: '100 games' });
  await expect(hundred).toHaveText('100 games0 of 100Play 100 games');
  const bar = hundred.getByRole('progressbar', { name: '100 games' });
  await expect(bar).toHaveAttribute('aria-valuenow', '0');
  await expect(bar).toHaveAttribute('aria-valuemax', '100');
  const win = open(page).filter({ hasText: 'Team win' });
  await expect(win).toHaveText('Team winWin a week with your team');
  await expect(win.getByRole('progressbar')).toHaveCount(0);
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  await expectRoomForLargeText(page);
});

test('won achievements come first, the latest on top, and are marked new until seen', async ({
  page,
  server,
}) => {
  test.slow();
  const { home } = await makeLeague(server);
  const machine = await server.addMachine(`Prize ${home.username}`);
  await report(server, machine.key, home, [{ score: 100, ago: 26 * HOUR_MS }]);
  await openProfile(page, server, home);
  // An achievement won before this phone signed in is not new.
  await page.goto('/achievements');
  await expect(won(page)).toHaveText([/^First game\d+ \w{3}( \d{4})?$/]);

  await play(server, machine.key, home, [110, 120, 130]);
  await page.goto('/achievements');
  await expect(won(page)).toHaveCount(4);
  const [first, second, third, last] = await won(page).allTextContents();
  expect([first, second]).toEqual(['Hat-trickTodayNew', expect.any(String)]);
  expect([second, third].sort()).toEqual(['First league gameTodayNew', 'Personal bestTodayNew']);
  expect(last).toMatch(/^First game\d+ \w{3}( \d{4})?$/);
  await expect(summary(page)).toHaveText('4 won, 8 still to win');
  await expect(next(page)).toHaveCount(2);
  await expect(next(page).first()).toHaveText(
    'Four that count3 of 4Fill all four places of your weekly total',
  );
  const counted = next(page).first().getByRole('progressbar', { name: 'Four that count' });
  await expect(counted).toHaveAttribute('aria-valuetext', '3 of 4');
  await expect(page.getByRole('listitem').filter({ hasText: '10 games' })).toContainText('4 of 10');
  for (const picture of await page.locator('main li svg').all())
    expect((await picture.boundingBox())?.width).toBeGreaterThanOrEqual(32);
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  await expectRoomForLargeText(page);

  await page.reload();
  await expect(won(page)).toHaveCount(4);
  await expect(page.getByText('New', { exact: true })).toHaveCount(0);
  await page.getByRole('link', { name: 'Back to pass' }).click();
  await expect(page.getByRole('table')).toBeVisible();
  await expect(page.locator('main').getByRole('link', { name: /achievement:/ })).toHaveCount(0);

  await play(server, machine.key, home, [140]);
  await page.emulateMedia({ forcedColors: 'active', reducedMotion: 'reduce' });
  await page.goto('/achievements');
  await expect(won(page).first()).toHaveText('Four that countTodayNew');
  await expectAccessible(page);
});

test('the login does not load the drawings of the achievements', async ({ page, server }) => {
  const asked = new Set<string>();
  page.on('request', (request) => asked.add(request.url()));
  /** How many files loaded since the last call contain an achievement's drawing. */
  const drawn = async () => {
    const files = [...asked].filter((url) => /\.(js|svg)$/.test(url));
    asked.clear();
    expect(files.length).toBeGreaterThan(0);
    const texts = await Promise.all(files.map(async (url) => (await fetch(url)).text()));
    return texts.filter((text) => text.includes(SYMBOL)).length;
  };
  await page.goto('/login');
  await expect(page.getByRole('heading', { name: 'Login' })).toBeVisible();
  expect(await drawn()).toBe(0);
  await signInAs(page, server, await signUp(server));
  await page.goto('/achievements');
  await expect(summary(page)).toBeVisible();
  expect(await drawn()).toBe(1);
});
