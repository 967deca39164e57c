import { type RunningServer, startServer } from '#testing/server.ts';
import { picture } from './as-drawn.ts';
import {
  expect,
  expectAccessible,
  expectNoSidewaysScroll,
  setUpPasskey,
  signInAs,
  test,
} from './fixtures.ts';
import { play } from './profile-page.ts';
import { makeLeague, teamOf } from './teams.ts';

// Use a separate server, because the test moves a league into the past.
let server: RunningServer;
test.beforeAll(async () => {
  server = await startServer();
});
test.afterAll(() => server.close());

/** A league in the last of its four weeks, with a game of `home` two weeks ago. */
async function leagueInItsLastWeek() {
  const { league, home, away } = await makeLeague(server);
  await server.backboard('schedule', 'generate', league, '--weeks', '4');
  const machine = await server.addMachine('Hoop of seasons');
  await play(server, machine.key, home, [500, 300]);
  await play(server, machine.key, away, [400]);
  for (const [table, column, days] of [
    ['leagues', 'starts_on', 21],
    ['seasons', 'starts_on', 21],
    ['season_entries', 'from_week', 21],
    ['matchup_sides', 'week', 21],
    ['league_weeks', 'week', 14],
    ['games', 'week', 14],
  ] as const)
    await server.sql(`update ${table} set ${column} = ${column} - ${days}`, []);
  const [row] = await server.sql('select id from leagues where name = $1', [league]);
  return { league, home, away, id: String(row?.id) };
}

