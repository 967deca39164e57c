import type { Page, Request } from '@playwright/test';
import { answerWith, chooseBirthdate, expectStep, heading, signIn } from './auth-steps.ts';
import { expect, expectAccessible, holdBack, newName, PASSWORD, signUp, test } from './fixtures.ts';

const CALLBACK = '/api/users/auth/google/callback/';

async function chooseAtGoogle(page: Page, person: string): Promise<void> {
  await page.goto('/login');
  await page.getByRole('button', { name: 'Sign in with Google' }).click();
  await expect(page.getByRole('heading', { name: 'Stand-in for Google' })).toBeVisible();
  await page.getByRole('button', { name: person }).click();
}

test('a new player goes through the birth date and the profile, without a password', async ({
  page,
  server,
}) => {
  const asked: Request[] = [];
  page.on('request', (request) => asked.push(request));
  await chooseAtGoogle(page, 'Maya Banks');
  await expect(heading(page, 'Birthdate')).toBeVisible();
  await expect(page).toHaveURL(/\/signup$/);

  const [sent] = asked.filter((request) => request.url().includes('code_challenge='));
  const parameters = Object.fromEntries(new URL(sent?.url() ?? '').searchParams);
  expect(parameters).toMatchObject({
    response_type: 'code',
    scope: 'openid email profile',
    prompt: 'select_account',
    access_type: 'offline',
    code_challenge_method: 'S256',
    redirect_uri: `${server.url}/auth/google/callback`,
  });
  expect(parameters.state).toMatch(/^[\w-]{22}\/profile$/);
  const [posted] = asked.filter((request) => request.url().endsWith(CALLBACK));
  expect(posted?.postDataJSON()).toMatchObject({ nonce: parameters.nonce });
  expect((await posted?.allHeaders())?.authorization).toBeUndefined();
  expect(await page.evaluate(() => sessionStorage.length)).toBe(0);

  await chooseBirthdate(page);
  const username = newName();
  await page.getByLabel('Username').fill(username);
  await expect(page.getByLabel('Password (optional)')).toHaveValue('');
  await page.getByLabel('Password').fill('short');
  await page.getByRole('button', { name: "Let's Play!" }).click();
  await expect(page.getByText('Password must be at least 8 characters long')).toBeVisible();
  await page.getByLabel('Password').fill('');
  await page.getByRole('button', { name: "Let's Play!" }).click();
  await expectStep(page, username);

  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('menuitem', { name: 'Sign Out' }).click();
  await expectStep(page, 'Login');
  await chooseAtGoogle(page, 'Maya Banks');
  await expectStep(page, username);
  await expect(page).toHaveURL(/\/profile$/);
});

test('an existing account keeps its password when Google is linked', async ({ page, server }) => {
  const player = await signUp(server, { email: 'noor@arcade.example' });
  await chooseAtGoogle(page, 'Noor Haddad');
  await expectStep(page, player.username);
  await page.evaluate(() => localStorage.clear());
  await signIn(page, player.email, PASSWORD);
  await expectStep(page, player.username);
});

test('an address that Google has not verified leads back to Login with the reason', async ({
  page,
}) => {
  await chooseAtGoogle(page, 'Theo Park');
  await expect(page.getByRole('alert')).toHaveText('Google has not verified this email address.');
  await expectStep(page, 'Login');
  await expect(page).toHaveURL(/\/login$/);
  expect(await page.evaluate(() => localStorage.length)).toBe(0);
  await expectAccessible(page);
  await page.getByLabel('Email').fill('t');
  await expect(page.getByRole('alert')).toBeHidden();
});

test('cancelling at Google leads back to Login', async ({ page }) => {
  await chooseAtGoogle(page, 'Cancel');
  await expect(page.getByRole('alert')).toHaveText('Failed to complete Google sign in');
  await expect(page).toHaveURL(/\/login$/);
  await page.getByRole('link', { name: 'Sign up' }).click();
  await expectStep(page, 'Create account');
  await page.goBack();
  await expectStep(page, 'Login');
  await expect(page.getByRole('alert')).toHaveCount(0);
});

test('P29a: a code with a foreign or missing state is not sent to the server', async ({ page }) => {
  const posted: string[] = [];
  page.on('request', (request) => posted.push(request.url()));
  for (const query of ['?code=stolen&state=AAAAAAAAAAAAAAAAAAAAAA/profile', '?code=stolen', '']) {
    await page.goto(`/auth/google/callback${query}`);
    await expect(page.getByRole('alert')).toHaveText('Failed to complete Google sign in');
    await expect(page).toHaveURL(/\/login$/);
  }
  expect(posted.filter((url) => url.endsWith(CALLBACK))).toEqual([]);
});

test('the message of the server is shown on Login', async ({ page, expectNoise }) => {
  expectNoise(/status of 503/);
  for (const [status, body, message] of [
    [503, { error: 'Google cannot be reached.' }, 'Google cannot be reached.'],
    [400, { detail: 'Not this way.' }, 'Not this way.'],
    [400, {}, 'Failed to complete Google sign in'],
  ] as const) {
    await page.route(`**${CALLBACK}`, answerWith(status, body));
    await chooseAtGoogle(page, 'Maya Banks');
    await expect(page.getByRole('alert')).toHaveText(message);
    await page.unroute(`**${CALLBACK}`);
  }
});

test('if Google is not set up, Login has no button for it and the callback says so', async ({
  page,
  server,
}) => {
  const config = await (await page.request.get('/api/config/')).json();
  await page.route('**/api/config/', answerWith(200, { ...config, google: null }));
  // Serve pages without the configuration, so that they fetch it.
  const bare = `${server.url}/index.html`;
  await page.route(/\/(login|auth\/google\/callback\?.*)$/, async (route) =>
    route.fulfill({ response: await route.fetch({ url: bare }) }),
  );
  const answered = page.waitForResponse('**/api/config/');
  await page.goto('/login');
  await answered;
  await expectStep(page, 'Login');
  await expect(page.getByRole('button', { name: 'Sign in with Google' })).toBeHidden();
  await page.goto('/auth/google/callback?code=c&state=s');
  await expect(page.getByRole('alert')).toHaveText('Google sign-in is not set up for this site.');
  await expect(page).toHaveURL(/\/login$/);
});

test('over plain http, Login has no button for Google and keeps what was typed', async ({
  page,
}) => {
  await page.addInitScript(() => {
    Reflect.deleteProperty(Crypto.prototype, 'subtle');
    Object.defineProperty(window, 'isSecureContext', { value: false });
  });
  const release = await holdBack(page);
  await page.goto('/login', { waitUntil: 'commit' });
  await page.getByLabel('Email').pressSequentially('maya@');
  await expect(page.getByRole('button', { name: 'Sign in with Google' })).toBeDisabled();
  release();
  await expect(page.getByRole('button', { name: 'Continue' })).toBeEnabled();
  await expect(page.getByRole('button', { name: 'Sign in with Google' })).toHaveCount(0);
  await expect(page.getByLabel('Email')).toBeFocused();
  await expect(page.getByLabel('Email')).toHaveValue('maya@');
});

test('the button says that a stand-in plays Google', async ({ page }) => {
  await page.goto('/login');
  await expect(page.getByText('Demo: a stand-in on this machine plays Google.')).toBeVisible();
});
