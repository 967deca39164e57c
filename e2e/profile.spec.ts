import type { Page } from '@playwright/test';
import type { RunningServer } from '#testing/server.ts';
import { enterEmail } from './auth-steps.ts';
import {
  expect,
  expectAccessible,
  expectNoSidewaysScroll,
  expectRoomForLargeText,
  type NewPlayer,
  PASSWORD,
  signInAs,
  signUp,
  test,
} from './fixtures.ts';
import { expectCode, openProfile, play, RED, stats } from './profile-page.ts';

async function holdProfile(page: Page) {
  const asked = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  await page.route('**/api/users/profile/', async (route) => {
    asked.resolve();
    await released.promise;
    // The page may be closed.
    await route.continue().catch(() => {});
  });
  return { asked: asked.promise, release: released.resolve };
}

test('a player without a team has a player pass, a red code and figures', async ({
  page,
  server,
}) => {
  const player = await signUp(server);
  const machine = await server.addMachine(`Court ${player.username}`);
  await openProfile(page, server, player);

  await expect(
    page.getByRole('img', { name: `Jersey 07, ${player.username.toUpperCase()}` }),
  ).toBeVisible();
  await expect(page.getByText(player.email)).toBeVisible();
  await expect(page.getByText('No team yet')).toBeVisible();
  await expectCode(page, player.uuid, RED);
  await expect(page.getByRole('switch')).toHaveCount(0);
  await expect(page.getByRole('table')).toHaveCount(0);
  await expect.poll(() => stats(page)).toEqual(['0', '0', '0']);

  await page.goto('/privacy');
  await play(server, machine.key, player, [100, 201]);
  await page.goto('/profile');
  await expect.poll(() => stats(page)).toEqual(['2', '201, new personal best', '150.5']);

  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  await expectRoomForLargeText(page);
});

test('HAND-99: figures count up once after a sign-in, and later appear at once', async ({
  page,
  server,
}) => {
  const player = await signUp(server);
  const machine = await server.addMachine(`Court ${player.username}`);
  await play(server, machine.key, player, [900]);
  // Collect each text that High Score shows or that a screen reader announces.
  await page.addInitScript(() => {
    const seen = new Set<string>();
    Object.assign(window, { seen });
    new MutationObserver(() => {
      const figure = document.querySelectorAll('dd')[1];
      if (figure?.firstChild?.textContent) seen.add(figure.firstChild.textContent);
    }).observe(document, { childList: true, subtree: true, characterData: true });
  });
  const seen = () => page.evaluate(() => [...(window as unknown as { seen: Set<string> }).seen]);
  const expectBest = async (best: string, shown: string[]) => {
    await expect.poll(() => stats(page)).toEqual(['1', best, best]);
    expect(await seen()).toEqual(shown);
  };
  const signIn = async () => {
    await page.goto('/login');
    await enterEmail(page, player.email);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in' }).click();
  };

  await signIn();
  await expect.poll(() => stats(page)).toEqual(['1', '900', '900']);
  expect((await seen()).length).toBeGreaterThan(1);

  // Another tab of the same phone knows the figures too.
  await page.evaluate(() => sessionStorage.clear());
  await page.reload();
  await expectBest('900', ['900']);

  await page.evaluate(() => {
    localStorage.clear();
    sessionStorage.clear();
  });
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await signIn();
  await expectBest('900', ['900']);
});

test('the menu works by keyboard', async ({ page, server }) => {
  await openProfile(page, server, await signUp(server));
  const button = page.getByRole('button', { name: 'Menu' });
  const edit = page.getByRole('menuitem', { name: 'Edit Profile' });
  const out = page.getByRole('menuitem', { name: 'Sign Out' });
  await button.press('Enter');
  await expect(button).toHaveAttribute('aria-expanded', 'true');
  await expect(edit).toBeFocused();
  await expectAccessible(page);
  await page.keyboard.press('ArrowDown');
  await expect(page.getByRole('menuitem', { name: 'Account' })).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await expect(out).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await expect(edit).toBeFocused();
  await page.keyboard.press('End');
  await expect(out).toBeFocused();
  await page.keyboard.press('Home');
  await expect(edit).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(button).toBeFocused();
  await expect(button).toHaveAttribute('aria-expanded', 'false');
  await button.press('Enter');
  await page.keyboard.press('End');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/login$/);
});

