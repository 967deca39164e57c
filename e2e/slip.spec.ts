import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import jsqr from 'jsqr';
import { PNG } from 'pngjs';
import {
  expect,
  expectAccessible,
  expectNoSidewaysScroll,
  expectRoomForLargeText,
  numberOf,
  signUp,
  test,
} from './fixtures.ts';
import { goTo, openProfile, play } from './profile-page.ts';
import { makeLeague, setLeagueMode } from './teams.ts';

/** HAND-V4: the bound, with a wide margin for a slow computer. */
const SOON = { timeout: 10_000 };

const slip = (page: Page) =>
  page.getByRole('region', { name: /game/i }).filter({ has: page.getByText('Score') });
const head = (page: Page, name: string | RegExp) => page.getByRole('heading', { name });
const line = (page: Page) => page.getByRole('link', { name: /^Last game/ });
const said = (page: Page) => page.locator('p[role=status].sr').last();
const bar = (page: Page) => page.getByRole('navigation', { name: 'Rooms' });
const done = (page: Page) => page.getByRole('button', { name: 'Done' });

/** Waits for the event stream, without which a game comes only with the next load. */
async function open(
  page: Page,
  server: Parameters<typeof openProfile>[1],
  player: Parameters<typeof openProfile>[2],
) {
  const stream = page.waitForResponse('**/api/users/profile/events/');
  await openProfile(page, server, player);
  await stream;
}

async function decodes(page: Page, uuid: string): Promise<void> {
  await expect
    .poll(async () => {
      const { data, width, height } = PNG.sync.read(await page.screenshot());
      return jsqr.default(new Uint8ClampedArray(data), width, height)?.data;
    })
    .toBe(uuid);
}

test('HAND-V2: the pass shows a new game on a slip, and one tap puts the slip away', async ({
  page,
  server,
}) => {
  const { league, home, away } = await makeLeague(server);
  await server.backboard('schedule', 'generate', league, '--weeks', '1');
  const { key } = await server.addMachine(`Slip ${home.username}`);
  await play(server, key, away, [500]);
  await play(server, key, home, [341]);
  await open(page, server, home);
  await expect(slip(page)).toHaveCount(0);
  await expect(line(page)).toHaveText('Last game 341, counted');
  await play(server, key, home, [402]);
  await expect(head(page, `Your game on Slip ${home.username}`)).toBeVisible(SOON);
  await expect(slip(page)).toContainText('just now');
  await expect(slip(page)).toContainText('+61over yourbest');
  await expect(slip(page)).toContainText('Counted for your team+402 this week');
  await expect(slip(page)).toContainText('Ahead by 243743');
  await expect(slip(page)).toContainText('Took the lead, from 159 behind.');
  await expect(said(page)).toHaveText(
    `402. Counted for your team. Personal best, 61 over your best. 402 added this week. Team ${home.username} took the lead, by 243. Won: Personal best.`,
  );
  await expect(page.evaluate(() => document.activeElement?.tagName)).resolves.toBe('BODY');
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  await expectRoomForLargeText(page);
  await page.reload();
  await expect(head(page, /^Your game/), 'it stays until it is put away').toBeVisible();

  const other = await page.context().newPage();
  await other.goto('/profile');
  await expect(head(other, /^Your game/)).toBeVisible();
  await done(page).click();
  await expect(slip(page)).toHaveCount(0);
  await expect(line(page)).toBeFocused();
  await expect(slip(other), 'away in every tab').toHaveCount(0);
  await expect(line(page)).toHaveText('Last game 402, counted');
  await page.reload();
  await expect(line(page)).toBeVisible();
  await expect(slip(page)).toHaveCount(0);
  await other.close();

  await setLeagueMode(server, home, false);
  await play(server, key, home, [200]);
  await expect(slip(page)).toContainText('League mode was offFor you, not for your team', SOON);
  await page.getByRole('link', { name: 'Switch it on' }).click();
  await expect(slip(page), 'a link is no tap').toBeVisible();
  await page.getByRole('switch', { name: 'League Mode' }).press('Space');
  await expect(page.getByRole('link', { name: 'Switch it on' })).toHaveCount(0);
  await page.keyboard.press('Escape');
  await expect(slip(page)).toHaveCount(0);
});

test('HAND-03: the slip reads the week again if it is older than the game', async ({
  page,
  server,
}) => {
  const { home, away } = await makeLeague(server);
  const { key } = await server.addMachine(`Older ${home.username}`);
  await play(server, key, away, [500]);
  await play(server, key, home, [341]);
  const week = '**/api/leaderboards/user-league-stats/';
  const first = page.waitForResponse(week);
  await open(page, server, home);
  await expect(line(page)).toHaveText('Last game 341, counted');

  const older = { body: await (await first).text(), contentType: 'application/json' };
  await page.route(week, (route) => route.fulfill(older), { times: 1 });
  await play(server, key, home, [402]);
  await expect(slip(page)).toContainText('2 of 4 places taken', SOON);
});

