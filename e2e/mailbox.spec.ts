import { type RunningServer, startServer } from '#testing/server.ts';
import { expect, expectAccessible, expectNoSidewaysScroll, newEmail, test } from './fixtures.ts';

// Use a separate server: only one without SMTP has the mailbox.
let server: RunningServer;
test.beforeAll(async () => {
  server = await startServer({ SMTP_URL: '' });
});
test.afterAll(() => server.close());

// Only callers on this computer may open the mailbox (P46), so send no X-Forwarded-For.
test.use({ extraHTTPHeaders: {} });

const ask = (path: string, email: string) =>
  fetch(`${server.url}/api/users/${path}/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email }),
  });

test('a mail appears in the mailbox without a reload, as text and HTML, and its links work', async ({
  page,
  expectNoise,
}) => {
  // The frame blocks all scripts, the test's too.
  expectNoise(/^Blocked script execution in .*\/dev\/mailbox\/html\/.* sandboxed/);
  const email = newEmail();
  await page.goto(`${server.url}/dev/mailbox`);
  await expect(page.getByText('No mails yet.')).toBeVisible();

  await ask('auth/register', email);
  await expect(page.getByRole('link', { name: `Your verification code ${email}` })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Your verification code' })).toBeVisible();
  const code = /is (\d{6})/.exec((await page.locator('pre').textContent()) ?? '')?.[1] ?? '';
  const frame = page.frameLocator('iframe');
  await expect(frame.getByText(code, { exact: true })).toBeVisible();

  await ask('auth/request-password-reset', email);
  await expect(page.getByRole('heading', { name: 'Reset your password' })).toBeVisible();
  const opened = page.waitForEvent('popup');
  await frame.getByRole('link', { name: 'Choose a new password' }).click();
  await (await opened).waitForURL(/\/reset-password/);

  const list = page.getByRole('navigation', { name: 'Mails' }).getByRole('link');
  await expect(list).toHaveText([/^Reset your password/, /^Your verification code/]);
  await list.last().click();
  await expect(frame.getByText(code, { exact: true })).toBeVisible();

  await expectNoSidewaysScroll(page);
  // axe cannot run in the frame.
  await page.locator('iframe').evaluate((element) => element.remove());
  await expectAccessible(page);
});

test('the API page is readable on a phone, with its style', async ({ page }) => {
  await page.goto(`${server.url}/api/docs`);
  await expect(page.getByRole('heading', { name: 'Backboard API' })).toHaveCSS(
    'color',
    'rgb(255, 255, 255)',
  );
  await page.getByRole('link', { name: 'POST /api/machine/games/' }).click();
  await expect(page.getByRole('heading', { name: 'POST /api/machine/games/' })).toBeInViewport();
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
});