/** Signs in with stored tokens, but without a stored user. */
async function signInUnknown(page: Page, server: RunningServer): Promise<NewPlayer> {
  const player = await signUp(server);
  await signInAs(page, server, player);
  await page.evaluate(() => localStorage.removeItem('user'));
  return player;
}

test('the stored player is shown while the profile is read', async ({ page, server }) => {
  const player = await signUp(server);
  await signInAs(page, server, player);
  const { release } = await holdProfile(page);
  await page.goto('/profile');
  await expectCode(page, player.uuid, RED);
  release();
});

test('boxes are painted before any script, and nothing moves when the player’s data arrives', async ({
  page,
  server,
}) => {
  const player = await signUp(server);
  // The widest letters: a name in two lines would move the jersey.
  player.username = `MW${player.username.slice(1, 5)}WM`;
  await server.sql('update players set username = $1 where uuid = $2', [
    player.username,
    player.uuid,
  ]);
  await signInAs(page, server, player);
  await page.setViewportSize({ width: 390, height: 1600 });
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route('**/assets/*.js', async (route) => {
    await promise;
    await route.continue();
  });
  await page.goto('/profile', { waitUntil: 'commit' });
  const frame = page.locator('#frame');
  const jersey = frame.getByRole('img', { name: 'No avatar yet', includeHidden: true });
  await expect(jersey).toBeVisible();
  // Wait for the styles: without them, a page is laid out but not painted.
  const isStyled = () =>
    page.evaluate(() =>
      [...document.querySelectorAll<HTMLLinkElement>('link[rel=stylesheet]')].every(
        ({ sheet }) => sheet !== null,
      ),
    );
  await expect.poll(isStyled).toBe(true);
  const wordmark = page.getByRole('img', { name: 'Backboard', includeHidden: true });
  const before = [await wordmark.boundingBox(), await jersey.boundingBox()];
  resolve();
  await expectCode(page, player.uuid, RED);
  await expect(frame).toHaveCount(0);
  const own = page.getByRole('img', { name: `Jersey 07, ${player.username.toUpperCase()}` });
  expect([await wordmark.boundingBox(), await own.boundingBox()]).toEqual(before);
});

test('a name of two lines does not make the pass taller than its painted boxes', async ({
  page,
  server,
}) => {
  await signInAs(page, server, await signUp(server));
  const user = await page.evaluate(() => JSON.parse(localStorage.getItem('user') ?? '{}'));
  await page.route('**/api/**', () => undefined);
  const names = ['Maya', 'NNNNNNNNN', 'WWWWWWWW', 'WWWWWWWWWWW'];
  for (const width of [390, 320]) {
    await page.setViewportSize({ width, height: 1600 });
    await page.route('**/assets/*.js', () => undefined);
    await page.goto('/profile', { waitUntil: 'commit' });
    const boxes = page.locator('#frame');
    const blank = boxes.getByRole('img', { name: 'No avatar yet', includeHidden: true });
    await expect(blank).toBeVisible();
    const painted = await blank.boundingBox();
    await page.unroute('**/assets/*.js');
    for (const username of names) {
      const player = JSON.stringify({ ...user, username, email: 'of.two.lines@example.com' });
      await page.evaluate((stored) => localStorage.setItem('user', stored), player);
      await page.goto('/profile', { waitUntil: 'commit' });
      const jersey = page.getByRole('img', { name: /^Jersey/ });
      await expect(jersey).toBeVisible();
      await page.evaluate(() => document.fonts.ready);
      expect([width, username, await jersey.boundingBox()]).toEqual([width, username, painted]);
    }
  }
});

test('without a stored player a skeleton is shown', async ({ page, server }) => {
  const player = await signInUnknown(page, server);
  const { release } = await holdProfile(page);
  await page.goto('/profile');
  await expect(page.getByRole('status').getByText('Loading')).toBeAttached();
  await expect(page.getByRole('main')).toHaveAttribute('aria-busy', 'true');
  await expectAccessible(page);
  release();
  await expect(page.getByRole('heading', { level: 1, name: player.username })).toBeVisible();
  await expect(page.getByRole('main')).toHaveAttribute('aria-busy', 'false');
});

