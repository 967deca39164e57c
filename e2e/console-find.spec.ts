import { type RunningServer, startServer } from '#testing/server.ts';
import {
  expect,
  expectAccessible,
  expectNoSidewaysScroll,
  setUpPasskey,
  test,
} from './fixtures.ts';

let server: RunningServer;
test.beforeAll(async () => {
  server = await startServer();
});
test.afterAll(() => server.close());

test('HAND-C12: one search finds everything, by keyboard alone and on a phone', async ({
  page,
}) => {
  for (const at of [1, 2, 3, 4, 5, 6])
    await server.backboard('machine', 'add', `Hoop ${at}`, '--venue', 'Dockside');
  await server.backboard('league', 'create', 'Hoopsters League', '--timezone', 'Europe/London');
  await server.backboard('team', 'create', 'Hoopsters League', 'Slam Hoops');
  const printed = await server.backboard('staff', 'add', 'Ines Duarte', '--role', 'owner');
  await page.setViewportSize({ width: 1280, height: 800 });
  await setUpPasskey(page, /https?:\S+/.exec(printed)?.[0] ?? '');
  await expect(page.getByRole('heading', { level: 1, name: 'Tonight' })).toBeVisible();

  const field = page.getByRole('searchbox', { name: /^Search players/ });
  const found = page.locator('.found:visible');
  await page.keyboard.press('/');
  await expect(field).toBeFocused();
  await page.keyboard.type('hoop');
  await expect(found.getByRole('link')).toHaveText([
    'Slam HoopsHoopsters League',
    'Hoop 1Dockside',
    'Hoop 2Dockside',
    'Hoop 3Dockside',
    'Hoop 4Dockside',
    'Hoop 5Dockside',
    'Hoopsters League',
  ]);
  await expectAccessible(page);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await expect(found.getByRole('link', { name: 'Hoop 1' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(field).toBeFocused();
  await expect(field).toHaveValue('');
  await expect(found).toHaveCount(0);
  // In a field, `/` is text and does not lead to the search.
  await page.keyboard.type('no/body');
  await expect(page.getByText('Nothing called “no/body”.').last()).toBeVisible();
  await field.fill('slam');
  await expect(found.getByRole('link')).toHaveCount(1);
  await page.keyboard.press('Enter');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'Slam Hoops' })).toBeFocused();
  await expect(field).toHaveValue('');
  await expect(found).toHaveCount(0);

  for (const width of [390, 320]) {
    await page.setViewportSize({ width, height: 844 });
    await page.getByRole('link', { name: 'More' }).click();
    await page.keyboard.press('/');
    await expect(field.and(page.locator(':focus'))).toBeVisible();
    await page.keyboard.type('hoop');
    await expect(found.getByRole('link')).toHaveCount(7);
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
    await page.keyboard.press('Escape');
  }
});
