import { PNG } from 'pngjs';
import {
  expect,
  expectAccessible,
  expectNoSidewaysScroll,
  expectRoomForLargeText,
  expectWholeWords,
  signInAs,
  signUp,
  test,
} from './fixtures.ts';
import { play, readCode } from './profile-page.ts';

test('FRIEND-02 FRIEND-03 FRIEND-04 two players become friends; an adult and a child cannot', async ({
  page,
  browser,
  server,
  expectNoise,
}) => {
  // Once the code is used up, the page asks once more who scanned it.
  expectNoise(/status of 404/);
  const [maya, joe] = [await signUp(server), await signUp(server)];
  const machine = await server.addMachine(`Court ${maya.username}`);
  await play(server, machine.key, maya, [100]);
  await signInAs(page, server, maya);
  const other = await browser.newContext({ baseURL: server.url, locale: 'en-GB' });
  const phone = await other.newPage();
  await signInAs(phone, server, joe);
  await page.goto('/leaderboard');
  await page.getByRole('link', { name: 'Friends' }).click();
  await expect(page.getByText('Nobody yet')).toBeVisible();
  await expectAccessible(page);
  await expectWholeWords(page);

  const began = Date.now();
  await page.getByRole('link', { name: 'Add a friend' }).click();
  const code = page.getByRole('img', { name: 'Code for a friend to scan' });
  await expect(code).toBeVisible();
  const { text } = readCode(PNG.sync.read(await code.screenshot()));
  expect(text).toMatch(new RegExp(`^${server.url}/friend/[A-Z2-9]{8}$`));
  await phone.goto(text ?? '');
  await expect(phone.getByRole('heading', { level: 1 })).toHaveText(maya.username.toUpperCase());
  await phone.getByRole('button', { name: /^Ask / }).click();
  await expect(phone.getByText('Waiting for a yes')).toBeVisible();
  await expect(phone.getByText(/^For \d+ min at most/)).toBeVisible();
  await expect(phone.getByRole('link', { name: 'To my friends' })).toBeVisible();
  const asks = page.getByRole('dialog', {
    name: `${joe.username.toUpperCase()} asks to be your friend`,
  });
  await asks.getByRole('button', { name: 'Yes' }).click();
  await expect(phone.getByText('You are friends')).toBeVisible();
  expect(Date.now() - began, 'ms from the button to friends').toBeLessThan(30_000);
  await expectAccessible(phone);
  await expectNoSidewaysScroll(phone);
  await expectRoomForLargeText(phone);
  await expect(page.getByRole('heading', { name: 'Friends' })).toBeVisible();
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  await expectWholeWords(page);
  await expectRoomForLargeText(page);

  // FRIEND-08: the leaderboard now offers Friends.
  await page.goto('/leaderboard');
  await page.getByRole('radio', { name: 'Friends' }).check();
  await expect(page.getByRole('region')).toHaveAccessibleName('Highest scores, friends, this week');
  await expect(page.getByRole('listitem').filter({ hasText: 'You' })).toContainText('Place 1');
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  await expectRoomForLargeText(page);
  await page.getByRole('link', { name: 'Friends', exact: true }).click();

  await page.getByRole('link', { name: joe.username.toUpperCase() }).click();
  await expect(page.getByRole('table')).toContainText('High score');
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  await expectWholeWords(page);
  await expectRoomForLargeText(page);
  // DUEL-10: a block ends the duel, and says so to the blocker.
  await page.getByRole('button', { name: 'Offer a duel' }).click();
  const offer = page.getByRole('dialog', { name: 'Offer a duel' });
  await offer.getByRole('button', { name: 'Offer', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Duels' })).toBeVisible();
  await page.goBack();
  await expect(page.getByRole('link', { name: 'A duel is offered' })).toBeVisible();
  // A block ends the friendship, so the offer asks first.
  await phone.goto('/profile');
  const mayas = maya.username.toUpperCase();
  await phone.getByRole('button', { name: `No duels from ${mayas}` }).click();
  const asked = phone.getByRole('dialog', { name: `Block ${mayas}?` });
  await expect(asked).toContainText('You stop being friends, at once.');
  await expect(asked).toContainText(`The open offer of a duel with ${mayas} ends.`);
  await expectAccessible(phone);
  await asked.getByRole('button', { name: 'Cancel' }).click();
  await expect(phone.getByRole('region', { name: `${mayas} offers you a duel` })).toBeVisible();
  await page.getByRole('button', { name: 'Block' }).click();
  const sure = page.getByRole('dialog');
  await expect(sure).toContainText(
    `The open offer of a duel with ${joe.username.toUpperCase()} ends.`,
  );
  await expect(sure.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await sure.getByRole('button', { name: 'Block' }).click();
  await expect(page.getByText('Nobody yet')).toBeVisible();
  await page.goto('/account');
  const blocked = page.getByRole('region', { name: 'Blocked' });
  await blocked.getByRole('button', { name: `Unblock ${joe.username.toUpperCase()}` }).click();
  await expect(blocked.getByRole('status')).toContainText(
    `${joe.username.toUpperCase()} is unblocked. You are not friends`,
  );

  await server.sql(
    `update players set date_of_birth = now() - interval '15 years' where username = $1`,
    [joe.username],
  );
  await page.goto('/friends/add');
  const letters = page.getByText(/^Code: [A-Z2-9]{4} [A-Z2-9]{4}$/);
  const shown = (await letters.textContent())?.replace('Code: ', '') ?? '';
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  await expectRoomForLargeText(page);
  await phone.goto('/friends');
  await phone.getByRole('textbox', { name: 'Code' }).fill(shown);
  await phone.getByRole('button', { name: 'Open' }).click();
  const sentence = 'This code does not work. It may be used or older than ten minutes.';
  await expect(phone.getByText(sentence)).toBeVisible();
  await expect(phone.locator('main')).not.toContainText(new RegExp(maya.username, 'i'));
  await phone.goto('/friend/AAAAAAAA');
  await expect(phone.getByText(sentence)).toBeVisible();
  await other.close();
});

test('FRIEND-03 while a code is valid, Friends shows the same code again, with the request it brought', async ({
  page,
  browser,
  server,
  expectNoise,
}) => {
  // Once the code is used up, the page asks once more who scanned it.
  expectNoise(/status of 404/);
  const [maya, joe] = [await signUp(server), await signUp(server)];
  const other = await browser.newContext({ baseURL: server.url, locale: 'en-GB' });
  const phone = await other.newPage();
  await signInAs(page, server, maya);
  await signInAs(phone, server, joe);
  await page.goto('/friends/add');
  const letters = page.getByText(/^Code: [A-Z2-9]{4} [A-Z2-9]{4}$/);
  const shown = (await letters.textContent()) ?? '';
  await page.getByRole('link', { name: 'Close' }).click();
  await expect(page.getByText('Nobody yet')).toBeVisible();
  await page.getByRole('link', { name: 'Add a friend' }).click();
  await expect(letters).toHaveText(shown);
  await page.getByRole('link', { name: 'Close' }).click();
  await phone.goto(`/friend/${shown.replace('Code: ', '').replace(' ', '')}`);
  await phone.getByRole('button', { name: /^Ask / }).click();
  const asks = page.getByRole('dialog', { name: /asks to be your friend$/ });
  // A reload loses neither the question nor its code.
  await expect(asks).toBeVisible();
  await page.reload();
  await expect(asks).toBeVisible();
  /** Whether the heading and the text of the sheet are centred. */
  const look = () =>
    Promise.all(
      [asks.getByRole('heading'), asks.getByRole('paragraph')].map((part) =>
        part.evaluate((element) => getComputedStyle(element).textAlign),
      ),
    );
  expect(await look()).toEqual(['center', 'start']);
  await page.goto('/friends/add');
  await expect(letters).toHaveText(shown);
  expect(await look(), 'the same on both pages').toEqual(['center', 'start']);
  await asks.getByRole('button', { name: 'No' }).click();
  await expect(asks).toHaveCount(0);
  await expect(phone.getByText('Waiting for a yes')).toBeVisible();
  // The answer has used up the code, so the page can make a new one.
  await page.getByRole('button', { name: 'New code' }).click();
  await expect(letters).toBeVisible();
  await expect(letters).not.toHaveText(shown);
  await other.close();
});

test('HAND-97 in the dark theme, the question on the white code page is legible, and a typed code opens a dark page', async ({
  page,
  browser,
  server,
  expectNoise,
}) => {
  // Once the code is used up, the page asks once more who scanned it.
  expectNoise(/status of 404/);
  const [maya, joe] = [await signUp(server), await signUp(server)];
  const other = await browser.newContext({ baseURL: server.url, locale: 'en-GB' });
  const phone = await other.newPage();
  for (const [tab, player] of [
    [page, maya],
    [phone, joe],
  ] as const) {
    await signInAs(tab, server, player);
    await tab.evaluate(() => localStorage.setItem('theme', 'dark'));
  }
  await page.goto('/friends/add');
  const letters = page.getByText(/^Code: [A-Z2-9]{4} [A-Z2-9]{4}$/);
  const shown = (await letters.textContent())?.replace('Code: ', '') ?? '';
  await phone.goto('/friends');
  await phone.getByRole('textbox', { name: 'Code' }).fill(shown);
  await phone.getByRole('button', { name: 'Open' }).click();
  await expect(phone.getByRole('heading', { level: 1 })).toHaveText(maya.username.toUpperCase());
  await expect(phone.locator('html')).toHaveAttribute('data-theme', 'dark');
  await expectAccessible(phone);
  await phone.getByRole('button', { name: /^Ask / }).click();
  const asks = page.getByRole('dialog');
  await expect(asks).toBeVisible();
  await expectAccessible(page);
  await asks.getByRole('button', { name: 'Yes' }).click();
  await phone.getByRole('link', { name: 'To my friends' }).click();
  await expect(phone.getByRole('heading', { level: 1, name: 'Friends' })).toBeVisible();
  await expect(phone.locator('html')).toHaveAttribute('data-theme', 'dark');
  await other.close();
});