test('SEASON-20 to 42: staff end a season and make the next season, and players see both', async ({
  page,
}) => {
  test.slow();
  const { league, home, away, id } = await leagueInItsLastWeek();
  const printed = await server.backboard('staff', 'add', 'Ines Duarte', '--role', 'owner');
  await page.setViewportSize({ width: 1280, height: 900 });
  await setUpPasskey(page, /https?:\S+/.exec(printed)?.[0] ?? '');
  const heading = (name: string | RegExp, level = 1) =>
    page.getByRole('heading', { name, level, exact: true });
  const press = (name: string | RegExp) => page.getByRole('button', { name }).click();
  const dialog = page.getByRole('dialog');

  await expect(heading('Tonight')).toBeVisible();
  await page.goto(`${server.url}/console/leagues/${id}`);
  await page.getByRole('link', { name: 'Season', exact: true }).click();
  await expect(heading('Season 1')).toBeVisible();
  await expect(heading('Table so far', 2)).toBeVisible();
  await expect(page.getByText('This season runs until you end it.')).toBeVisible();
  await expectAccessible(page);

  await press('Postpone week 4');
  await dialog.getByLabel('Reason, the teams read it').fill('A burst pipe');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Postpone week 4' }).click();
  await expect(page.getByText('A burst pipe')).toBeVisible();
  await press('Take it back');
  await expect(page.getByText('A burst pipe')).toBeHidden();

  await page
    .getByRole('listitem')
    .filter({ hasText: 'Week 1,' })
    .getByRole('button', { name: /^Result of/ })
    .click();
  await dialog.getByLabel('Reason, both teams read it').fill('Nobody came');
  await expect(dialog.getByRole('radio', { checked: true })).toHaveCount(0);
  await expect(dialog.getByRole('button', { name: 'Set the result', exact: true })).toBeDisabled();
  const teams = [teamOf(home), teamOf(away)];
  for (const [winner, loser] of [teams, teams.toReversed()])
    await expect(
      dialog.getByRole('radio', { name: `${loser} forfeit: ${winner} win`, exact: true }),
    ).toBeVisible();
  await dialog.getByRole('radio', { name: / and .+ both lose$/ }).check();
  await dialog.getByRole('button', { name: 'Set the result', exact: true }).click();
  await expect(page.getByText('both lose (Nobody came)')).toBeVisible();
  // The list of weeks marks the decided matchup too.
  await page.goto(`${server.url}/console/leagues/${id}/weeks`);
  await expect(page.getByText('both lose (Nobody came)', { exact: true })).toBeVisible();
  await expectAccessible(page);
  await picture(page, 'weeks-ruled');
  await page.goBack();

  await press('Change the settings');
  await dialog.getByLabel('Hours for late games').fill('');
  await expect(dialog.getByRole('button', { name: 'Save' })).toBeDisabled();
  await dialog.getByLabel('Hours for late games').fill('336');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('336 hours after the last week')).toBeVisible();
  const cup = page.getByRole('link', { name: 'Make a cup of its teams' });
  await expect(cup).toHaveAttribute('href', `/console/contests/cups/new?league=${id}`);
  await press('Postpone week 4');
  await dialog.getByLabel('Reason, the teams read it').fill('Christmas');
  await dialog.getByRole('button', { name: 'Postpone week 4' }).click();
  await expect(page.getByText('Christmas')).toBeVisible();
  await press('End the season…');
  await picture(page, 'season-end-asked');
  // By default, the running week is still played.
  await expect(dialog.getByRole('radio', { name: /^The running week/ })).toBeChecked();
  await expect(dialog).toContainText(/You can make the next season from Mon \d+ \w+ on\./);
  await dialog.getByRole('radio', { name: /^The last finished week/ }).check();
  await expect(dialog).toContainText('You can make the next season at once.');
  await expect(dialog).toContainText('Postponements of weeks that are not played are deleted.');
  await expect(dialog).toContainText('The matchups of the running week and all later ones');
  await dialog.getByRole('button', { name: 'End the season' }).click();
  await expect(
    page.getByText(/^Season 1 has had its last week\. Late games count until/),
  ).toBeFocused();
  await expect(heading('The season is about to end', 2)).toBeVisible();
  await picture(page, 'season-in-grace');
  await expectAccessible(page);

  // MACH-16
  const onTonight = async (words: RegExp) => {
    await page.getByRole('link', { name: /^Tonight/ }).click();
    await expect(page.getByText(words)).toBeVisible();
    await expectAccessible(page);
  };
  const ended = page.url();
  await onTonight(/^No season planned$/);
  await picture(page, 'tonight-between');
  await page.getByRole('link', { name: `Open ${league}` }).click();
  await expect(heading(league)).toBeVisible();
  await page.goto(ended);
  await page.getByRole('link', { name: 'Make the next season' }).click();
  await expect(heading('Next season')).toBeVisible();
  await page.getByLabel('New team').fill('Late Comers');
  await press('Add');
  await expect(page.getByText(/^3 teams, 2 players and 3 weeks are ready/)).toBeVisible();
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  // SEASON-52: a season begins in the running week only if staff ask for it.
  const first = page.getByLabel('First week begins');
  const monday = await first.inputValue();
  const week = new Date(Date.parse(monday) - 7 * 24 * 3_600_000).toISOString().slice(0, 10);
  await first.fill(week);
  const atOnce = page.getByRole('checkbox', { name: 'Begin in the running week' });
  await expect(atOnce).not.toBeChecked();
  await press('Make this season');
  await expect(page.getByRole('alert')).toContainText('This week has begun');
  await expectAccessible(page);
  const sunday = new Date(Date.parse(monday) + 6 * 24 * 3_600_000).toISOString().slice(0, 10);
  await first.fill(sunday);
  await expect(page.getByText(/^Its week begins on Mon/)).toBeVisible();
  await first.fill(monday);
  await expect(atOnce).toBeHidden();
  // If the form is open past Sunday midnight, the server refuses its first week, and the form
  // offers to begin the season at once.
  const endsEarlier = (days: number) =>
    server.sql(`update seasons set last_week = last_week - ${days}::integer where league_id = $1`, [
      id,
    ]);
  await page.reload();
  await expect(first).toHaveValue(monday);
  await endsEarlier(7);
  await press('Make this season');
  await expect(page.getByRole('alert')).toContainText('This week has begun');
  await expect(atOnce).not.toBeChecked();
  await expect(page.getByText('This week has begun: the season runs')).toBeVisible();
  await picture(page, 'c21-at-once');
  await endsEarlier(-7);
  await first.fill(monday);
  await expect(atOnce).toBeHidden();
  await page.getByLabel('New team').fill('Late Comers');
  await press('Add');
  await expect(page.getByText(/^3 teams, 2 players and 3 weeks are ready/)).toBeVisible();
  await press('Make this season');
  await expect(heading('Season 2')).toBeVisible();
  await expect(page.getByText(/Begins on/).first()).toBeVisible();
  await expect(page.getByText(/^Season 2 is made. It begins Mon/)).toBeFocused();
  const next = page.url();
  await onTonight(/^Next season begins Mon \d+ \w+/);
  await page.goto(next);

  const meets = page.getByText(/^Late Comers v | v Late Comers$/);
  await expect(meets).not.toHaveCount(0);
  // HAND-C1: two taps, and Undo.
  const weekOne = page.getByRole('listitem').filter({ hasText: 'Week 1,' });
  const drawn = (await weekOne.locator('.fixture > :first-child').allTextContents()).join();
  await weekOne.getByRole('button', { name: /^Swap of/ }).click();
  await expectAccessible(page);
  await picture(page, 'c1-swap');
  await expect(weekOne.getByText(/meet instead:$/)).toBeVisible();
  await weekOne.locator('.fixture__c button').first().click();
  await expect(page.locator('.done').getByText(/have a bye/)).toBeVisible();
  const shown = () => weekOne.locator('.fixture > :first-child').allTextContents();
  await expect.poll(async () => (await shown()).join()).not.toBe(drawn);
  await press(/^Undo/);
  await expect.poll(async () => (await shown()).join()).toBe(drawn);

  await press('Leave out Late Comers');
  await expect(dialog.getByRole('heading', { name: 'Leave Late Comers out?' })).toBeVisible();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Leave it out' }).click();
  await expect(page.getByText('Late Comers is left out of Season 2.')).toBeFocused();
  await expect(meets).toHaveCount(0);
  await press(/^Take it in ?: Late Comers/);
  await expect(dialog.getByRole('heading', { name: 'Take Late Comers in' })).toBeVisible();
  await expect(dialog.getByRole('radio', { name: /^Make the coming weeks anew/ })).toBeChecked();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Take it in', exact: true }).click();
  await expect(page.getByText('Late Comers is in the season.')).toBeFocused();
  await expect(meets).not.toHaveCount(0);

  await page.getByRole('link', { name: league }).click();
  await press('Add teams');
  await page.getByLabel('Names, one on each line').fill('Dunkers\nHoopers');
  await press('Add 2 teams');
  const idle = page.getByText('Dunkers and Hoopers have no matchups in Season 2.');
  await expect(idle).toBeVisible();
  await picture(page, 'league-idle-teams');
  await page.getByRole('link', { name: 'Give them matchups' }).click();
  await press('Matchups for Dunkers');
  await dialog.getByRole('button', { name: 'Make the matchups' }).click();
  await expect(page.getByText('The matchups of Dunkers are made.')).toBeFocused();
  await expect(page.getByText('No matchups yet')).toHaveCount(0);

  await page.getByRole('link', { name: 'Open Season 1' }).click();
  await press('End the season now…');
  await dialog.getByRole('button', { name: 'End it now' }).click();
  await expect(heading('Final table', 2)).toBeVisible();
  await expect(page.getByRole('row', { name: new RegExp(`^1 ${teamOf(home)}`) })).toBeVisible();
  await expect(heading('Awards', 2)).toBeVisible();
  await expect(heading(teamOf(home), 2)).toBeVisible();
  await expect(page.getByRole('link', { name: 'Make a cup from this table' })).toBeVisible();
  await expectAccessible(page);

  await page.goto(`${server.url}/console/leagues/${id}/weeks`);
  await page.getByRole('link', { name: 'its weeks are on its page' }).click();
  await expect(heading('Season 2')).toBeVisible();
  await page.goto(`${server.url}/console/leagues/${id}`);
  await page.getByRole('link', { name: 'Season', exact: true }).click();
  await expect(heading('Season 2')).toBeVisible();
  await page.goto(`${server.url}/console/leagues`);
  await expect(page.getByText(`Won by ${teamOf(home)}`)).toBeVisible();

  await page.setViewportSize({ width: 390, height: 844 });
  await signInAs(page, server, home);
  await page.goto(`${server.url}/profile`);
  await page.getByRole('button', { name: 'Show the code full screen' }).click();
  await expect(page.getByText('Between seasons: games count for you.')).toBeVisible();
  await page.keyboard.press('Escape');
  await page.getByRole('link', { name: /Champions/ }).click();
  await expect(heading('Seasons')).toBeFocused();
  await expect(page.getByText(`${teamOf(home)}, champions`)).toBeVisible();
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  await page.getByRole('link', { name: /^Final table/ }).click();
  await expect(heading('Season 1')).toBeFocused();
  await expect(page.getByRole('region', { name: teamOf(home) })).toContainText('1 won, 1 lost');
  await expect(page.getByRole('region', { name: 'Awards' })).toContainText('Best game');
  await page.getByRole('button', { name: 'Share it' }).click();
  const card = page.getByRole('img', { name: `${teamOf(home)}: Champions.` });
  await expect(card).toHaveAttribute('alt', /1 won, 1 drawn, 1 lost, 800 points\.$/);
  expect(await card.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBe(1080);
  await expect(page.getByRole('link', { name: 'Save picture' })).toBeVisible();
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  await page.goto(`${server.url}/league`);
  await expect(page.getByText(/The next season begins/).first()).toBeVisible();
  await expect(page.getByText('Champions of Season 1')).toBeVisible();
  await picture(page, 'league-between-390');
  await expect(heading('What changed', 2)).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Season 2: who plays whom' }).click();
  await expect(page.getByText(/3 weeks\. Begins Mon/)).toBeVisible();
  await expect(heading('Week 1', 3)).toBeVisible();
  await picture(page, 'season-planned-390');
  await expectAccessible(page);

  await signInAs(page, server, away);
  await page.goto(`${server.url}/profile`);
  await expect(page.getByRole('link', { name: /Season over/ })).toContainText('2nd of 2');
});