test('HAND-03: a game that lands between the reads of another has its achievement', async ({
  page,
  server,
}) => {
  const player = await signUp(server);
  const { key } = await server.addMachine(`Between ${player.username}`);
  await play(server, key, player, [300]);
  await open(page, server, player);
  await expect(line(page)).toHaveText('Last game 300, counted for you');

  const read = page.waitForResponse('**/user_achievements/');
  await page.route(
    '**/profile/games/**',
    async (route) => {
      await read;
      await play(server, key, player, [402]);
      // Time for the event, but not for the reads that follow it.
      await new Promise((resolve) => setTimeout(resolve, 100));
      await route.continue();
    },
    { times: 1 },
  );
  await play(server, key, player, [250]);
  await expect(head(page, /^2 games/)).toBeVisible(SOON);
  await expect(said(page)).toContainText('Won: Personal best');
});

test('HAND-08: on other pages, the ball says that there is a new score', async ({
  page,
  server,
}) => {
  const player = await signUp(server);
  const { key } = await server.addMachine(`Rooms ${player.username}`);
  await open(page, server, player);
  await goTo(page, 'Games');
  await play(server, key, player, [300, 310]);
  await expect(bar(page).getByRole('link', { name: 'Pass, new score' })).toBeVisible(SOON);
  await goTo(page, 'Pass');
  await expect(head(page, `2 games on Rooms ${player.username}`)).toBeVisible();
  await expect(slip(page)).toContainText('310 counted for you');
  await expect(bar(page).getByRole('link', { name: 'Pass', exact: true })).toBeVisible();
  await done(page).click();

  await test.step('HAND-06: the slip waits until a dialog is closed', async () => {
    await page.getByRole('button', { name: 'Menu' }).click();
    await page.getByRole('menuitem', { name: 'Edit Profile' }).click();
    await play(server, key, player, [320]);
    await expect(line(page).or(page.getByText('Last game 320,'))).toBeAttached();
    await expect(page.locator('section').getByText('Last game 320,')).toBeAttached(SOON);
    await expect(head(page, /^Your game/)).toHaveCount(0);
    await page.keyboard.press('Escape');
    await expect(head(page, /^Your game/)).toBeVisible(SOON);
    await done(page).click();
  });

  await test.step('HAND-07: on a page that is scrolled down, the visible text does not move', async () => {
    await page.setViewportSize({ width: 390, height: 500 });
    await page.evaluate(() => window.scrollTo(0, 400));
    // Wait for the frame in which the new size moves the page's parts.
    await page.evaluate(
      () => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 500))),
    );
    const stats = page.getByRole('heading', { name: 'Player Stats' });
    // Note the heading's place in each frame: the slip must not move it, not even for one frame.
    await stats.evaluate((heading) => {
      const places = new Set<number>();
      Object.assign(window, { places });
      const look = () => {
        places.add(Math.round(heading.getBoundingClientRect().y));
        requestAnimationFrame(look);
      };
      look();
    });
    const places = () =>
      page.evaluate(() => [...(window as unknown as { places: Set<number> }).places]);
    await play(server, key, player, [330]);
    await expect(bar(page).getByRole('link', { name: 'Pass, new score' })).toBeVisible(SOON);
    expect(await places()).toHaveLength(1);
    await bar(page).getByRole('link', { name: /^Pass/ }).click();
    await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(0);
    await expect(head(page, /^Your game/)).toBeInViewport();
  });
});