test('without a server the code stays, and the page notices the server’s return', async ({
  page,
  server,
  expectNoise,
}) => {
  test.slow();
  expectNoise(/could not be read|Failed to load resource: net::ERR_/);
  const player = await signUp(server);
  await openProfile(page, server, player);
  const wake = () => page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')));
  await expect(page.getByText('Offline')).toHaveCount(0);
  await expect.poll(() => page.evaluate(() => localStorage.getItem('user_read_at'))).not.toBeNull();

  await server.kill();
  await wake();
  await expect(page.getByText(/^Offline since \d\d:\d\d$/)).toBeVisible();
  await expectCode(page, player.uuid, RED);
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  expect(await page.evaluate(() => localStorage.getItem('refresh_token'))).not.toBeNull();

  await server.restart();
  await wake();
  await expect(page.getByText(/^Offline since/)).toBeHidden();
  await expect(page).toHaveURL(/\/profile$/);
});

test('the page notices the loss and the return of the network immediately', async ({
  page,
  server,
  context,
  expectNoise,
}) => {
  expectNoise(/could not be read|ERR_INTERNET_DISCONNECTED/);
  // Block the stream, whose end would also tell the page that the network is lost.
  await page.route('**/profile/events/', () => {});
  await openProfile(page, server, await signUp(server));
  await expect.poll(() => page.evaluate(() => localStorage.getItem('user_read_at'))).not.toBeNull();
  await context.setOffline(true);
  await expect(page.getByText(/^Offline since \d\d:\d\d$/)).toBeVisible();
  await context.setOffline(false);
  await expect(page.getByText(/^Offline since/)).toBeHidden();
});

test('a refused session leads to the login', async ({ page, server, expectNoise }) => {
  expectNoise(/The profile could not be read/);
  const player = await signUp(server);
  await openProfile(page, server, player);
  const answer = await fetch(`${server.url}/api/users/auth/logout/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ refresh: player.refresh }),
  });
  expect(answer.status).toBe(204);
  await page.reload();
  await expect(page).toHaveURL(/\/login$/);
  expect(await page.evaluate(() => localStorage.length)).toBe(0);
});

test('the painted boxes disappear for a player who is signed out or not set up', async ({
  page,
  server,
}) => {
  const frame = page.locator('#frame');
  await page.goto('/profile');
  await expect(page.getByRole('heading', { name: 'Login' })).toBeVisible();
  await expect(frame).toHaveCount(0);
  await signInAs(page, server, await signUp(server, { setup: false }));
  await page.goto('/profile');
  await expect(page.getByRole('heading', { name: 'Birthdate' })).toBeVisible();
  await expect(frame).toHaveCount(0);
});

test('without a stored player the painted boxes stay until the player is known', async ({
  page,
  server,
}) => {
  const player = await signInUnknown(page, server);
  await page.addInitScript(() => {
    Object.assign(window, { gaps: 0, seen: false });
    new MutationObserver(() => {
      const boxes = document.querySelector('[aria-label="No avatar yet"]') !== null;
      const state = window as unknown as { gaps: number; seen: boolean };
      const code = document.querySelector('[aria-label="Player QR code"]') !== null;
      if (state.seen && !boxes && !code) state.gaps += 1;
      state.seen ||= boxes;
    }).observe(document, { childList: true, subtree: true });
  });
  await page.goto('/profile');
  await expectCode(page, player.uuid, RED);
  const found = await page.evaluate(() => {
    const { gaps, seen } = window as unknown as { gaps: number; seen: boolean };
    return { gaps, seen };
  });
  expect(found).toEqual({ gaps: 0, seen: true });
});

test('forced colours keep the code and the jersey', async ({ page, server }) => {
  const player = await signUp(server);
  await page.emulateMedia({ forcedColors: 'active' });
  await openProfile(page, server, player);
  await expectCode(page, player.uuid, RED);
  await expectAccessible(page);
  const body = page
    .getByRole('img', { name: /^Jersey/ })
    .locator('path')
    .nth(1);
  await expect(body).toHaveCSS('fill', 'rgb(219, 133, 55)');
});

test('a profile that arrives after Sign Out is ignored', async ({ page, server }) => {
  await openProfile(page, server, await signUp(server));
  const { asked, release } = await holdProfile(page);
  await page.reload();
  await asked;
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('menuitem', { name: 'Sign Out' }).click();
  await expect(page).toHaveURL(/\/login$/);
  release();
  await page.getByLabel('Email').fill('somebody@example.com');
  expect(await page.evaluate(() => Object.keys(localStorage))).toEqual([]);
});
