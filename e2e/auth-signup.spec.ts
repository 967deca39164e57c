import { USERNAME_INAPPROPRIATE } from '#contract/rules/username.ts';
import { codeIn } from '#testing/mail-sink.ts';
import {
  answerWith,
  chooseBirthdate,
  enterEmail,
  expectStep,
  fillProfile,
  heading,
  register,
  toProfileSetup,
  verify,
} from './auth-steps.ts';
import {
  expect,
  expectAccessible,
  expectNoSidewaysScroll,
  expectRoomForLargeText,
  newAddress,
  newEmail,
  newName,
  PASSWORD,
  signUp,
  test,
} from './fixtures.ts';

/** Long enough for a proof of work on a busy computer. */
const PROOF_PATIENCE_MS = 60_000;

test('the whole sign-up works by keyboard, and each step’s heading is announced', async ({
  page,
  server,
}) => {
  const email = newEmail();
  const username = newName();
  await page.goto('/signup');
  await page.getByLabel('Email').focus();
  await page.keyboard.type(email);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Space');
  await expect(page.getByRole('checkbox')).toBeChecked();
  await page.keyboard.press('Enter');

  await expect(page.getByLabel('Digit 1 of 6')).toBeFocused();
  await page.keyboard.type(codeIn(await server.mail.next(email)));

  await expect(heading(page, 'Birthdate')).toBeFocused();
  for (const part of ['September', '14', '2004']) {
    await page.keyboard.press('Tab');
    await page.keyboard.type(part);
  }
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');

  await expect(heading(page, 'Profile setup')).toBeFocused();
  await page.keyboard.press('Tab');
  await page.keyboard.type(username);
  await page.keyboard.press('Tab');
  await page.keyboard.type(PASSWORD);
  await page.keyboard.press('Tab');
  while (!(await page.getByRole('button', { name: "Let's Play!" }).evaluate(isFocused)))
    await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expectStep(page, username);
  await expect(page).toHaveURL(/\/profile$/);
});

test('P79c: above the network’s limit, the page computes a proof of work and continues', async ({
  page,
  server,
  expectNoise,
}) => {
  expectNoise(/429 \(Too Many Requests\)/);
  const address = newAddress();
  await page.setExtraHTTPHeaders({ 'x-forwarded-for': address });
  for (let n = 0; n < 21; n += 1)
    await fetch(`${server.url}/api/users/resend-verification/`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': address },
      body: JSON.stringify({ email: newEmail() }),
    });
  const asked: string[] = [];
  const loaded: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/auth/register/'))
      asked.push(request.headers()['x-work'] ?? 'no proof');
    if (/\/assets\/(nonce|work)/.test(request.url())) loaded.push(request.url());
  });
  const email = newEmail();
  await page.goto('/signup');
  await page.getByRole('checkbox').check();
  expect(loaded).toEqual([]);
  await enterEmail(page, email);
  await expect(heading(page, 'Verification')).toBeVisible({ timeout: PROOF_PATIENCE_MS });
  expect(asked).toEqual(['no proof', expect.stringMatching(/^[\w.-]+:\d+$/)]);
  expect(loaded.length).toBeGreaterThan(0);
  await page.keyboard.type(codeIn(await server.mail.next(email)));
  await expectStep(page, 'Birthdate');
});

const isFocused = (element: Element) => element === document.activeElement;

