import type { Page, Request } from '@playwright/test';
import { startServer } from '#testing/server.ts';
import { answerWith, expectStep, signIn, stored } from './auth-steps.ts';
import { expect, type NewPlayer, signInAs, signUp, test } from './fixtures.ts';
import { play } from './profile-page.ts';

const NOTHING = { access_token: null, refresh_token: null, user: null };
const REFRESH = '/api/users/auth/token/refresh/';
const PROFILE = '/api/users/profile/';

function watch(page: Page): Request[] {
  const seen: Request[] = [];
  page.context().on('request', (request) => {
    if (request.url().includes('/api/')) seen.push(request);
  });
  return seen;
}
const to = (path: string, requests: Request[]) =>
  requests.filter((request) => new URL(request.url()).pathname === path);

/** Stores an access token that the server refuses like an expired one. */
const expireToken = (page: Page) =>
  page.evaluate(() => localStorage.setItem('access_token', 'worn.out'));

async function openProfile(page: Page, player: NewPlayer) {
  await page.goto('/profile');
  await expectStep(page, player.username);
}

test('Sign Out ends the session here and on the server', async ({ page, server }) => {
  const player = await signUp(server);
  await signIn(page, player.email, player.password);
  await expectStep(page, player.username);
  const { refresh_token: refresh } = await stored(page);
  const told = page.waitForResponse('**/auth/logout/');
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('menuitem', { name: 'Sign Out' }).click();
  await expectStep(page, 'Login');
  expect(await stored(page)).toEqual(NOTHING);
  expect((await told).status()).toBe(204);
  const again = await page.request.post(REFRESH, { data: { refresh } });
  expect(again.status()).toBe(401);
  await page.goto('/profile');
  await expect(page).toHaveURL(/\/login$/);
});

test('Sign Out in one tab signs out the other tabs', async ({ page, server, context }) => {
  const player = await signUp(server);
  await signInAs(page, server, player);
  const other = await context.newPage();
  await openProfile(other, player);
  await openProfile(page, player);
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('menuitem', { name: 'Sign Out' }).click();
  await expectStep(other, 'Login');
  await expect(other).toHaveURL(/\/login$/);
});

test('P34: Sign Out leaves neither a reset link nor a begun Google sign-in in the browser', async ({
  page,
  server,
}) => {
  const player = await signUp(server);
  await page.goto(`/reset-password?email=${encodeURIComponent(player.email)}&token=secret`);
  await expectStep(page, 'New password');
  await page.goto('/login');
  await page.getByRole('button', { name: 'Sign in with Google' }).click();
  await expect(page.getByRole('heading', { name: 'Stand-in for Google' })).toBeVisible();
  await signIn(page, player.email, player.password);
  await expectStep(page, player.username);
  const kept = () => page.evaluate(() => Object.keys(sessionStorage));
  expect(await kept()).toEqual(expect.arrayContaining(['pending_sign_in', 'reset_link']));
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('menuitem', { name: 'Sign Out' }).click();
  await expectStep(page, 'Login');
  expect(await kept()).toEqual([]);
  const length = await page.evaluate(() => history.length);
  for (let n = 1; n < length; n += 1) {
    await page.goBack();
    expect(await page.evaluate(() => JSON.stringify(history.state ?? ''))).not.toContain('secret');
    await expect(page.getByRole('heading', { name: 'New password' })).toBeHidden();
  }
});

test('a tab hides its player after another tab has signed in somebody else', async ({
  page,
  server,
  context,
}) => {
  const [former, next] = [await signUp(server), await signUp(server)];
  const machine = await server.addMachine(`Change ${former.username}`);
  await play(server, machine.key, former, [437]);
  await signInAs(page, server, former);
  await page.goto('/games');
  await expect(page.getByRole('main')).toContainText('437');
  await context.route('**/profile/games/**', () => {});
  const other = await context.newPage();
  await signInAs(other, server, next);
  await expect(page.getByRole('main')).not.toContainText('437');
  await page.goto('/profile');
  await expectStep(page, next.username);

  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('menuitem', { name: 'Edit Profile' }).click();
  await expect(page.getByLabel('Username')).toHaveValue(next.username);
  await signInAs(other, server, former);
  await expectStep(page, former.username);
  await expect(page.getByRole('dialog')).toBeHidden();
  expect(await page.content()).not.toContain(next.username);
});

test('a sign-in in one tab opens the profile in the other tab', async ({
  page,
  server,
  context,
}) => {
  const player = await signUp(server);
  await page.goto('/login');
  const other = await context.newPage();
  await signIn(other, player.email, player.password);
  await expectStep(other, player.username);
  await expectStep(page, player.username);
});

