import { test } from './demo.ts';
import {
  expect,
  expectAccessible,
  expectNoSidewaysScroll,
  expectRoomForLargeText,
  signInAs,
  signUp,
} from './fixtures.ts';
import { play } from './profile-page.ts';

test('HAND-60 HAND-61 HAND-62 HAND-63 P112: a name on a board opens the player’s card', async ({
  page,
  server,
  maya,
  hoop,
}) => {
  // A player whom only players of the same league may see.
  const stranger = await signUp(server);
  await server.sql(`update players set visibility = 'league' where username = $1`, [
    stranger.username,
  ]);
  await play(server, hoop.key, stranger, [611]);
  await signInAs(page, server, maya);
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto('/leaderboard');
  const board = page.getByRole('region', { name: 'league, this week' });
  const rows = board.getByRole('listitem');
  const own = rows.and(page.locator('[aria-current="true"]'));
  await expect(own.getByRole('link')).toHaveAttribute('href', '/profile');
  await expect(own.getByRole('button')).toHaveCount(0);

  // The figures of Team Stats are on the card of a teammate.
  const reads = ['running', 'user-league-last-week'].map((read) =>
    page.waitForResponse(`**/${read}/`),
  );
  await page.getByRole('navigation', { name: 'Rooms' }).getByText('Pass').click();
  await Promise.all(reads);
  const team = page.getByRole('region', { name: 'Team Stats (Weekly)' });
  const mate = team.getByRole('button', { name: /^[A-Z]/ }).first();
  const name = await mate.textContent();
  const calls: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.startsWith('/api/')) calls.push(pathname);
  });
  // Compare this panel only, and not its top: a strip above it may be replaced by a taller one.
  const boxOf = async () => ({ ...(await team.boundingBox()), y: null });
  const before = await boxOf();
  await mate.press('Enter');
  const card = page.getByRole('dialog', { name: name ?? '' });
  await expect(card.getByRole('heading')).toBeFocused();
  await expect(card).toContainText(/\d(st|nd|rd|th) in the team this week/);
  await expect(card.getByRole('rowheader')).toHaveText(['Games this week', 'Week total']);
  await expect(card.getByRole('button')).toHaveText(['Close']);
  await expect(card.getByRole('link')).toHaveText([
    'Offer a duel',
    'Team',
    'Add a friend, in person',
  ]);
  // The style that the card loads changes nothing else.
  expect(await boxOf()).toEqual(before);
  await expectAccessible(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await expectNoSidewaysScroll(page);
  await expectRoomForLargeText(page);
  await page.keyboard.press('Escape');
  await expect(mate).toBeFocused();
  // The page reads only the player's own lists: no call names the player who was tapped.
  const ownLists = ['/api/friends/', '/api/users/duels/', '/api/users/duels/partners/'];
  expect(ownLists).toEqual(expect.arrayContaining(calls));

  await page.goto('/leaderboard');
  await page.getByRole('radio', { name: 'All', exact: true }).check();
  await expect(page.getByRole('region', { name: 'everyone, this week' })).toBeVisible();
  const unnamed = page.getByRole('listitem').filter({ hasText: 'A player' });
  await expect(unnamed).toHaveCount(1);
  await expect(unnamed.getByRole('button')).toHaveCount(0);
  await expect(page.getByText(stranger.username.toUpperCase())).toHaveCount(0);
});

test('HAND-64: only teams of the player’s league have a page', async ({ page, server, maya }) => {
  await signInAs(page, server, maya);
  await page.goto('/league');
  const table = page.getByRole('region', { name: 'Season', exact: true });
  const leader = table.getByRole('link').first();
  const first = (await leader.textContent()) ?? '';
  await leader.click();
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(first);
  await expect(page.getByLabel('Season so far')).toContainText(/Place 1st/);
  await expect(page.getByRole('region', { name: 'Results' }).getByRole('listitem')).toHaveCount(4);
  const week = page.getByRole('region', { name: 'This week' });
  await expect(week.getByRole('row', { name: /^Total/ })).toBeVisible();
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  await expectRoomForLargeText(page);
  // The opponent's name is a link to that team's page.
  const opponent = week.getByRole('row', { name: /^Opponent/ }).getByRole('link');
  const other = (await opponent.textContent()) ?? '';
  await opponent.click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(other);
  await expect(week.getByRole('row', { name: /^Opponent/ }).getByRole('link')).toHaveText(first);
  await page.getByRole('link', { name: 'Back to league' }).click();
  await expect(page).toHaveURL(/\/league$/);

  await page.goto('/league/team?name=Nowhere');
  await expect(page.getByRole('heading', { name: 'No such team in your league' })).toBeVisible();
  // Without a name in the address, the page shows the player's team, with the invitation.
  await page.goto('/league/team');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Brick City Bankers');
  await expect(page.getByText('To leave the team, ask the staff.')).toBeVisible();
});

test('REL-21: without a signal no card opens, and the page stays', async ({
  page,
  server,
  maya,
  expectNoise,
}) => {
  expectNoise(/ERR_INTERNET_DISCONNECTED|imported module|preload CSS|could not be read/);
  await signInAs(page, server, maya);
  await page.goto('/profile');
  const team = page.getByRole('region', { name: 'Team Stats (Weekly)' });
  const mate = team.getByRole('button', { name: /^[A-Z]/ }).first();
  await expect(mate).toBeVisible();
  await page.context().setOffline(true);
  await mate.press('Enter');
  await expect(team.getByRole('alert')).toHaveText(
    'This did not load. Tap again when you have a signal.',
  );
  await page.context().setOffline(false);
  await mate.press('Enter');
  await expect(page.getByRole('dialog')).toBeVisible();
});
