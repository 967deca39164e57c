import { randomUUID } from 'node:crypto';
import { type RunningServer, startServer } from '#testing/server.ts';
import { expect, expectAccessible, newEmail, newName, PASSWORD, test } from './fixtures.ts';
import { figures, scan } from './profile-page.ts';

let server: RunningServer;
test.beforeAll(async () => {
  // Without SMTP, mails go to the mailbox page.
  server = await startServer({ SMTP_URL: '' });
});
test.afterAll(() => server.close());

// Only callers on this computer may open the mailbox (P46), so send no X-Forwarded-For.
test.use({ extraHTTPHeaders: {} });

test('a player gets from the first visit to the first game on the profile', async ({
  page,
  context,
  expectNoise,
}) => {
  expectNoise(/the document's frame is sandboxed/);
  const email = newEmail();
  const username = newName();

  await test.step('create an account', async () => {
    await page.goto(server.url);
    await expect(page).toHaveURL(/\/login$/);
    await page.getByRole('link', { name: 'Sign up' }).click();
    await expect(page.getByRole('heading', { name: 'Create account' })).toBeVisible();
    await page.getByRole('textbox', { name: 'Email' }).fill(email);
    await page.getByRole('button', { name: 'Continue' }).click();
    await expect(page.getByText('Please agree to the Terms and Privacy Policy')).toBeVisible();
    await page.getByRole('checkbox').check();
    await page.getByRole('button', { name: 'Continue' }).click();
    await expect(page.getByRole('heading', { name: 'Verification' })).toBeVisible();
  });

  await test.step('take the code from the mail', async () => {
    const mailbox = await context.newPage();
    await mailbox.goto(`${server.url}/dev/mailbox`);
    await mailbox.getByText(email).first().click();
    const mail = mailbox.frameLocator('iframe').locator('body');
    await expect(mail).toContainText(/\d{6}/);
    const code = /\b\d{6}\b/.exec((await mail.textContent()) ?? '')?.[0] ?? '';
    await mailbox.close();
    await page.getByRole('heading', { name: 'Verification' }).waitFor();
    await page.keyboard.type(code);
    await expect(page.getByRole('heading', { name: 'Birthdate' })).toBeVisible();
  });

  await test.step('birth date and profile', async () => {
    await page.getByLabel('Month').selectOption({ label: 'September' });
    await page.getByLabel('Day').selectOption('14');
    await page.getByLabel('Year').selectOption('2004');
    await page.getByRole('button', { name: 'Continue' }).click();
    await expect(page.getByRole('heading', { name: 'Profile setup' })).toBeVisible();
    await page.getByLabel('Username').fill(username);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('spinbutton', { name: 'Jersey number' }).fill('7');
    await page.getByRole('slider').fill('28');
    await page.getByRole('button', { name: "Let's Play!" }).click();
    await expect(page).toHaveURL(/\/profile$/);
  });

  await test.step('the profile shows the pass and no games yet', async () => {
    await expect(page.getByRole('heading', { level: 1, name: username })).toBeVisible();
    await expect(page.getByText(email)).toBeVisible();
    await expect(
      page.getByRole('img', { name: `Jersey 07, ${username.toUpperCase()}` }),
    ).toBeVisible();
    await expect.poll(() => figures(page)).toEqual(['0', '0', '0']);
  });

  let uuid = '';
  await test.step('the code is readable once the celebration has faded', async () => {
    const read = async () => {
      uuid = (await scan(page)).text ?? '';
      return uuid;
    };
    await expect.poll(read).toMatch(/^[0-9a-f-]{36}$/);
    await expectAccessible(page);
  });

  await test.step('a reload keeps the player signed in', async () => {
    await page.reload();
    await expect(page.getByRole('heading', { level: 1, name: username })).toBeVisible();
  });

  await test.step('sign out, and sign in with the password', async () => {
    await page.getByRole('button', { name: /menu/i }).click();
    await page.getByRole('menuitem', { name: 'Sign Out' }).click();
    await expect(page).toHaveURL(/\/login$/);
    await page.getByRole('textbox', { name: 'Email' }).fill(email.toUpperCase());
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await expect(page.getByRole('heading', { level: 1, name: username })).toBeVisible();
  });

  await test.step('the machine reports a game, twice', async () => {
    const machine = await server.addMachine('Court 1');
    expect(machine.key).toMatch(/^bbm_/);
    const game = {
      id: randomUUID(),
      player: uuid,
      score: 417,
      played_at: new Date().toISOString(),
    };
    expect(await server.play(machine.key, game)).toMatchObject({
      status: 'recorded',
      counts: 'no_team',
      personal_best: true,
    });
    expect(await server.play(machine.key, game)).toMatchObject({ status: 'duplicate' });
    await page.reload();
    await expect.poll(() => figures(page)).toEqual(['1', '417', '417']);
  });
});
