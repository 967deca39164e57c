import { readFile } from 'node:fs/promises';
import type { Browser, Page } from '@playwright/test';
import { freePort } from '#testing/ports.ts';
import { type RunningServer, startServer } from '#testing/server.ts';
import { startStandIn } from '../standin/provider.ts';
import {
  answerWith,
  chooseBirthdate,
  enterEmail,
  expectStep,
  signIn,
  stored,
} from './auth-steps.ts';
import {
  expect,
  expectAccessible,
  expectNoSidewaysScroll,
  expectRoomForLargeText,
  type NewPlayer,
  newName,
  PASSWORD,
  signInAs,
  signUp,
  test,
} from './fixtures.ts';
import { play } from './profile-page.ts';

const SENTENCE = 'Cannot reach the server. Nothing was sent. Check your signal and try again.';
const RENEWAL = '/api/users/auth/token/refresh/';
const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1 Version/18.1 Mobile/15E Safari/604.1';
const WINDOWS = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:132.0) Gecko/20100101 Firefox/132.0';

const panel = (page: Page, name: string) => page.getByRole('region', { name });
const rows = (page: Page) => panel(page, 'Where I am signed in').getByRole('listitem');
/** Presses Enter on a button once it is enabled; Playwright's `press` does not wait for that. */
async function press(page: Page, name: string): Promise<void> {
  const button = page.getByRole('button', { name, exact: true });
  await expect(button).toBeEnabled();
  await button.press('Enter');
}
const dialog = (page: Page, name: string) => page.getByRole('dialog', { name });

async function openAccount(page: Page, server: RunningServer, player: NewPlayer): Promise<void> {
  await signInAs(page, server, player);
  await page.goto('/account');
  await expect(rows(page).first()).toBeVisible();
}

async function signInOn(browser: Browser, player: NewPlayer, userAgent: string): Promise<Page> {
  const context = await browser.newContext({ userAgent });
  const page = await context.newPage();
  await signIn(page, player.email, player.password);
  await expectStep(page, player.username);
  return page;
}

const age = (server: RunningServer, player: NewPlayer, by: string) =>
  server.sql(
    `update sessions set created_at = created_at - $2::interval,
       last_used_at = last_used_at - $2::interval
     where player_id = (select id from players where email = $1)`,
    [player.email, by],
  );

async function readableForAll(page: Page): Promise<void> {
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  await expectRoomForLargeText(page);
}

test('the menu leads to Account from the profile and from the pages below it', async ({
  page,
  server,
}) => {
  const player = await signUp(server);
  await signInAs(page, server, player);
  for (const from of ['/profile', '/games']) {
    await page.goto(from);
    await press(page, 'Menu');
    await expect(page.getByRole('menuitem')).toHaveText(['Edit Profile', 'Account', 'Sign Out']);
    await page.keyboard.press('ArrowDown');
    await expect(page.getByRole('menuitem', { name: 'Account' })).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { level: 1, name: 'Account' })).toBeFocused();
    await expect(page).toHaveURL(/\/account$/);
    await expect(page).toHaveTitle('Account · Backboard');
  }
  await expect(page.getByRole('main').getByText(player.email)).toBeVisible();
  await expect(rows(page)).toHaveText([/^Unknown browserThis device, now$/]);
  await expect(page.getByRole('button', { name: 'Sign out all others' })).toHaveCount(0);
  await readableForAll(page);
  await page.emulateMedia({ forcedColors: 'active', reducedMotion: 'reduce' });
  await readableForAll(page);
  await expect(panel(page, 'My code')).toHaveCSS('border-top-style', 'solid');
  await page.getByRole('link', { name: 'Back to pass' }).click();
  await expectStep(page, player.username);
});

test('HAND-99: a focused heading has a ring only if a key opened the page', async ({
  page,
  server,
}) => {
  await signInAs(page, server, await signUp(server));
  const heading = page.getByRole('heading', { level: 1, name: 'Account' });
  await page.goto('/account');
  await expect(heading).toBeFocused();
  await expect(heading).toHaveCSS('box-shadow', 'none');
  for (const byKey of [false, true, false]) {
    await page.goto('/profile');
    await press(page, 'Menu');
    const item = page.getByRole('menuitem', { name: 'Account' });
    if (byKey) await item.press('Enter');
    else await item.click();
    await expect(heading).toBeFocused();
    if (byKey) await expect(heading).not.toHaveCSS('box-shadow', 'none');
    else await expect(heading).toHaveCSS('box-shadow', 'none');
  }
});

