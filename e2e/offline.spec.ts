import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { BrowserContext, Page, Response } from '@playwright/test';
import { PNG } from 'pngjs';
import type { RunningServer } from '#testing/server.ts';
import {
  expect,
  expectAccessible,
  expectNoSidewaysScroll,
  expectRoomForLargeText,
  signInAs,
  signUp,
  test,
} from './fixtures.ts';
import { expectCode, figures, NAVY, openProfile, play, RED } from './profile-page.ts';

test.use({ serviceWorkers: 'allow' });

const SENTENCE = 'Cannot reach the server. Nothing was sent. Check your signal and try again.';
const NO_NETWORK = /could not be read|was not changed|net::ERR|Failed to fetch/;

async function visited(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready;
  });
}

async function cut(server: RunningServer, context: BrowserContext): Promise<void> {
  await server.kill();
  await context.setOffline(true);
}

async function restore(server: RunningServer, context: BrowserContext): Promise<void> {
  await server.restart();
  await context.setOffline(false);
}

function kept(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    const found = [];
    for (const name of await caches.keys())
      for (const request of await (await caches.open(name)).keys()) found.push(request.url);
    return found;
  });
}

/** Starts a proxy. After `deploy()` it serves a newer build without `old`, a season’s script. */
async function startDeployment(server: RunningServer) {
  const worker = await (await fetch(`${server.url}/sw.js`)).text();
  const [entry = '', old = ''] =
    /\{url:`(\/assets\/SeasonPage-[^`]+)`,revision:null\},/.exec(worker) ?? [];
  expect(old).not.toBe('');
  let newer = false;
  const forward = async (request: IncomingMessage, response: ServerResponse) => {
    // An event stream ends only when its reader leaves, so abort it then.
    const left = new AbortController();
    response.on('close', () => left.abort());
    const headers = { authorization: request.headers.authorization ?? '' };
    const answer = await fetch(`${server.url}${request.url}`, { headers, signal: left.signal });
    const body = Buffer.from(await answer.arrayBuffer());
    for (const name of ['content-type', 'cache-control', 'content-security-policy'])
      response.setHeader(name, answer.headers.get(name) ?? '');
    response.statusCode = newer && request.url === old ? 404 : answer.status;
    response.end(newer && request.url === '/sw.js' ? worker.replace(entry, '') : body);
  };
  const proxy = createServer((request, response) => {
    forward(request, response).catch(() => response.destroy());
  }).listen(0, 'localhost');
  await once(proxy, 'listening');
  const address = proxy.address();
  return {
    url: `http://localhost:${typeof address === 'object' ? address?.port : ''}`,
    old,
    deploy: () => {
      newer = true;
    },
    close: async () => {
      proxy.closeAllConnections();
      await new Promise((done) => proxy.close(done));
    },
  };
}

const openMenu = async (page: Page, item: string) => {
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('menuitem', { name: item }).click();
};

test('the app can be installed, and its worker is revalidated each time', async ({
  page,
  server,
}) => {
  await page.goto('/login');
  const href = await page.locator('link[rel="manifest"]').getAttribute('href');
  const manifest = await fetch(`${server.url}${href}`);
  expect(manifest.headers.get('content-type')).toContain('application/manifest+json');
  const { icons, ...about } = await manifest.json();
  expect(about).toMatchObject({ start_url: '/profile', scope: '/', display: 'standalone' });
  for (const { src, sizes, type } of icons) {
    const icon = await fetch(`${server.url}${src}`);
    expect(icon.headers.get('content-type')).toBe(type);
    const { width, height } = PNG.sync.read(Buffer.from(await icon.arrayBuffer()));
    expect(`${width}x${height}`).toBe(sizes);
  }
  const worker = await fetch(`${server.url}/sw.js`);
  expect(worker.headers.get('content-type')).toContain('javascript');
  expect(worker.headers.get('cache-control')).toBe('no-cache');
  // A visitor gets no worker: the worker would download the whole app.
  expect(await page.evaluate(() => navigator.serviceWorker.getRegistrations())).toEqual([]);
});

