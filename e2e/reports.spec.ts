import type { Page } from '@playwright/test';
import {
  expect,
  expectAccessible,
  expectNoSidewaysScroll,
  expectRoomForLargeText,
  signInAs,
  signUp,
  test,
} from './fixtures.ts';
import { report } from './profile-page.ts';

const MINUTE_MS = 60_000;

async function expectUsable(page: Page): Promise<void> {
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  await expectRoomForLargeText(page);
}

test('PROD-97 PROD-98 a player reports a game, withdraws the report and repeats it, and sees staff settle it', async ({
  page,
  server,
  expectNoise,
}) => {
  test.slow();
  expectNoise(/ERR_INTERNET_DISCONNECTED|was not reported|could not be read/);
  const player = await signUp(server);
  const machine = await server.addMachine(`Hoop ${player.username}`, `Arcade ${player.username}`);
  await report(server, machine.key, player, [
    { score: 417, ago: 30 * MINUTE_MS },
    { score: 298, ago: 20 * MINUTE_MS },
    { score: 388, ago: 10 * MINUTE_MS },
  ]);
  await signInAs(page, server, player);
  await page.goto('/games');
  const rows = page.getByRole('listitem');
  const row = (score: number) => rows.filter({ hasText: `Score ${score}` });
  const button = (score: number) => row(score).getByRole('button');
  await expect(button(298)).toHaveAccessibleName(/^More on the game of .*\d\d:\d\d, 298$/);
  await expectAccessible(page);
  const target = await button(298).boundingBox();
  expect([target?.width, target?.height]).toEqual([44, 44]);

  await button(298).focus();
  await page.keyboard.press('Enter');
  const about = page.getByRole('dialog', { name: 'Your game' });
  // One click selects the id, to copy it.
  await about.getByText('Details').click();
  await about.getByText(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/).click();
  expect(await page.evaluate(() => String(getSelection()).trim())).toMatch(/^[\da-f-]{36}$/);
  await expectUsable(page);
  const openReport = () => about.getByRole('button', { name: 'Report', exact: true }).click();
  await openReport();
  const sheet = page.getByRole('dialog', { name: 'Report a game' });
  await expect(sheet.getByRole('radio', { name: /^This game is not mine/ })).toBeFocused();
  await expect(sheet.getByText(`Hoop ${player.username}, Arcade ${player.username}`)).toBeVisible();
  await expectUsable(page);
  await page.keyboard.press('Escape');
  await expect(button(298)).toBeFocused();

  await page.keyboard.press('Enter');
  await openReport();
  await page.context().setOffline(true);
  await sheet.getByRole('button', { name: 'Send' }).press('Enter');
  await expect(sheet.getByRole('alert')).toHaveText(
    'Cannot reach the server. Nothing was sent. Check your signal and try again.',
  );
  await page.context().setOffline(false);
  await sheet.getByRole('button', { name: 'Send' }).press('Enter');
  await expect(sheet).toBeHidden();
  await expect(button(298)).toBeFocused();
  const told = 'You reported: not mine. Staff will take a look.';
  await expect(row(298)).toContainText(told);
  await expect(page.getByRole('status').filter({ hasText: told })).toHaveCount(1);
  await expectUsable(page);

  await page.keyboard.press('Enter');
  await about.getByRole('button', { name: 'Your report' }).click();
  await expect(page.getByRole('dialog', { name: 'Your report' })).toBeVisible();
  await expectUsable(page);
  await page.getByRole('button', { name: 'Withdraw report' }).press('Enter');
  await expect(row(298)).not.toContainText('You reported');
  await button(298).click();
  await openReport();
  await sheet.getByRole('button', { name: 'Send' }).click();
  await expect(row(298)).toContainText(told);
  await button(388).click();
  await openReport();
  await sheet.getByRole('radio', { name: /^Something is wrong with this machine/ }).check();
  await sheet.getByLabel('What happened').fill('The rim <b>is</b> bent.');
  await sheet.getByRole('button', { name: 'Send' }).click();
  await expect(row(388)).toContainText('You reported the machine. Staff will take a look.');

  const listed: { results: { game: string; score: number; text: string | null }[] } = JSON.parse(
    await server.backboard('report', 'list', '--json'),
  );
  const game = (score: number) => listed.results.find((one) => one.score === score);
  expect(game(388)?.text).toBe('The rim <b>is</b> bent.');
  await server.backboard('report', 'settle', game(298)?.game ?? '', 'void');
  await expect(row(298)).toContainText('Taken out');
  await expect(row(298)).toContainText('You reported this. It counts nowhere now.');
  await expect(page.getByText(/^2 games since/)).toBeVisible();
  await server.backboard('report', 'settle', game(388)?.game ?? '', 'stands');
  await expect(row(388)).toContainText('Checked: it counts.');
  await expectUsable(page);
});
