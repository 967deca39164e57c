import type { Page } from '@playwright/test';
import { codeIn } from '#testing/mail-sink.ts';
import type { RunningServer } from '#testing/server.ts';
import { chooseBirthdate, enterEmail, expectStep, fillProfile, heading } from './auth-steps.ts';
import {
  expect,
  expectAccessible,
  expectNoSidewaysScroll,
  expectRoomForLargeText,
  newEmail,
  newName,
  PASSWORD,
  signInAs,
  signUp,
  test,
} from './fixtures.ts';
import { readAs } from './teams.ts';

async function makeTeam(server: RunningServer, joining: 'closed' | 'ask' | 'open') {
  const mate = await signUp(server);
  const name = newName();
  const team = `Team ${name}`;
  const league = `League ${name}`;
  await server.backboard('league', 'create', league, '--timezone', 'Europe/London');
  await server.backboard('team', 'create', league, team);
  await server.backboard('team', 'create', league, `Rivals ${name}`);
  await server.backboard('schedule', 'generate', league, '--weeks', '10');
  const { code } = JSON.parse(await server.backboard('team', 'code', team, '--json'));
  await server.backboard('league', 'joining', league, 'open');
  const joined = await fetch(`${server.url}/api/teams/join/${code}/`, {
    method: 'POST',
    headers: { authorization: `Bearer ${mate.access}` },
  });
  expect(await joined.json()).toEqual({ state: 'joined' });
  if (joining !== 'open') await server.backboard('league', 'joining', league, joining);
  return { team, league, mate, code, path: `/join/${code}` };
}

async function expectRoomAndAccess(page: Page): Promise<void> {
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  await expectRoomForLargeText(page);
}

const mates = (page: Page) => page.getByRole('list', { name: 'On the team' });

test('PROD-95 a visitor sees no names, signs up by the mailed code, comes back and joins', async ({
  page,
  server,
}) => {
  test.slow();
  const { team, league, mate, path } = await makeTeam(server, 'open');
  const response = await page.goto(path);
  expect(response?.status()).toBe(200);
  expect(response?.headers()['x-robots-tag']).toBe('noindex');
  await expect(heading(page, team)).toBeVisible();
  await expect(page.getByText('You are asked to join')).toBeVisible();
  await expect(page.getByText(league)).toBeVisible();
  await expect(mates(page).getByRole('listitem')).toHaveText(['A player', '?11 free']);
  await expect(page.getByRole('definition')).toHaveText(['1/10', '1/12']);
  expect(await page.content()).not.toContain(mate.username);
  await expectRoomAndAccess(page);

  await page.getByRole('link', { name: 'Sign in' }).press('Enter');
  await expectStep(page, 'Login');
  await page.getByRole('link', { name: 'Sign up' }).click();
  await expectStep(page, 'Create account');
  const email = newEmail();
  await page.getByRole('checkbox').check();
  await enterEmail(page, email);
  await expectStep(page, 'Verification');
  await page.reload();
  await expectStep(page, 'Verification');
  await page.getByLabel('Digit 1 of 6').focus();
  await page.keyboard.type(codeIn(await server.mail.next(email)));
  await expectStep(page, 'Birthdate');
  await chooseBirthdate(page);
  const username = newName();
  await expectStep(page, 'Profile setup');
  await fillProfile(page, username);

  await expect(heading(page, team)).toBeVisible();
  await expect(page).toHaveURL(new RegExp(`${path}$`));
  await expect(mates(page).getByRole('listitem')).toHaveText([
    mate.username.toUpperCase(),
    '?11 free',
  ]);
  await expect(page.getByText(`Signed in as ${username.toUpperCase()}.`)).toBeVisible();
  await expectRoomAndAccess(page);
  await page.getByRole('button', { name: `Join ${team}` }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByText('You are on the team')).toBeVisible();
  await expect(heading(page, team)).toBeFocused();
  await expect(mates(page).getByRole('listitem')).toHaveCount(3);
  await expectRoomAndAccess(page);
  await page.getByRole('link', { name: 'To my profile' }).click();
  await expect(page.getByRole('heading', { name: 'Team Stats (Weekly)' })).toBeVisible();
  await expect(page.getByText('League mode on')).toBeVisible();
});