test.describe('create account', () => {
  test('needs an address and the terms', async ({ page }) => {
    await page.goto('/signup');
    await page.getByRole('button', { name: 'Continue' }).click();
    await expect(page.getByText('Enter a valid email address.')).toBeVisible();
    await expect(page.getByText('Please agree to the Terms and Privacy Policy')).toBeVisible();
    await expect(page.getByLabel('Email')).toBeFocused();
    await page.getByLabel('Email').fill(newEmail());
    await expect(page.getByText('Enter a valid email address.')).toBeHidden();
    await page.getByRole('button', { name: 'Continue' }).click();
    await expect(page.getByRole('checkbox')).toBeFocused();
    await page.getByRole('checkbox').check();
    await expect(page.getByText('Please agree to the Terms and Privacy Policy')).toBeHidden();
  });

  test('opens the terms and the policy in a new tab', async ({ page, context }) => {
    await page.goto('/signup');
    for (const [link, title] of [
      ['Terms', 'Terms and Conditions'],
      ['Privacy Policy', 'Privacy Policy'],
    ] as const) {
      const opened = context.waitForEvent('page');
      await page.getByRole('link', { name: link }).click();
      const tab = await opened;
      await expectStep(tab, title);
      await tab.close();
    }
    await expectStep(page, 'Create account');
  });

  test('sends a player with an account to Login, keeping the address', async ({ page, server }) => {
    const { email } = await signUp(server);
    await page.goto('/signup');
    await page.getByRole('checkbox').check();
    await enterEmail(page, email);
    await expect(page.getByRole('alert')).toHaveText(
      'An account with this email already exists. Click "Sign in" above to sign in.',
    );
    await page.getByRole('link', { name: 'Sign in' }).click();
    await expectStep(page, 'Login');
    await expect(page.getByLabel('Email')).toHaveValue(email);
  });

  test('continues with an address that was never verified', async ({ page, server }) => {
    const email = newEmail();
    await register(page, email);
    const code = codeIn(await server.mail.next(email));
    await register(page, email.toUpperCase());
    await expect(page.getByText(email)).toBeVisible();
    await page.keyboard.type(code);
    await expectStep(page, 'Birthdate');
  });

  test('says what failed', async ({ page, expectNoise }) => {
    expectNoise(/status of 500/);
    const alert = page.getByRole('alert').filter({ hasText: /./ });
    await page.route('**/auth/check-email/', answerWith(500));
    await page.goto('/signup');
    await page.getByRole('checkbox').check();
    await enterEmail(page, newEmail());
    await expect(alert).toHaveText('Failed to process email. Please try again.');

    await page.unroute('**/auth/check-email/');
    await page.route('**/auth/register/', answerWith(500));
    await page.getByRole('button', { name: 'Continue' }).click();
    await expect(alert).toHaveText('Registration failed. Please try again.');

    await page.unroute('**/auth/register/');
    await page.route('**/auth/check-email/', answerWith(200, { exists: true, verified: false }));
    await page.route('**/resend-verification/', answerWith(500));
    await page.getByRole('button', { name: 'Continue' }).click();
    await expect(alert).toHaveText('An error occurred. Please try again.');
  });
});

