import { expect, expectAccessible, expectNoSidewaysScroll, test } from './fixtures.ts';
import { type RunningServer, startServer } from './server.ts';

/** How soon a change is on the screen after its commit (MACH-16). */
const LIVE = { timeout: 5_000 };

// Its own server: the shared one's console is not empty.
let server: RunningServer;
test.beforeAll(async () => {
  server = await startServer();
});
test.afterAll(() => server.close());

test('MACH-16 MACH-17: an empty console, a machine with its key, its call, its game and its repair', async ({
  page,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const cdp = await context.newCDPSession(page);
  await cdp.send('WebAuthn.enable');
  await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  const invited = await server.backboard(
    'staff',
    'add',
    'Marek Nowak',
    '--role',
    'owner',
    '--json',
  );
  await page.goto(JSON.parse(invited).url);
  await page.getByRole('button', { name: 'Set up your passkey on this device' }).click();
  await expect(page.getByRole('heading', { name: /Welcome, Marek|Tonight/ }).first()).toBeVisible();
  await expectAccessible(page);
  await expect(page.getByRole('link', { name: 'Make a league' })).toHaveAttribute(
    'href',
    '/console/leagues',
  );
  await expect(page.getByRole('link', { name: 'Ask the others in' })).toHaveAttribute(
    'href',
    '/console/staff',
  );

  await page.getByRole('link', { name: 'Add a machine' }).click();
  await expect(page.getByRole('heading', { name: 'Add a machine' })).toBeFocused();
  await expect(
    page.getByRole('navigation', { name: 'Console' }).getByRole('link', { name: 'Tonight' }),
  ).toHaveAttribute('aria-current', 'page');
  await page.getByLabel('Name', { exact: true }).fill('Hoop 77');
  await page.getByLabel('Venue', { exact: true }).selectOption({ label: 'A new venue…' });
  await page.getByLabel('Name of the venue').fill('Dockside Arcade');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Add and show the key' }).click();
  await expect(page.getByText('Waiting for Hoop 77 to call')).toBeVisible();
  await page.getByRole('button', { name: 'Copy' }).click();
  await expect(page.getByText('Copied.')).toBeVisible();
  const key = await page.evaluate(() => navigator.clipboard.readText());
  expect(key).toMatch(/^bbm_/);
  await expect(page.locator('code.key')).toHaveText(key);
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);

  // Its first call is on the page, and its status on the card, without a reload.
  const tell = (status: object) =>
    fetch(`${server.url}/api/machine/status/`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(status),
    });
  expect((await tell({ queued: 0 })).status).toBe(200);
  await expect(page.getByText(/Hoop 77 called with it at/)).toBeVisible(LIVE);
  await page.getByRole('link', { name: 'Tonight', exact: true }).first().click();
  const card = page
    .getByRole('listitem')
    .filter({ has: page.getByRole('heading', { name: 'Hoop 77' }) });
  await expect(card.getByText('Idle')).toBeVisible();
  await tell({ queued: 9, playing: true, software: '1.4.2' });
  await expect(card.getByText('Playing now')).toBeVisible(LIVE);
  await expect(card.getByText('9 waiting')).toBeVisible();
  await expect(card.getByText('v 1.4.2')).toBeVisible();
  for (const width of [390, 820, 1280]) {
    await page.setViewportSize({ width, height: 900 });
    await expectNoSidewaysScroll(page);
  }
  await expectAccessible(page);

  await card.getByRole('link', { name: 'Hoop 77' }).click();
  await expect(page.getByRole('heading', { name: 'Hoop 77' })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Mark in repair' }).click();
  await expect(page.getByText(/Marked by Marek Nowak/)).toBeVisible(LIVE);
  await page.getByRole('button', { name: 'Back in service' }).click();
  await expect(page.getByRole('button', { name: 'Mark in repair' })).toBeVisible(LIVE);
  await page.getByLabel('Always open').uncheck();
  await page.getByRole('button', { name: 'Save the hours' }).click();
  await expect(page.getByText('Tick the days on which it is open.')).toBeVisible();
  await page.getByRole('checkbox', { name: 'Friday' }).check();
  await page.getByLabel('Friday closes').fill('01:00');
  await expect(page.getByText('until Sat 01:00')).toBeVisible();
  await page.getByRole('button', { name: 'Every day as on Friday' }).click();
  await page.getByRole('checkbox', { name: 'Monday' }).uncheck();
  await page.getByRole('button', { name: 'Save the hours' }).click();
  await expect(page.getByText('Saved.')).toBeVisible();
  await page.reload();
  await expect(page.getByLabel('Sunday closes')).toHaveValue('01:00');
  await expect(page.getByRole('checkbox', { name: 'Monday' })).not.toBeChecked();
  await expectAccessible(page);
  await page.goto(`${server.url}/console/more`);
  await page.getByLabel('Email for mails about machines').fill('marek@example.com');
  await page.getByRole('button', { name: 'Save the address' }).click();
  await expect(page.getByText('Saved.')).toBeVisible();
  await page.goBack();
  await page.getByRole('button', { name: 'Revoke' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await dialog.getByRole('button', { name: 'Revoke' }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByText('Out of service', { exact: true })).toBeVisible(LIVE);
  expect((await tell({})).status).toBe(403);
});
