import type { Locator } from '@playwright/test';
import { type RunningServer, startServer } from '#testing/server.ts';
import { pictureAsIs } from './as-drawn.ts';
import { openHoop, openPhone, openWall, VENUE } from './finals.ts';
import {
  expect,
  expectAccessible,
  expectNoSidewaysScroll,
  inviteStaff,
  setUpPasskey,
  signUp,
  test,
} from './fixtures.ts';

const NIGHT = /^\w+day Night Hoops/;

// Use a separate server: at most two contests run at a venue.
let server: RunningServer;
test.beforeAll(async () => {
  server = await startServer();
});
test.afterAll(() => server.close());

test('CONTEST-01 to 12: a Friday night, from the form in the console to the winner at the bar', async ({
  page,
  browser,
}) => {
  const { play, settle } = await openHoop(server);
  const [maya, ace] = [await signUp(server), await signUp(server)];

  // The form.
  const tomorrow = new Date(Date.now() + 24 * 3_600_000).toISOString().slice(0, 10);
  await page.setViewportSize({ width: 1280, height: 800 });
  await setUpPasskey(page, await inviteStaff(server, 'Ines Duarte', '--role', 'owner'));
  await page.getByRole('link', { name: 'Contests' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Contests' })).toBeFocused();
  await page
    .getByLabel('Prizes')
    .fill('1st: bar tab of 50\n2nd: a shirt\n3rd: a cap\nFor players of 18 and over');
  await expectAccessible(page);
  // A new start moves the end too.
  await page.getByLabel('Begins').fill(`${tomorrow}T19:00`);
  await expect(page.getByLabel('Ends')).toHaveValue(`${tomorrow}T22:00`);
  await page.getByRole('button', { name: 'Make this night' }).click();
  await expect(page.getByRole('heading', { level: 1, name: NIGHT })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Pair one' })).toBeVisible();
  await page.getByRole('button', { name: 'Cancel it' }).click();
  await expect(page.getByRole('dialog').getByText(/still count/)).toHaveCount(0);
  await page.getByRole('button', { name: 'Keep it' }).click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  // At its begin, the page can stop it without a reload.
  await server.sql(`update contests set starts_at = now() + interval '5 seconds'`);
  await page.reload();
  await expect(page.getByRole('button', { name: 'Stop now' })).toBeVisible({ timeout: 15_000 });
  await server.sql(`update contests set starts_at = now() - interval '1 hour',
    ends_at = now() + interval '81 minutes'`);
  const [row] = await server.sql('select code from contests');
  const path = `/contest/${row?.code}`;

  // Somebody without an account sees points and no name.
  const visitor = await openPhone(browser, server);
  await visitor.goto(`${server.url}${path}`);
  await expect(visitor.getByRole('heading', { level: 1, name: NIGHT })).toBeVisible();
  await expect(visitor.getByRole('link', { name: 'Create account' })).toBeVisible();
  await expect(visitor.getByText('1st: bar tab of 50')).toHaveJSProperty(
    'innerText',
    '1st: bar tab of 50\n2nd: a shirt\n3rd: a cap\nFor players of 18 and over',
  );
  await expectAccessible(visitor);
  await expectNoSidewaysScroll(visitor);

  // On the wall.
  const { wall, code } = await openWall(browser, server);
  await server.backboard('screen', 'add', code, '--venue', VENUE);
  await expect(wall.locator('.is-on h1')).toContainText(NIGHT);
  await play(ace, 505);
  await expect(wall.locator('.is-on')).toContainText('505');
  await expect(wall.locator('.is-on')).toContainText('1st: bar tab of 50');
  await expect(wall.locator('.is-on')).not.toContainText('2nd: a shirt');
  await play(maya, 512);

  // The phone.
  const phone = await openPhone(browser, server, maya);
  await phone.goto(`${server.url}/profile`);
  await expect(phone.getByText('This game counts for the contest and you.')).toBeVisible();
  await phone.getByRole('link', { name: NIGHT }).click();
  await expect(phone.getByRole('heading', { level: 2, name: 'You are 1st' })).toBeVisible();
  await play(ace, 463);
  await expect(phone.getByRole('heading', { level: 2, name: 'You are 2nd' })).toBeVisible({
    timeout: 20_000,
  });
  await expect(phone.getByText('to 1st place')).toBeVisible();
  await expect(phone.getByText('Counts', { exact: true })).toBeVisible();
  await expect(phone.getByRole('navigation', { name: 'Rooms' })).toBeVisible();
  await expectAccessible(phone);
  await expectNoSidewaysScroll(phone);
  await pictureAsIs(phone, '83');
  await pictureAsIs(visitor, '83c');
  await pictureAsIs(wall, 't13');
  await play(maya, 463);

  // The places in the console, and the end of the night.
  await page.reload();
  await expect(page.getByRole('row', { name: new RegExp(maya.username) })).toContainText('975');
  await expectAccessible(page);
  await pictureAsIs(page, 'c23b');
  await page.getByRole('button', { name: 'Stop now' }).click();
  await expect(
    page.getByRole('dialog').getByText(/^Games that are played from now on/),
  ).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Stop it now' }).click();
  await expect(
    page.getByText('It is over. Places are final when the last games are in.'),
  ).toBeFocused();
  await expect(page.getByRole('heading', { name: 'Last games are coming in' })).toBeVisible();
  await expect(wall.locator('.is-on')).toContainText('Last games are coming in');
  await expect(wall.locator('.is-on')).toContainText('Scan, and see your place.');
  await settle();

  // The phone shows the winner by itself.
  await expect(phone.getByRole('heading', { level: 1, name: 'You won' })).toBeVisible({
    timeout: 30_000,
  });
  await expect(phone.getByText('Show this at the bar.')).toBeVisible();
  await expectAccessible(phone);
  await expectNoSidewaysScroll(phone);
  await pictureAsIs(phone, '83b');
  await expect(wall.locator('.is-on .winner')).toContainText('975');
  await pictureAsIs(wall, 't14');
  await page.goto(`${server.url}/console/contests`);
  await expect(page.getByText(new RegExp(`${maya.username} won with 975`))).toBeVisible();
  await pictureAsIs(page, 'c23');
  await page.getByRole('button', { name: /^Again next/ }).click();
  await expect(page.getByText(/is on again/)).toBeFocused();
  await expectAccessible(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await expectNoSidewaysScroll(page);
});

test('CONTEST-09, 12: long prizes overlap neither the poster’s code nor the wall’s footer', async ({
  page,
  browser,
}) => {
  const venue = 'Prize hall';
  await server.addMachine('Hoop 9', venue);
  const prizes = [
    '1st: a long evening at the bar for two, two shirts, and a photo on the wall of fame',
    '2nd: a shirt and a cap of the house',
    '3rd: two tickets for the cinema around the corner, on any night in January',
  ].join('\n');
  const night = 'Windmills of the Incredible West';
  await server.backboard(
    ...['contest', 'create', night, '--venue', venue, '--starts', 'now', '--prizes', prizes],
    '--only',
  );
  const [row] = await server.sql('select id from contests where name = $1', [night]);
  type Measured = { locator(css: string): Locator };
  const edge = async (of: Measured, css: string, side: 'top' | 'bottom') =>
    of
      .locator(css)
      .first()
      .evaluate((one, which) => one.getBoundingClientRect()[which], side);

  await page.setViewportSize({ width: 1920, height: 1080 });
  await setUpPasskey(page, await inviteStaff(server, 'Noa Lind', '--role', 'owner'));
  await expect(page.getByRole('heading', { level: 1, name: 'Tonight' })).toBeVisible();
  await page.goto(`${server.url}/console/contests/${row?.id}/poster`);
  const poster = page.getByRole('article', { name: 'Poster, A4' });
  await expect(poster).toContainText('on any night in January');
  expect(await edge(poster, '.a4__prizes', 'top')).toBeGreaterThan(
    await edge(poster, '.a4__sq circle[fill]', 'bottom'),
  );
  expect(await edge(poster, '.a4__f', 'top')).toBeGreaterThan(
    await edge(poster, 'li:last-child', 'bottom'),
  );
  expect(await poster.evaluate((one) => one.scrollHeight - one.clientHeight)).toBe(0);

  const { wall, code } = await openWall(browser, server);
  await server.backboard('screen', 'add', code, '--venue', venue);
  const prize = wall.locator('.is-on .night__s');
  await expect(prize).toContainText('Prize: 1st: a long evening');
  const gap =
    (await edge(wall, '.foot p', 'top')) - (await edge(wall, '.is-on .night__s', 'bottom'));
  expect(gap).toBeGreaterThan(20);
});