test('other devices are listed, and signed out one by one or together', async ({
  page,
  server,
  browser,
}) => {
  test.slow();
  const player = await signUp(server);
  await age(server, player, '3 days');
  const phone = await signInOn(browser, player, IPHONE);
  const desk = await signInOn(browser, player, WINDOWS);
  await age(server, player, '1 day');
  await signIn(page, player.email, player.password);
  await expectStep(page, player.username);
  await page.goto('/account');
  await expect(rows(page)).toHaveText([
    /^.* on LinuxThis computer, now$/,
    /^Firefox on WindowsUsed yesterday, \d\d:\d\dSign out$/,
    /^Safari on iPhoneUsed yesterday, \d\d:\d\dSign out$/,
    /^Unknown browserUsed \d+ \w{3}( \d{4})?Sign out$/,
  ]);
  await readableForAll(page);

  await press(page, 'Sign out Safari on iPhone');
  const heading = page.getByRole('heading', { name: 'Where I am signed in' });
  await expect(heading).toBeFocused();
  await expect(page.getByText('Signed out Safari on iPhone.')).toBeVisible();
  await expect(rows(page)).toHaveCount(3);
  await phone.reload();
  await expectStep(phone, 'Login');
  expect(await stored(phone)).toEqual({ access_token: null, refresh_token: null, user: null });

  await press(page, 'Sign out all others');
  await expect(heading).toBeFocused();
  await expect(page.getByText('Signed out 2 others.')).toBeVisible();
  await expect(rows(page)).toHaveText([/now$/]);
  await expect(page.getByRole('button', { name: 'Sign out all others' })).toHaveCount(0);
  await expectAccessible(page);
  await desk.reload();
  await expectStep(desk, 'Login');
  const old = await page.request.post(RENEWAL, { data: { refresh: player.refresh } });
  expect(old.status()).toBe(401);
  await page.reload();
  await expect(rows(page)).toHaveText([/now$/]);
  await phone.context().close();
  await desk.context().close();
});

test('a new code disables the old code at machines, and the phone stores the new code at once', async ({
  page,
  server,
  context,
}) => {
  const player = await signUp(server);
  const machine = await server.addMachine(`Reader ${player.username}`);
  await openAccount(page, server, player);
  const other = await context.newPage();
  await other.goto('/profile');
  await expectStep(other, player.username);

  await press(page, 'Get a new code');
  const asks = dialog(page, 'Get a new code?');
  await expect(asks.getByText('stops working at once')).toBeVisible();
  await expect(asks.getByRole('listitem')).toHaveText([
    'Gone: Printed cards and screenshots of the old code',
    'Your games, figures, team and jersey stay',
  ]);
  await expect(asks.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await readableForAll(page);
  await page.keyboard.press('Escape');
  await expect(asks).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Get a new code' })).toBeFocused();
  expect(JSON.parse((await stored(page)).user ?? '{}').uuid).toBe(player.uuid);

  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(asks).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Get a new code' })).toBeFocused();
  await expect(page.getByText('You have a new code.')).toBeVisible();
  const { uuid } = JSON.parse((await stored(page)).user ?? '{}');
  expect(uuid).toMatch(/^[0-9a-f-]{36}$/);
  expect(uuid).not.toBe(player.uuid);

  const now = new Date().toISOString();
  const game = { id: crypto.randomUUID(), player: player.uuid, score: 100, played_at: now };
  expect(await server.play(machine.key, game)).toMatchObject({
    status: 'rejected',
    reason: 'unknown_player',
  });
  await play(server, machine.key, { ...player, uuid }, [200]);
  await page.goto('/card');
  await page.getByRole('link', { name: 'Get a new code' }).click();
  await expect(asks).toBeVisible();
  await expect(page).toHaveURL(/\/account$/);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('heading', { level: 1, name: 'Account' })).toBeFocused();
  await page.reload();
  await expect(rows(page).first()).toBeVisible();
  await expect(asks).toHaveCount(0);
});

