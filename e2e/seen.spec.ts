import type { Page } from '@playwright/test';
import {
  expect,
  expectAccessible,
  expectNoSidewaysScroll,
  expectRoomForLargeText,
  type NewPlayer,
  signUp,
  test,
} from './fixtures.ts';
import { openProfile, play } from './profile-page.ts';
import { makeLeague } from './teams.ts';

const panel = (page: Page, name: string) => page.getByRole('region', { name });
const choice = (page: Page, name: RegExp) => page.getByRole('radio', { name });
const LEAGUE = /^My team and the teams we play/;
const PLAYERS = /^Everybody with an account here/;
const VENUE = /^Also the screens in venues/;
const BELOW =
  'Some players show their name to their own league only. Scores and places are real. Who sees my name';

function bornFor18({ days }: { days: number }): string {
  const day = new Date(Date.now() + days * 24 * 3_600_000);
  day.setUTCFullYear(day.getUTCFullYear() - 18);
  return day.toISOString().slice(0, 10);
}

async function expectUsable(page: Page): Promise<void> {
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  await expectRoomForLargeText(page);
}

test('PROD-80 to PROD-83: a player can choose who sees the name only after coming of age', async ({
  page,
  server,
  expectNoise,
}) => {
  test.slow();
  expectNoise(/Who sees the name was not changed|net::ERR_FAILED/);
  const { league, home, away } = await makeLeague(server);
  const stranger = await signUp(server);
  const machine = await server.addMachine(`Hoop ${home.username}`, `Hall ${home.username}`);
  for (const [player, score] of [
    [stranger, 700],
    [home, 600],
    [away, 500],
  ] as const)
    await play(server, machine.key, player, [score]);
  const setBirthdate = (player: NewPlayer, days: number) =>
    server.backboard('player', 'birthdate', player.email, bornFor18({ days }));
  await setBirthdate(stranger, 400);
  await setBirthdate(home, 40);

  await openProfile(page, server, home);
  await page.goto('/account');
  const who = panel(page, 'Who sees my name');
  await expect(page.getByRole('region').first()).toHaveAccessibleName('Who sees my name');
  await expect(choice(page, LEAGUE)).toBeChecked();
  await expect(choice(page, PLAYERS)).toBeDisabled();
  await expect(choice(page, VENUE)).toBeDisabled();
  await expect(who.getByRole('group')).toHaveAccessibleDescription(
    /^You are under 18, so only your team and the teams you play see your name\. You can choose from \d+ [A-Z][a-z]+ \d{4}\. Nothing changes by itself then\.$/,
  );
  await choice(page, LEAGUE).press('ArrowDown');
  await expect(choice(page, LEAGUE)).toBeChecked();
  await expectUsable(page);

  await page.goto('/leaderboard');
  await page.getByRole('radio', { name: 'Venue', exact: true }).check();
  const rows = page.getByRole('region').getByRole('listitem');
  await expect(rows).toHaveText([
    'Place 1A playerScore 700',
    `Place 2${home.username.toUpperCase()}You. Others here see “A player”Score 600`,
    `Place 3${away.username.toUpperCase()}Score 500`,
  ]);
  await expect(page.getByText(BELOW)).toBeVisible();
  await expectUsable(page);
  await page.getByRole('link', { name: 'Who sees my name' }).press('Enter');
  await expect(who).toBeVisible();

  await setBirthdate(home, 0);
  await server.sql('update players set visibility_question = true where email = $1', [home.email]);
  await page.goto('/profile');
  const question = panel(page, 'You are 18 now');
  await expect(question).toContainText(
    'Who may see your name? Until today it was your team and the teams you play. Nothing changes unless you change it.',
  );
  const [code, asked] = [page.getByRole('img', { name: 'Player QR code' }), question];
  expect((await asked.boundingBox())?.y).toBeGreaterThan((await code.boundingBox())?.y ?? 0);
  await expect(choice(page, LEAGUE)).toBeChecked();
  await expectUsable(page);
  await page.goto('/privacy');
  await page.goto('/profile');
  await choice(page, LEAGUE).focus();
  await page.keyboard.press('ArrowDown');
  await expect(choice(page, PLAYERS)).toBeChecked();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: 'Save' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(question).toBeHidden();
  await expect(page.getByRole('heading', { level: 1, name: home.username })).toBeFocused();

  await page.goto('/account');
  await expect(choice(page, PLAYERS)).toBeChecked();
  await choice(page, PLAYERS).press('ArrowUp');
  await expect(who.getByRole('status')).toHaveText('Saved');
  await expect(who.getByRole('list', { name: "How others see this week's game" })).toHaveText(
    `${home.username.toUpperCase()}You, your team and the teams you playA playerEverybody else`,
  );
  await expectUsable(page);
  await choice(page, LEAGUE).press('ArrowDown');
  await expect(who.getByRole('status')).toHaveText('Saved');
  await expect(choice(page, PLAYERS)).toBeFocused();
  await expect(who.getByRole('list')).toHaveCount(0);
  await expectUsable(page);
  await page.route('**/api/users/profile/', (route) => route.abort());
  await choice(page, PLAYERS).press('ArrowDown');
  await expect(who.getByRole('alert')).toContainText('Cannot reach the server.');
  await expect(choice(page, PLAYERS)).toBeChecked();
  await expect(who.getByRole('status')).toHaveText('');
  await page.unroute('**/api/users/profile/');

  // Somebody who has left the league has no name in its list of best games.
  await server.sql("update players set visibility = 'league' where email = $1", [away.email]);
  await server.backboard('team', 'remove', `Team ${away.username}`, away.email);
  await page.goto('/league');
  const best = panel(page, 'Best games of the season');
  await expect(best.getByRole('listitem')).toHaveText([
    `Place 1${home.username.toUpperCase()}You, Team ${home.username}, week 1Score 600`,
    'Place 2A playerWeek 1Score 500',
  ]);
  await expect(best).toContainText('Some players show their name to their own league only.');
  await expect(page.getByRole('heading', { level: 1, name: league })).toBeVisible();
  await expectUsable(page);
});
