import type { BrowserContext, Page } from '@playwright/test';
import type { RunningServer } from '#testing/server.ts';
import { expect, expectAccessible, signUp, test } from './fixtures.ts';
import { expectCode, goTo, openProfile, play, RED, stats } from './profile-page.ts';
import { makeLeague } from './teams.ts';

const NO_NETWORK = /could not be read|net::ERR|Failed to fetch/;

const panel = (page: Page) => page.getByRole('region', { name: 'Player Stats' });
const best = (page: Page) => panel(page).getByText(', new personal best');

async function streams(server: RunningServer): Promise<number> {
  const metrics = await (await fetch(`${server.url}/metrics`)).text();
  return Number(/^backboard_event_streams (\d+)$/m.exec(metrics)?.[1]);
}

const expectStreams = (server: RunningServer, count: number) =>
  expect.poll(() => streams(server)).toBe(count);

/** A reload would remove the mark. */
const mark = (page: Page) => page.evaluate(() => document.body.setAttribute('data-same', 'yes'));
const expectSamePage = (page: Page) => expect(page.locator('body[data-same]')).toHaveCount(1);

/** Hides or shows the page, as when the player changes apps. */
async function setHidden(page: Page, hidden: boolean): Promise<void> {
  await page.evaluate(
    (state) => {
      Object.defineProperty(document, 'visibilityState', { configurable: true, value: state });
      document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
    },
    hidden ? 'hidden' : 'visible',
  );
}

test('when a game arrives, the figures change without a reload', async ({ page, server }) => {
  const { home, away } = await makeLeague(server);
  const { key } = await server.addMachine(`Live ${home.username}`);
  await openProfile(page, server, home);
  await expectStreams(server, 1);
  await mark(page);
  const row = page.getByRole('row', { name: `1 ${home.username.toUpperCase()}` });
  await expect(row).toContainText('0/8');
  await play(server, key, home, [300]);
  await expect.poll(() => stats(page)).toEqual(['1', '300, new personal best', '300']);
  await expect(row).toContainText('1/8');
  await play(server, key, home, [200]);
  await expect.poll(() => stats(page)).toEqual(['2', '300, new personal best', '250']);
  await expect(row).toContainText('2/8');
  await expectSamePage(page);

  const other = await page.context().browser()?.newPage({ baseURL: server.url });
  if (other === undefined) throw new Error('no browser');
  await openProfile(other, server, away);
  await server.backboard('schedule', 'generate', `League ${home.username}`, '--weeks', '1');
  await expect(other.getByRole('row', { name: /Opponent/ })).toContainText('2/8');
  await play(server, key, home, [100]);
  await expect(other.getByRole('row', { name: /Opponent/ })).toContainText('3/8');
  await other.close();
});

test('a new personal best is marked once', async ({ page, server }) => {
  const player = await signUp(server);
  const { key } = await server.addMachine(`Best ${player.username}`);
  await play(server, key, player, [500]);
  await openProfile(page, server, player);
  await expectStreams(server, 1);
  await expect(best(page)).toHaveCount(0);
  await play(server, key, player, [400]);
  await expect.poll(() => stats(page)).toEqual(['2', '500', '450']);
  await expect(best(page), 'not every game is one').toHaveCount(0);

  await play(server, key, player, [612]);
  await expect(best(page)).toHaveCount(1);
  await expect.poll(() => stats(page)).toEqual(['3', '612, new personal best', '504']);
  await expectAccessible(page);
  await page.reload();
  await expect.poll(() => stats(page)).toEqual(['3', '612', '504']);
});

test('with reduced motion the ball does not move', async ({ page, server }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  const player = await signUp(server);
  const { key } = await server.addMachine(`Still ${player.username}`);
  await openProfile(page, server, player);
  await expectStreams(server, 1);
  await page.evaluate(() => {
    document.addEventListener('animationstart', ({ animationName, elapsedTime, target }) => {
      const [animation] = target instanceof Element ? target.getAnimations() : [];
      const { duration = 0 } = animation?.effect?.getTiming() ?? {};
      if (Number(duration) > 0) document.body.dataset.moved = `${animationName} ${elapsedTime}`;
    });
  });
  await play(server, key, player, [300]);
  await expect(best(page)).toHaveCount(1);
  await expect.poll(() => stats(page)).toEqual(['1', '300, new personal best', '300']);
  expect(await page.evaluate(() => document.body.dataset.moved)).toBeUndefined();
});

