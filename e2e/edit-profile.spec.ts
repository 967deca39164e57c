import type { Locator, Page } from '@playwright/test';
import { USERNAME_INAPPROPRIATE } from '#contract/rules/username.ts';
import {
  expect,
  expectAccessible,
  expectNoSidewaysScroll,
  expectRoomForLargeText,
  newName,
  PASSWORD,
  signUp,
  test,
} from './fixtures.ts';
import { openProfile } from './profile-page.ts';

async function openEdit(page: Page): Promise<Locator> {
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('menuitem', { name: 'Edit Profile' }).click();
  const dialog = page.getByRole('dialog', { name: 'Edit Profile' });
  await expect(dialog.getByLabel('Username')).toBeFocused();
  return dialog;
}

test('Edit Profile says what is wrong and sends nothing', async ({ page, server }) => {
  const [player, other] = await Promise.all([signUp(server), signUp(server)]);
  await openProfile(page, server, player);
  const sent: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'PATCH') sent.push(request.postData() ?? '');
  });
  const dialog = await openEdit(page);
  const username = dialog.getByLabel('Username');
  const save = dialog.getByRole('button', { name: 'Save' });
  await expectAccessible(page);

  for (const [typed, message] of [
    ['', 'Username is required'],
    ['ab', 'Username must be at least 3 characters long'],
    ['sh1t_head', USERNAME_INAPPROPRIATE],
    ['f_u_1_c_k', USERNAME_INAPPROPRIATE],
  ] as const) {
    await username.fill(typed);
    await expect(username).not.toHaveAttribute('aria-invalid');
    await save.click();
    await expect(username).toHaveAccessibleDescription(message);
    await expect(username).toBeFocused();
  }
  await expectAccessible(page);
  await username.fill('');
  await username.pressSequentially('J o!@#hn.12345678');
  await expect(username).toHaveValue('John1234567');

  await dialog.getByLabel('New Password').fill('short');
  await save.click();
  await expect(dialog.getByLabel('New Password')).toHaveAccessibleDescription(
    'Password must be at least 8 characters long',
  );
  expect(sent).toEqual([]);

  await dialog.getByLabel('New Password').fill('');
  await username.fill(other.username);
  await save.click();
  await expect(username).toHaveAccessibleDescription('This username is already taken.');
  // Another device may have changed the rest meanwhile.
  expect(sent).toEqual([JSON.stringify({ username: other.username })]);
  await expect(page.getByRole('heading', { level: 1, name: player.username })).toBeAttached();
});

test('Edit Profile shows other failures above its buttons', async ({
  page,
  server,
  context,
  expectNoise,
}) => {
  expectNoise(/status of 500|ERR_INTERNET_DISCONNECTED|could not be read/);
  const player = await signUp(server);
  await openProfile(page, server, player);
  const dialog = await openEdit(page);
  const save = dialog.getByRole('button', { name: 'Save' });
  let answer: unknown = { detail: 'Something went wrong on our side.' };
  await page.route('**/api/users/profile/', (route) =>
    route.fulfill({ status: 500, json: answer }),
  );
  await save.click();
  await expect(dialog.getByRole('alert')).toHaveText('Something went wrong on our side.');
  answer = {};
  await save.click();
  await expect(dialog.getByRole('alert')).toHaveText('An error occurred during submission');
  await page.unroute('**/api/users/profile/');

  // The server refuses a leaked password.
  await dialog.getByLabel('New Password').fill('password1');
  await save.click();
  await expect(dialog.getByLabel('New Password')).toHaveAccessibleDescription(/\w/);
  await expect(dialog.getByText('An error occurred during submission')).toHaveCount(0);
  await dialog.getByLabel('New Password').fill('');

  await context.setOffline(true);
  await save.click();
  await expect(dialog.getByRole('alert')).toHaveText(/^Cannot reach the server\./);
  await expectAccessible(page);
  await context.setOffline(false);
  await save.click();
  await expect(dialog).toHaveCount(0);
});