test('the profile opens without server and network, and refetches when both are back', async ({
  page,
  server,
  context,
  expectNoise,
}) => {
  // This test runs several commands and restarts the server.
  test.setTimeout(180_000);
  expectNoise(NO_NETWORK);
  const player = await signUp(server);
  const team = `Team ${player.username}`;
  const league = `League ${player.username}`;
  await server.backboard('league', 'create', league, '--timezone', 'Europe/London');
  await server.backboard('team', 'create', league, team);
  await server.backboard('team', 'add', team, player.email);
  const machine = await server.addMachine(`Court ${player.username}`);
  await openProfile(page, server, player);
  await play(server, machine.key, player, [100, 300]);
  await page.reload();
  await expect.poll(() => figures(page)).toEqual(['2', '300', '200']);
  const own = page.getByRole('row', { name: `1 ${player.username.toUpperCase()}` });
  await expect(own).toContainText('2/8');
  await visited(page);
  const readAt = await page.evaluate(() => Number(localStorage.getItem('user_read_at')));
  const time = new Date(readAt).toLocaleTimeString('en-GB', {
    hour: '2-digit',
    minute: '2-digit',
    timeZone: 'Europe/London',
  });

  await cut(server, context);
  for (const open of ['/profile', '/']) {
    const opened = await page.goto(open);
    // Only the cached /profile has the painted skeleton.
    expect(/id="frame"/.test(await (opened as Response).text())).toBe(open === '/profile');
    await expectCode(page, player.uuid, NAVY);
    await expect(page.getByText(`Offline since ${time}`)).toBeVisible();
    await expect.poll(() => figures(page)).toEqual(['2', '300', '200']);
    await expect(own).toContainText('2/8');
  }
  await page.reload();
  await expect(page.getByText(`Offline since ${time}`)).toBeVisible();
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);

  await page.getByRole('button', { name: 'Show the code full screen' }).click();
  await expectCode(page.getByRole('dialog'), player.uuid, NAVY);
  await expect(
    page.getByText(`Your first 8 league games of a week count for ${team}.`),
  ).toBeVisible();
  await page.goBack();

  await openMenu(page, 'Edit Profile');
  await page.getByLabel('Username').fill('NewName');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('alert')).toHaveText(SENTENCE);
  await expect(page.getByLabel('Username')).toHaveValue('NewName');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('switch').click();
  await expect(page.getByRole('switch')).toBeChecked();
  await expect(page.getByText('League mode on')).toBeVisible();
  await expect(page.getByRole('heading', { level: 1, name: player.username })).toBeVisible();

  await restore(server, context);
  await play(server, machine.key, player, [500]);
  // With this event, the page notices at once that the server is back.
  await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')));
  await expect.poll(() => figures(page)).toEqual(['3', '500', '300']);
  await expect(own).toContainText('3/8');
  await expect(page.getByText(/^Offline since/)).toBeHidden();
});

test('without a network the pages below the profile say so, and load when the network is back', async ({
  page,
  server,
  context,
  expectNoise,
}) => {
  test.slow();
  expectNoise(NO_NETWORK);
  const player = await signUp(server);
  const machine = await server.addMachine(`Far ${player.username}`, `Far ${player.username}`);
  await play(server, machine.key, player, [100]);
  await openProfile(page, server, player);
  await visited(page);

  await cut(server, context);
  const alert = page.getByRole('alert');
  for (const path of ['/league', '/leaderboard', '/achievements', '/games']) {
    await page.goto(path);
    await expect(alert).toContainText('Cannot reach the server');
    await expect(page.getByRole('button', { name: 'Try again' })).toBeFocused();
    await expect(page.getByRole('link', { name: 'Show my code' })).toBeVisible();
  }
  await page.getByRole('link', { name: 'Show my code' }).click();
  await expectCode(page.getByRole('dialog'), player.uuid, RED);
  await page.goBack();
  await expect(alert).toContainText('Cannot reach the server');

  await server.restart();
  await play(server, machine.key, player, [500]);
  await context.setOffline(false);
  await expect(alert).toHaveCount(0);
  await expect(page.getByRole('main').getByRole('listitem').first()).toHaveText(/^Score 500/);
});

