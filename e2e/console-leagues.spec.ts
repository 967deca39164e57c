import {
  expect,
  expectAccessible,
  expectNoSidewaysScroll,
  newEmail,
  newName,
  signUp,
  test,
} from './fixtures.ts';

const dayInLondon = new Intl.DateTimeFormat('en-CA', { timeZone: 'Europe/London' });

test('OPS-16 OPS-17: a league from its name to a poster: teams, a file with a wrong row, weeks, a request, Undo', async ({
  page,
  server,
}) => {
  test.slow();
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('WebAuthn.enable');
  await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  await page.setViewportSize({ width: 1280, height: 900 });
  const invited = await server.backboard('staff', 'add', 'Lena', '--role', 'owner', '--json');
  await page.goto(JSON.parse(invited).url);
  await page.getByRole('button', { name: 'Set up your passkey on this device' }).click();
  const [ann, bob, eve] = [await signUp(server), await signUp(server), await signUp(server)];
  const name = newName();
  const league = `Dockside ${name}`;
  const heading = (text: string | RegExp, level = 1) =>
    page.getByRole('heading', { name: text, level });

  // A league whose first week is the running one.
  await page.getByRole('link', { name: 'Leagues', exact: true }).click();
  await expect(heading('Leagues')).toBeFocused();
  await page.getByLabel('Name', { exact: true }).fill(league);
  await page.getByLabel('Time zone').selectOption('Europe/London');
  await page.getByLabel('First week begins').fill(dayInLondon.format(new Date()));
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  await page.getByRole('button', { name: 'Make the league' }).click();
  await expect(heading(league)).toBeFocused();
  await expect(page.getByText('No team yet.')).toBeVisible();

  // A team, by keyboard alone. Esc decides nothing, and gives the focus back.
  const newTeam = page.getByRole('button', { name: 'New team' });
  await newTeam.focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog').getByLabel('Name')).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(newTeam).toBeFocused();
  await page.keyboard.press('Enter');
  await page.keyboard.type(`Bankers ${name}`);
  await expectAccessible(page);
  await page.keyboard.press('Enter');
  await expect(heading(`Bankers ${name}`)).toBeVisible();
  await expect(page.getByText('Nobody yet.')).toBeVisible();
  const team = page.url();
  await page.getByRole('link', { name: league }).first().click();

  // A file with a wrong row names the row, and imports nothing.
  await page.getByRole('link', { name: 'Import' }).click();
  const nobody = newEmail();
  const file = (...rows: string[]) => ({
    name: 'players.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(['team,email', ...rows].join('\n')),
  });
  const right = [`Bankers ${name},${ann.email}`, `Reapers ${name},${bob.email}`];
  const choose = page.getByLabel(/^Choose the file/);
  await choose.setInputFiles(file(...right, `Reapers ${name},${nobody}`));
  await expect(heading('1 row is wrong', 2)).toBeFocused();
  await expect(page.getByRole('row', { name: /Line 4/ })).toContainText(nobody);
  await expect(page.getByText('Nothing was imported.')).toBeVisible();
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  // The right file names a new team, which is made after a confirmation.
  await choose.setInputFiles(file(...right));
  await expect(heading('1 new team', 2)).toBeFocused();
  await page.getByRole('button', { name: 'Make it and import' }).click();
  await expect(page.getByText('2 added, 0 moved, 0 unchanged.')).toBeVisible();
  await expect(page.getByText('1 team made.')).toBeVisible();

  // The weeks: a preview that follows the form, and stores nothing.
  await page.getByRole('link', { name: league }).first().click();
  await page.getByRole('link', { name: 'Weeks', exact: true }).click();
  await expect(heading('2 weeks, 2 matchups', 2)).toBeVisible();
  await page.getByLabel('Weeks', { exact: true }).fill('4');
  await expect(heading('4 weeks, 4 matchups', 2)).toBeVisible();
  await expect(heading('Made already', 2)).toHaveCount(0);
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  await page.getByRole('button', { name: 'Make these weeks' }).click();
  await expect(heading('Made already', 2)).toBeVisible();
  await page.getByRole('button', { name: 'Clear 3 coming weeks' }).click();
  await expect(page.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Clear', exact: true }).click();
  await expect(page.getByRole('button', { name: /Clear .* coming/ })).toHaveCount(0);

  await page.getByRole('link', { name: league }).first().click();
  await expect(page.getByText('Week 1 of 1, Europe/London')).toBeVisible();
  await expect(page.getByText('0/8 games')).toHaveCount(2);
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);

  const saving = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save results as a file' }).click();
  expect((await saving).suggestedFilename()).toContain('.csv');

  // A request to join arrives while the page is open; accepting it puts the player on the team.
  await page.goto(team);
  await expect(page.getByRole('row', { name: new RegExp(ann.username) })).toBeVisible();
  const code = (await page.locator('.code6 span[aria-hidden]').textContent()) ?? '';
  const asked = await fetch(`${server.url}/api/teams/join/${code}/`, {
    method: 'POST',
    headers: { authorization: `Bearer ${eve.access}` },
  });
  expect(await asked.json()).toEqual({ state: 'asked' });
  await expect(heading('Wants to join', 2)).toBeVisible();
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  await page.getByRole('button', { name: `Yes to ${eve.username}` }).click();
  await expect(heading('Wants to join', 2)).toHaveCount(0);
  const row = page.getByRole('row', { name: new RegExp(eve.username) });
  await expect(row).toContainText('0 of 8');
  await server.mail.next(eve.email);

  // Take off: Undo sends nothing; leaving the page sends the choice.
  const takeOff = page.getByRole('button', { name: `Take off the team: ${eve.username}` });
  await takeOff.click();
  await expect(page.getByRole('button', { name: /^Undo/ })).toBeFocused();
  await expectAccessible(page);
  await page.getByRole('button', { name: /^Undo/ }).click();
  await expect(takeOff).toBeVisible();
  await takeOff.click();
  await page.getByRole('link', { name: league }).first().click();
  const teamOf = async () => {
    const { team } = JSON.parse(await server.backboard('player', 'show', eve.email, '--json'));
    return team;
  };
  await expect.poll(teamOf).toBeNull();

  // The poster is one sheet of A4 without the rail.
  await page.goto(team);
  await expect(row).toHaveCount(0);
  await page.getByRole('link', { name: 'Poster' }).click();
  await expect(page.getByRole('article', { name: 'Poster, A4' })).toContainText(code);
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  await page.emulateMedia({ media: 'print' });
  await expect(page.getByRole('navigation')).toBeHidden();
  const pdf = (await page.pdf({ preferCSSPageSize: true })).toString('latin1');
  expect(pdf.match(/\/Type\s*\/Page\b/g)).toHaveLength(1);
  await page.emulateMedia({ media: null });

  // A new code asks first, and the old one is unknown then.
  await page.goto(team);
  await page.getByRole('button', { name: 'Make a new code' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await dialog.getByRole('button', { name: 'Make a new code' }).click();
  await expect(dialog).toHaveCount(0);
  await expect(page.locator('.code6')).not.toContainText(code);
});