test.describe('verification', () => {
  test('refuses and clears a wrong code, then takes the right one', async ({ page, server }) => {
    const email = newEmail();
    await register(page, email);
    const code = codeIn(await server.mail.next(email));
    const wrong = code === '000000' ? '000001' : '000000';
    await page.keyboard.type(wrong);
    await expect(page.getByRole('alert').filter({ hasText: /./ })).toHaveText(
      'This code is wrong or no longer works. You can ask for a new one.',
    );
    for (let box = 1; box <= 6; box += 1)
      await expect(page.getByLabel(`Digit ${box} of 6`)).toHaveValue('');
    await expect(page.getByLabel('Digit 1 of 6')).toBeFocused();
    await page.keyboard.type(code.slice(0, 1));
    await expect(page.getByText('This code is wrong')).toBeHidden();
    await page.keyboard.type(code.slice(1));
    await expectStep(page, 'Birthdate');
  });

  test('continues when another tab has used the code', async ({ page, server, context }) => {
    const email = newEmail();
    await register(page, email);
    const other = await context.newPage();
    await other.goto('/signup');
    await other.evaluate(
      (state) => history.replaceState(state, ''),
      await page.evaluate(() => history.state),
    );
    await other.reload();
    await expectStep(other, 'Verification');
    await other.keyboard.type(codeIn(await server.mail.next(email)));
    await expectStep(other, 'Birthdate');
    await expectStep(page, 'Birthdate');
    await page.reload();
    await expectStep(page, 'Birthdate');
  });

  test('moves between boxes, and Verify waits for six digits', async ({ page }) => {
    await page.route('**/verify-email/', answerWith(400, {}));
    await register(page, newEmail());
    const box = (n: number) => page.getByLabel(`Digit ${n} of 6`);
    const verifyButton = page.getByRole('button', { name: 'Verify' });
    await page.keyboard.type('4x8 2');
    await expect(box(4)).toBeFocused();
    await expect(box(3)).toHaveValue('2');
    await expect(verifyButton).toHaveAttribute('aria-disabled', 'true');
    await page.keyboard.press('Backspace');
    await expect(box(3)).toBeFocused();
    await expect(box(3)).toHaveValue('');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.type('9');
    await expect(box(2)).toHaveValue('9');
    await page.keyboard.press('Home');
    await page.keyboard.press('Delete');
    await expect(box(1)).toHaveValue('9');
    await verifyButton.press('Enter');
    await expect(page.getByText('Verification failed')).toBeHidden();
    await box(2).focus();
    await page.keyboard.type('12345');
    await expect(page.getByText('Verification failed')).toBeVisible();
  });

  test('takes a code pasted anywhere', async ({ page, server, context }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const email = newEmail();
    await register(page, email);
    const code = codeIn(await server.mail.next(email));
    await page.evaluate((text) => navigator.clipboard.writeText(text), `Your code: ${code}.`);
    await heading(page, 'Verification').click();
    await page.keyboard.press('Control+V');
    await expectStep(page, 'Birthdate');
  });

  test('takes a code that the phone autofills', async ({ page, server }) => {
    const email = newEmail();
    await register(page, email);
    await page.getByLabel('Digit 1 of 6').fill(codeIn(await server.mail.next(email)));
    await expectStep(page, 'Birthdate');
  });

  test('counts down until another code can be requested, and a new request clears the boxes', async ({
    page,
  }) => {
    await page.clock.install();
    await register(page, newEmail());
    const again = page.getByRole('button', { name: /^Resend code/ });
    await expect(again).toHaveText(/in (60|5\d) s/);
    await expect(again).toHaveAttribute('aria-disabled', 'true');
    await page.clock.fastForward(30_000);
    await expect(again).toHaveText(/in (30|2\d) s/);
    await page.reload();
    await expect(again).toHaveText(/in (30|2\d|1\d) s/);
    await page.clock.fastForward(31_000);
    await expect(again).toHaveText('Resend code');
    await page.keyboard.type('12');
    await again.click();
    // Filter by text: the overlay is a status too.
    await expect(
      page.getByRole('status').filter({ hasText: 'New verification code sent successfully!' }),
    ).toBeVisible();
    await expect(page.getByLabel('Digit 1 of 6')).toHaveValue('');
    await expect(page.getByLabel('Digit 1 of 6')).toBeFocused();
    await expect(again).toHaveText(/in (60|5\d) s/);
    await page.reload();
    await expect(again).toHaveText(/in (60|5\d|4\d) s/);
  });

  test('after a lost answer, the player can get a link instead of a code', async ({
    page,
    server,
    expectNoise,
  }) => {
    expectNoise(/ERR_FAILED/);
    const email = newEmail();
    await register(page, email);
    const code = codeIn(await server.mail.next(email));
    await page.route(
      '**/verify-email/',
      async (route) => {
        await route.fetch();
        await route.abort();
      },
      { times: 1 },
    );
    await page.keyboard.type(code);
    await expect(page.getByText('Cannot reach the server.')).toBeVisible();
    const link = page.getByRole('button', { name: 'Mail me a link instead' });
    await expect(link).toBeHidden();
    await page.getByRole('button', { name: 'Verify' }).click();
    await expect(page.getByText('This code is wrong')).toBeVisible();
    await expect(link).toBeVisible();
    await page.reload();
    await expect(page.getByLabel('Digit 1 of 6')).toBeFocused();
    await page.keyboard.type(code);
    await link.click();
    await expect(heading(page, 'Instructions sent!')).toBeFocused();
    await server.mail.next(email, ({ text }) => text.includes('/reset-password?'));
  });

  test('P20a: while codes are paused, the player can get a link instead of a code', async ({
    page,
    server,
  }) => {
    const alert = page.getByRole('alert').filter({ hasText: /./ });
    const link = page.getByRole('button', { name: 'Mail me a link instead' });
    const email = newEmail();
    await register(page, email);
    await expect(page.getByLabel('Digit 1 of 6')).toBeFocused();
    await page.keyboard.type('000000');
    await expect(alert).toHaveText(/^This code is wrong/);
    await expect(link).toBeHidden();
    // Use up the wrong codes of a day (P20) and the mails of an hour (P22).
    await server.sql(`
      update limits set points = 20 where key like 'code-wrong:%' or key like 'code-hour:%'`);
    await server.sql(`delete from limits where key like 'code-pause:%'`);
    await page.keyboard.type('000000');
    await expect(alert).toHaveText(
      'Too many wrong codes today. Use "Mail me a link instead" to get in.',
    );
    await expect(link).toBeVisible();

    await page.goto('/login');
    await enterEmail(page, email);
    await expectStep(page, 'Verification');
    await expect(alert).toHaveText(/Too many/);
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
    await link.press('Enter');
    await expect(heading(page, 'Instructions sent!')).toBeFocused();
    const mail = await server.mail.next(email, ({ text }) => text.includes('/reset-password?'));
    await page.goto(/http\S+\/reset-password\?\S+/.exec(mail.text)?.[0] ?? '');
    await page.getByLabel('New password').fill(PASSWORD);
    await page.getByLabel('Confirm password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Change password' }).click();
    await expectStep(page, 'Birthdate');
  });

  test('P20a: a sign-up that is limited throughout offers a link, unless the address is new', async ({
    page,
    expectNoise,
  }) => {
    expectNoise(/status of 429/);
    await page.route('**/auth/register/', answerWith(429, { detail: 'Not so often.' }));
    await page.goto('/signup');
    await page.getByRole('checkbox').check();
    await enterEmail(page, newEmail());
    await expect(page.getByText('Not so often.')).toBeVisible();
    await expectStep(page, 'Create account');
    await page.route('**/auth/check-email/', answerWith(429, { detail: 'Not now.' }));
    await page.getByRole('button', { name: 'Continue' }).click();
    await expectStep(page, 'Verification');
    await expect(page.getByText('Not so often.')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Mail me a link instead' })).toBeVisible();
  });

  test('says what failed', async ({ page, expectNoise }) => {
    expectNoise(/status of 500/);
    const alert = page.getByRole('alert').filter({ hasText: /./ });
    await page.clock.install();
    await register(page, newEmail());
    await page.clock.fastForward(61_000);
    await page.route('**/resend-verification/', answerWith(500));
    await page.getByRole('button', { name: 'Resend code' }).click();
    await expect(alert).toHaveText('Failed to resend verification code');
    await page.unroute('**/resend-verification/');
    await page.route('**/resend-verification/', answerWith(429, { detail: 'Not so often.' }));
    await page.getByRole('button', { name: 'Resend code' }).click();
    await expect(alert).toHaveText('Not so often.');
  });
});