test('yesterday’s figures are marked, and a sign-out without a network clears the storage', async ({
  page,
  server,
  context,
  expectNoise,
}) => {
  test.slow();
  expectNoise(NO_NETWORK);
  const player = await signUp(server);
  await openProfile(page, server, player);
  await visited(page);
  await page.evaluate(() => localStorage.setItem('league_stats', 'spoilt by somebody'));
  const yesterday = await page.evaluate(() => {
    const at = new Date();
    at.setDate(at.getDate() - 1);
    at.setHours(19, 42);
    localStorage.setItem('user_read_at', String(at.getTime()));
    return at.toLocaleDateString('en-GB', { weekday: 'long' });
  });
  await cut(server, context);
  await page.reload();
  await expect(page.getByText(`Offline since ${yesterday} 19:42`)).toBeVisible();
  await expectCode(page, player.uuid, RED);
  await page.getByRole('button', { name: 'Show the code full screen' }).click();
  await expectCode(page.getByRole('dialog'), player.uuid, RED);
  await page.goBack();
  expect((await kept(page)).length).toBeGreaterThan(10);
  expect((await kept(page)).filter((url) => /\/(api|dev|health)\//.test(url))).toEqual([]);

  await openMenu(page, 'Sign Out');
  await expect(page).toHaveURL(/\/login$/);
  expect(await page.evaluate(() => Object.keys(localStorage))).toEqual([]);
  await page.goto('/profile');
  await expect(page).toHaveURL(/\/login$/);
  await page.getByLabel('Email').fill(player.email);
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByRole('alert')).toHaveText(SENTENCE);
  expect((await page.content()).includes(player.uuid)).toBe(false);
  const answers = (await kept(page)).filter((url) => url.includes('/api/'));
  expect(answers).toEqual([]);
  await restore(server, context);
});

test('a new version is offered at the next load, and used only on request', async ({
  page,
  server,
  context,
}) => {
  const player = await signUp(server);
  const site = await startDeployment(server);
  await signInAs(page, { ...server, url: site.url }, player);
  await page.goto(`${site.url}/profile`);
  await visited(page);
  const offer = page.getByText('New version ready');
  const isWaiting = () =>
    page.evaluate(async () => (await navigator.serviceWorker.ready).waiting !== null);
  await page.reload();
  await expectCode(page, player.uuid, RED);
  await expect(offer).toHaveCount(0);

  site.deploy();
  await page.evaluate(async () => (await navigator.serviceWorker.ready).update());
  await expect.poll(isWaiting).toBe(true);
  // No offer while the page is in use.
  await expect(offer).toHaveCount(0);

  await page.reload();
  await expect(offer).toBeVisible();
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  await expectRoomForLargeText(page);
  expect(await isWaiting()).toBe(true);
  const other = await context.newPage();
  await other.goto(`${site.url}/profile`);
  await expectCode(other, player.uuid, RED);
  await other.evaluate(() => Object.assign(window, { same: true }));
  // Wait until each page has asked for its last file, that of the strips: a request to the old worker
  // delays the new one by half a minute (takeNewVersion). Calls of the API do not reach the worker.
  for (const tab of [page, other])
    await tab.waitForFunction(() => {
      const files = performance
        .getEntriesByType('resource')
        .filter(({ name }) => name.includes('/assets/'));
      const last = Math.max(...files.map(({ startTime }) => startTime));
      return files.some(({ name }) => name.includes('/parts-')) && performance.now() - last > 1_000;
    });
  await other.evaluate(() => setInterval(() => fetch('/api/config/'), 50));
  await page.evaluate(() => Object.assign(window, { same: true }));
  await page.getByRole('button', { name: 'Update' }).press('Enter');
  await page.waitForFunction(() => !('same' in window));
  await expectCode(page, player.uuid, RED);
  await expect(offer).toHaveCount(0);
  expect(await isWaiting()).toBe(false);
  expect(await other.evaluate(() => 'same' in window)).toBe(true);
  expect(await other.evaluate(async (path) => (await fetch(path)).status, site.old)).toBe(200);
  await page.reload();
  await expectCode(page, player.uuid, RED);
  await expect(offer).toHaveCount(0);
  await site.close();
});
