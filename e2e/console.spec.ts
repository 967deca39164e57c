import { readFile } from 'node:fs/promises';
import { type RunningServer, startServer } from '#testing/server.ts';
import {
  expect,
  expectAccessible,
  expectNoSidewaysScroll,
  inviteStaff,
  setUpPasskey,
  test,
  withPasskeys,
} from './fixtures.ts';

// Use a separate server, because a test must know all owners.
let server: RunningServer;
test.beforeAll(async () => {
  server = await startServer();
});
test.afterAll(() => server.close());

test('P60 P61: a link from the terminal sets up a passkey, and the passkey signs in again', async ({
  page,
  expectNoise,
}) => {
  expectNoise(/status of 404/);
  await withPasskeys(page);
  await server.backboard('machine', 'add', 'Hoop 1');
  const link = await inviteStaff(server, 'Ines Duarte', '--role', 'manager', '--everywhere');
  await page.goto(link);
  await expect(page.getByRole('heading', { name: 'Hello Ines' })).toBeVisible();
  // The secret is no longer in the address.
  expect(page.url()).toBe(`${server.url}/console/join`);
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  await page.getByLabel('What do you call this device?').fill('Bar tablet');
  await page.getByRole('button', { name: 'Set up your passkey on this device' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Tonight' })).toBeVisible();
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
  await expect(page.getByRole('heading', { name: 'This link is used' })).toBeVisible();
});

test('STAFF-25 STAFF-26 STAFF-27: an owner invites, changes and removes people, and the audit lists each act', async ({
  page,
  browser,
}) => {
  await page.setViewportSize({ width: 1280, height: 900 });
  await setUpPasskey(page, await inviteStaff(server, 'Ada Owner', '--role', 'owner'));
  await server.addMachine('Rim 1', 'Dockside Arcade');
  await server.addMachine('Rim 5', 'Station Bowl');

  await page.getByRole('link', { name: 'Staff', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Staff', level: 1 })).toBeFocused();
  await page.reload();
  await expect(page.getByRole('row', { name: /Ada Owner/ })).toContainText('You, here now');
  await expectAccessible(page);
  await page.getByLabel('Name').fill('Sam Okafor');
  await page.getByLabel('Dockside Arcade').check();
  await page.getByRole('button', { name: 'Make a link' }).click();
  await expect(page.getByRole('heading', { name: 'A link for Sam Okafor' })).toBeVisible();
  await expect(page.getByText('Waiting for Sam')).toBeVisible();
  await expectAccessible(page);
  const link = (await page.locator('.cmd code').textContent()) ?? '';

  const phone = await browser.newContext({ viewport: { width: 390, height: 844 } });
  const sam = await phone.newPage();
  await withPasskeys(sam);
  await sam.goto(link);
  await expect(sam.getByText('Floor staff at Dockside Arcade, invited by Ada Owner')).toBeVisible();
  await sam.getByLabel('What do you call this device?').fill('Sam’s phone');
  await sam.getByRole('button', { name: 'Set up your passkey on this device' }).click();
  await expect(sam.getByRole('heading', { level: 1, name: 'Tonight' })).toBeVisible();
  await expect(page.getByText('Sam is in: Sam’s phone')).toBeVisible();

  await expect(sam.getByRole('link', { name: 'Staff' })).toHaveCount(0);
  await sam.goto(`${server.url}/console/staff`);
  await expect(sam.getByText('This is for owners.')).toBeVisible();
  await expect(sam.getByText('Ask Ada Owner.')).toBeVisible();
  await expectAccessible(sam);
  await expectNoSidewaysScroll(sam);

  await page.getByRole('button', { name: 'Done' }).click();
  await expect(page.getByText('Ada Owner is the only owner. Make another one')).toBeVisible();
  await page.getByRole('button', { name: 'Manage Ada Owner' }).click();
  const own = page.getByRole('dialog', { name: 'Ada Owner' });
  await expect(own.getByText('The only device of the only owner.')).toBeVisible();
  await expect(own.getByRole('button', { name: /^Remove/ })).toHaveCount(0);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Manage Sam Okafor' }).click();
  const dialog = page.getByRole('dialog', { name: 'Sam Okafor' });
  await expect(dialog.getByText('Sam’s phone').first()).toBeVisible();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Remove Sam’s phone' }).click();
  const question = dialog.getByRole('group', { name: /^Remove “Sam’s phone” of Sam Okafor\?/ });
  await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await expect(question).toContainText('Sam Okafor has no other device, and needs a new link.');
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(question).toHaveCount(0);
  await expect(dialog.getByRole('button', { name: 'Remove Sam’s phone' })).toBeFocused();
  await dialog.getByRole('button', { name: 'Sign out Sam’s phone' }).click();
  await dialog.getByRole('group').getByRole('button', { name: 'Cancel' }).click();
  await expect(dialog.getByRole('button', { name: 'Sign out Sam’s phone' })).toBeFocused();
  await dialog.getByRole('button', { name: 'Sign out Sam’s phone' }).click();
  await dialog.getByRole('group').getByRole('button', { name: 'Sign out Sam’s phone' }).click();
  await expect(dialog.getByText('“Sam’s phone” is signed out.')).toBeFocused();
  await expect(sam.getByRole('heading', { name: 'Sign in' })).toBeVisible();
  await sam.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await expect(sam.getByRole('heading', { level: 1, name: 'Tonight' })).toBeVisible();
  await dialog.getByLabel('Role').selectOption('Manager');
  await expect(dialog.getByText('Sam Okafor signs in again afterwards.')).toBeVisible();
  // What another owner has given meanwhile stays.
  const places = ['--venue', 'Dockside Arcade', '--venue', 'Station Bowl'];
  await server.backboard('staff', 'change', 'Sam Okafor', ...places);
  const row = page.locator('tr', { hasText: 'Sam Okafor' });
  await expect(row).toContainText('Station Bowl');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('button', { name: 'Manage Sam Okafor' })).toBeFocused();
  await expect(row).toContainText('Manager');
  await expect(row).toContainText('Station Bowl');
  await expect(sam.getByText('Your session has ended. Sign in to go on.')).toBeVisible();
  // Hold back Sam's next stream until the removal.
  let removed = () => {};
  const removal = new Promise<void>((resolve) => {
    removed = resolve;
  });
  await sam.route('**/api/console/events/', async (route) => {
    await removal;
    await route.continue();
  });
  await sam.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await expect(sam.getByRole('heading', { level: 1, name: 'Tonight' })).toBeVisible();

  await page.getByRole('button', { name: 'Manage Sam Okafor' }).click();
  await page.getByRole('button', { name: 'Remove Sam Okafor…' }).click();
  await expect(page.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await page.getByRole('button', { name: 'Manage Sam Okafor' }).click();
  await page.getByRole('button', { name: 'Remove Sam Okafor…' }).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: 'Remove Sam Okafor', exact: true })
    .click();
  await expect(page.getByRole('row', { name: /Sam Okafor/ })).toHaveCount(0);
  await expect(page.getByText('Sam Okafor is removed and signed out.')).toBeFocused();
  removed();
  await expect(sam.getByRole('heading', { name: 'Sign in' })).toBeVisible();
  await sam.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await expect(sam.getByText('No passkey was used.')).toBeVisible();
  await expectAccessible(sam);
  await phone.close();

  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByRole('link', { name: 'More' }).click();
  await page.getByRole('link', { name: 'Audit Who did what, and when' }).click();
  await page.setViewportSize({ width: 1280, height: 900 });
  await expect(page.getByRole('row', { name: /Ada Owner Removed Sam Okafor/ })).toBeVisible();
  await expect(page.getByRole('row', { name: /Command line Added Rim 5/ })).toBeVisible();
  await expectAccessible(page);
  await page.getByLabel('What').selectOption('Machines');
  await expect(page.getByRole('row', { name: /Removed Sam Okafor/ })).toHaveCount(0);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Save as CSV' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('backboard-audit.csv');

  await page.getByRole('link', { name: 'System' }).click();
  await expect(page.getByText('None yet')).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Sign out all players…' }).click();
  await page.getByRole('button', { name: 'Sign out all', exact: true }).click();
  await expect(page.getByText(/sessions? ended/)).toBeVisible();
});

test('staff remove a device of their own under More', async ({ page, browser }) => {
  await setUpPasskey(
    page,
    await inviteStaff(server, 'Two Devices', '--role', 'manager', '--everywhere'),
  );
  await page.getByRole('link', { name: 'More' }).click();
  const other = await browser.newContext();
  const second = await other.newPage();
  await withPasskeys(second);
  await second.goto(
    JSON.parse(await server.backboard('staff', 'link', 'Two Devices', '--json')).url,
  );
  await second.getByLabel('What do you call this device?').fill('Old phone');
  await second.getByRole('button', { name: 'Set up your passkey on this device' }).click();
  await expect(second.getByRole('heading', { level: 1, name: 'Tonight' })).toBeVisible();

  const remove = page.getByRole('button', { name: 'Remove Old phone' });
  const question = page.getByRole('group', { name: /^Remove “Old phone”\?/ });
  await remove.click();
  await question.getByRole('button', { name: 'Cancel' }).click();
  await expect(remove).toBeFocused();
  await remove.click();
  await question.getByRole('button', { name: 'Remove Old phone' }).click();
  await expect(page.getByText('“Old phone” is removed and signed out.')).toBeFocused();
  await expect(remove).toHaveCount(0);
  await expectAccessible(page);
  await expect(second.getByRole('heading', { name: 'Sign in' })).toBeVisible();
  await other.close();
});

test('OPS-03: a venue named like another venue’s id is not mistaken for that venue', async ({
  page,
}) => {
  await page.setViewportSize({ width: 1280, height: 900 });
  const setUp = await inviteStaff(server, 'Nia Owner', '--role', 'owner');
  await server.addMachine('Lane 1', 'Lane Bowl');
  const [{ id } = {}] = await server.sql(`select id::text from venues where name = 'Lane Bowl'`);
  const number = String(id);
  await server.addMachine('Lane 2', number);
  await server.sql(
    `insert into screens (name, venue_id, slides, created_at)
     select 'Lobby', id, '[]', now() from venues where name = $1`,
    [number],
  );
  const venueOf = (screen: string) => async () => {
    const [row] = await server.sql(
      'select v.name from screens s join venues v on v.id = s.venue_id where s.name = $1',
      [screen],
    );
    return row?.name;
  };
  await setUpPasskey(page, setUp);
  await expect(page.getByRole('heading', { level: 3, name: 'Lane 2' })).toBeVisible();
  await page.getByLabel('Venue', { exact: true }).selectOption('Lane Bowl');
  await expect(page.getByRole('heading', { name: 'Lane 2' })).toHaveCount(0);
  await page.getByRole('link', { name: 'Lane 1' }).first().click();
  await page.getByRole('button', { name: 'Change the hours' }).click();
  await page.getByLabel('Time zone').selectOption('Asia/Tokyo');
  const answer = Promise.withResolvers<void>();
  await page.route('**/api/operator/venues/change/', async (route) => {
    await answer.promise;
    await route.continue();
  });
  await page.getByRole('button', { name: 'Save the hours' }).click();
  // What is chosen during a save stays, and nothing says that it is saved.
  await page.getByLabel('Time zone').selectOption('Asia/Seoul');
  const read = page.waitForResponse('**/api/operator/venues/');
  answer.resolve();
  await read;
  const save = page.getByRole('button', { name: 'Save the hours' });
  await expect(save).not.toHaveAttribute('aria-disabled', 'true');
  await expect(page.getByLabel('Time zone')).toHaveValue('Asia/Seoul');
  await expect(page.getByText('Saved.')).toHaveCount(0);
  await page.getByLabel('Time zone').selectOption('Asia/Tokyo');
  await save.click();
  await expect(page.getByText('Saved.')).toBeVisible();
  expect(await server.sql(`select name from venues where timezone = 'Asia/Tokyo'`)).toEqual([
    { name: 'Lane Bowl' },
  ]);

  await page.getByRole('link', { name: 'Screens' }).click();
  await page.getByLabel('Venue', { exact: true }).first().selectOption('All venues');
  await page.getByRole('link', { name: 'Edit Lobby' }).click();
  await page.getByLabel('Venue', { exact: true }).selectOption('Lane Bowl');
  const shows = page.getByRole('region', { name: 'What it shows' });
  await shows.getByRole('checkbox').first().check();
  await page.getByRole('button', { name: 'Save' }).last().click();
  await expect.poll(venueOf('Lobby')).toBe('Lane Bowl');
  // One form keeps what is typed when the other is saved.
  await expect(page.getByText('Saved.', { exact: true })).toBeVisible();
  await shows.getByRole('button', { name: 'Save' }).click();
  await expect(shows.getByText('Saved. The screen follows.')).toBeVisible();
  await page.getByRole('link', { name: 'Screens' }).first().click();
  const waiting = await page.request.post(`${server.url}/api/screen/pair/`, { data: {} });
  await page.getByLabel('Code on the screen').fill((await waiting.json()).code);
  await page.getByLabel('Name').fill('Bar');
  await page.getByLabel('Venue', { exact: true }).last().selectOption('Lane Bowl');
  await page.getByRole('button', { name: 'Pair', exact: true }).click();
  await expect(page.getByText('Bar is paired.')).toBeVisible();
  expect(await venueOf('Bar')()).toBe('Lane Bowl');
  const notice = page.getByRole('region', { name: 'Notice at Lane Bowl' });
  await notice.getByLabel('Text of the notice').fill('League night.');
  await notice.getByLabel('Always').check();
  await notice.getByRole('button', { name: 'Show until I take it down' }).click();
  await expect(notice.getByText('Saved. The screens follow.')).toBeVisible();
  await notice.getByRole('button', { name: 'Take it down', exact: true }).click();
  await expect(notice.getByText('Taken down. The screens follow.')).toBeFocused();

  await page.goto(`${server.url}/console/staff/audit`);
  const lane2 = page.getByRole('row', { name: /Added Lane 2/ });
  await expect(lane2).toBeVisible();
  await page.getByLabel('Venue', { exact: true }).selectOption('Lane Bowl');
  await expect(lane2).toHaveCount(0);
  await expect(page.getByRole('row', { name: /Added Lane 1/ })).toBeVisible();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Save as CSV' }).click(),
  ]);
  const lines = await readFile(await download.path(), 'utf8');
  expect(lines).toContain('Added Lane 1');
  expect(lines).not.toContain('Added Lane 2');
});