test('many concurrent 401s in two tabs lead to one token refresh', async ({
  page,
  server,
  context,
}) => {
  const player = await signUp(server);
  await signInAs(page, server, player);
  await page.goto('/terms');
  const other = await context.newPage();
  await other.goto('/terms');
  await expireToken(page);
  const seen = watch(page);
  /** `opened` resolves when `count` was called twice for each tab. */
  function twiceInBoth() {
    const counts = new Map<Page, number>();
    let open = () => {};
    const opened = new Promise<void>((done) => {
      open = done;
    });
    const count = (tab: Page) => {
      counts.set(tab, (counts.get(tab) ?? 0) + 1);
      if ([page, other].every((each) => (counts.get(each) ?? 0) >= 2)) open();
    };
    return { opened, count };
  }
  // Each tab gets two 401s before the refresh.
  const called = twiceInBoth();
  const refused = twiceInBoth();
  context.on('response', (response) => {
    if (response.status() === 401) refused.count(response.frame().page());
  });
  await context.route('**/api/**', async (route) => {
    called.count(route.request().frame().page());
    await called.opened;
    await route.continue();
  });
  await context.route(`**${REFRESH}`, async (route) => {
    await refused.opened;
    await route.continue();
  });
  await Promise.all([openProfile(page, player), openProfile(other, player)]);
  await expect.poll(() => to(PROFILE, seen).length).toBeGreaterThanOrEqual(4);
  expect(to(REFRESH, seen)).toHaveLength(1);
  expect(to(REFRESH, seen)[0]?.postDataJSON()).toEqual({
    refresh: player.refresh,
    rotate: true,
  });
  const { refresh_token } = await stored(page);
  expect(refresh_token).not.toBe(player.refresh);
  expect(refresh_token).toBeTruthy();
});

test('a refused token refresh clears everything and leads to Login', async ({ page, server }) => {
  const player = await signUp(server);
  await signInAs(page, server, player);
  await page.evaluate(() => {
    localStorage.setItem('access_token', 'worn.out');
    localStorage.setItem('refresh_token', 'no such token');
    localStorage.setItem('something else', 'of this site');
  });
  await page.goto('/profile');
  await expectStep(page, 'Login');
  expect(await page.evaluate(() => localStorage.length)).toBe(0);
});

test('REL-21: an outage signs nobody out', async ({ page, expectNoise }) => {
  expectNoise(/net::ERR_|could not be read|dynamically imported/);
  const server = await startServer();
  try {
    const player = await signUp(server);
    await page.goto(`${server.url}/terms`);
    await signInAs(page, server, player);
    await page.goto(`${server.url}/profile`);
    await expectStep(page, player.username);
    // Load the dialog's script with all that it imports, and wait for its style.
    const script = await page.waitForFunction(
      () =>
        performance
          .getEntriesByType('resource')
          .find(({ name }) => /\/EditProfile-[^/]*\.js$/.test(name))?.name,
    );
    await page.evaluate(`import('${await script.jsonValue()}').then(() => null)`);
    await page.waitForFunction(() =>
      [...document.querySelectorAll<HTMLLinkElement>('link[rel="stylesheet"]')].every(
        ({ sheet }) => sheet !== null,
      ),
    );
    // Kill the server first: a read in flight would refresh the expired token.
    await server.kill();
    await expireToken(page);
    const before = await stored(page);
    await page.getByRole('button', { name: 'Menu' }).click();
    await page.getByRole('menuitem', { name: 'Edit Profile' }).click();
    await page.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByRole('alert').filter({ hasText: /./ })).toHaveText(
      'Cannot reach the server. Nothing was sent. Check your signal and try again.',
    );
    expect(await stored(page)).toEqual(before);
    await server.restart();
    await page.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByRole('dialog')).toBeHidden();
    expect((await stored(page)).access_token).not.toBe('worn.out');
    await expectStep(page, player.username);
  } finally {
    await server.close();
  }
});

test('REL-21: a 5xx signs nobody out', async ({ page, server, expectNoise }) => {
  expectNoise(/status of (500|503)|could not be read/);
  const player = await signUp(server);
  await signInAs(page, server, player);
  await expireToken(page);
  for (const status of [500, 503, 429]) {
    await page.route(`**${REFRESH}`, answerWith(status, { detail: 'Later.' }));
    await openProfile(page, player);
    await expect(page.getByText(/^Offline/)).toBeVisible();
    expect((await stored(page)).refresh_token).toBe(player.refresh);
    // A read that is still to come would get new tokens.
    await page.goto('about:blank');
    await page.unroute(`**${REFRESH}`);
  }
});