test('HAND-V3: on the code page the score stands above the code', async ({ page, server }) => {
  const player = await signUp(server);
  const { key } = await server.addMachine(`Code ${player.username}`);
  await open(page, server, player);
  await page.getByRole('button', { name: 'Show the code full screen' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByText('Tap anywhere to go back')).toBeVisible();
  await play(server, key, player, [402]);
  await expect(dialog.getByRole('heading', { name: /^Your game/ })).toBeAttached(SOON);
  await expect(dialog).toContainText('Counted for you');
  await expect(dialog.getByRole('status'), 'readers hear it in the dialog').toContainText('402.');
  await expect(dialog.getByText('Tap to clear the score')).toBeVisible();
  for (const [width, height] of [
    [390, 844],
    [360, 640],
    [320, 568],
    [844, 390],
  ] as const) {
    await page.setViewportSize({ width, height });
    await decodes(page, player.uuid);
  }

  await test.step('HAND-09: the code stays whole with text of twice the size', async () => {
    const settings = await page.context().newCDPSession(page);
    await settings.send('Page.setFontSizes', { fontSizes: { standard: 32, fixed: 26 } });
    for (const [width, height] of [
      [390, 844],
      [360, 640],
      [320, 568],
    ] as const) {
      await page.setViewportSize({ width, height });
      await decodes(page, player.uuid);
    }
    await settings.send('Page.setFontSizes', { fontSizes: { standard: 16, fixed: 13 } });
  });
  await page.setViewportSize({ width: 390, height: 844 });
  await expectAccessible(page);
  await dialog.click({ position: { x: 20, y: 400 } });
  await expect(dialog.getByText('Tap anywhere to go back')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
});

test('HAND-V2: the slip shows late games, held and released games, and games played while the phone was offline', async ({
  page,
  server,
  context,
  expectNoise,
}) => {
  expectNoise(/could not be read|ERR_INTERNET|Failed to fetch/);
  const player = await signUp(server);
  const { key } = await server.addMachine(`Later ${player.username}`);
  const at = (ms: number) => new Date(Date.now() - ms).toISOString();
  await open(page, server, player);
  await page.goto('/privacy');
  await server.play(key, {
    id: randomUUID(),
    player: player.uuid,
    score: 417,
    played_at: at(3_600_000),
  });
  await page.goto('/profile');
  await expect(head(page, `Late game, Later ${player.username}`)).toBeVisible();
  await done(page).click();

  const held = randomUUID();
  await server.play(key, { id: held, player: player.uuid, score: 10_001, played_at: at(1000) });
  await expect(slip(page)).toContainText(
    "Held for reviewStaff check it first. You'll hear either way.",
    SOON,
  );
  await expect(line(page)).toHaveText('Last game 10001, held for review');
  await done(page).click();
  await server.backboard('held', 'release', await numberOf(server, held));
  await expect(line(page)).not.toContainText('held for review', SOON);
  // The slip of a released game waits a minute (OPS-17).
  await expect(slip(page)).toHaveCount(0);
  await server.sql('update games set landed_at = now() where id = $1', [held]);
  await page.reload();
  await expect(head(page, 'Your held game')).toBeVisible(SOON);
  await done(page).click();

  await context.setOffline(true);
  // The browser may announce this before it cuts the network, so announce it again.
  await page.evaluate(() => window.dispatchEvent(new Event('offline')));
  await expect(page.getByText(/^Offline/)).toBeVisible();
  await play(server, key, player, [350]);
  await expect(slip(page)).toHaveCount(0);
  await context.setOffline(false);
  await expect(head(page, /^Your game/)).toBeVisible({ timeout: 40_000 });
});

test('HAND-V5, P110: the phone vibrates only if the player wants it, and stores an instant and a choice', async ({
  page,
  server,
}) => {
  await page.addInitScript(() => {
    navigator.vibrate = (pattern) => {
      document.documentElement.dataset.buzzed = `${document.documentElement.dataset.buzzed ?? ''} ${pattern}`;
      return true;
    };
  });
  const buzzed = () => page.evaluate(() => document.documentElement.dataset.buzzed);
  const stored = () => page.evaluate(() => ({ ...localStorage }));
  const player = await signUp(server);
  const { key } = await server.addMachine(`Buzz ${player.username}`);
  await open(page, server, player);
  await page.getByRole('heading', { level: 1 }).click();
  await play(server, key, player, [300]);
  await expect(head(page, /^Your game/)).toBeVisible(SOON);
  expect(await buzzed()).toBeUndefined();
  await page.getByRole('button', { name: 'Buzz next time?' }).click();
  await expect(page.getByText('Your next game buzzes.')).toBeFocused();
  expect(await buzzed()).toBe(' 40');
  await done(page).click();
  await play(server, key, player, [200]);
  await expect(head(page, /^Your game/)).toBeVisible(SOON);
  expect(await buzzed()).toBe(' 40 40');
  await expect(page.getByRole('button', { name: 'Buzz next time?' })).toHaveCount(0);
  await done(page).click();
  await play(server, key, player, [400]);
  await expect(head(page, /^Your game/)).toBeVisible(SOON);
  expect(await buzzed()).toBe(' 40 40 40,80,40');
  const { slip, buzz, ...rest } = await stored();
  expect(slip).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
  expect(buzz).toBe('on');
  // What the session and the reads store.
  expect(Object.keys(rest).sort()).toEqual([
    'access_token',
    'refresh_token',
    'seen_achievements',
    'user',
    'user_read_at',
  ]);
});
