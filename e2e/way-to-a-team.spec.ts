import type { Page } from '@playwright/test';
import { PNG } from 'pngjs';
import type { RunningServer } from '#testing/server.ts';
import {
  expect,
  expectAccessible,
  expectNoSidewaysScroll,
  expectRoomForLargeText,
  inviteStaff,
  type NewPlayer,
  setUpPasskey,
  signUp,
  test,
} from './fixtures.ts';
import { goTo, openProfile, play, readCode } from './profile-page.ts';

async function makeTeam(server: RunningServer, joining: 'open' | 'ask' | 'closed') {
  const mate = await signUp(server);
  const [league, team] = [`Rim ${mate.username}`, `Crew ${mate.username}`];
  await server.backboard('league', 'create', league, '--timezone', 'Europe/London');
  await server.backboard('team', 'create', league, team);
  await server.backboard('team', 'add', team, mate.email);
  await server.backboard('league', 'joining', league, joining);
  const { code } = JSON.parse(await server.backboard('team', 'code', team, '--json'));
  return { mate, league, team, code: code as string };
}

async function expectRoomAndAccess(page: Page) {
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  await page.setViewportSize({ width: 320, height: 568 });
  await expectNoSidewaysScroll(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await expectRoomForLargeText(page);
}

test('HAND-40 to HAND-42, HAND-47 a player joins a team from the pass by keyboard, and plays a first game', async ({
  page,
  server,
}) => {
  test.slow();
  const { mate, team, code } = await makeTeam(server, 'open');
  const player = await signUp(server);
  await openProfile(page, server, player);
  const first = page.getByRole('region', { name: 'Your first game' });
  await expect(first.getByRole('listitem')).toHaveCount(2);
  await expectRoomAndAccess(page);

  await first.getByRole('link', { name: 'Got a team code? Join a team' }).press('Enter');
  await expect(page.getByText('You are not on a team yet')).toBeVisible();
  await page.getByRole('link', { name: /^Pass/ }).press('Enter');
  await page.getByRole('link', { name: 'No team yet' }).press('Enter');
  await expect(page.getByRole('heading', { name: 'Join a team' })).toBeVisible();
  await expectRoomAndAccess(page);
  const field = page.getByLabel('Team code');
  await field.fill('ABC');
  await page.keyboard.press('Enter');
  await expect(field).toBeFocused();
  await expect(field).toHaveAccessibleDescription('A team code has six letters and digits.');
  await field.fill(`${server.url}/join/${code.toLowerCase()}`);
  await expect(field).toHaveValue(code);
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: `Join ${team}` }).press('Enter');
  await page.getByRole('link', { name: 'To my profile' }).press('Enter');
  await expect(page.getByText('League mode on')).toBeVisible();
  await expect(
    page.getByRole('rowheader', { name: mate.username.toUpperCase(), exact: true }),
  ).toBeVisible();
  // The player typed the code, so the pass does not announce the team.
  await expect(page.getByText(/^You are on/)).toHaveCount(0);

  // LEAGUE-23: until the first game, staff can confirm who joined by the code.
  const staff = await page.context().newPage();
  await setUpPasskey(staff, await inviteStaff(server, `Ines ${team}`, '--role', 'owner'));
  await expect(staff.getByRole('navigation', { name: 'Console' })).toBeVisible();
  const [row] = await server.sql('select id from teams where name = $1', [team]);
  await staff.goto(`/console/leagues/teams/${row?.id}`);
  const strangers = staff.getByRole('region', { name: 'Joined by the code' });
  await expect(strangers.getByRole('listitem')).toHaveCount(1);
  await expectAccessible(staff);
  await expectNoSidewaysScroll(staff);
  await strangers.getByRole('button', { name: `Confirm ${player.username}` }).press('Enter');
  await expect(staff.getByText(`${player.username} is confirmed.`)).toBeVisible();
  await expect(strangers).toHaveCount(0);

  const machine = await server.addMachine(`First ${team}`, `First ${team}`);
  await play(server, machine.key, player, [300]);
  await expect(first).toHaveCount(0);
});

test('few taps lead to a team by a typed code, to the game just played, and to the league', async ({
  page,
  server,
}) => {
  const { mate, team, code } = await makeTeam(server, 'open');
  const player = await signUp(server);
  const machine = await server.addMachine(`Taps ${team}`, `Taps ${team}`);
  await page.addInitScript(() => {
    const count = () =>
      sessionStorage.setItem('taps', String(Number(sessionStorage.getItem('taps')) + 1));
    document.addEventListener('pointerdown', count, true);
  });
  const taps = async () => {
    const counted = await page.evaluate(() => Number(sessionStorage.getItem('taps')));
    await page.evaluate(() => sessionStorage.removeItem('taps'));
    return counted;
  };
  await openProfile(page, server, player);
  expect(await taps()).toBe(0);

  await page.getByRole('link', { name: 'No team yet' }).click();
  await page.getByLabel('Team code').click();
  await page.keyboard.type(code);
  await page.getByRole('button', { name: 'Find the team' }).click();
  await page.getByRole('button', { name: `Join ${team}` }).click();
  await expect(page.getByRole('link', { name: 'To my profile' })).toBeVisible();
  expect(await taps()).toBe(4);

  await page.goto('/profile');
  await play(server, machine.key, player, [402]);
  await play(server, machine.key, mate, [300]);
  const slip = page.getByRole('region', { name: /^Your game/ });
  await expect(slip).toContainText('402');
  await expect(slip).toContainText('Counted for your team');
  expect(await taps()).toBe(0);

  await goTo(page, 'League');
  await expect(page.getByRole('region', { name: 'This week' })).toContainText(team);
  expect(await taps()).toBe(1);
});