test('pages of figures have one stream each, other pages have none', async ({ page, server }) => {
  const player = await signUp(server);
  await openProfile(page, server, player);
  await expectStreams(server, 1);
  await goTo(page, 'Games');
  await expect(page.getByRole('heading', { level: 1, name: 'Games' })).toBeVisible();
  await expectStreams(server, 1);
  const { key } = await server.addMachine(`One ${player.username}`);
  await play(server, key, player, [345]);
  await expect(page.getByText('345').first()).toBeVisible();
  await page.goto('/privacy');
  await expectStreams(server, 0);
});

test('a hidden page closes its stream, and refetches when it is visible again', async ({
  page,
  server,
  expectNoise,
}) => {
  // A jump of the clock makes requests time out.
  expectNoise(/could not be read\. CannotReach/);
  const player = await signUp(server);
  const { key } = await server.addMachine(`Sleep ${player.username}`);
  await page.clock.install();
  await openProfile(page, server, player);
  await expectStreams(server, 1);
  await mark(page);
  await setHidden(page, true);
  await page.clock.fastForward('01:30');
  await expectStreams(server, 0);
  await play(server, key, player, [321]);
  await setHidden(page, false);
  await page.clock.resume();
  await expect.poll(() => stats(page)).toEqual(['1', '321, new personal best', '321']);
  await expectStreams(server, 1);
  await expectSamePage(page);
});

test('a phone that slept refetches when it wakes', async ({ page, server }) => {
  const player = await signUp(server);
  const { key } = await server.addMachine(`Frozen ${player.username}`);
  await openProfile(page, server, player);
  await expectStreams(server, 1);
  await mark(page);
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Page.setWebLifecycleState', { state: 'frozen' });
  await play(server, key, player, [222]);
  await devtools.send('Page.setWebLifecycleState', { state: 'active' });
  await expect.poll(() => stats(page)).toEqual(['1', '222, new personal best', '222']);
  await expectSamePage(page);
});

const BREAKS: [what: string, cut: Cut, restore: Cut][] = [
  [
    'the network is lost for a while',
    async (_server, context) => context.setOffline(true),
    async (_server, context) => context.setOffline(false),
  ],
  ['the server restarts', (server) => server.kill(), (server) => server.restart()],
];
type Cut = (server: RunningServer, context: BrowserContext) => Promise<void>;

for (const [what, cut, restore] of BREAKS)
  test(`when ${what}, the figures are fresh afterwards`, async ({
    page,
    context,
    server,
    expectNoise,
  }) => {
    expectNoise(NO_NETWORK);
    const player = await signUp(server);
    const { key } = await server.addMachine(`Broken ${player.username}`);
    await openProfile(page, server, player);
    await expectStreams(server, 1);
    await mark(page);
    await cut(server, context);
    await restore(server, context);
    await play(server, key, player, [250]);
    await expect
      .poll(() => stats(page), { timeout: 40_000 })
      .toEqual(['1', '250, new personal best', '250']);
    await expectSamePage(page);
    await expectCode(page, player.uuid, RED);
  });

test('an expired access token is refreshed for the stream too', async ({ page, server }) => {
  const player = await signUp(server);
  const { key } = await server.addMachine(`Token ${player.username}`);
  await openProfile(page, server, player);
  await page.evaluate(() => localStorage.setItem('access_token', 'run-out'));
  await page.reload();
  // Wait for the new token first: the stream from before the reload may still be open.
  await expect
    .poll(() => page.evaluate(() => localStorage.getItem('access_token')))
    .not.toBe('run-out');
  await expectStreams(server, 1);
  await play(server, key, player, [199]);
  await expect.poll(() => stats(page)).toEqual(['1', '199, new personal best', '199']);
});

test('a player who is signed out elsewhere is led to Login', async ({ page, server }) => {
  test.setTimeout(90_000);
  const player = await signUp(server);
  await openProfile(page, server, player);
  await expectStreams(server, 1);
  await server.backboard('player', 'sign-out', player.email, '--yes');
  await expect(page).toHaveURL(/\/login$/, { timeout: 45_000 });
});
