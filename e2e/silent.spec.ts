import type { Page } from '@playwright/test';
import { test } from './demo.ts';
import { expect, inviteStaff, setUpPasskey, signInAs, signUp, withPasskeys } from './fixtures.ts';

const SELECTED = 'Selected: press Ctrl+C, or hold it and choose Copy';
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

/** Takes away what browsers lack over plain http, inside of other apps, or by a setting. */
function lackPlatform(): void {
  for (const name of ['clipboard', 'share', 'canShare', 'credentials', 'mediaDevices', 'locks'])
    Object.defineProperty(navigator, name, { value: undefined });
  Object.assign(window, { print: undefined, PublicKeyCredential: undefined });
  Object.defineProperty(crypto, 'subtle', {
    value: { digest: () => Promise.reject(new Error('not here')) },
  });
  Object.assign(URL, { createObjectURL: undefined });
}

test('PROD-164: without a clipboard API, the page copies a key from a selection, or leaves the key selected', async ({
  page,
  server,
  hoop,
}) => {
  await setUpPasskey(page, await inviteStaff(server, 'Cora Pier', '--role', 'owner'));
  await expect(page.getByRole('heading', { level: 1, name: 'Tonight' })).toBeVisible();
  await page.addInitScript(lackPlatform);
  await page.goto(`/console/machines/${hoop.id}/key`);
  await press(page, 'Make a new key');
  const key = await page.locator('code.key').textContent();
  expect(key).toMatch(/^bbm_/);
  await page.evaluate(() => {
    document.addEventListener('copy', (event) => {
      // Wait until the page's own listener has run.
      queueMicrotask(() =>
        Object.assign(window, { taken: event.clipboardData?.getData('text/plain') }),
      );
    });
  });
  await press(page, 'Copy');
  await expect(page.getByText('Copied. Put it into the machine')).toBeVisible();
  await page.evaluate(() => {
    document.execCommand = () => false;
  });
  await press(page, 'Copy');
  await expect(page.getByText(`${SELECTED}.`)).toBeVisible();
  expect(await page.evaluate(() => String(window.getSelection()).replace(/\s/g, ''))).toBe(key);
  await press(page, 'Print');
  await expect(page.getByText('This browser cannot print.')).toBeVisible();

  // The key's page notices the machine's first call.
  const answer = await fetch(`${server.url}/api/machine/`, {
    headers: { authorization: `Bearer ${key}` },
  });
  expect(answer.status).toBe(200);
  await expect(page.getByText(/called with it at/)).toBeVisible({ timeout: 2_000 });

  await page.getByRole('link', { name: 'Done' }).click();
  await page.goto('/console/system');
  await page.evaluate(() => {
    document.execCommand = () => false;
  });
  await page
    .getByRole('button', { name: /^Copy / })
    .first()
    .click();
  await expect(page.getByRole('button', { name: SELECTED }).first()).toBeVisible();

  await page.goto('/console/leagues');
  const [team] = await server.sql('select id from teams limit 1');
  await page.goto(`/console/leagues/teams/${team?.id}/poster`);
  await press(page, 'Print');
  await expect(page.getByText('This browser cannot print.')).toBeVisible();
});

test('PROD-164: without passkeys, the pages for signing in and setting up say so', async ({
  page,
  server,
}) => {
  await withPasskeys(page);
  const link = await inviteStaff(server, 'Nora Keyless', '--role', 'floor', '--everywhere');
  await page.addInitScript(lackPlatform);
  await page.goto(link);
  await page.getByRole('button', { name: 'Set up your passkey on this device' }).click();
  await expect(page.getByRole('alert')).toBeVisible();
  await page.goto('/console/');
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await expect(page.getByRole('alert')).toContainText('No passkey was used.');
});

test('PROD-164: each button on the player’s pages says what the browser cannot do', async ({
  page,
  server,
  maya,
}) => {
  const player = await signUp(server);
  await page.addInitScript(lackPlatform);
  await expect(async () => {
    await page.goto('/login');
    await page.getByRole('button', { name: /^Sign in with Google/ }).click({ timeout: 3_000 });
  }).toPass();
  await expect(page.getByRole('alert')).toHaveText('Failed to complete Google sign in');
  await signInAs(page, server, player);
  await page.goto('/card');
  await press(page, 'Print');
  await expect(page.getByRole('alert')).toContainText('This browser cannot print.');
  await page.goto('/account');
  await press(page, 'Link Google');
  await expect(page.getByRole('alert')).toBeVisible();
  await page.reload();
  await press(page, 'Download my data');
  await expect(page.getByRole('alert')).toBeVisible();
  await signInAs(page, server, maya);
  await page.goto('/week');
  await expect(page.getByRole('link', { name: 'Save picture' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Share' })).toHaveCount(0);
});
