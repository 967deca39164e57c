import type { Page } from '@playwright/test';
import {
  expect,
  expectAccessible,
  expectNoSidewaysScroll,
  expectRoomForLargeText,
  signUp,
  test,
} from './fixtures.ts';
import { openProfile, play } from './profile-page.ts';

const strip = (page: Page) =>
  page.locator('main').getByRole('link', { name: /^Won: |new achievements/ });

/** Opens the profile and waits for the two lists from which the strip is made. */
async function open(page: Page): Promise<void> {
  const lists = ['/api/achievements/', '/api/achievements/user_achievements/'].map((path) =>
    page.waitForResponse((answer) => new URL(answer.url()).pathname === path),
  );
  // The slip would show the achievements of new games, so mark all games as seen.
  await page.evaluate(() => localStorage.setItem('slip', new Date().toISOString()));
  await page.goto('/profile');
  await Promise.all(lists);
}

test('a strip shows new achievements, but not while the page is in use', async ({
  page,
  server,
  expectNoise,
}) => {
  expectNoise(/could not be read|ERR_FAILED/);
  const player = await signUp(server);
  const { key } = await server.addMachine(`Strip ${player.username}`);
  await play(server, key, player, [120]);
  await openProfile(page, server, player);
  await expect
    .poll(() => page.evaluate(() => localStorage.getItem('seen_achievements')))
    .toBe('["first-game"]');
  await expect(strip(page)).toHaveCount(0);

  await play(server, key, player, [140]);
  await expect(page.getByText('High Score').locator('..')).toContainText('140', {
    timeout: 20_000,
  });
  await expect(strip(page), 'not while the page is being read').toHaveCount(0);

  // No strip if the lists arrive late.
  const calls = /\/api\/(achievements|users\/profile)\/$|user_achievements/;
  await page.route(calls, (route) => route.abort());
  const failed = page.waitForEvent('requestfailed', (request) =>
    request.url().endsWith('/user_achievements/'),
  );
  await page.reload();
  await failed;
  await expect(page.getByText(/^Offline/)).toBeVisible();
  await page.unroute(calls);
  const again = page.waitForResponse('**/api/achievements/user_achievements/');
  await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')));
  await (await again).finished();
  await expect(page.getByText(/^Offline/)).toBeHidden();
  await expect(strip(page)).toHaveCount(0);
  await open(page);
  await expect(strip(page)).toHaveText('Won: Personal bestBeat your own high score');
  await expect(strip(page)).toHaveAttribute('href', '/achievements');
  const { height } = (await strip(page).boundingBox()) ?? {};
  expect(height).toBeGreaterThanOrEqual(88);
  const order = await page
    .locator('main')
    .evaluate((main) => [...main.children].map((part) => part.textContent?.slice(0, 13)));
  expect(order.slice(-2)).toEqual(['Won: Personal', 'Player StatsA']);
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  await expectRoomForLargeText(page);

  await play(server, key, player, [150, 160]);
  await open(page);
  await expect(strip(page)).toHaveText('2 new achievementsPersonal best, Hat-trick');

  // HAND-16: what the slip has shown does not come once more.
  await page.evaluate(() => localStorage.setItem('slip', new Date(0).toISOString()));
  await page.reload();
  await expect(page.getByRole('heading', { name: /^4 games/ })).toBeVisible();
  await expect(strip(page)).toHaveCount(0);
  await page.getByRole('button', { name: 'Done' }).click();
  await expect(page.getByRole('heading', { name: /^4 games/ })).toHaveCount(0);
  await expect(strip(page)).toHaveCount(0);
});
