import type { Page } from '@playwright/test';
import type { RunningServer } from '#testing/server.ts';
import {
  expect,
  expectNoSidewaysScroll,
  expectRoomForLargeText,
  type NewPlayer,
  signInAs,
  signUp,
  test,
} from './fixtures.ts';
import { expectCode } from './profile-page.ts';

/** The colour of a printed code. Navy or red would show the league mode, which can change later. */
const INK = '#101B36';
const MM = 96 / 25.4;

const card = (page: Page) => page.getByRole('figure', { name: 'Spare card' });

async function openCard(page: Page, server: RunningServer, player: NewPlayer): Promise<void> {
  await signInAs(page, server, player);
  await page.goto('/card');
  await expect(card(page)).toBeVisible();
}

async function size(page: Page): Promise<[number, number]> {
  const box = await card(page).boundingBox();
  return [(box?.width ?? 0) / MM, (box?.height ?? 0) / MM];
}

async function expectBankCard(page: Page): Promise<void> {
  const [width, height] = await size(page);
  expect(width).toBeCloseTo(85.6, 1);
  expect(height).toBeCloseTo(53.98, 1);
}

test('Account leads to the card, which shows the username and nothing else', async ({
  page,
  server,
}) => {
  const player = await signUp(server);
  await signInAs(page, server, player);
  await page.goto('/account');
  await page.getByRole('link', { name: 'Print spare card' }).press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'Spare card' })).toBeFocused();
  await expect(page).toHaveTitle('Spare card · Backboard');
  await expect(card(page)).toHaveText(player.username);
  await expect(card(page).getByRole('img', { name: 'Jersey 07', exact: true })).toBeVisible();
  await expectCode(page, player.uuid, INK);
  await expectBankCard(page);
  const code = await page.getByRole('img', { name: 'Player QR code' }).boundingBox();
  // 45 modules: the code's 37 and its margin.
  expect((((code?.width ?? 0) / MM) * 37) / 45).toBeCloseTo(38, 1);
  await expect(page.locator('body')).not.toContainText(player.email);
  await expect(page.locator('body')).not.toContainText(player.uuid);

  await expectNoSidewaysScroll(page);
  await expectRoomForLargeText(page);
  await page.emulateMedia({ forcedColors: 'active', reducedMotion: 'reduce' });
  await page.evaluate(() => {
    document.documentElement.dataset.theme = 'dark';
  });
  await expectCode(page, player.uuid, INK);
  await expect(card(page)).toHaveCSS('background-color', 'rgb(255, 255, 255)');
  // The wordmark in the colours of a light page.
  await expect(card(page).getByRole('img', { name: 'Backboard' })).toHaveCSS(
    'color',
    'rgb(18, 40, 92)',
  );
  await page.getByRole('link', { name: 'Back to pass' }).click();
  await expect(page.getByRole('heading', { level: 1, name: player.username })).toBeVisible();
});

test('the printed page has only the card, in a bank card’s size, with a code that can be scanned', async ({
  page,
  server,
}) => {
  const player = await signUp(server);
  // A narrow phone shows the card smaller, but prints it in full size.
  await page.setViewportSize({ width: 320, height: 640 });
  await openCard(page, server, player);
  expect((await size(page))[0]).toBeLessThan(80);
  await page.evaluate(() => {
    const printed = { times: 0 };
    Object.assign(window, { printed, print: () => (printed.times += 1) });
  });
  await page.getByRole('button', { name: 'Print' }).press('Enter');
  expect(await page.evaluate(() => (window as unknown as { printed: object }).printed)).toEqual({
    times: 1,
  });

  await page.emulateMedia({ media: 'print' });
  await expect(page.getByRole('banner')).toBeHidden();
  await expect(page.getByRole('heading')).toHaveCount(0);
  await expect(page.getByRole('button')).toHaveCount(0);
  await expect(page.locator('body')).toHaveText(player.username, {
    useInnerText: true,
    ignoreCase: true,
  });
  await page.setViewportSize({ width: 794, height: 1123 });
  await expectBankCard(page);
  await expectCode(page, player.uuid, INK);
  await expect(card(page).locator('..')).toHaveCSS('outline-style', 'dashed');
  const pdf = (await page.pdf({ format: 'A4' })).toString('latin1');
  expect(pdf.match(/\/Type\s*\/Page\b/g)).toHaveLength(1);

  await page.emulateMedia({ media: null });
  await page.getByRole('link', { name: 'Get a new code' }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await page.keyboard.press('Escape');
  await page.emulateMedia({ media: 'print' });
  await expect(page.getByRole('heading', { name: 'Where I am signed in' })).toBeVisible();
});

test('the widest name fits on the card, beside the code', async ({ page, server }) => {
  const player = await signUp(server);
  const answer = await fetch(`${server.url}/api/users/profile/`, {
    method: 'PATCH',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${player.access}` },
    body: JSON.stringify({ username: 'W'.repeat(30) }),
  });
  expect(answer.status).toBe(200);
  await openCard(page, server, player);
  await page.evaluate(() => document.fonts.ready.then(() => undefined));
  const name = await card(page).getByText('WWW').boundingBox();
  const code = await page.getByRole('img', { name: 'Player QR code' }).boundingBox();
  const whole = await card(page).boundingBox();
  expect((name?.x ?? 0) + (name?.width ?? 0)).toBeLessThanOrEqual(code?.x ?? 0);
  expect((name?.y ?? 0) + (name?.height ?? 0)).toBeLessThan((whole?.y ?? 0) + (whole?.height ?? 0));
});

test('a code that was replaced elsewhere is not printed', async ({ page, server }) => {
  const player = await signUp(server);
  async function replace(): Promise<{ uuid: string }> {
    const headers = { authorization: `Bearer ${player.access}` };
    const path = '/api/users/profile/new-code/';
    const answer = await fetch(`${server.url}${path}`, { method: 'POST', headers });
    return answer.json();
  }
  await openCard(page, server, player);
  await expectCode(page, (await replace()).uuid, INK);
  await page.goto('/privacy');
  const { uuid } = await replace();
  await page.goto('/card');
  await expectCode(page, uuid, INK);
});
