import { codeIn, linkIn } from '#testing/mail-sink.ts';
import type { RunningServer } from '#testing/server.ts';
import {
  answerWith,
  enterEmail,
  expectStep,
  heading,
  register,
  signIn,
  stored,
} from './auth-steps.ts';
import {
  expect,
  expectAccessible,
  expectRoomForLargeText,
  holdBack,
  newEmail,
  PASSWORD,
  signInAs,
  signUp,
  test,
} from './fixtures.ts';

const NEW_PASSWORD = 'off the glass and in';

test('PROD-163: text typed before any script has run stays, and Continue waits', async ({
  page,
}) => {
  const release = await holdBack(page);
  await page.goto('/login', { waitUntil: 'commit' });
  await expectStep(page, 'Login');
  const [field, go] = [page.getByLabel('Email'), page.getByRole('button', { name: 'Continue' })];
  await field.click();
  await page.keyboard.type('some');
  await page.keyboard.press('Enter');
  await expect(go).toBeDisabled();
  release();
  await expect(go).toBeEnabled();
  await expect(field).toBeFocused();
  await page.keyboard.type('body@example.com');
  await expect(field).toHaveValue('somebody@example.com');
  expect(new URL(page.url()).search).toBe('');
  await page.keyboard.press('Enter');
  await expectStep(page, 'Create account');
  await expect(page.getByLabel('Email')).toHaveValue('somebody@example.com');
});

test('PROD-163: it stays too after a reload that keeps the way back', async ({ page }) => {
  await page.goto('/login');
  await page.evaluate(() => window.history.replaceState({ returnTo: '/card' }, ''));
  const release = await holdBack(page);
  await page.reload({ waitUntil: 'commit' });
  await page.getByLabel('Email').pressSequentially('some');
  release();
  await expect(page.getByRole('button', { name: 'Continue' })).toBeEnabled();
  await expect(page.getByLabel('Email')).toHaveValue('some');
  expect(await page.evaluate(() => window.history.state)).toEqual({ returnTo: '/card' });
});

test('signing in ends the session of another player whose sign-up is unfinished', async ({
  page,
  server,
}) => {
  const [former, player] = [await signUp(server, { setup: false }), await signUp(server)];
  await signInAs(page, server, former);
  const ended = page.waitForRequest('**/auth/logout/');
  await signIn(page, player.email, PASSWORD);
  await expect(page).toHaveURL(/\/profile$/);
  expect((await ended).postDataJSON()).toEqual({ refresh: former.refresh });
});