test('a refused profile leads to Login', async ({ page, server, expectNoise }) => {
  expectNoise(/could not be read/);
  const player = await signUp(server);
  await signInAs(page, server, player);
  await page.route(`**${PROFILE}`, answerWith(403, { detail: 'No.' }));
  await page.goto('/profile');
  await expectStep(page, 'Login');
  expect(await stored(page)).toEqual(NOTHING);
});

test('a 404 on a users path signs the player out', async ({ page, server, expectNoise }) => {
  expectNoise(/status of 404|could not be read/);
  const player = await signUp(server);
  await signInAs(page, server, player);
  await page.route(`**${PROFILE}`, answerWith(404, { detail: 'Not found.' }));
  await page.goto('/profile');
  await expectStep(page, 'Login');
  expect(await page.evaluate(() => localStorage.length)).toBe(0);
});

test('the profile needs an access token', async ({ page, server }) => {
  const player = await signUp(server);
  await signInAs(page, server, player);
  await page.evaluate(() => localStorage.removeItem('access_token'));
  await page.goto('/profile');
  await expectStep(page, 'Login');
  await expect(page).toHaveURL(/\/login$/);
});

test('a complete profile that turns incomplete ends the session', async ({
  page,
  server,
  expectNoise,
}) => {
  expectNoise(/could not be read/);
  const player = await signUp(server);
  await signInAs(page, server, player);
  const user = JSON.parse((await stored(page)).user ?? '{}');
  await page.route(`**${PROFILE}`, answerWith(200, { ...user, profile_setup_complete: false }));
  await page.goto('/profile');
  await expectStep(page, 'Login');
  expect(await stored(page)).toEqual(NOTHING);
});

test('onboarding follows the server, not the stored profile', async ({ page, server }) => {
  const player = await signUp(server);
  await signInAs(page, server, player);
  await page.evaluate(() => {
    const user = JSON.parse(localStorage.getItem('user') ?? '{}');
    localStorage.setItem('user', JSON.stringify({ ...user, profile_setup_complete: false }));
  });
  await openProfile(page, player);
});

test('P36: calls carry the CSRF and access tokens (API-08)', async ({ page, server }) => {
  const player = await signUp(server);
  const seen = watch(page);
  await signIn(page, player.email, player.password);
  await expectStep(page, player.username);
  const cookie = (await page.context().cookies()).find(({ name }) => name === 'csrftoken');
  expect(cookie?.value).toBeTruthy();
  const { access_token: access } = await stored(page);
  for (const path of ['/api/users/auth/check-email/', '/api/users/auth/login/', PROFILE]) {
    const [request] = to(path, seen);
    const headers = (await request?.allHeaders()) ?? {};
    expect(headers['x-csrftoken'], path).toBe(cookie?.value);
    expect(headers.cookie, path).toContain(`csrftoken=${cookie?.value}`);
    expect(headers.authorization, path).toBe(path === PROFILE ? `Bearer ${access}` : undefined);
  }
});

test('only slow requests show the overlay', async ({ page }) => {
  await page.clock.install();
  await page.goto('/login');
  // Stop the clock, so that a slow computer does not show the overlay.
  await page.clock.pauseAt(Date.now() + 60_000);
  const overlay = page.getByRole('status').filter({ hasText: 'Loading' });
  const shown: string[] = [];
  await page.exposeFunction('sawOverlay', () => shown.push('overlay'));
  await page.evaluate(() => {
    new MutationObserver(() => {
      if (document.body.textContent?.includes('Loading'))
        (window as unknown as { sawOverlay(): void }).sawOverlay();
    }).observe(document.body, { subtree: true, childList: true });
  });
  await page.route('**/auth/check-email/', answerWith(400, { detail: 'Quick.' }));
  await page.getByLabel('Email').fill('maya@example.com');
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByText('Quick.')).toBeVisible();
  expect(shown).toEqual([]);

  await page.clock.resume();
  await page.unroute('**/auth/check-email/');
  let answer = () => {};
  const held = new Promise<void>((done) => {
    answer = done;
  });
  await page.route('**/auth/check-email/', async (route) => {
    await held;
    await answerWith(400, { detail: 'Slow.' })(route);
  });
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(overlay).toBeVisible();
  await expect(page.getByRole('main')).toHaveAttribute('aria-busy', 'true');
  const turn = await overlay.locator('img').evaluate((mark) => getComputedStyle(mark));
  expect(turn.animationDuration).toBe('0.8s');
  expect(turn.width).toBe('96px');
  answer();
  await expect(page.getByText('Slow.')).toBeVisible();
  await expect(overlay).toBeHidden();
});