test('my data is downloaded as a file, at most three times a day', async ({ page, server }) => {
  const player = await signUp(server);
  const machine = await server.addMachine(`Archive ${player.username}`);
  await play(server, machine.key, player, [321]);
  await openAccount(page, server, player);
  for (let n = 1; n <= 3; n += 1) {
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      press(page, 'Download my data'),
    ]);
    expect(file.suggestedFilename()).toBe('backboard-export.json');
    const content = JSON.parse(await readFile(await file.path(), 'utf8'));
    expect(content.user).toMatchObject({ email: player.email, username: player.username });
    expect(content.games).toMatchObject([{ score: 321, machine: machine.name }]);
    expect(content.achievements).toMatchObject([{ key: 'first-game' }]);
    await expect(page.getByText('Downloaded as backboard-export.json.')).toBeVisible();
  }
  await press(page, 'Download my data');
  await expect(page.getByRole('alert')).toHaveText(
    /^You can download your data 3 times a day\. Try again in 24 hours\.$/,
  );
  await expectAccessible(page);
});

test('a download after an old sign-in needs a new sign-in, and then returns to Account', async ({
  page,
  server,
}) => {
  const player = await signUp(server);
  await age(server, player, '61 minutes');
  await openAccount(page, server, player);
  await press(page, 'Download my data');
  await expect(page.getByRole('alert')).toHaveText('Sign in again to download your data.');
  await expectAccessible(page);
  await press(page, 'Sign in again');
  await expectStep(page, 'Login');
  expect(await stored(page)).toEqual({ access_token: null, refresh_token: null, user: null });
  await expect(page.getByLabel('Email')).toHaveValue(player.email);
  await enterEmail(page, player.email);
  await page.getByLabel('Password').fill(PASSWORD);
  await press(page, 'Sign in');
  await expect(page).toHaveURL(/\/account$/);
  await expect(rows(page)).toHaveText([/now$/]);
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    press(page, 'Download my data'),
  ]);
  expect(file.suggestedFilename()).toBe('backboard-export.json');
});

