import type { Page } from '@playwright/test';
import {
  expect,
  expectAccessible,
  expectNoSidewaysScroll,
  inviteStaff,
  PASSWORD,
  setUpPasskey,
  signUp,
  test,
} from './fixtures.ts';

const BLOCKED = /^This browser blocks cookies and stored data for localhost:\d+\. Allow them/;
const NOT_KEPT =
  'This could not be kept on this device: its storage is full. Free some space, then try again.';

/** Imitates a browser whose settings block all cookies. */
function blockStorage(): void {
  for (const name of ['localStorage', 'sessionStorage', 'indexedDB'])
    Object.defineProperty(window, name, {
      get() {
        throw new DOMException('Access is denied for this document.', 'SecurityError');
      },
    });
}

/** Imitates a full disk or a used-up quota. Frames inside the page can still store. */
function fillStorage(): void {
  if (window !== window.top) return;
  Storage.prototype.setItem = () => {
    throw new DOMException('The quota has been exceeded.', 'QuotaExceededError');
  };
}

for (const path of ['/login', '/signup', '/profile', '/join/ABC234', '/privacy', '/console/'])
  test(`PROD-167: with blocked storage, ${path} says what to allow`, async ({ page }) => {
    await page.addInitScript(blockStorage);
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Storage is blocked');
    await expect(page.getByText(BLOCKED)).toBeVisible();
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
    const loaded = page.waitForEvent('load');
    await page.getByRole('button', { name: 'Load again' }).click();
    await loaded;
    await expect(page.getByText(BLOCKED)).toBeVisible();
  });

test('PROD-167: with blocked storage, a television says that storage is blocked, and can be paired', async ({
  page,
}) => {
  await page.addInitScript(blockStorage);
  await page.setViewportSize({ width: 1280, height: 720 });
  await page.goto('/screen');
  await expect(page.getByRole('heading', { name: 'Pair this screen' })).toBeVisible();
  await expect(page.getByText('Its browser blocks stored data').last()).toBeVisible();
});

async function signIn(page: Page, email: string): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

test('PROD-167: with full storage, a right password is not called wrong', async ({
  page,
  server,
}) => {
  const { email, username } = await signUp(server);
  await page.addInitScript(fillStorage);
  await expect(async () => {
    await page.goto('/login');
    await page.getByRole('button', { name: /^Sign in with Google/ }).click({ timeout: 3_000 });
  }).toPass();
  await expect(page.getByRole('alert')).toHaveText(NOT_KEPT);
  await page.reload();
  await signIn(page, email);
  await expect(page.getByRole('alert')).toHaveText(NOT_KEPT);
  // The session that could not be stored is ended.
  await expect
    .poll(async () => {
      const [row] = await server.sql(
        `select count(*)::integer as open from sessions s join players p on p.id = s.player_id
         where p.email = $1`,
        [email],
      );
      return row?.open;
    })
    .toBe(1);
  await page.evaluate(() => {
    const frame = document.createElement('iframe');
    document.body.append(frame);
    const own = frame.contentWindow as unknown as { Storage: typeof Storage };
    Storage.prototype.setItem = own.Storage.prototype.setItem;
  });
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1, name: username })).toBeVisible();
});

test('PROD-167: with full storage, the console applies a choice and says that the choice is not kept', async ({
  page,
  server,
}) => {
  await setUpPasskey(page, await inviteStaff(server, 'Full Disk', '--role', 'owner'));
  await expect(page.getByRole('heading', { level: 1, name: /^(Tonight|Welcome)/ })).toBeVisible();
  await page.goto('/console/more');
  await page.evaluate(fillStorage);
  await page.getByRole('switch', { name: /^Dark/ }).click();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await expect(page.getByText(NOT_KEPT)).toBeVisible();
});