test('HAND-99: each name on the join page fits on one line, with three or two names per row', async ({
  page,
  server,
}) => {
  const { path, team } = await makeTeam(server, 'ask');
  await server.backboard('team', 'add', team, (await signUp(server)).email);
  await signInAs(page, server, await signUp(server));
  let name = 'Scythe';
  await page.route('**/api/teams/join/**', async (route) => {
    const response = await route.fetch();
    const body = await response.json();
    body.members[0].username = name;
    body.members[1].username = 'Al7';
    await route.fulfill({ response, json: body });
  });
  const shown = async () => {
    await page.goto(path);
    await expect(mates(page).getByText(name.toUpperCase())).toBeVisible();
    return mates(page).evaluate((list) => {
      const items = [...list.children];
      const tops = items.map((item) => item.getBoundingClientRect().top);
      const text = list.querySelector('p');
      const size = parseFloat(text ? getComputedStyle(text).fontSize : '');
      const lines = Math.round((text?.getBoundingClientRect().height ?? 0) / (size * 1.2));
      return { inRow: tops.filter((top) => top === tops[0]).length, size, lines };
    });
  };
  expect(await shown()).toEqual({ inRow: 3, size: 15, lines: 1 });
  name = 'MWMWMWMWMW';
  const shrunk = await shown();
  expect(shrunk.inRow).toBe(3);
  expect(shrunk.size).toBeLessThan(15);
  name = 'Leonhard_24';
  expect(await shown()).toMatchObject({ inRow: 2, lines: 1 });
  await expectRoomAndAccess(page);
});

test('PROD-95 Google leads back to the join page too, and “Not you?” keeps the code', async ({
  page,
  server,
}) => {
  // Another test may have signed Maya up.
  await server.sql("delete from players where email = 'maya.banks@gmail.com'");
  const { team, path } = await makeTeam(server, 'open');
  await page.goto(path);
  await page.getByRole('link', { name: 'Create account and join' }).press('Enter');
  await page.getByRole('button', { name: 'Sign in with Google' }).click();
  await page.getByRole('button', { name: 'Maya Banks' }).click();
  await expectStep(page, 'Birthdate');
  // “Wrong account?” keeps the code too, also when the join page itself asks for the birth date.
  await page.goto(path);
  await expectStep(page, 'Birthdate');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('button', { name: 'Sign in with Google' }).click();
  await page.getByRole('button', { name: 'Maya Banks' }).click();
  await expectStep(page, 'Birthdate');
  await chooseBirthdate(page);
  await page.getByLabel('Username').fill(newName());
  await page.getByRole('button', { name: "Let's Play!" }).click();
  await expect(page.getByRole('button', { name: `Join ${team}` })).toBeVisible();
  await page.getByRole('button', { name: 'Not you?' }).click();
  await expectStep(page, 'Login');
  await expect(page.getByLabel('Email')).toHaveValue('');
  const player = await signUp(server);
  await enterEmail(page, player.email);
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByText(`Signed in as ${player.username.toUpperCase()}.`)).toBeVisible();
  await expect(page).toHaveURL(new RegExp(`${path}$`));
});

test('PROD-94 a player cancels a request to join and asks again, and the open profile shows the new team', async ({
  page,
  server,
}) => {
  test.slow();
  const { team, league, path } = await makeTeam(server, 'ask');
  const player = await signUp(server);
  await signInAs(page, server, player);
  await page.goto(path);
  await page.getByRole('button', { name: `Ask to join ${team}` }).click();
  await expect(page.getByText('You have asked to join')).toBeVisible();
  await expect(page.getByRole('status').filter({ hasText: 'decides' })).toHaveText(
    `The manager of ${league} decides. You get a mail, and the team is on your profile then.`,
  );
  await expect(page.getByText(/^Asked today at \d\d:\d\d\. Until then/)).toBeVisible();
  await expectRoomAndAccess(page);
  await page.getByRole('button', { name: 'Cancel request' }).press('Enter');
  await page.getByRole('button', { name: `Ask to join ${team}` }).press('Enter');
  await page.getByRole('link', { name: 'To my profile' }).click();
  const panel = page.getByRole('region', { name: 'Team Stats (Weekly)' });
  await expect(panel.getByText(`Asked to join ${team}`)).toBeVisible();
  await expectRoomAndAccess(page);

  await server.backboard('team', 'accept', team, player.email);
  await expect(panel.getByText(player.username.toUpperCase())).toBeVisible();
  await expect(page.getByRole('link', { name: `You are on ${team}` })).toContainText(
    'Staff said yes. League mode is on: your next 8 games this week count.',
  );

  const other = await signUp(server);
  await signInAs(page, server, other);
  await page.goto(path);
  await page.getByRole('button', { name: `Ask to join ${team}` }).click();
  await expect(page.getByText('You have asked to join')).toBeVisible();
  await server.backboard('team', 'decline', team, other.email);
  await expect(page.getByRole('button', { name: `Ask to join ${team}` })).toBeVisible();
  // The mail waits a minute, in which staff may undo the answer.
  const mail = () => server.mail.next(other.email);
  await expect(async () => expect((await mail()).subject).toBe(`No place on ${team}`)).toPass({
    timeout: 150_000,
  });
});