test.describe('an e-mail address', () => {
  test('that is unknown leads to Create account, prefilled', async ({ page }) => {
    const email = newEmail();
    await page.goto('/login');
    await enterEmail(page, `  ${email.toUpperCase()} `);
    await expectStep(page, 'Create account');
    await expect(heading(page, 'Create account')).toBeFocused();
    await expect(page.getByLabel('Email')).toHaveValue(email);
  });

  for (const status of [429, 503])
    test(`P19: that cannot be checked (${status}) leads to the password`, async ({
      page,
      server,
      expectNoise,
    }) => {
      expectNoise(new RegExp(`status of ${status}`));
      const player = await signUp(server);
      await page.route('**/auth/check-email/', answerWith(status, { detail: 'Not now.' }));
      await page.goto('/login');
      await enterEmail(page, player.email);
      await expect(page.getByLabel('Password')).toBeFocused();
      await expect(page.getByRole('link', { name: 'Forgot your password?' })).toBeVisible();
      await expect(page.getByRole('alert')).toHaveCount(0);
      await page.getByLabel('Password').fill(PASSWORD);
      await page.getByRole('button', { name: 'Sign in' }).click();
      await expect(page).toHaveURL(/\/profile$/);
    });

  test('that was never verified gets a code', async ({ page, server }) => {
    const email = newEmail();
    await register(page, email);
    const code = codeIn(await server.mail.next(email));
    const resent = page.waitForRequest('**/resend-verification/');
    await page.goto('/login');
    await enterEmail(page, email);
    expect((await resent).postDataJSON()).toEqual({ email });
    await expectStep(page, 'Verification');
    await page.keyboard.type(code);
    await expectStep(page, 'Birthdate');
  });

  test('without a password leads to the offer of a reset mail', async ({ page, server }) => {
    const { email } = await signUp(server, { setup: false });
    await page.goto('/login');
    await enterEmail(page, email);
    await expectStep(page, 'Reset password');
    await expect(page.getByText(email)).toBeVisible();
    await page.getByRole('link', { name: 'Back to login' }).click();
    await expect(heading(page, 'Login')).toBeFocused();
    await expect(page.getByLabel('Email')).toHaveValue(email);
  });

  test('with a password leads to the password, and stays editable', async ({ page, server }) => {
    const { email } = await signUp(server);
    await page.goto('/login');
    await expect(page.getByLabel('Password')).toBeHidden();
    await enterEmail(page, email);
    await expect(page.getByLabel('Password')).toBeFocused();
    await page.getByRole('button', { name: 'Sign in' }).click();
    await expect(page.getByText('Password is required')).toBeVisible();
    await page.getByLabel('Email').fill(newEmail());
    await expect(page.getByLabel('Password')).toBeHidden();
    await expect(page.getByRole('button', { name: 'Continue' })).toBeVisible();
    await page.getByLabel('Email').fill(email);
    await expect(page.getByLabel('Password')).toBeVisible();
  });

  test('that is invalid is not sent', async ({ page }) => {
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await page.goto('/login');
    await enterEmail(page, 'maya@example');
    await expect(page.getByText('Enter a valid email address.')).toBeVisible();
    await expect(page.getByLabel('Email')).toBeFocused();
    expect(asked.filter((url) => url.includes('check-email'))).toEqual([]);
  });
});

test.describe('sign in', () => {
  test('leads a player with a complete profile to the profile, also on later visits', async ({
    page,
    server,
  }) => {
    const player = await signUp(server);
    await signIn(page, player.email, player.password);
    await expectStep(page, player.username);
    await expect(page).toHaveURL(/\/profile$/);
    for (const path of ['/login', '/signup', '/']) {
      await page.goto(path);
      await expect(page).toHaveURL(/\/profile$/);
      await expectStep(page, player.username);
    }
  });

  test('leads a player without a profile to the birth date', async ({ page, server }) => {
    const player = await signUp(server, { setup: false });
    await newPassword(page, server, player.email);
    await expectStep(page, 'Birthdate');
    await page.evaluate(() => localStorage.clear());
    await signIn(page, player.email, NEW_PASSWORD);
    await expectStep(page, 'Birthdate');
  });

  test('shows the message for a wrong password, and keeps the input', async ({ page, server }) => {
    const { email } = await signUp(server);
    await signIn(page, email, 'not this one at all');
    await expect(page.getByRole('alert')).toHaveText('Invalid email or password.');
    await expect(page.getByLabel('Password')).toHaveValue('not this one at all');
    expect(await stored(page)).toEqual({ access_token: null, refresh_token: null, user: null });
    await page.getByLabel('Password').fill(PASSWORD);
    await expect(page.getByRole('alert')).toBeHidden();
    await page.getByRole('button', { name: 'Sign in' }).click();
    await expect(page).toHaveURL(/\/profile$/);
  });

  test('HAND-99: an eye shows the password that is typed', async ({ page, server }) => {
    const { email } = await signUp(server);
    await page.goto('/login');
    await enterEmail(page, email);
    const password = page.getByLabel('Password');
    await expect(password).toBeFocused();
    await password.fill(PASSWORD);
    const eye = page.getByRole('button', { name: 'Show what you typed' });
    await expect(password).toHaveAttribute('type', 'password');
    await expect(eye).toHaveAttribute('aria-pressed', 'false');
    await expectAccessible(page);
    await password.press('Tab');
    await expect(eye).toBeFocused();
    await eye.press('Enter');
    await expect(password).toHaveAttribute('type', 'text');
    await expect(password).toHaveValue(PASSWORD);
    await expect(eye).toHaveAttribute('aria-pressed', 'true');
    await expectAccessible(page);
    await expectRoomForLargeText(page);
    await eye.click();
    await expect(password).toHaveAttribute('type', 'password');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await expect(page).toHaveURL(/\/profile$/);
  });

  test('says what failed', async ({ page, server, expectNoise }) => {
    expectNoise(/status of 500/);
    const { email } = await signUp(server);
    const alert = page.getByRole('alert');
    await page.route('**/auth/check-email/', answerWith(500));
    await page.goto('/login');
    await enterEmail(page, email);
    await expect(alert).toHaveText('Unable to check email. Please try again.');

    await page.unroute('**/auth/check-email/');
    await page.route('**/auth/check-email/', answerWith(200, { exists: true, verified: false }));
    await page.route('**/resend-verification/', answerWith(500));
    await page.getByRole('button', { name: 'Continue' }).click();
    await expect(alert).toHaveText('Failed to send verification email. Please try again.');

    await page.unroute('**/auth/check-email/');
    await page.route('**/auth/login/', answerWith(500));
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await expect(alert).toHaveText('Login failed. Please try again.');
  });

  test('says that the server cannot be reached, and keeps the input', async ({
    page,
    server,
    expectNoise,
  }) => {
    expectNoise(/ERR_FAILED/);
    const { email } = await signUp(server);
    await page.goto('/login');
    await enterEmail(page, email);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.route('**/auth/login/', (route) => route.abort());
    await page.getByRole('button', { name: 'Sign in' }).click();
    await expect(page.getByRole('alert')).toHaveText(
      'Cannot reach the server. Nothing was sent. Check your signal and try again.',
    );
    await expect(page.getByLabel('Password')).toHaveValue(PASSWORD);
    await page.unroute('**/auth/login/');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await expect(page).toHaveURL(/\/profile$/);
  });
});