test('Edit Profile changes name, password and jersey', async ({ page, server }) => {
  const player = await signUp(server);
  await openProfile(page, server, player);
  const dialog = await openEdit(page);
  const name = newName();
  await dialog.getByLabel('Username').fill(name);
  await dialog.getByLabel('New Password').fill('another bank shot');
  await dialog.getByRole('spinbutton', { name: 'Jersey number' }).fill('9');
  await dialog.getByRole('slider', { name: 'Avatar colour' }).fill('262');
  await dialog.getByRole('radio', { name: 'Lightness 45' }).press('Space');
  const jersey = `Jersey 09, ${name.toUpperCase()}`;
  await expect(dialog.getByRole('img', { name: jersey })).toBeVisible();
  await dialog.getByRole('button', { name: 'Save' }).click();

  await expect(dialog).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Menu' })).toBeFocused();
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
  await expect(page.getByRole('img', { name: jersey })).toBeVisible();
  expect(await page.evaluate(() => JSON.parse(localStorage.getItem('user') ?? '{}'))).toMatchObject(
    { username: name, avatar_color: '#5D22C3', jersey_number: '09' },
  );
  const login = (password: string) =>
    fetch(`${server.url}/api/users/auth/login/`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: player.email, password }),
    });
  expect((await login('another bank shot')).status).toBe(200);
  expect((await login(PASSWORD)).status).toBe(400);
});

test('Cancel and Esc close Edit Profile, change nothing and return the focus', async ({
  page,
  server,
}) => {
  const player = await signUp(server);
  await openProfile(page, server, player);
  for (const close of ['Cancel', 'Esc']) {
    const dialog = await openEdit(page);
    await dialog.getByLabel('Username').fill('SomebodyNew');
    if (close === 'Esc') await page.keyboard.press('Escape');
    else await dialog.getByRole('button', { name: 'Cancel' }).click();
    await expect(dialog).toHaveCount(0);
    await expect(page.getByRole('button', { name: 'Menu' })).toBeFocused();
  }
  await page.reload();
  await expect(page.getByRole('heading', { level: 1, name: player.username })).toBeVisible();
});

test('the jersey editor changes digits, hue and shade, with limits and held buttons', async ({
  page,
  server,
}) => {
  const player = await signUp(server);
  await openProfile(page, server, player);
  const dialog = await openEdit(page);
  const number = dialog.getByRole('spinbutton', { name: 'Jersey number' });
  const plus = dialog.getByRole('button', { name: 'Increase jersey number' });
  const minus = dialog.getByRole('button', { name: 'Decrease jersey number' });

  await number.fill('');
  await number.pressSequentially('1a2b3');
  await expect(number).toHaveValue('12');
  await number.fill('5');
  await number.blur();
  await expect(number).toHaveValue('05');
  await plus.click();
  await expect(number).toHaveValue('06');
  await number.press('ArrowDown');
  await expect(number).toHaveValue('05');
  await number.fill('98');
  await plus.press('Enter');
  await plus.press('Enter');
  await expect(number).toHaveValue('99');
  await expect(plus).toHaveAttribute('aria-disabled', 'true');
  await number.fill('00');
  await minus.press('Space');
  await expect(number).toHaveValue('00');

  await plus.hover();
  await page.mouse.down();
  await expect.poll(async () => Number(await number.inputValue())).toBeGreaterThan(3);
  await page.mouse.up();
  const reached = await number.inputValue();
  await expect(
    dialog.getByRole('img', { name: `Jersey ${reached}, ${player.username.toUpperCase()}` }),
  ).toBeVisible();

  const hue = dialog.getByRole('slider', { name: 'Avatar colour' });
  const shades = dialog.getByRole('radiogroup', { name: 'Avatar colour shade' });
  await hue.fill('200');
  await expect(hue).toHaveAttribute('aria-valuetext', 'sky blue, hue 200');
  await expect(shades.getByRole('radio', { checked: true })).toHaveCount(0);
  await shades.getByRole('radio', { name: 'Lightness 90' }).press('Space');
  await shades.getByRole('radio', { name: 'Lightness 90' }).press('ArrowLeft');
  await expect(shades.getByRole('radio', { name: 'Lightness 75' })).toBeChecked();
  await expect(hue).toHaveValue('200');

  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  await expectRoomForLargeText(page);
});