test.describe('birth date', () => {
  test('needs all three parts, offers the days of the month, and is checked by the server', async ({
    page,
    server,
  }) => {
    await verify(page, server, newEmail());
    const continueButton = page.getByRole('button', { name: 'Continue' });
    const message = page.getByRole('alert').filter({ hasText: /./ });
    await page.getByLabel('Month').selectOption('April');
    await continueButton.click();
    await expect(message).toHaveText('Date of birth is required');
    await expect(page.getByLabel('Day')).toBeFocused();
    await expect(page.getByLabel('Month')).not.toHaveAttribute('aria-invalid');

    const days = page.getByLabel('Day').locator('option');
    for (const [month, count] of [
      ['February', 29],
      ['April', 30],
      ['December', 31],
    ] as const) {
      await page.getByLabel('Month').selectOption(month);
      // One option is empty.
      await expect(days).toHaveCount(count + 1);
    }
    const years = page.getByLabel('Year').locator('option');
    const now = new Date().getFullYear();
    await expect(years).toHaveCount(112);
    await expect(years.nth(1)).toHaveText(`${now}`);
    await expect(years.last()).toHaveText(`${now - 110}`);

    await page.getByLabel('Day').selectOption('31');
    await page.getByLabel('Month').selectOption('February');
    await expect(page.getByLabel('Day')).toHaveValue('');

    await chooseBirthdate(page, ['February', '29', '2003']);
    await expect(message).toHaveText('Enter a valid date.');
    await expect(page.getByLabel('Month')).toBeFocused();
    for (const part of ['Month', 'Day', 'Year'])
      await expect(page.getByLabel(part)).toHaveAttribute('aria-invalid', 'true');
    // HAND-91 P115: before the page sends the date, it asks a child what it asks a 17-year-old.
    const question = heading(page, 'Is this right?');
    for (const year of [now - 17, now - 10]) {
      await chooseBirthdate(page, ['January', '1', `${year}`]);
      await expect(question).toBeFocused();
      await expect(page.getByText(`1 January ${year}`)).toBeVisible();
      await expectAccessible(page);
      await page.getByRole('button', { name: 'Change it' }).click();
      await expect(page.getByLabel('Year')).toHaveValue(`${year}`);
    }
    await continueButton.click();
    await page.getByRole('button', { name: 'Yes' }).click();
    await expect(heading(page, 'Not yet')).toBeFocused();
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
    await expectRoomForLargeText(page);
    await page.reload();
    await expect(heading(page, 'Not yet')).toBeVisible();
    await expect(
      page.getByText('You must be at least 13 years old to use Backboard.'),
    ).toBeVisible();
    await expect(page.getByRole('combobox')).toHaveCount(0);
    // Another account signs in, in another tab.
    await page.evaluate(() => {
      const user = JSON.parse(localStorage.getItem('user') ?? '{}');
      const other = JSON.stringify({ ...user, email: `other.${user.email}` });
      localStorage.setItem('user', other);
      window.dispatchEvent(new StorageEvent('storage'));
    });
    await expect(heading(page, 'Birthdate')).toBeVisible();
    await page.getByRole('button', { name: 'Sign in' }).click();
    await expectStep(page, 'Login');
  });

  test('says what failed', async ({ page, server, expectNoise }) => {
    expectNoise(/status of 500/);
    await verify(page, server, newEmail());
    const message = page.getByRole('alert').filter({ hasText: /./ });
    await page.route('**/api/users/profile/', (route) =>
      route.request().method() === 'PATCH' ? answerWith(500)(route) : route.continue(),
    );
    await chooseBirthdate(page);
    await expect(message).toHaveText('Failed to save date of birth. Please try again.');
    await chooseBirthdate(page, ['January', '1', `${new Date().getFullYear() - 17}`]);
    await page.getByRole('button', { name: 'Yes' }).click();
    await expect(message).toHaveText('Failed to save date of birth. Please try again.');
    await expect(page.getByLabel('Month')).toBeFocused();
  });

  test('signs out and leads back to Login for another account', async ({ page, server }) => {
    await verify(page, server, newEmail());
    await page.getByRole('button', { name: 'Sign in' }).click();
    await expectStep(page, 'Login');
    await expect(page).toHaveURL(/\/login$/);
    expect(await page.evaluate(() => localStorage.length)).toBe(0);
    await page.goBack();
    await expect(heading(page, 'Birthdate')).toBeHidden();
  });
});