test('the back and forward buttons move between the steps', async ({ page, server }) => {
  const { email } = await signUp(server);
  await page.goto('/login');
  await enterEmail(page, email);
  await page.getByRole('link', { name: 'Forgot your password?' }).click();
  await expectStep(page, 'Reset password');
  await page.goBack();
  await expect(heading(page, 'Login')).toBeFocused();
  await expect(page.getByLabel('Email')).toHaveValue(email);
  await page.getByRole('link', { name: 'Sign up' }).click();
  await expectStep(page, 'Create account');
  await page.goBack();
  await expectStep(page, 'Login');
  await page.goForward();
  await expectStep(page, 'Create account');
  await expect(page).toHaveTitle('Create account · Backboard');
});

test("the router's state may choose the step", async ({ page }) => {
  await page.goto('/login');
  await page.evaluate(() =>
    history.replaceState({ step: 'reset-password', email: 'maya@example.com' }, ''),
  );
  await page.reload();
  await expectStep(page, 'Reset password');
  await expect(page.getByText('maya@example.com')).toBeVisible();
});

async function newPassword(
  page: import('@playwright/test').Page,
  server: RunningServer,
  email: string,
): Promise<string> {
  await page.goto('/login');
  await enterEmail(page, email);
  await page
    .getByRole('link', { name: 'Forgot your password?' })
    .or(heading(page, 'Reset password'))
    .click();
  await page.getByRole('button', { name: 'Reset password' }).click();
  await expect(heading(page, 'Instructions sent!')).toBeFocused();
  const link = linkIn(
    await server.mail.next(email, (mail) => mail.text.includes('/reset-password')),
  );
  await page.goto(link);
  await page.getByLabel('New password').fill(NEW_PASSWORD);
  await page.getByLabel('Confirm password').fill(NEW_PASSWORD);
  await page.getByRole('button', { name: 'Change password' }).click();
  return link;
}