test.describe('with the service worker', () => {
  test.use({ serviceWorkers: 'allow' });

  test('deletion asks for the password, clears this browser and signs out its tabs', async ({
    page,
    server,
    context,
    expectNoise,
  }) => {
    test.slow();
    // A read by the other tab may fail during the deletion.
    expectNoise(/could not be read/);
    const player = await signUp(server);
    const machine = await server.addMachine(`Farewell ${player.username}`);
    await play(server, machine.key, player, [100, 300]);
    await signInAs(page, server, player);
    await page.goto('/profile');
    await page.evaluate(async () => {
      await navigator.serviceWorker.ready;
      sessionStorage.setItem('something', 'of this visit');
    });
    const other = await context.newPage();
    await other.goto('/profile');
    await expectStep(other, player.username);
    await page.goto('/account');

    await press(page, 'Delete my account');
    const asks = dialog(page, 'Delete my account?');
    await expect(asks.getByRole('listitem')).toHaveText([
      'Gone: Your email, password and birth date',
      'Gone: Your username, jersey and code; your printed cards stop working',
      'Gone: Your 2 achievements',
      '2 game scores stay, with no name on them',
    ]);
    const field = asks.getByLabel('Password');
    await expect(field).toBeFocused();
    await readableForAll(page);
    await asks.getByRole('button', { name: 'Delete' }).click();
    await expect(field).toHaveAccessibleDescription('Password is required');
    await expect(field).toBeFocused();
    await page.keyboard.type('not my password');
    await page.keyboard.press('Enter');
    await expect(field).toHaveAccessibleDescription('That is not your password.');
    await expect(field).toBeFocused();
    await expect(field).toHaveValue('not my password');
    await expectAccessible(page);
    expect((await stored(page)).access_token).not.toBeNull();

    await field.fill(PASSWORD);
    // The other tab's requests may keep the service worker alive for half a minute.
    const loaded = page.waitForEvent('load', { timeout: 60_000 });
    await page.keyboard.press('Enter');
    await loaded;
    await expectStep(page, 'Login');
    await expect(page).toHaveURL(/\/login$/);
    await expectStep(other, 'Login');
    const left = () =>
      page.evaluate(async () => ({
        local: Object.keys(localStorage),
        session: Object.keys(sessionStorage),
        // The old worker may open an empty cache while the other tab leaves.
        caches: await Promise.all(
          (await caches.keys()).map(
            async (name) => (await (await caches.open(name)).keys()).length,
          ),
        ).then((entries) => entries.filter((number) => number > 0)),
        databases: await indexedDB.databases(),
      }));
    expect(await left()).toEqual({ local: [], session: [], caches: [], databases: [] });
    await other.close();
    await page.reload();
    const workers = () =>
      page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length);
    await expect.poll(workers).toBe(0);
    const renewed = await page.request.post(RENEWAL, { data: { refresh: player.refresh } });
    expect(renewed.status()).toBe(401);
    await enterEmail(page, player.email);
    await expectStep(page, 'Create account');
    const games = await server.sql('select score from games where machine_id = $1 order by score', [
      machine.id,
    ]);
    expect(games).toEqual([{ score: 100 }, { score: 300 }]);
  });

  test('without a network nothing is lost, and the newest code is shown', async ({
    page,
    server,
    context,
    expectNoise,
  }) => {
    test.slow();
    expectNoise(/could not be read|were not ended|net::ERR/);
    const player = await signUp(server);
    await signIn(page, player.email, player.password);
    await expectStep(page, player.username);
    await page.evaluate(async () => {
      await navigator.serviceWorker.ready;
    });
    await page.goto('/account');
    await expect(rows(page)).toHaveCount(2);
    await press(page, 'Get a new code');
    await press(page, 'New code');
    await expect(page.getByText('You have a new code.')).toBeVisible();
    const { uuid } = JSON.parse((await stored(page)).user ?? '{}');
    expect(uuid).not.toBe(player.uuid);

    await context.setOffline(true);
    const alert = page.getByRole('alert').filter({ hasText: /./ });
    await press(page, 'Sign out all others');
    await expect(panel(page, 'Where I am signed in').getByRole('alert')).toHaveText(SENTENCE);
    await expect(rows(page)).toHaveCount(2);
    await press(page, 'Download my data');
    await expect(panel(page, 'My data').getByRole('alert')).toHaveText(SENTENCE);
    await press(page, 'Get a new code');
    await press(page, 'New code');
    await expect(dialog(page, 'Get a new code?').getByRole('alert')).toHaveText(SENTENCE);
    await page.keyboard.press('Escape');
    await press(page, 'Delete my account');
    await expect(page.getByLabel('Password')).toBeFocused();
    await page.keyboard.type(PASSWORD);
    await page.keyboard.press('Enter');
    await expect(dialog(page, 'Delete my account?').locator(alert)).toHaveText(SENTENCE);
    await expect(page.getByLabel('Password')).toHaveValue(PASSWORD);
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    expect(JSON.parse((await stored(page)).user ?? '{}').uuid).toBe(uuid);

    await page.goto('/card');
    await expect(page.getByRole('img', { name: 'Player QR code' })).toBeVisible();
    await page.goto('/account');
    await expect(panel(page, 'Where I am signed in').getByRole('alert')).toHaveText(SENTENCE);
    // Online again, the page reads by itself.
    await context.setOffline(false);
    await expect(rows(page)).toHaveCount(2);

    // Only the press is answered, whatever else makes the page read again.
    const isPressed = () => page.evaluate(() => document.documentElement.dataset.pressed === 'yes');
    await page.route('**/api/users/sessions/', async (route) =>
      (await isPressed()) ? route.continue() : route.abort(),
    );
    await page.reload();
    await expect(panel(page, 'Where I am signed in').getByRole('alert')).toHaveText(SENTENCE);
    await page.evaluate(() => {
      const press = () => (document.documentElement.dataset.pressed = 'yes');
      document.addEventListener('click', press, { capture: true });
    });
    await panel(page, 'Where I am signed in').getByRole('button', { name: 'Try again' }).click();
    await expect(rows(page)).toHaveCount(2);
  });
});

