import type { CDPSession, Page } from '@playwright/test';
import { expect, expectAccessible, expectNoSidewaysScroll, test } from './fixtures.ts';
import type { RunningServer } from './server.ts';

/** Plugs a virtual authenticator into a page: a screen lock that always says yes. */
async function withPasskeys(page: Page): Promise<{ cdp: CDPSession; id: string }> {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('WebAuthn.enable');
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return { cdp, id: authenticatorId };
}

/** Adds somebody by the command line, and returns their link. */
async function invite(server: RunningServer, name: string, ...more: string[]): Promise<string> {
  return JSON.parse(await server.backboard('staff', 'add', name, ...more, '--json')).url;
}

test('P60 P61: a link on the terminal sets up a passkey, which signs in again', async ({
  page,
  server,
}) => {
  await withPasskeys(page);
  const link = await invite(server, 'Ines Duarte', '--role', 'owner');
  await page.goto(link);
  await expect(page.getByRole('heading', { name: 'Hello Ines' })).toBeVisible();
  // The secret has left the address.
  expect(page.url()).toBe(`${server.url}/console/join`);
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  await page.getByLabel('What do you call this device?').fill('Bar tablet');
  await page.getByRole('button', { name: 'Set up your passkey on this device' }).click();
  await expect(page.getByRole('heading', { name: 'Tonight' })).toBeVisible();
  await expect(page).toHaveURL(`${server.url}/console/`);
  await expect(page.getByText('Live').first()).toBeVisible();
  await expectAccessible(page);

  await page.getByRole('link', { name: 'More' }).click();
  await expect(page.getByRole('heading', { name: 'More' })).toBeFocused();
  await expect(page.getByText('This device, passkey since')).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Sign out' }).click();
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await expect(page.getByRole('heading', { name: 'More' })).toBeVisible();

  await page.goto(link);
  await page.reload();
  await expect(page.getByRole('heading', { name: 'This link is used' })).toBeVisible();
});