test.describe('password reset', () => {
  test('by mail signs in with the new password; the link works once', async ({ page, server }) => {
    const player = await signUp(server);
    const link = await newPassword(page, server, player.email);
    await expectStep(page, player.username);
    expect(JSON.parse((await stored(page)).user ?? '{}')).toMatchObject({ has_set_password: true });

    await page.goto(link);
    await page.getByLabel('New password').fill(PASSWORD);
    await page.getByLabel('Confirm password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Change password' }).click();
    await expect(page.getByRole('alert')).toHaveText(
      'This link is wrong, already used or no longer works. Ask for a new one.',
    );

    await page.evaluate(() => localStorage.clear());
    await signIn(page, player.email, NEW_PASSWORD);
    await expectStep(page, player.username);
  });

  test('never says whether the account exists', async ({ page }) => {
    const email = newEmail();
    await page.route('**/auth/check-email/', (route) =>
      answerWith(200, { exists: true, verified: true, has_set_password: false })(route),
    );
    await page.goto('/login');
    await enterEmail(page, email);
    await page.getByRole('button', { name: 'Reset password' }).click();
    await expectStep(page, 'Instructions sent!');
    await expect(page.getByRole('status').filter({ hasText: 'Instructions sent!' })).toContainText(
      `If an account exists for ${email}, an email with instructions will arrive within 5 minutes.`,
    );
    await page.getByRole('link', { name: 'Back to login' }).click();
    await expectStep(page, 'Login');
  });

  test('P34: removes the secret from the address bar before any request', async ({ page }) => {
    const asked: string[] = [];
    page.on('request', async (request) => {
      if (request.url().includes('/api/')) asked.push(page.url());
      const headers = await request.allHeaders();
      expect(headers.referer ?? '').not.toContain('secret');
    });
    await page.goto('/reset-password?email=maya%40example.com&token=secret');
    await expectStep(page, 'New password');
    await expect(page.getByLabel('Email')).toHaveValue('maya@example.com');
    await expect(page.getByLabel('Email')).toBeDisabled();
    await expect(page).toHaveURL(/\/reset-password$/);
    expect(asked.filter((url) => url.includes('secret'))).toEqual([]);
    await page.reload();
    await expectStep(page, 'New password');
  });

  test('leads to Login without an address or a secret', async ({ page }) => {
    for (const query of ['', '?email=maya%40example.com', '?token=secret', '?email=&token=']) {
      await page.goto(`/reset-password${query}`);
      await expect(page).toHaveURL(/\/login$/);
      await expectStep(page, 'Login');
    }
  });

  test('compares the two passwords, and says what failed', async ({ page, expectNoise }) => {
    expectNoise(/status of 500/);
    await page.goto('/reset-password?email=maya%40example.com&token=secret');
    const [password, confirm] = [page.getByLabel('New password'), page.getByLabel('Confirm')];
    const change = page.getByRole('button', { name: 'Change password' });
    await password.fill(NEW_PASSWORD);
    await confirm.fill(`${NEW_PASSWORD}!`);
    await change.click();
    await expect(page.getByText('Passwords do not match')).toBeVisible();
    await expect(confirm).toBeFocused();

    await password.fill('short');
    await expect(page.getByText('Passwords do not match')).toBeHidden();
    await confirm.fill('short');
    await change.click();
    await expect(page.getByText('Password must be at least 8 characters long')).toBeVisible();
    await expect(password).toBeFocused();

    await password.fill(NEW_PASSWORD);
    await confirm.fill(NEW_PASSWORD);
    await page.route('**/auth/reset-password/', answerWith(500));
    await change.click();
    await expect(page.getByRole('alert')).toHaveText('Failed to reset password');
    await page.unroute('**/auth/reset-password/');
    await page.route('**/auth/reset-password/', answerWith(400, { password: ['Too common.'] }));
    await change.click();
    await expect(page.getByText('Too common.')).toBeVisible();
    await expect(password).toBeFocused();
  });

  test('says that the mail could not be requested', async ({ page, expectNoise }) => {
    expectNoise(/status of 500/);
    await page.goto('/login');
    await page.evaluate(() =>
      history.replaceState({ step: 'reset-password', email: 'maya@example.com' }, ''),
    );
    await page.reload();
    await page.route('**/auth/request-password-reset/', answerWith(500));
    await page.getByRole('button', { name: 'Reset password' }).click();
    await expect(page.getByRole('alert')).toHaveText('Failed to send reset instructions');
  });
});

test('a player who is signed in on this phone sees the profile', async ({ page, server }) => {
  const player = await signUp(server);
  await signInAs(page, server, player);
  await page.goto('/');
  await expectStep(page, player.username);
});
