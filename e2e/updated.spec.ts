import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from '@playwright/test';
import type { RunningServer } from '#testing/server.ts';
import { expect, inviteStaff, setUpPasskey, signInAs, signUp, test } from './fixtures.ts';
import { goTo, openProfile } from './profile-page.ts';

const MISSING = /status of 404|Unable to preload|dynamically imported module|could not be read/;

/** Counts the page loads from now on. */
function countLoads(page: Page): () => number {
  let loads = 0;
  page.on('request', (request) => {
    if (request.isNavigationRequest()) loads += 1;
  });
  return () => loads;
}

/** Answers 404 for the script of /games, as after an update, while `lost()` is true. */
const loseScript = (page: Page, lost: () => boolean) =>
  page.route('**/assets/Games-*.js', (route) =>
    lost() ? route.fulfill({ status: 404, body: '' }) : route.continue(),
  );

test('PROD-161: when the script of a page is gone, one reload opens that page', async ({
  page,
  server,
  expectNoise,
}) => {
  expectNoise(MISSING);
  await openProfile(page, server, await signUp(server));
  const loads = countLoads(page);
  await loseScript(page, () => loads() === 0);
  await goTo(page, 'Games');
  await expect(page.getByRole('heading', { level: 1, name: 'Games' })).toBeVisible();
  await expect(page).toHaveURL(/\/games$/);
  expect(loads()).toBe(1);
});

test('PROD-161: when a reload does not help, the error page says so', async ({
  page,
  server,
  expectNoise,
}) => {
  expectNoise(MISSING);
  await openProfile(page, server, await signUp(server));
  const loads = countLoads(page);
  await loseScript(page, () => true);
  await goTo(page, 'Games');
  const broken = page.getByRole('heading', { name: 'Unexpected Application Error!' });
  await expect(broken).toBeVisible();
  expect(loads()).toBe(1);
  // Within a minute it does not reload again, not even after another page load.
  await page.goto('/games');
  await expect(broken).toBeVisible();
  expect(loads()).toBe(2);
});

test('PROD-161: when the script for proofs of work is gone, the page reloads once', async ({
  page,
  expectNoise,
}) => {
  expectNoise(MISSING);
  const work = { salt: 'x'.repeat(22), bits: 8, expires_at: '2027-01-01T00:00:00.000Z' };
  await page.route('**/api/users/auth/check-email/', (route) =>
    route.fulfill({ status: 429, json: { detail: 'Too many requests.', work } }),
  );
  await page.goto('/login');
  const loads = countLoads(page);
  await page.route('**/assets/work-*.js', (route) => route.fulfill({ status: 404, body: '' }));
  await page.getByLabel('Email').fill('ana@example.com');
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect.poll(loads).toBe(1);
  await expect(page).toHaveURL(/\/login$/);
  await expect(page.getByLabel('Email')).toBeVisible();
});

/**
 * Forwards to the server. Playwright cannot answer what a worker requests; this proxy can. After
 * `lose()`, it answers 404 for the script of /games until a page is requested.
 */
async function startProxy(server: RunningServer) {
  let isLost = false;
  const proxy = createServer((incoming, response) => {
    const { url = '', method, headers } = incoming;
    if (url === '/games' || url === '/index.html') isLost = false;
    if (url.startsWith('/assets/Games-') && isLost) {
      response.writeHead(404).end();
      return;
    }
    const outgoing = request(server.url + url, { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    outgoing.on('error', () => response.destroy());
    incoming.pipe(outgoing);
  }).listen(0, 'localhost');
  await once(proxy, 'listening');
  const { port } = proxy.address() as AddressInfo;
  return {
    url: `http://localhost:${port}`,
    lose: () => {
      isLost = true;
    },
    close: () => {
      proxy.close();
      proxy.closeAllConnections();
    },
  };
}

test.describe('with the worker', () => {
  test.use({ serviceWorkers: 'allow' });
  test('PROD-161: when the worker has lost a script too, the page reloads once', async ({
    page,
    server,
    expectNoise,
  }) => {
    expectNoise(MISSING);
    const site = await startProxy(server);
    const player = await signUp(server);
    await signInAs(page, { ...server, url: site.url }, player);
    await page.goto(`${site.url}/profile`);
    await expect(page.getByRole('heading', { level: 1, name: player.username })).toBeVisible();
    await page.evaluate(async () => {
      await navigator.serviceWorker.ready;
      for (const name of await caches.keys()) await caches.delete(name);
    });
    await (await page.context().newCDPSession(page)).send('Network.clearBrowserCache');
    const loads = countLoads(page);
    site.lose();
    await goTo(page, 'Games');
    await expect(page.getByRole('heading', { level: 1, name: 'Games' })).toBeVisible();
    await expect(page).toHaveURL(/\/games$/);
    expect(loads()).toBe(1);
    await page.goto('about:blank');
    site.close();
  });
});

test('PROD-161: the console reloads once before it shows an error', async ({
  page,
  server,
  expectNoise,
}) => {
  expectNoise(/TypeError|above error/);
  await server.addMachine('Old hoop', 'Dockside Arcade');
  await setUpPasskey(page, await inviteStaff(server, 'Old Tab', '--role', 'owner'));
  await expect(page.getByRole('heading', { level: 1, name: 'Tonight' })).toBeVisible();
  await page.route('**/api/operator/tonight/**', (route) =>
    route.fulfill({ json: { results: 1 } }),
  );
  const loads = countLoads(page);
  await page.goto('/console/');
  await expect(page.getByRole('heading', { name: 'Something broke' })).toBeVisible();
  expect(loads()).toBe(2);
});
