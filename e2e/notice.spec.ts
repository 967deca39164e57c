import type { Page } from '@playwright/test';
import {
  expect,
  expectAccessible,
  expectNoSidewaysScroll,
  inviteStaff,
  setUpPasskey,
  test,
} from './fixtures.ts';

const KEPT = 'backboard_screen';
const VENUE = 'Notice Hall';
const DAY_MS = 86_400_000;

async function codeOn(page: Page): Promise<string> {
  const boxes = page.locator('.is-on .boxes');
  await expect(boxes).toBeVisible();
  return ((await boxes.getAttribute('aria-label')) ?? '').replace(/Code | /g, '');
}

for (const width of [390, 1280])
  test(`HAND-C14: staff choose when a notice is shown, at a venue or on one screen, at ${width} px`, async ({
    page,
    request,
    server,
    expectNoise,
  }) => {
    expectNoise(/status of 400/);
    await page.setViewportSize({ width, height: 900 });
    const venue = `${VENUE} ${width}`;
    await server.addMachine(`Hoop ${width}`, venue);
    const bar = `Bar ${width}`;
    const { code } = await (await request.post('/api/screen/pair/', { data: {} })).json();
    await server.backboard('screen', 'add', code, '--venue', venue, '--name', bar);
    await setUpPasskey(page, await inviteStaff(server, `Nora ${width}`, '--role', 'owner'));
    await expect(page.getByRole('heading', { level: 1, name: 'Tonight' })).toBeVisible();
    await page.goto('/console/screens');
    const house = page.getByRole('region', { name: `Notice at ${venue}` });
    await house.getByLabel('Text of the notice').fill('Happy hour.');

    await house.getByLabel('Every week').check();
    await expect(house.getByText('Tick at least one day.')).toBeVisible();
    await house.getByRole('checkbox', { name: 'Friday' }).check();
    await house.getByLabel('Friday from').fill('18:00');
    await house.getByLabel('Friday until').fill('02:00');
    await expect(house.getByText('until Sat 02:00')).toBeVisible();
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
    await house.getByRole('button', { name: 'Show every week' }).click();
    await expect(house.getByText('every week, fri 18:00-02:00')).toBeVisible();
    await page.reload();
    await expect(house.getByLabel('Friday until')).toHaveValue('02:00');

    await house.getByLabel('From … until …').check();
    const day = (after: number) => new Date(Date.now() + after * DAY_MS).toISOString().slice(0, 10);
    await house.getByLabel('From, on the clock of').fill(`${day(3)}T18:00`);
    await house.getByLabel('Until, on the clock of').fill(`${day(2)}T22:00`);
    await house.getByRole('button', { name: /^Show from .*, 18:00 until .*, 22:00$/ }).click();
    await expect(house.getByText('It ends before it begins. Choose a later end.')).toBeVisible();
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
    await house.getByLabel('Until, on the clock of').fill(`${day(3)}T22:00`);
    const words = new Intl.DateTimeFormat('en-GB', {
      timeZone: 'UTC',
      weekday: 'short',
      day: 'numeric',
      month: 'short',
    });
    const inWords = words.format(new Date(day(3))).replace(',', '');
    await expect(house.getByLabel('Until, on the clock of')).toHaveAccessibleDescription(
      new RegExp(`${inWords}( \\d{4})?$`),
    );
    await house.getByRole('button', { name: /^Show from/ }).click();
    await expect(house.getByText('Saved. The screens follow.')).toBeVisible();
    await expect(house.getByText(/^On every screen .* from .*18:00.* until .*22:00/)).toBeVisible();

    await page.getByRole('link', { name: `Edit ${bar}` }).click();
    const own = page.getByRole('region', { name: `Notice on ${bar}` });
    await own.getByLabel('Text of the notice').fill('Order here.');
    await own.getByLabel('Always').check();
    await own.getByRole('button', { name: 'Show until I take it down' }).click();
    await expect(own.getByText('Saved. The screens follow.')).toBeVisible();
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
    await page.getByRole('link', { name: 'Screens' }).first().click();
    await expect(
      house.getByText(`${bar} has a notice of its own, which comes first.`),
    ).toBeVisible();
    await server.backboard('screen', 'remove', bar, '--yes');
  });

test('HAND-C14: a television without a connection shows a notice at the notice’s time', async ({
  browser,
  server,
}) => {
  await server.addMachine('Hoop of notices', VENUE);
  const television = await browser.newPage({ viewport: { width: 1280, height: 720 } });
  await television.goto(`${server.url}/screen`);
  await server.backboard(
    'screen',
    'add',
    await codeOn(television),
    '--venue',
    VENUE,
    '--name',
    'N',
  );
  await server.backboard('screen', 'slides', 'N', 'notice:60');
  await expect(television.getByRole('heading', { name: 'Play here' })).toBeVisible();
  const [from, until] = [8_000, 16_000].map((ms) => new Date(Date.now() + ms).toISOString());
  const time = ['--from', String(from), '--until', String(until)];
  await server.backboard('screen', 'notice', 'N', 'Order here.', '--screen', ...time);
  const kept = () => television.evaluate((name) => localStorage.getItem(name) ?? '', KEPT);
  await expect.poll(kept).toContain('Order here.');
  await television.context().setOffline(true);
  const notice = television.getByText('Order here.');
  await expect(notice).toBeVisible();
  await expect(notice).toHaveCount(0);
  await expect(television.getByRole('heading', { name: 'Play here' })).toBeVisible();
  await television.close();
  await server.backboard('screen', 'remove', 'N', '--yes');
});
