import type { Page } from '@playwright/test';
import {
  expect,
  expectAccessible,
  expectNoSidewaysScroll,
  expectRoomForLargeText,
  signUp,
  test,
} from './fixtures.ts';
import { openProfile, play } from './profile-page.ts';

/**
 * Imitates the browser's offer to install, which a headless browser never makes. Returns whether
 * the page held the offer back, to make it later.
 */
function offer(page: Page, outcome: 'accepted' | 'dismissed') {
  return page.evaluate((answer) => {
    const event = new Event('beforeinstallprompt', { cancelable: true });
    Object.assign(event, {
      prompt: async () => document.body.setAttribute('data-prompted', ''),
      userChoice: Promise.resolve({ outcome: answer }),
    });
    window.dispatchEvent(event);
    return event.defaultPrevented;
  }, outcome);
}

test('HAND-98 the home screen is offered on the visit after the third game', async ({
  page,
  server,
}) => {
  const player = await signUp(server);
  const { key } = await server.addMachine(`Home ${player.username}`);
  await play(server, key, player, [100, 110]);
  await openProfile(page, server, player);
  const card = page.getByRole('region', { name: 'Put your code on the home screen?' });
  const ready = () => expect(page.getByText(/^Last game/)).toBeVisible();
  await ready();
  expect(await offer(page, 'dismissed')).toBe(true);
  await play(server, key, player, [120]);
  await page.getByRole('button', { name: 'Done' }).click();
  await expect(page.getByText('Total Games').locator('..')).toContainText('3');
  await expect(card, 'not on the visit of the third game').toHaveCount(0);

  await page.reload();
  await ready();
  await expect(card).toHaveCount(0);
  await offer(page, 'dismissed');
  await expect(card).toBeVisible();
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  await expectRoomForLargeText(page);
  await card.getByRole('button', { name: 'Add it' }).click();
  await expect(card).toHaveCount(0);
  await expect(page.locator('body[data-prompted]')).toHaveCount(1);
  // Declining in the browser's own dialog counts as “Not now”.
  const stored = () => page.evaluate(() => localStorage.getItem('install'));
  await expect.poll(stored).toMatch(/^\d{4}-/);
  await page.reload();
  await ready();
  await offer(page, 'accepted');
  await expect(card).toHaveCount(0);

  await page.evaluate(() => localStorage.setItem('install', '2020-01-01T00:00:00.000Z'));
  await page.reload();
  await ready();
  await offer(page, 'accepted');
  await card.getByRole('button', { name: 'Not now' }).click();
  await expect.poll(stored).toBe('never');
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
});
