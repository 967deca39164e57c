import type { Locator, Page } from '@playwright/test';
import { expect, signInAs, signUp, test } from './fixtures.ts';
import { play } from './profile-page.ts';
import { makeLeague } from './teams.ts';

/**
 * While skeletons are shown, a shift of at most this size comes from a font that has just loaded.
 */
const BY_A_FONT = 0.00002;

type Shift = { value: number; moved: string[] };

async function hold(page: Page): Promise<() => void> {
  const released = Promise.withResolvers<void>();
  await page.route('**/api/**', async (route) => {
    await released.promise;
    // The page may be closed.
    await route.continue().catch(() => {});
  });
  return released.resolve;
}

/** Returns a function that lists every layout shift since the first paint. */
async function watchShifts(page: Page): Promise<() => Promise<Shift[]>> {
  await page.addInitScript(() => {
    const shifts: Shift[] = [];
    Object.assign(window, { shifts });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        const { value, sources } = entry as unknown as {
          value: number;
          sources: { node: Node | null }[];
        };
        const moved = sources.map(({ node }) => (node as Element | null)?.outerHTML ?? 'gone');
        shifts.push({ value, moved: moved.map((html) => html.slice(0, 120)) });
      }
    }).observe({ type: 'layout-shift', buffered: true });
  });
  return async () => {
    // After two frames, all shifts are recorded.
    await page.evaluate(
      () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
    );
    return page.evaluate(() => (window as unknown as { shifts: Shift[] }).shifts);
  };
}

// Shifts below the fold are not recorded.
test.use({ viewport: { width: 390, height: 2800 } });

test('nothing moves when the skeletons are replaced', async ({ page, server }) => {
  test.slow();
  const { home, away } = await makeLeague(server);
  const machine = await server.addMachine(`Still ${home.username}`, `Still ${home.username}`);
  await play(server, machine.key, home, [300, 611, 512]);
  await play(server, machine.key, away, [411]);
  const shifts = await watchShifts(page);

  /** Opens a page whose responses wait until its skeleton is visible. */
  async function openSlowly(path: string, there: Locator): Promise<void> {
    const release = await hold(page);
    await page.goto(path);
    await expect(
      page
        .getByRole('status')
        .getByText(/^Loading/)
        .first(),
    ).toBeAttached();
    // A font that comes late moves words by a fraction of their width.
    await page.evaluate(() => document.fonts.ready.then(() => undefined));
    const early = (await shifts()).length;
    const moved = async () =>
      (await shifts()).filter(({ value }, at) => at >= early || value > BY_A_FONT);
    release();
    await expect(there).toBeVisible();
    await expect(page.getByRole('main')).not.toHaveAttribute('aria-busy', 'true');
    expect(await moved(), path).toEqual([]);
    await page.unroute('**/api/**');
  }

  await test.step('a team member with a stored profile', async () => {
    await signInAs(page, server, home);
    await openSlowly('/profile', page.getByRole('table'));
  });
  await test.step('a team member without a stored profile', async () => {
    // Leave the profile first: a response in flight would store the user again.
    await page.goto('/privacy');
    await page.evaluate(() => localStorage.removeItem('user'));
    await openSlowly('/profile', page.getByRole('table'));
  });
  await test.step('the pages below the profile', async () => {
    await openSlowly('/games', page.getByRole('list').first());
    await openSlowly('/leaderboard', page.getByRole('radio', { name: 'Venue' }));
    await openSlowly('/achievements', page.getByText(/\d+ won, \d+ still to win/));
    await openSlowly('/league', page.getByRole('table'));
  });
  await test.step('two columns', async () => {
    await page.setViewportSize({ width: 1280, height: 2000 });
    await openSlowly('/games', page.getByRole('list').first());
    await openSlowly('/league', page.getByRole('table'));
    await openSlowly('/leaderboard', page.getByRole('radio', { name: 'Venue' }));
    await page.goto('/privacy');
    await page.evaluate(() => localStorage.removeItem('user'));
    await openSlowly('/profile', page.getByRole('table'));
    await page.setViewportSize({ width: 390, height: 2800 });
  });
  await test.step('a player without a team, without a stored profile', async () => {
    const newcomer = await signUp(server);
    await signInAs(page, server, newcomer);
    await page.evaluate(() => localStorage.removeItem('user'));
    await openSlowly('/profile', page.getByRole('heading', { name: newcomer.username }));
  });
});

test('PUSH-30: nothing moves in Account when the notifications arrive', async ({
  page,
  server,
}) => {
  test.slow();
  const player = await signUp(server);
  await signInAs(page, server, player);
  const shifts = await watchShifts(page);
  const panel = page.getByRole('region', { name: 'Notifications' });

  async function expectStill(row: Locator): Promise<void> {
    const held = Promise.withResolvers<void>();
    await page.route(/\/Notifications-[^/]*\.js$/, async (route) => {
      await held.promise;
      await route.continue();
    });
    const release = await hold(page);
    await page.goto('/account');
    await expect(panel.getByText('My games')).toBeVisible();
    await expect(panel.getByRole('switch')).toHaveCount(0);
    await page.evaluate(() => document.fonts.ready.then(() => undefined));
    const early = (await shifts()).length;
    const loaded = page.waitForResponse(/\/Notifications-[^/]*\.js$/);
    held.resolve();
    await loaded;
    release();
    await expect(row).toBeVisible();
    await expect(panel.getByRole('switch', { name: 'My games' })).toBeVisible();
    await expect(page.getByText('This device, now')).toBeVisible();
    const moved = (await shifts()).filter(({ value }, at) => at >= early || value > BY_A_FONT);
    expect(moved).toEqual([]);
    await page.unrouteAll({ behavior: 'ignoreErrors' });
  }

  const off = panel.getByText('None of them is on.');
  for (const state of ['default', 'denied'] as const) {
    await page.addInitScript((value) => {
      Object.defineProperty(Notification, 'permission', { get: () => value });
    }, state);
    await expectStill(off);
  }
  await server.sql(
    `update players set date_of_birth = now() - interval '15 years' where username = $1`,
    [player.username],
  );
  await page.goto('/profile');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect
    .poll(() => page.evaluate(() => localStorage.getItem('user')))
    .toContain('"visibility_max":"league"');
  await expectStill(off);
});