test('P29c, ACC-50: a player removes Google with the password, and links another provider', async ({
  page,
  context,
  expectNoise,
}) => {
  test.slow();
  expectNoise(/could not be read|ERR_INTERNET_DISCONNECTED/);
  // Use a separate server, on which the stand-in's people have no accounts yet.
  const port = await freePort();
  const client = { client_id: 'backboard', client_secret: 'of-the-other-provider' };
  const other = await startStandIn({
    port: 0,
    redirect_uri: `http://localhost:${port}/auth/oidc/callback`,
    plays: 'Acme & Sons ID',
    userinfo: true,
    ...client,
  });
  const server = await startServer({
    PORT: String(port),
    OIDC_ISSUER: other.issuer,
    OIDC_CLIENT_ID: client.client_id,
    OIDC_CLIENT_SECRET: client.client_secret,
    OIDC_NAME: 'Acme & Sons ID',
  });
  const atGoogle = async () => {
    await page.goto(`${server.url}/login`);
    await press(page, 'Sign in with Google');
    await press(page, 'Maya Banks maya.banks@gmail.com, verified');
  };
  try {
    await atGoogle();
    await chooseBirthdate(page);
    const username = newName();
    await page.getByLabel('Username').fill(username);
    await press(page, "Let's Play!");
    await expectStep(page, username);
    const remove = page.getByRole('button', { name: 'Remove Google' });
    const methods = panel(page, 'How I sign in');

    await page.goto(`${server.url}/account`);
    await expect(methods).toContainText('Choose a password in Edit Profile first');
    await expect(remove).toHaveCount(0);
    await expectAccessible(page);

    const access = (await stored(page)).access_token;
    const patched = await page.request.patch(`${server.url}/api/users/profile/`, {
      headers: { authorization: `Bearer ${access}` },
      data: { password: PASSWORD },
    });
    expect(patched.status()).toBe(200);
    await page.goto(`${server.url}/profile`);
    await expectStep(page, username);
    await page.goto(`${server.url}/account`);
    await expect(methods).toContainText('With your password or with Google.');
    await remove.press('Enter');
    const asks = dialog(page, 'Remove Google?');
    const field = asks.getByLabel('Password');
    await expect(field).toBeFocused();
    await readableForAll(page);
    await press(page, 'Remove');
    await expect(field).toHaveAccessibleDescription('Password is required');
    await page.keyboard.type('not my password');
    await page.keyboard.press('Enter');
    await expect(field).toHaveAccessibleDescription('That is not your password.');
    await expect(field).toBeFocused();
    await expect(field).toHaveValue('not my password');

    await field.fill(PASSWORD);
    await context.setOffline(true);
    await page.keyboard.press('Enter');
    await expect(asks.getByRole('alert').filter({ hasText: /./ })).toHaveText(SENTENCE);
    await expect(field).toHaveValue(PASSWORD);
    expect(await server.sql('select subject from identities')).toHaveLength(1);
    await context.setOffline(false);
    await field.press('Enter');
    await expect(asks).toBeHidden();
    await expect(page.getByRole('heading', { name: 'How I sign in' })).toBeFocused();
    await expect(methods).toContainText('Google was removed.');
    await expect(methods).toContainText('With your password.');
    expect(await server.sql('select subject from identities')).toEqual([]);
    await server.mail.next(
      'maya.banks@gmail.com',
      ({ subject }) => subject === 'Google sign-in was removed',
    );
    await expect
      .poll(async () => JSON.parse((await stored(page)).user ?? '{}').sign_in_methods)
      .toEqual(['password']);
    await page.reload();
    await expect(methods).toContainText('With your password.');
    await expect(methods.getByRole('button')).toHaveText(['Link Google', 'Link Acme & Sons ID']);

    const atOther = async (person: RegExp) => {
      await expect(
        page.getByRole('heading', { name: 'Stand-in for Acme & Sons ID' }),
      ).toBeVisible();
      await page.getByRole('button', { name: person }).click();
    };
    await press(page, 'Link Acme & Sons ID');
    await atOther(/Cancel/);
    await expect(methods.getByRole('alert')).toHaveText(
      'Failed to complete Acme & Sons ID sign in',
    );
    await press(page, 'Link Acme & Sons ID');
    // The account at the provider may have another e-mail address.
    await atOther(/Theo Park/);
    await expect(methods.getByRole('status')).toHaveText('Acme & Sons ID was linked.');
    await expect(page).toHaveURL(`${server.url}/account`);
    await expect(methods).toContainText('With your password or with Acme & Sons ID.');
    await expect(methods.getByRole('button')).toHaveText(['Remove Acme & Sons ID', 'Link Google']);
    await readableForAll(page);
    await server.mail.next(
      'maya.banks@gmail.com',
      ({ subject }) => subject === 'Acme & Sons ID sign-in was added',
    );
    await server.sql("update sessions set created_at = created_at - interval '61 minutes'");
    await page.reload();
    await expect(rows(page).first()).toBeVisible();
    await press(page, 'Link Google');
    await expect(methods.getByRole('alert')).toContainText('Sign in again to link');
    await press(page, 'Sign in again');
    await expectStep(page, 'Login');
    await readableForAll(page);
    await press(page, 'Sign in with Acme & Sons ID');
    await atOther(/Theo Park/);
    await expect(page.getByRole('main').getByText('maya.banks@gmail.com')).toBeVisible();
    await expect(page).toHaveURL(`${server.url}/account`);
  } finally {
    // First leave the page, which would report that the server is gone.
    await page.goto('about:blank');
    await server.close();
    await other.stop();
  }
});

