import {
  expect,
  expectAccessible,
  expectNoSidewaysScroll,
  expectRoomForLargeText,
  signUp,
  test,
} from './fixtures.ts';
import { goTo, openProfile } from './profile-page.ts';

test.use({ serviceWorkers: 'allow' });

test('HAND-97: the chosen theme is painted from the first frame, and lasts until Sign Out', async ({
  page,
  server,
}) => {
  test.slow();
  const player = await signUp(server);
  await openProfile(page, server, player);
  await page.evaluate(() => navigator.serviceWorker.ready);
  await page.reload();
  const theme = () => page.evaluate(() => document.documentElement.dataset.theme ?? 'light');
  const bar = () => page.locator('meta[name="theme-color"]').getAttribute('content');
  await page.goto('/account');
  const panel = page.getByRole('region', { name: 'This phone' });
  await expect(panel.getByRole('radio', { name: 'Light', exact: true })).toBeChecked();
  await panel.getByRole('radio', { name: 'Light', exact: true }).focus();
  await page.keyboard.press('ArrowRight');
  await expect(panel.getByRole('radio', { name: 'Dark' })).toBeChecked();
  expect([await theme(), await bar()]).toEqual(['dark', '#0B1226']);
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  await expectRoomForLargeText(page);
  const opened = await page.goto('/profile');
  expect(await opened?.text()).toMatch(/<html data-theme="dark" /);
  await expect(page.getByRole('heading', { level: 1, name: player.username })).toBeVisible();
  await expectAccessible(page);
  await goTo(page, 'League');
  await expect(page.getByRole('heading', { name: 'Join a team' })).toBeVisible();
  await expectAccessible(page);

  await page.goto('/account');
  await panel.getByRole('radio', { name: 'As phone' }).check();
  expect(await theme()).toBe('light');
  await page.emulateMedia({ colorScheme: 'dark' });
  await expect.poll(theme).toBe('dark');

  await panel.getByRole('switch', { name: 'Vibrate' }).press('Space');
  expect(await page.evaluate(() => localStorage.getItem('buzz'))).toBe('on');

  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('menuitem', { name: 'Sign Out' }).click();
  await expect(page).toHaveURL(/\/login$/);
  expect([await theme(), await bar()]).toEqual(['light', '#ECEFF4']);
  const login = await page.goto('/login');
  expect(await login?.text()).not.toContain('data-theme="dark"');
  expect(await page.evaluate(() => localStorage.length)).toBe(0);
});