test('without a connection the last state stays, and the page recovers by itself', async ({
  page,
  expectNoise,
}) => {
  expectNoise(/Failed to load resource: net::ERR_/);
  await setUpPasskey(
    page,
    await inviteStaff(server, 'Off Line', '--role', 'manager', '--everywhere'),
  );
  await expect(page.getByRole('heading', { level: 1, name: 'Tonight' })).toBeVisible();
  await page.context().setOffline(true);
  await expect(page.getByText('No connection. As of')).toBeVisible();
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  await page.context().setOffline(false);
  await expect(page.getByText('No connection. As of')).toHaveCount(0);
});

test('HAND-C2, P114: a machine shows a code, and then fetches its key itself', async ({
  page,
  expectNoise,
}) => {
  expectNoise(/status of 404/);
  await page.setViewportSize({ width: 1280, height: 900 });
  await setUpPasskey(page, await inviteStaff(server, 'Pia Owner', '--role', 'owner'));
  await expect(page.getByRole('heading', { level: 1, name: 'Tonight' })).toBeVisible();
  const send = async (path: string, body: object = {}) => {
    const answer = await fetch(`${server.url}/api/machine/pair/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return answer.json();
  };
  const { code, secret } = await send('');
  await page.goto(`${server.url}/console/machines/add`);
  await page.getByLabel('Name', { exact: true }).fill('Rim 9');
  await page.getByLabel('Venue', { exact: true }).selectOption({ label: 'A new venue…' });
  await page.getByLabel('Name of the venue').fill('Harbour Bar');
  const field = page.getByLabel('Code that the machine shows');
  await field.fill('ZZZZZZ');
  await page.getByRole('button', { name: 'Add the machine' }).click();
  await expect(page.getByText('No machine shows the code ZZZZZZ.')).toBeVisible();
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  await field.fill(`${code.slice(0, 3)} ${code.slice(3)}`.toLowerCase());
  await page.getByRole('button', { name: 'Add the machine' }).click();
  await expect(page.getByText('Waiting for Rim 9. It asks every few seconds')).toBeVisible();
  await expectAccessible(page);
  const { key } = await send('claim/', { secret });
  await expect(page.getByText('Its key was sent. Waiting for Rim 9 to call')).toBeVisible();
  const me = await fetch(`${server.url}/api/machine/`, {
    headers: { authorization: `Bearer ${key}` },
  });
  expect(await me.json()).toMatchObject({ name: 'Rim 9' });
  await expect(page.getByText('Rim 9 has called with its key')).toBeVisible();
});