test('to delete the account, a player with only Google signs in again as the same person', async ({
  page,
  expectNoise,
}) => {
  test.slow();
  expectNoise(/could not be read/);
  // Use a separate server, on which the stand-in's people have no accounts yet.
  const server = await startServer();
  const atGoogle = async (person: string) => {
    await expect(page.getByRole('heading', { name: 'Stand-in for Google' })).toBeVisible();
    await press(page, person);
  };
  try {
    await page.goto(`${server.url}/login`);
    await page.getByRole('button', { name: 'Sign in with Google' }).click();
    await atGoogle('Maya Banks maya.banks@gmail.com, verified');
    await chooseBirthdate(page);
    const username = newName();
    await page.getByLabel('Username').fill(username);
    await press(page, "Let's Play!");
    await expectStep(page, username);
    const wait = () =>
      server.sql("update sessions set created_at = created_at - interval '5 minutes'");
    const sessions = () => server.sql('select id from sessions');
    await wait();
    await page.goto(`${server.url}/account`);

    await press(page, 'Delete my account');
    const asks = dialog(page, 'Delete my account?');
    await expect(asks.getByRole('listitem')).toHaveText([
      'Gone: Your email, birth date and Google link',
      'Gone: Your username, jersey and code; your printed cards stop working',
    ]);
    const again = asks.getByRole('button', { name: 'Sign in with Google again' });
    await expect(again).toBeFocused();
    await readableForAll(page);
    await press(page, 'Delete');
    await expect(again).toBeFocused();
    await expect(again).toHaveAccessibleDescription('Sign in with Google again first');

    await page.keyboard.press('Enter');
    await atGoogle('Noor Haddad noor@arcade.example, of arcade.example, verified');
    await expect(asks.getByRole('alert').filter({ hasText: /./ })).toHaveText(
      'That is another Google account. Choose the one that belongs to this player.',
    );
    await expect(page.getByRole('main').getByText('maya.banks@gmail.com')).toBeVisible();
    expect(await sessions()).toHaveLength(1);

    await again.press('Enter');
    await atGoogle('Cancel');
    await expect(asks.getByRole('alert').filter({ hasText: /./ })).toHaveText(
      'Failed to complete Google sign in',
    );

    for (const late of [true, false]) {
      await again.press('Enter');
      await atGoogle('Maya Banks maya.banks@gmail.com, verified');
      await expect(asks.getByText('You are signed in again.')).toBeVisible();
      await expect(page).toHaveURL(`${server.url}/account`);
      await expectAccessible(page);
      await expect.poll(sessions).toHaveLength(1);
      if (late) await wait();
      // A deletion loads a new page.
      const loaded = late ? undefined : page.waitForEvent('load');
      await press(page, 'Delete');
      await loaded;
      if (late) await expect(again).toHaveAccessibleDescription('Sign in with Google again first');
    }
    await expectStep(page, 'Login');
    expect(await page.evaluate(() => localStorage.length + sessionStorage.length)).toBe(0);
    await enterEmail(page, 'maya.banks@gmail.com');
    await expectStep(page, 'Create account');
  } finally {
    // First leave the page, which would report that the server is gone.
    await page.goto('about:blank');
    await server.close();
  }
});

test('the messages of the server are shown', async ({ page, server, expectNoise }) => {
  expectNoise(/could not be read|were not ended|status of 503/);
  const player = await signUp(server);
  await openAccount(page, server, player);
  const busy = answerWith(503, { detail: 'The service is busy. Please try again.' });
  await page.route('**/api/users/**', busy);
  await press(page, 'Get a new code');
  await press(page, 'New code');
  await expect(page.getByRole('alert')).toHaveText('The service is busy. Please try again.');
  await page.keyboard.press('Escape');
  await press(page, 'Delete my account');
  await page.keyboard.type(PASSWORD);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('alert').filter({ hasText: /./ })).toHaveText(
    'The service is busy. Please try again.',
  );
  expect((await stored(page)).access_token).not.toBeNull();
});