test('HAND-43, HAND-44 a teammate invites by a link, or by a code in person', async ({
  page,
  server,
}) => {
  test.slow();
  const { mate, league, team, code } = await makeTeam(server, 'open');
  await page.addInitScript(() => {
    Object.defineProperty(navigator, 'share', { value: undefined });
    Object.defineProperty(navigator.clipboard, 'writeText', {
      value: async (text: string) => void Object.assign(window, { copied: text }),
    });
  });
  await openProfile(page, server, mate);
  await page.getByRole('button', { name: 'Invite' }).press('Enter');
  const sheet = page.getByRole('dialog', { name: 'Invite a teammate' });
  await expect(sheet).toContainText(`Anyone with the link can join ${team} right away.`);
  await expect(sheet.getByRole('listitem').first()).toHaveText('11 places free, 12 at most.');
  await expectRoomAndAccess(page);
  await sheet.getByRole('button', { name: 'Copy the link' }).press('Enter');
  await expect(sheet.getByRole('button', { name: 'Copied' })).toBeVisible();
  expect(await page.evaluate(() => (window as unknown as { copied: string }).copied)).toBe(
    `Play for ${team} in the ${league}: ${server.url}/join/${code}`,
  );

  await sheet.getByRole('button', { name: 'Show a code, in person' }).press('Enter');
  const shown = page.getByRole('dialog', { name: 'Join us' });
  await expect(shown).toContainText("This is the team's code: it won't start a game.");
  await expect(shown).toContainText(`${code.slice(0, 3)} ${code.slice(3)}`);
  for (const size of [
    { width: 390, height: 844 },
    { width: 320, height: 568 },
  ]) {
    await page.setViewportSize(size);
    const picture = await shown.getByRole('img', { name: 'Code of the join page' }).screenshot();
    expect(readCode(PNG.sync.read(picture)).text).toBe(`${server.url}/join/${code}`);
    await expectNoSidewaysScroll(page);
  }
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'Invite' })).toBeFocused();

  await goTo(page, 'League');
  await expect(page.getByRole('button', { name: 'Invite' })).toBeVisible();
  await server.backboard('league', 'joining', league, 'closed');
  await page.reload();
  await expect(page.getByText('Staff add players to this league.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Invite' })).toHaveCount(0);
});

test('HAND-44 a minor invites in person only', async ({ page, server }) => {
  const { mate } = await makeTeam(server, 'ask');
  await server.sql(
    `update players set date_of_birth = current_date - interval '14 years', visibility = 'league'
      where email = '${mate.email}'`,
  );
  await openProfile(page, server, mate);
  await page.getByRole('button', { name: 'Invite' }).click();
  const sheet = page.getByRole('dialog', { name: 'Invite a teammate' });
  await expect(sheet).toContainText('Staff say yes or no.');
  await expect(sheet.getByRole('button')).toHaveText(['Show a code, in person', 'Cancel']);
});

test('HAND-47, HAND-48 strips say that staff added the player to a team, and that staff took the player off', async ({
  page,
  server,
}) => {
  test.slow();
  const { team, league } = await makeTeam(server, 'closed');
  const player: NewPlayer = await signUp(server);
  await openProfile(page, server, player);
  await expect(page.getByRole('link', { name: 'No team yet' })).toBeVisible();
  await server.backboard('team', 'add', team, player.email);
  const strip = page.getByRole('link', { name: `You are on ${team}` });
  await expect(strip).toContainText(
    'Staff added you. League mode is on: your next 8 games this week count.',
  );
  await expect(page.getByRole('switch')).toBeChecked();
  await expectRoomAndAccess(page);
  await page.getByRole('switch').click();
  await expect(strip).toContainText('League mode is off. Switch it on for your games to count.');
  await page.reload();
  await strip.press('Enter');
  await expect(page.getByRole('heading', { name: league, level: 1 })).toBeVisible();
  await goTo(page, 'Pass');
  await expect(page.getByRole('switch')).toBeVisible();
  await expect(strip).toHaveCount(0);

  // The player is in another room, and still hears it.
  await goTo(page, 'League');
  const read = page.waitForResponse('**/api/users/profile/');
  await server.backboard('team', 'remove', team, player.email);
  await read;
  await goTo(page, 'Pass');
  const ended = page.getByRole('link', { name: `You are not on ${team} any more` });
  await expect(ended).toBeVisible();
  await expect(page.getByRole('link', { name: 'No team yet' })).toBeVisible();
  await page.reload();
  await expect(page.getByRole('link', { name: 'No team yet' })).toBeVisible();
  await expect(ended).toHaveCount(0);
});
