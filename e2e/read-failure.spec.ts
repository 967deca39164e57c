import type { Route } from '@playwright/test';
import { test } from './demo.ts';
import { expect, expectAccessible, expectNoSidewaysScroll, signInAs } from './fixtures.ts';

const PAGES = [
  { path: '/games', asks: '**/profile/games/', safe: 'Your games are safe.' },
  { path: '/leaderboard', asks: '**/api/leaderboards/**', safe: 'The scores are safe.' },
  { path: '/league', asks: '**/user-league-season/', safe: 'Your games are safe.' },
  { path: '/week', asks: '**/user-league-last-week/', safe: 'Your games are safe.' },
  { path: '/achievements', asks: '**/api/achievements/**', safe: 'What you have won is safe.' },
];

for (const { path, asks, safe } of PAGES)
  test(`${path} shows a skeleton, a message without the server, and a retry that works`, async ({
    page,
    server,
    maya,
    expectNoise,
  }) => {
    expectNoise(/could not be (read|made)|ERR_FAILED|status of 503/);
    await signInAs(page, server, maya);
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    const detail = 'The service is busy. Please try again.';
    let answer: (route: Route) => Promise<void> = async (route) => {
      await held;
      await route.abort();
    };
    await page.route(asks, (route) => answer(route));
    await page.goto(path);
    const main = page.getByRole('main');
    await expect(main).toHaveAttribute('aria-busy', 'true');
    await expect(page.getByRole('status').getByText('Loading')).toBeAttached();
    await expectAccessible(page);
    release();

    const alert = page.getByRole('alert');
    await expect(alert).toContainText('Cannot reach the server');
    await expect(alert).toContainText(safe);
    const again = page.getByRole('button', { name: 'Try again' });
    await expect(again).toBeFocused();
    await expect(page.getByRole('link', { name: 'Show my code' })).toBeVisible();
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);

    answer = (route) => route.fulfill({ status: 503, json: { detail } });
    await again.press('Enter');
    await expect(alert).toContainText(detail);
    answer = (route) => route.continue();
    await again.press('Enter');
    await expect(alert).toHaveCount(0);
    await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
    await expect(main).toHaveAttribute('aria-busy', 'false');
    await expect(main.getByRole('region').or(main.getByRole('img')).first()).toBeVisible();
  });