test.describe('profile setup', () => {
  test('checks the name and the password, in the page and on the server', async ({
    page,
    server,
  }) => {
    const taken = await signUp(server);
    await toProfileSetup(page, server, newEmail());
    const username = page.getByLabel('Username');
    const play = page.getByRole('button', { name: "Let's Play!" });

    await play.click();
    await expect(page.getByText('Username is required')).toBeVisible();
    await expect(page.getByText('Password must be at least 8 characters long')).toBeVisible();
    await expect(username).toBeFocused();

    await username.pressSequentially('Ma yaé_');
    await expect(username).toHaveValue('Mayae_');
    await expect(page.getByText('Username is required')).toBeHidden();
    await username.pressSequentially('!');
    await expect(username).toHaveAccessibleDescription(
      /^Left out: “!”\. Username can only contain/,
    );
    await username.pressSequentially('-1234567890');
    await expect(username).toHaveValue('Mayae_-1234');
    await expect(page.getByText('Left out')).toBeHidden();

    await page.getByLabel('Password').fill(PASSWORD);
    for (const [name, message] of [
      ['Al', 'Username must be at least 3 characters long'],
      ['shithead', USERNAME_INAPPROPRIATE],
      ['s_h_1_i_t', USERNAME_INAPPROPRIATE],
      [taken.username.toUpperCase(), 'This username is already taken.'],
    ] as const) {
      await username.fill(name);
      await play.click();
      await expect(page.getByText(message)).toBeVisible();
      await expect(username).toBeFocused();
    }

    await username.fill(newName());
    await page.getByLabel('Password').fill('password');
    await play.click();
    await expect(page.getByLabel('Password')).toHaveAttribute('aria-invalid', 'true');
    await expect(page.getByLabel('Password')).toBeFocused();
  });

  test('HAND-99: says how long a password must be, and puts a valid name on the jersey', async ({
    page,
    server,
  }) => {
    await toProfileSetup(page, server, newEmail());
    const password = page.getByLabel('Password');
    await expect(password).toHaveAccessibleDescription('At least 8 characters');
    await page.getByRole('button', { name: "Let's Play!" }).click();
    await expect(password).toHaveAccessibleDescription(
      'Password must be at least 8 characters long',
    );
    await expect(page.getByText('At least 8 characters', { exact: true })).toBeHidden();
    const username = page.getByLabel('Username');
    const jersey = page.getByRole('group', { name: 'Avatar' }).getByRole('img');
    const name = newName();
    for (const [typed, shown] of [
      ['Al', 'Jersey 00'],
      [name, `Jersey 00, ${name.toUpperCase()}`],
      ['shithead', 'Jersey 00'],
      [`${name}x`, `Jersey 00, ${name.toUpperCase()}X`],
      ['', 'Jersey 00'],
    ] as const) {
      await username.fill(typed);
      await expect(jersey).toHaveAccessibleName(shown);
    }
  });

  test('ends with the celebration, which a tap skips', async ({ page, server }) => {
    await toProfileSetup(page, server, newEmail());
    const username = newName();
    // Stop the clock, so that the celebration does not end.
    await page.clock.install();
    await page.clock.pauseAt(Date.now() + 60_000);
    await fillProfile(page, username);
    const party = page.locator('[aria-hidden][data-player]');
    await expect(party).toBeVisible();
    await party.click();
    await expect(party).toBeHidden();
    await expectStep(page, username);
  });

  test('leads from the celebration to the profile', async ({ page, server }) => {
    await toProfileSetup(page, server, newEmail());
    const username = newName();
    await fillProfile(page, username);
    await expectStep(page, username);
    await expect(page.locator('[aria-hidden][data-player]')).toHaveCount(0);
    await expect(
      page.getByRole('main').getByRole('img', { name: `Jersey 00, ${username.toUpperCase()}` }),
    ).toBeVisible();
  });

  test('goes straight to the profile with reduced motion', async ({ page, server }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await toProfileSetup(page, server, newEmail());
    const username = newName();
    const parties: string[] = [];
    await page.exposeFunction('sawParty', () => parties.push('party'));
    await page.evaluate(() => {
      new MutationObserver(() => {
        if (document.querySelector('[aria-hidden][data-player]'))
          (window as unknown as { sawParty(): void }).sawParty();
      }).observe(document.body, { subtree: true, childList: true });
    });
    await fillProfile(page, username);
    await expectStep(page, username);
    expect(parties).toEqual([]);
  });

  test('does not celebrate when the server refuses, and says what failed', async ({
    page,
    server,
    expectNoise,
  }) => {
    expectNoise(/status of 500/);
    await toProfileSetup(page, server, newEmail());
    await page.route('**/api/users/profile/', (route) =>
      route.request().method() === 'PATCH' ? answerWith(500)(route) : route.continue(),
    );
    await fillProfile(page, newName());
    await expect(page.getByRole('alert').filter({ hasText: /./ })).toHaveText(
      'Profile setup failed. Please try again.',
    );
    await expectStep(page, 'Profile setup');
  });
});

test('a reload at any step of onboarding continues there', async ({ page, server }) => {
  await verify(page, server, newEmail());
  await page.reload();
  await expectStep(page, 'Birthdate');
  await page.goto('/profile');
  await expectStep(page, 'Birthdate');
  await chooseBirthdate(page);
  await expectStep(page, 'Profile setup');
  await page.reload();
  await expectStep(page, 'Profile setup');
  await page.goto('/');
  await expectStep(page, 'Profile setup');
  await page.goto('/signup');
  await expectStep(page, 'Create account');
  await page.goBack();
  await expectStep(page, 'Profile setup');
  const username = newName();
  await fillProfile(page, username);
  await expectStep(page, username);
});
