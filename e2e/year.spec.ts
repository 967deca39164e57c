import { type RunningServer, startServer } from '#testing/server.ts';
import { picture, pictureAsIs } from './as-drawn.ts';
import {
  beginRound,
  endRound,
  openHoop,
  openPhone,
  openWall,
  runJob,
  setSlides,
} from './finals.ts';
import {
  expect,
  expectAccessible,
  expectNoSidewaysScroll,
  inviteStaff,
  type NewPlayer,
  setUpPasskey,
  signUp,
  test,
} from './fixtures.ts';
import { setLeagueMode } from './teams.ts';

const LEAGUE = 'Dockside League';

// Use a separate server, because the test moves a league into the past.
let server: RunningServer;
test.beforeAll(async () => {
  server = await startServer();
});
test.afterAll(() => server.close());

/** Moves everything of the league a week into the past, as if a week had passed. */
async function passWeek() {
  await server.sql('update leagues set starts_on = starts_on - 7');
  await server.sql('update seasons set starts_on = starts_on - 7, last_week = last_week - 7');
  await server.sql('update season_entries set from_week = from_week - 7, to_week = to_week - 7');
  await server.sql('update games set week = week - 7');
  // Move the rows far away first: moved by one week, a row could take the key of the row before it.
  for (const days of ['+ 36400', '- 36407'])
    for (const table of ['season_pauses', 'matchup_sides', 'league_weeks'])
      await server.sql(`update ${table} set week = week ${days}`);
}

