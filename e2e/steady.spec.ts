import type { Locator, Page } from '@playwright/test';
import { expect, signInAs, signUp, test } from './fixtures.ts';
import { play } from './profile-screen.ts';
import { makeLeague } from './teams.ts';

type Shift = { value: number; moved: string[] };

/** Holds back every answer of the API until `release`. */
async function hold(page: Page): Promise<() => void> {
  const released = Promise.withResolvers<void>();
  await page.route('**/api/**', async (route) => {
    await released.promise;
    // The page may have given the call up in the meantime.
    await route.continue().catch(() => {});
  });
  return released.resolve;
}

/** Keeps every shift of the layout from the first picture on, and what moved in it. */
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
    // Two frames later every shift of the last change has been counted.
    await page.evaluate(
      () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
    );
    return page.evaluate(() => (window as unknown as { shifts: Shift[] }).shifts);
  };
}

// Nothing is out of sight: what moves below the fold is not counted.
test.use({ viewport: { width: 390, height: 2800 } });

test('nothing moves when the skeletons go', async ({ page, server }) => {
  test.slow();
  const { home, away } = await makeLeague(server);
  const machine = await server.addMachine(`Still ${home.username}`, `Still ${home.username}`);
  await play(server, machine.key, home, [300, 611, 512]);
  await play(server, machine.key, away, [411]);
  const shifts = await watchShifts(page);

  /** Opens a page whose answers come only once its skeleton stands. */
  async function openSlowly(path: string, there: Locator): Promise<void> {
    const release = await hold(page);
    await page.goto(path);
    await expect(page.getByRole('status').getByText(/^Loading/)).toBeAttached();
    release();
    await expect(there).toBeVisible();
    await expect(page.getByRole('main')).not.toHaveAttribute('aria-busy', 'true');
    expect(await shifts(), path).toEqual([]);
    await page.unroute('**/api/**');
  }

  await test.step('a team member, whose profile is known', async () => {
    await signInAs(page, server, home);
    await openSlowly('/profile', page.getByRole('table'));
  });
  await test.step('a team member, of whom nothing is known', async () => {
    // Where no answer that is still on its way brings the player back.
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
  await test.step('somebody without a team, of whom nothing is known', async () => {
    const newcomer = await signUp(server);
    await signInAs(page, server, newcomer);
    await page.evaluate(() => localStorage.removeItem('user'));
    await openSlowly('/profile', page.getByRole('heading', { name: newcomer.username }));
  });
});
