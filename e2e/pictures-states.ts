import type { Browser, Page } from '@playwright/test';
import type { RunningServer } from '#testing/server.ts';
import { button, heading, open, PASSWORD, type Person, shoot } from './pictures.ts';

// Pictures of no network, a new version, dark mode and incomplete accounts.

const PROFILE = '**/api/users/profile/';

async function tell(page: Page, change: Record<string, unknown>): Promise<void> {
  await page.route(PROFILE, async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ response: answer, json: { ...(await answer.json()), ...change } });
  });
}

async function goDark(page: Page): Promise<void> {
  await page.evaluate(() => {
    document.documentElement.dataset.theme = 'dark';
  });
}

async function openProfile(page: Page, server: RunningServer): Promise<void> {
  await page.evaluate(() => sessionStorage.setItem('figures_counted', 'yes'));
  await page.goto(`${server.url}/profile`);
  await page.getByRole('region', { name: 'Player Stats' }).waitFor();
}

/** Shows the code full screen, and waits until it says what the next game counts for. */
async function openCode(page: Page, counts: string): Promise<void> {
  await button(page, 'Show the code full screen').click();
  await page.getByRole('dialog').getByText(counts).waitFor();
}

async function closeCode(page: Page): Promise<void> {
  await button(page, 'Back to profile').click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
}

async function memberPictures(
  browser: Browser,
  server: RunningServer,
  maya: Person,
): Promise<void> {
  const page = await open(browser, server, maya);
  // Mark the games as seen, so that no slip comes while the pictures are taken.
  await page.evaluate(() => localStorage.setItem('slip', new Date().toISOString()));
  await openProfile(page, server);
  await page.getByRole('table').waitFor();
  await goDark(page);
  await shoot(page, '23-profile-dark');
  await shoot(page, '23-profile-dark-full', { full: true });

  await page.reload();
  await openCode(page, 'No league games left this week.');
  await shoot(page, '30-show-to-machine');
  await closeCode(page);
  await page.getByRole('switch').click();
  await page.getByText('League mode off').waitFor();
  await openCode(page, 'This game counts for you, not for your team.');
  await shoot(page, '30b-show-to-machine-red');
  await closeCode(page);
  await page.getByRole('switch').click();
  await page.getByText('League mode on').waitFor();

  await page.evaluate(() => {
    const build = document.querySelector<HTMLScriptElement>('script[type="module"]')?.src;
    // Set the key at the last moment, because the page removes it when its worker is ready.
    window.addEventListener('pagehide', () => localStorage.setItem('new_version', build ?? ''));
  });
  await page.reload();
  await page.getByText('New version ready').waitFor();
  await shoot(page, '40-new-version');
  await page.evaluate(() => localStorage.removeItem('new_version'));
  await openProfile(page, server);

  await page.context().setOffline(true);
  await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')));
  await page.getByText(/^Offline since/).waitFor();
  await shoot(page, '31-profile-offline');
  await page.context().close();
}

async function newcomerPictures(
  browser: Browser,
  server: RunningServer,
  rookie: Person,
): Promise<void> {
  const page = await open(browser, server, rookie);
  await page.goto(`${server.url}/games`);
  await page.getByText('No games yet').waitFor();
  await shoot(page, '33c-games-empty');
  await page.route('**/api/**', (route) => route.abort());
  await page.reload();
  await page.getByRole('alert').waitFor();
  await shoot(page, '33d-games-cannot-reach');
  await page.unroute('**/api/**');

  await tell(page, { avatar_color: '' });
  await openProfile(page, server);
  await page.getByRole('img', { name: 'R', exact: true }).waitFor();
  await shoot(page, '24-avatar-letter');
  await page.unroute(PROFILE);
  await tell(page, { username: '' });
  await page.reload();
  await page.getByRole('img', { name: 'No avatar yet' }).waitFor();
  await shoot(page, '25-avatar-placeholder');
  await page.context().close();
}

async function loginPictures(browser: Browser, server: RunningServer, maya: Person): Promise<void> {
  const page = await open(browser, server);
  await page.goto(`${server.url}/login`);
  await page.getByRole('textbox', { name: 'Email' }).fill(maya.email);
  await button(page, 'Continue').click();
  await page.getByLabel('Password').fill(PASSWORD);
  await page.context().setOffline(true);
  await button(page, 'Sign in').click();
  await page.getByRole('alert').first().waitFor();
  await shoot(page, '41-cannot-reach');
  await page.context().setOffline(false);

  await page.route('**/auth/google/callback/', () => undefined);
  await page.goto(`${server.url}/login`);
  await heading(page, 'Login');
  await button(page, 'Sign in with Google').click();
  await page.getByRole('button', { name: 'Maya Banks' }).click();
  await page.getByRole('status').getByText('Loading').waitFor();
  await shoot(page, '17-loading');
  await page.context().close();
}

/** `maya` is on a team with league mode on; `rookie` has no team. */
export async function statePictures(
  browser: Browser,
  server: RunningServer,
  maya: Person,
  rookie: Person,
): Promise<void> {
  await memberPictures(browser, server, maya);
  await newcomerPictures(browser, server, rookie);
  await loginPictures(browser, server, maya);
}