test('SEASON-01 to 52, CUP-01 to 34: staff run a league in the console from its first week to the next season', async ({
  page,
  browser,
  expectNoise,
}) => {
  test.setTimeout(600_000);
  // Chromium logs the 400 for a season that would begin in the running week.
  expectNoise(/status of 400/);
  const hoop = await openHoop(server);
  const players: NewPlayer[] = [];
  for (let at = 0; at < 9; at += 1) players.push(await signUp(server));
  const player = (seed: number) => players[seed - 1] as NewPlayer;
  const team = (seed: number) => `Team ${seed}`;
  for (const one of players) await setLeagueMode(server, one, true);
  const play = (seed: number, score: number) => hoop.play(player(seed), score);
  const heading = (name: string | RegExp, level = 1) =>
    page.getByRole('heading', { name, level, exact: true });
  const press = (name: string | RegExp) => page.getByRole('button', { name }).first().click();
  const dialog = page.getByRole('dialog');
  const season = async () => {
    await page.goto(`${server.url}/console/leagues`);
    await page.getByRole('link', { name: `Open ${LEAGUE}` }).click();
    await page.getByRole('link', { name: 'Season', exact: true }).click();
  };

  await page.setViewportSize({ width: 1280, height: 900 });
  await setUpPasskey(page, await inviteStaff(server, 'Ines Duarte', '--role', 'owner'));

  // A league with nine teams and four weeks.
  await page.getByRole('link', { name: 'Leagues' }).first().click();
  await page.getByLabel('Name', { exact: true }).fill(LEAGUE);
  await page.getByLabel('Time zone').selectOption('Europe/London');
  await press('Make the league');
  await expect(heading(LEAGUE)).toBeVisible();
  await page.getByRole('link', { name: 'Import' }).click();
  const rows = players.map(({ email }, at) => `${team(at + 1)},${email}`);
  await page.getByLabel(/^Choose the file/).setInputFiles({
    name: 'players.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(['team,email', ...rows].join('\n')),
  });
  await press('Make them and import');
  await expect(page.getByText('9 added, 0 moved, 0 unchanged.')).toBeVisible();
  await page.getByRole('link', { name: LEAGUE }).first().click();
  await page.getByRole('link', { name: 'Weeks', exact: true }).click();
  await page.getByLabel('Weeks', { exact: true }).fill('4');
  await expect(heading(/^4 weeks/, 2)).toBeVisible();
  await press('Make these weeks');
  await expect(heading('Made already', 2)).toBeVisible();
  // The season begins next Monday, or on a Monday that day: move to its first week.
  const planned = await server.sql(
    `select from seasons where starts_on > (now() at time zone 'Europe/London')::date`,
  );
  if (planned.length > 0) await passWeek();
  await season();
  await press('Change the settings');
  await dialog.getByLabel('End').selectOption('schedule');
  await dialog.getByLabel('Hours for late games').fill('0');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('0 hours after the last week')).toBeVisible();
  await expectAccessible(page);

  // Three weeks: everybody plays; the last team withdraws; the third week is postponed.
  const week = async (more: number) => {
    for (let seed = 1; seed <= 9; seed += 1) await play(seed, 500 - 10 * seed + more);
  };
  await week(0);
  await passWeek();
  await week(1);
  await season();
  await press(`Withdraw ${team(9)}`);
  await expect(dialog.getByRole('radio', { name: /^From Mon \d{1,2} \w+$/ })).toBeChecked();
  await dialog
    .getByRole('radio', { name: /^From the running week, which began on Mon \d/ })
    .check();
  await dialog.getByLabel('Reason, the league reads it').fill('They moved away');
  await expectAccessible(page);
  await picture(page, 'c22b');
  await dialog.getByRole('button', { name: 'Withdraw them' }).click();
  await expect(
    page
      .getByRole('listitem')
      .filter({ has: page.getByText(team(9), { exact: true }) })
      .getByRole('status'),
  ).toBeFocused();
  await expect(page.getByText(`All matchups of ${team(9)} are annulled.`)).toBeVisible();
  await passWeek();
  await week(2);
  await page.reload();
  await press('Postpone week 3');
  await dialog.getByLabel('Reason, the teams read it').fill('A burst pipe');
  await expectAccessible(page);
  await picture(page, 'c22');
  await dialog.getByRole('button', { name: 'Postpone week 3' }).click();
  await expect(page.getByText('A burst pipe')).toBeVisible();
  await expect(
    page
      .getByRole('listitem')
      .filter({ hasText: 'A burst pipe' })
      .getByRole('status')
      .filter({ hasText: 'Week 3 is postponed.' }),
  ).toBeFocused();

  // The postponed week, then weeks 3 and 4. The season becomes final without a press of a button.
  await passWeek();
  await week(3);
  await passWeek();
  await week(4);
  expect(await play(2, 29_400)).toMatchObject({ status: 'held' });
  await passWeek();
  await page.reload();
  await expect(heading('The season is about to end', 2)).toBeVisible();
  await picture(page, 'c20');
  // SEASON-21: Tonight says what keeps the season open.
  const tonight = () =>
    page
      .getByRole('link', { name: /^Tonight/ })
      .first()
      .click();
  const hand = page.getByRole('region', { name: /^Needs a hand/ }).getByRole('listitem');
  const inHand = (words: string) => hand.filter({ hasText: words });
  await tonight();
  await expect(inHand('1 held game')).toContainText(`It keeps Season 1 of ${LEAGUE} open`);
  await expectAccessible(page);
  await picture(page, 'tonight-open');
  await server.backboard('held', 'discard', '--machine', 'Hoop 1', '--yes');
  await expect(inHand(LEAGUE)).toHaveCount(0);
  await season();
  // The server runs this job every minute (SEASON-21).
  await runJob(server, 'seasons');
  await expect(heading('Final table', 2)).toBeVisible({ timeout: 20_000 });
  await expect(heading('Awards', 2)).toBeVisible();
  await expect(page.getByRole('row', { name: new RegExp(`^– ${team(9)}`) })).toBeVisible();
  await expectAccessible(page);

  // SEASON-25: a late void changes the table by a correction only; both versions can be read.
  await page.getByRole('link', { name: 'Players' }).first().click();
  await page.getByLabel('Name, e-mail address or code').fill(player(1).username);
  await page.getByRole('link', { name: player(1).username }).click();
  await press(/^Void/);
  await expect(page.getByText('Voided.', { exact: true })).toBeVisible();
  await tonight();
  await expect(inHand(`Season 1 of ${LEAGUE}`)).toContainText(
    'A game changed after the season was final',
  );
  await expectAccessible(page);
  await picture(page, 'tonight-changed');
  await inHand(LEAGUE)
    .getByRole('link', { name: `Look at Season 1 of ${LEAGUE}` })
    .click();
  await expect(heading('A late change would move the table', 2)).toBeVisible();
  await picture(page, 'c20b');
  await page.getByLabel('Reason').fill('Somebody else played');
  await press('Correct the table');
  await expect(page.getByText(/^The table is corrected/)).toBeFocused();
  await page.getByRole('link', { name: 'Before version 2' }).click();
  await expect(page.getByText('version 1 of 2')).toBeVisible();
  await expectAccessible(page);
  // A ruling offers to correct the table again, until staff press “Leave it”.
  await season();
  await page
    .getByRole('button', { name: /^Result of Team [1-8] against Team [1-8]$/ })
    .first()
    .click();
  await dialog.getByRole('radio', { name: /^Team \d and Team \d both lose$/ }).check();
  await dialog.getByLabel('Reason, both teams read it').fill('Nobody came');
  await dialog.getByRole('button', { name: 'Set the result', exact: true }).click();
  await expect(heading('A late change would move the table', 2)).toBeVisible();
  await tonight();
  await expect(inHand(`Season 1 of ${LEAGUE}`)).toContainText(
    'A ruling changed after the season was final',
  );
  await inHand(LEAGUE)
    .getByRole('link', { name: `Look at Season 1 of ${LEAGUE}` })
    .click();
  await press('Leave it');
  await expect(heading('A late change would move the table', 2)).toBeHidden();
  await tonight();
  await expect(inHand(LEAGUE)).toHaveCount(0);

  // The eight teams that played to the end play the finals, a cup that decides the champion.
  await page.goto(`${server.url}/console/contests/cups/new`);
  await page.getByLabel('Sides', { exact: true }).selectOption('season');
  // The only league and its only season are chosen.
  await expect(page.getByLabel('Season', { exact: true })).not.toHaveValue('');
  const decides = page.getByRole('radio', { name: /^Yes, its winner is the champion/ });
  await expect(decides).not.toBeChecked();
  await decides.check();
  await expect(heading('8 sides, 3 rounds', 2)).toBeVisible();
  await expectAccessible(page);
  await picture(page, 'c24b');
  await press('Make this cup');
  await expect(heading('Finals night')).toBeVisible();
  await expect(page.getByText(/^It decides the title of Season 1\./)).toBeVisible();
  // Until the cup is decided, nobody has won.
  await page.goto(`${server.url}/console/leagues`);
  await page.getByRole('link', { name: `Open ${LEAGUE}` }).click();
  const won = page.getByRole('region', { name: 'Champions of Season 1' });
  await expect(won).toContainText('The cup decides');
  await page.goto(`${server.url}/console/contests`);
  await page.getByRole('link', { name: 'Open Finals night' }).click();
  await press('Cancel the cup');
  await expect(dialog.getByText(/^The title of Season 1 goes back to the table/)).toBeVisible();
  await page.keyboard.press('Escape');
  await beginRound(server, 0);

  // On the wall, 2 s after a game.
  const { wall, code } = await openWall(browser, server);
  await page.goto(`${server.url}/console/screens`);
  await page.getByLabel('Code on the screen').fill(code);
  await page.getByLabel('Name').fill('Window');
  await page.getByRole('button', { name: 'Pair', exact: true }).click();
  await expect(wall.locator('.is-on .boxes')).toBeHidden();
  await setSlides(server, 'contest', 'cup');
  await expect(wall.locator('.is-on .tree3')).toBeVisible();
  await play(1, 411);
  await expect(wall.locator('.is-on .tree3')).toContainText('411', { timeout: 2_000 });

  // A side withdraws; its opponent goes on. The others play three rounds.
  await page.goto(`${server.url}/console/contests`);
  await page.getByRole('link', { name: 'Open Finals night' }).click();
  await press(`Withdraw ${team(8)}`);
  await dialog.getByRole('button', { name: 'Withdraw' }).click();
  await expect(page.locator('.tree').getByText(/^QF \d: Walkover$/)).toBeVisible();
  await expectAccessible(page);
  const phone = await openPhone(browser, server, player(1));
  await phone.goto(`${server.url}/league`);
  await expect(phone.getByRole('heading', { name: 'Finals night', level: 2 })).toBeVisible();
  await phone.getByRole('link', { name: 'Open Finals night' }).click();
  await expect(phone.getByRole('heading', { name: 'Finals night', level: 1 })).toBeVisible();
  await expect(phone.getByText(`The winner is the champion of ${LEAGUE}, Season 1.`)).toBeVisible();
  await expectAccessible(phone);
  await expectNoSidewaysScroll(phone);
  for (const round of [0, 1, 2]) {
    if (round > 0) await beginRound(server, round);
    for (let seed = 1; seed <= 7; seed += 1) await play(seed, 500 - 10 * seed);
    await endRound(server, round);
    await hoop.settle();
    // The match for third place stands beside the final.
    const decided = page
      .locator(round === 2 ? '.tree__c:nth-child(n + 3)' : `.tree__c:nth-child(${round + 1})`)
      .getByText(/: (Decided|Walkover)$/);
    await expect(decided).toHaveCount([4, 2, 2][round] ?? 0, { timeout: 30_000 });
  }
  await expect(page.getByText(`${team(1)} won the cup.`)).toBeVisible();
  await expect(wall.locator('.is-on')).toContainText('Won the cup', { timeout: 10_000 });
  await pictureAsIs(wall, 't15-won');
  await picture(page, 'c24');
  await phone.reload();
  await expect(phone.getByText('You won the cup.')).toBeVisible();
  await picture(phone, '82-won');

  // A Friday night, with its winner on the television.
  await page.goto(`${server.url}/console/contests`);
  await press('Make this night');
  await expect(heading(/^\w+day Night Hoops$/)).toBeVisible();
  await server.sql(`update contests set starts_at = now() - interval '10 seconds'`);
  await server.sql(`update cups set final_at = final_at - interval '10 minutes'`);
  await play(2, 512);
  await page.reload();
  await expect(heading('On the wall', 2)).toBeVisible();
  await expectAccessible(page);
  await press('Stop now');
  await dialog.getByRole('button', { name: 'Stop it now' }).click();
  await expect(page.getByText(/^It is over/)).toBeFocused();
  await hoop.settle();
  await expect(wall.locator('.is-on .winner')).toContainText('512', { timeout: 40_000 });

  // The player sees who won, and when the next season begins.
  await phone.goto(`${server.url}/seasons`);
  await expect(phone.getByText(`${team(1)}, champions`)).toBeVisible();
  await picture(phone, '81');
  await expectAccessible(phone);
  await page.goto(`${server.url}/console/leagues`);
  await page.getByRole('link', { name: `Open ${LEAGUE}` }).click();
  await expect(won).toContainText(team(1));
  await won.getByRole('link', { name: 'Its table and awards' }).click();
  await expect(heading('Season 1')).toBeVisible();
  await page.getByRole('link', { name: 'Make the next season' }).click();
  await expect(page.getByText(/^8 teams, 8 players and 4 weeks are ready/)).toBeVisible();
  const leaveOut = page.getByRole('group', { name: 'Leave out' }).getByRole('checkbox');
  await expect(leaveOut).toHaveCount(4);
  await leaveOut.nth(1).check();
  await expect(leaveOut).toHaveCount(5);
  await expectAccessible(page);
  await picture(page, 'c21');
  await press('Make this season');
  await expect(heading('Season 2')).toBeVisible();

  // SEASON-52: a season begins in the running week only after staff have read what that means.
  await press('Change the settings');
  await dialog.getByLabel('First week begins').fill(new Date().toISOString().slice(0, 10));
  await expect(
    dialog.getByText('The season runs at once, and cannot be moved or dropped.'),
  ).toBeVisible();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog.getByText(/^This week has begun/)).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await phone.goto(`${server.url}/league`);
  await expect(phone.getByText(/The next season begins/).first()).toBeVisible();
});