test('PROD-94 the page says why the player cannot join, and until when', async ({
  page,
  server,
}) => {
  test.slow();
  const { team, league, path } = await makeTeam(server, 'open');
  const player = await signUp(server);
  await signInAs(page, server, player);
  await server.sql(
    `insert into players (email, username, date_of_birth, created_at, team_id)
     select 'full-' || n || $1, 'f-' || n || '-' || $2, '2000-01-01', now(), (select id from teams where name = $3)
     from generate_series(1, 11) n`,
    [player.email, player.username.slice(-6), team],
  );
  await page.goto(path);
  await expect(page.getByText('This team is full')).toBeVisible();
  await expect(
    page.getByText(
      '12 of 12 players. Ask the captain, or the venue, for a place. The code works again when one is free.',
    ),
  ).toBeVisible();
  await expect(mates(page).getByRole('listitem')).toHaveCount(12);
  await expectRoomAndAccess(page);
  await page.getByRole('link', { name: 'To my profile' }).press('Enter');
  await expect(heading(page, player.username)).toBeVisible();

  await server.backboard('league', 'joining', league, 'closed');
  await page.goto(path);
  await expect(page.getByText('Teams are closed')).toBeVisible();
  await expect(
    page.getByText(/takes no new players until the season ends on Sunday \d+ \w+\.$/),
  ).toBeVisible();
  await expect(
    page.getByText('You can play any machine meanwhile: your games count for you.'),
  ).toBeVisible();
  await expectRoomAndAccess(page);

  const home = await makeTeam(server, 'open');
  await page.goto(home.path);
  await page.getByRole('button', { name: `Join ${home.team}` }).click();
  await expect(page.getByText('You are on the team')).toBeVisible();
  await page.goto((await makeTeam(server, 'open')).path);
  await expect(
    page.getByText(`You are on ${home.team}. The venue moves players between teams.`),
  ).toBeVisible();
  await expect(page.getByRole('button', { name: /^Join/ })).toHaveCount(0);
  await expectRoomAndAccess(page);
  await page.getByRole('link', { name: `Stay with ${home.team}` }).press('Enter');
  await expect(heading(page, player.username)).toBeVisible();
});

test('PROD-96 after a wrong code the player can type another, and ten wrong codes are the limit', async ({
  page,
  server,
  expectNoise,
}) => {
  expectNoise(/404|429/);
  const { team, code, path } = await makeTeam(server, 'open');
  const player = await signUp(server);
  await signInAs(page, server, player);
  await page.goto('/join/BRK7QX');
  const field = page.getByLabel('Team code');
  await expect(field).toHaveValue('BRK7QX');
  await expect(field).toBeFocused();
  await expect(field).toHaveAccessibleDescription(
    'No team has this code. It may be mistyped, or a newer one was made.',
  );
  await expectRoomAndAccess(page);
  await field.fill(` ${code.slice(0, 3).toLowerCase()}-${code.slice(3)} `);
  await expect(field).toHaveValue(code);
  await page.keyboard.press('Enter');
  await expect(heading(page, team)).toBeFocused();
  await expect(page).toHaveURL(new RegExp(`${path}$`));

  for (let n = 0; n < 10; n += 1)
    await fetch(`${server.url}/api/teams/join/AAAAAA/`, {
      headers: { authorization: `Bearer ${player.access}` },
    });
  await page.goto('/join');
  await expect(page).toHaveURL(/\/league$/);
  await field.fill(code);
  await page.getByRole('button', { name: 'Find the team' }).click();
  await expect(field).toHaveAccessibleDescription('Too many attempts. Please wait and try again.');
});

test('PROD-94 without a connection the page says so, and joins when the connection is back', async ({
  page,
  server,
  expectNoise,
}) => {
  expectNoise(/ERR_INTERNET_DISCONNECTED|could not be read|was not joined/);
  const { team, path } = await makeTeam(server, 'open');
  const player = await signUp(server);
  await signInAs(page, server, player);
  await page.goto(path);
  const button = page.getByRole('button', { name: `Join ${team}` });
  await expect(button).toBeVisible();
  await page.context().setOffline(true);
  await button.click();
  await expect(page.getByRole('alert')).toHaveText(
    'Cannot reach the server. Nothing was sent. Check your signal and try again.',
  );
  await page.context().setOffline(false);
  await button.click();
  await expect(page.getByText('You are on the team')).toBeVisible();
  const { team: mine } = await readAs(server, player, '/api/users/profile/');
  expect(mine).toEqual({ name: team });
});
