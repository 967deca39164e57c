import { randomUUID } from 'node:crypto';
import {
  expect,
  expectAccessible,
  expectNoSidewaysScroll,
  expectRoomForLargeText,
  inviteStaff,
  numberOf,
  setUpPasskey,
  signUp,
  test,
} from './fixtures.ts';

/** How soon after its commit a change must be on the page (MACH-16). */
const LIVE = { timeout: 5_000 };

test('GAME-12 OPS-17 STAFF-30 STAFF-33 STAFF-34: held games and a report are judged in the inbox, with Undo', async ({
  page,
  server,
}) => {
  const player = await signUp(server);
  const hoop = `Hoop ${randomUUID().slice(0, 6)}`;
  const { key } = JSON.parse(await server.backboard('machine', 'add', hoop, '--json'));
  const play = async (score: number, minutesAgo: number) => {
    const game = {
      id: randomUUID(),
      player: player.uuid,
      score,
      played_at: new Date(Date.now() - minutesAgo * 60_000).toISOString(),
    };
    const answer = await fetch(`${server.url}/api/machine/games/`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ games: [game] }),
    });
    expect(answer.status).toBe(200);
    return game.id;
  };
  const state = async (game: string) => {
    const listed = await server.backboard('game', 'list', '--player', player.username, '--json');
    const { results }: { results: { id: string; state: string }[] } = JSON.parse(listed);
    return results.find(({ id }) => id === game)?.state;
  };
  const mine = await play(388, 9);
  await play(412, 7);
  const absurd = await play(29_400, 5);
  const theirs = await play(29_500, 4);
  await setUpPasskey(page, await inviteStaff(server, 'Ines', '--role', 'owner'));
  await page
    .getByRole('link', { name: /^Inbox/ })
    .first()
    .click();

  const held = page
    .getByRole('region', { name: /^Held games|^Reports from players/ })
    .getByRole('listitem')
    .filter({ hasText: player.username });
  const first = held.filter({ hasText: '29,400 is higher than a score can be' });
  await expect(first).toContainText('Last 2 games: 388 to 412');
  await expect(first).toContainText(`Release: counts for ${player.username} alone: no team.`);
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);

  await first.getByRole('button', { name: /^Release/ }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: /^Undo(?! “)/ })).toBeFocused();
  await expect(page.getByText('The time stops while Undo has the focus.')).toBeVisible();
  expect(await state(absurd)).toBe('counted');
  await expect(page.getByRole('status').filter({ hasText: 'Undo for 10 seconds.' })).toContainText(
    'Released.',
  );
  await page.keyboard.press('Enter');
  await expect(first.getByRole('button', { name: /^Release/ })).toBeFocused();
  await expect(page.getByRole('status').filter({ hasText: 'Undone.' })).toBeAttached();
  expect(await state(absurd)).toBe('held');
  await first.getByRole('button', { name: /^Discard/ }).click();
  await page.mouse.move(0, 0);
  await expect(page.getByText('You have 10 seconds to undo.')).toBeVisible();
  await expect(page.getByText('It counts nowhere.', { exact: true })).toBeVisible();
  expect(await state(absurd)).toBe('discarded');
  const undo = page.getByRole('button', { name: /^Undo(?! “)/ });
  const place = await undo.boundingBox();
  await undo.hover();
  await expect(page.getByText('The time stops while the pointer is on Undo.')).toBeVisible();
  expect(await undo.boundingBox()).toEqual(place);
  await page
    .getByRole('link', { name: /^Tonight/ })
    .first()
    .click();
  await expect(page.getByRole('heading', { level: 1, name: 'Tonight' })).toBeVisible();
  await page
    .getByRole('link', { name: /^Inbox/ })
    .first()
    .click();
  await expect(first).toHaveCount(0, LIVE);

  const decisions = page.getByRole('region', { name: 'Decided in the last 24 hours' });
  const done = decisions
    .getByRole('listitem')
    .filter({ hasText: `Discarded: 29,400 of ${player.username}` });
  await expect(done).toBeVisible(LIVE);
  await expect(decisions).toContainText(`Held again: 29,400 of ${player.username}`);
  await expect(done).toContainText(/Ines, today \d\d:\d\d/);
  await expect(done.getByRole('link', { name: player.username })).toBeVisible();

  await expect(page.getByText('Ines discarded it')).toHaveCount(0);

  const second = held.filter({ hasText: '29,500' });
  await expect(second.getByRole('button', { name: /^Release/ })).toBeVisible();
  await server.backboard('held', 'discard', await numberOf(server, theirs), '--yes');
  await expect(second).toContainText(/Command line discarded it at \d\d:\d\d/, LIVE);
  expect(await state(theirs)).toBe('discarded');
  await second.getByRole('button', { name: /^Hide/ }).click();
  await expect(second).toHaveCount(0);
  await expect(page.getByRole('heading', { level: 1, name: 'Inbox' })).toBeFocused();

  const sent = await fetch(`${server.url}/api/users/profile/games/${mine}/report/`, {
    method: 'POST',
    headers: { authorization: `Bearer ${player.access}`, 'content-type': 'application/json' },
    body: JSON.stringify({ reason: 'machine', text: 'The left net does not count.' }),
  });
  expect(sent.status).toBe(200);
  const report = held.filter({ hasText: '“This machine is broken”' });
  await expect(report).toContainText('The left net does not count.', LIVE);
  await page.getByRole('radio', { name: /^Held/ }).check();
  await expect(report).toHaveCount(0);
  await page.getByRole('radio', { name: /^Reports 1/ }).check();
  await expect(report).toContainText(`Void: out of the figures of ${player.username}.`);
  await expect(report).toContainText('“Taken out after review”, or “Checked: it counts.”');
  await report.getByRole('button', { name: `Mark ${hoop} in repair` }).click();
  await expect(report).toContainText(`${hoop} is in repair.`);
  await report.getByRole('button', { name: `${hoop} back in service` }).click();
  await expect(report.getByRole('button', { name: `Mark ${hoop} in repair` })).toBeVisible();
  await expectAccessible(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await expectNoSidewaysScroll(page);
  await expectRoomForLargeText(page);
  const voided = decisions
    .getByRole('listitem')
    .filter({ hasText: `388 of ${player.username}` })
    .first();
  await report.getByRole('button', { name: /^Void/ }).click();
  await expect(page.getByText(`It is out of the figures of ${player.username}.`)).toBeVisible();
  expect(await state(mine)).toBe('void');
  await page.mouse.move(0, 0);
  await expect(page.getByRole('button', { name: /^Undo(?! “)/ })).toHaveCount(0, {
    timeout: 15_000,
  });
  expect(await page.evaluate(() => document.activeElement?.tagName)).toMatch(/^H\d$/);
  await expect(voided).toBeVisible(LIVE);
  await expect(report).toHaveCount(0);
  await server.backboard('game', 'restore', await numberOf(server, mine));
  await expect(report.getByRole('button', { name: /^Void/ })).toBeVisible(LIVE);
  await server.backboard('report', 'settle', await numberOf(server, mine), 'void');
  await expect(page.getByText(/^Command line voided it at \d\d:\d\d/).first()).toBeVisible(LIVE);
  await page.goto(`${server.url}/console/inbox?show=reports`);
  await expect(page.getByRole('radio', { name: /^Reports/ })).toBeChecked();
  await expect(voided).toContainText('To count it again, press Restore at the game.');
  await voided.getByRole('link', { name: 'Look at the game with 388' }).click();
  await expect(page.getByRole('row', { name: /388/ })).toBeFocused();

  // The player's page (OPS-18).
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.getByRole('link', { name: 'Players', exact: true }).first().click();
  const search = page.getByLabel('Name, e-mail address or code');
  await search.fill('nobody has this');
  await page.getByRole('button', { name: 'Search' }).click();
  await expect(page.getByText('No player called “nobody has this”.')).toBeVisible();
  // HAND-C5: letters from the middle of the name, without a button.
  await search.fill(player.username.slice(1, -1).toLowerCase());
  await expect(page.getByRole('heading', { name: '1 found' })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('link', { name: player.username }).click();
  await expect(page.getByRole('heading', { level: 1, name: player.username })).toBeFocused();
  await expect(page.getByText('18 or over')).toBeVisible();
  // One of the four listed games counts.
  await expect(page.locator('.facts div').filter({ hasText: 'Games that count' })).toHaveText(
    'Games that count1',
  );
  await expect(page.getByText(player.email)).toHaveCount(0);
  await page.getByRole('button', { name: 'Show the address' }).press('Enter');
  await expect(page.getByText(player.email, { exact: true })).toBeFocused();
  await expect(page.getByText(/Last: Ines, Today \d\d:\d\d/)).toBeVisible();
  await expectAccessible(page);
  // A double click does not press Undo, and a resting pointer does not stop the countdown.
  await page.getByRole('button', { name: /^Restore/ }).dblclick();
  await expect(page.getByRole('button', { name: /^Undo(?! “)/ })).toBeFocused();
  await expect(page.getByRole('button', { name: /^Undo(?! “)/ })).toContainText('Undo 8');
  expect(await state(mine)).toBe('counted');
  await page.getByRole('button', { name: /^Undo(?! “)/ }).click();
  await expect(page.getByRole('button', { name: /^Restore/ })).toBeFocused();
  expect(await state(mine)).toBe('void');
  await page.getByRole('button', { name: /^Restore/ }).click();
  await expect(page.getByRole('button', { name: /^Undo(?! “)/ })).toBeVisible();
  await page.getByRole('link', { name: 'Players', exact: true }).first().click();
  expect(await state(mine)).toBe('counted');
  await page.getByRole('link', { name: player.username }).click();
  // The restored game's report is open again (GAME-11).
  await expect(page.getByRole('link', { name: 'Answer the report' })).toBeVisible(LIVE);
  await page.setViewportSize({ width: 390, height: 844 });
  await expectNoSidewaysScroll(page);
  await expectRoomForLargeText(page);
  await page.getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByLabel(/^Type /)).toBeFocused();
  await expectAccessible(page);
  await page.getByLabel(/^Type /).fill(player.username);
  // The event arrives before the answer, and the page does not read the deleted player again.
  await page.route('**/api/operator/players/delete/', async (route) => {
    const answer = await route.fetch();
    await page.waitForTimeout(1_000);
    await route.fulfill({ response: answer });
  });
  await page.getByRole('button', { name: 'Delete for good' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Players' })).toBeVisible();
  await expect(page.getByRole('link', { name: player.username })).toHaveCount(0);
});

test('OPS-17: an Undo that failed stays with its error, and can be tried again', async ({
  page,
  server,
  expectNoise,
}) => {
  expectNoise(/net::ERR_FAILED/);
  const player = await signUp(server);
  const hoop = `Hoop ${randomUUID().slice(0, 6)}`;
  const { key } = JSON.parse(await server.backboard('machine', 'add', hoop, '--json'));
  const game = { id: randomUUID(), player: player.uuid, score: 28_500 };
  await server.play(key, { ...game, played_at: new Date().toISOString() });
  await setUpPasskey(page, await inviteStaff(server, 'Uma', '--role', 'owner'));
  await page
    .getByRole('link', { name: /^Inbox/ })
    .first()
    .click();
  const card = page.getByRole('listitem').filter({ hasText: '28,500' });
  const calls = '**/api/operator/held/*/';
  // A decision that fails after the page was left is open again on the next visit.
  const tonight = page.getByRole('heading', { level: 1, name: 'Tonight' });
  await page.route(calls, async (route) => {
    await tonight.waitFor();
    await route.abort();
  });
  await card.getByRole('button', { name: /^Release/ }).click();
  const failed = page.waitForEvent('requestfailed');
  await page
    .getByRole('link', { name: /^Tonight/ })
    .first()
    .click();
  await failed;
  await page
    .getByRole('link', { name: /^Inbox/ })
    .first()
    .click();
  await page.unroute(calls);
  await page.route(calls, (route) => route.abort());
  await card.getByRole('button', { name: /^Release/ }).click();
  await expect(card.getByRole('alert')).toContainText('Not released: Cannot reach the server.');
  // The call may have arrived.
  await expect(card.getByRole('alert')).not.toContainText('Nothing has changed.');
  await page.unroute(calls);
  await card.getByRole('button', { name: 'Try again' }).click();
  const undo = page.getByRole('button', { name: /^Undo(?! “)/ });
  await expect(undo).toBeVisible();
  await page.route(calls, (route) => route.abort());
  await undo.click();
  await page.mouse.move(0, 0);
  await expect(page.getByRole('alert')).toContainText('Not undone: Cannot reach the server.');
  await page.waitForTimeout(11_000);
  await expect(page.getByRole('alert')).toContainText('Not undone: Cannot reach the server.');
  await expectAccessible(page);
  await page.unroute(calls);
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(card.getByRole('button', { name: /^Release/ })).toBeFocused();

  // STAFF-35: a discarded game can be held again on the player's page.
  const link = card.getByRole('link', { name: player.username }).first();
  const profile = await link.getAttribute('href');
  await server.backboard('held', 'discard', '--machine', hoop, '--yes');
  await page.goto(profile ?? '');
  await page.getByRole('button', { name: /^Hold again/ }).click();
  await expect(page.getByText('Held again.', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: /^Undo/ }).click();
  await expect(page.getByRole('button', { name: /^Hold again/ })).toBeVisible();
});

test('STAFF-24: what was typed about one machine is not on the page of another', async ({
  page,
  server,
}) => {
  const hoops = [1, 2].map(() => `Hoop ${randomUUID().slice(0, 6)}`);
  for (const hoop of hoops) {
    await server.backboard('machine', 'add', hoop);
    await server.backboard('machine', 'repair', hoop, '--why', 'The left net');
  }
  await page.setViewportSize({ width: 1280, height: 800 });
  await setUpPasskey(page, await inviteStaff(server, 'Ada', '--role', 'owner'));
  await expect(page.getByRole('heading', { level: 1, name: 'Tonight' })).toBeVisible();
  const why = page.getByLabel('What is wrong? (staff see it)');
  for (const hoop of hoops) {
    await page.getByRole('searchbox', { name: /^Search players/ }).fill(hoop);
    await page.locator('.found:visible').getByRole('link', { name: hoop }).click();
    await expect(page.getByRole('heading', { level: 1, name: hoop })).toBeVisible();
    await expect(why).toHaveValue('The left net');
  }
  await why.fill('The right net');
  await page.goBack();
  await page.getByRole('dialog').getByRole('button', { name: 'Leave' }).click();
  await expect(page.getByRole('heading', { level: 1, name: hoops[0] ?? '' })).toBeVisible();
  await expect(why).toHaveValue('The left net');
});

test('MACH-17: a new name leaves a machine at the venue to which somebody else moved it', async ({
  page,
  server,
}) => {
  const tag = randomUUID().slice(0, 6);
  const [pier, mall] = [`Pier ${tag}`, `Mall ${tag}`];
  for (const venue of [mall, pier])
    await server.backboard('machine', 'add', `Spare ${venue}`, '--venue', venue);
  await server.backboard('machine', 'add', `Hoop ${tag}`, '--venue', pier);
  await setUpPasskey(page, await inviteStaff(server, 'Leo', '--role', 'owner'));
  await page
    .getByRole('link', { name: new RegExp(`Hoop ${tag}`) })
    .first()
    .click();
  const form = page.getByRole('region', { name: 'Name and place' });
  await form.getByLabel('Name').fill(`Court ${tag}`);
  await server.backboard('machine', 'move', `Hoop ${tag}`, mall);
  await expect(page.getByText(mall, { exact: true }).first()).toBeVisible(LIVE);
  await form.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('heading', { level: 1, name: `Court ${tag}` })).toBeVisible();
  const machines = JSON.parse(await server.backboard('machine', 'list', '--json'));
  const renamed = machines.find(({ name }: { name: string }) => name === `Court ${tag}`);
  expect(renamed?.venue).toBe(mall);
});

test('HAND-C6 HAND-C11: a request to join is a card of the inbox, with Yes, No and Undo', async ({
  page,
  server,
}) => {
  // Without a machine, the first page is not Tonight.
  await server.addMachine(`Hoop ${randomUUID().slice(0, 6)}`);
  const league = `League ${randomUUID().slice(0, 6)}`;
  const team = `Bankers ${league.slice(7)}`;
  await server.backboard('league', 'create', league, '--timezone', 'Europe/London');
  await server.backboard('team', 'create', league, team);
  await server.backboard('league', 'joining', league, 'ask');
  const { code } = JSON.parse(await server.backboard('team', 'code', team, '--json'));
  const ask = async () => {
    const player = await signUp(server);
    const asked = await fetch(`${server.url}/api/teams/join/${code}/`, {
      method: 'POST',
      headers: { authorization: `Bearer ${player.access}` },
    });
    expect(await asked.json()).toEqual({ state: 'asked' });
    return player;
  };
  const waiting = async (): Promise<string[]> => {
    const listed = await server.backboard('team', 'requests', league, '--json');
    return JSON.parse(listed).map(({ username }: { username: string }) => username);
  };
  const first = await ask();
  await setUpPasskey(
    page,
    await inviteStaff(server, 'Mika', '--role', 'manager', '--league', league),
  );
  await expect(page.getByRole('heading', { level: 1, name: 'Tonight' })).toBeVisible();
  await page.goto(`${server.url}/console/inbox?show=requests`);
  const cards = page.getByRole('region', { name: 'Requests to join' }).getByRole('listitem');
  const card = cards.filter({ hasText: first.username });
  await expect(page.getByRole('radio', { name: 'All 1' })).toBeVisible();
  await expect(page.getByRole('radio', { name: 'Requests 1' })).toBeChecked();
  await expect(card).toContainText(`${first.username} wants to join ${team}`);
  await expect(card).toContainText(`${team} has 12 places left.`);
  await expect(card.getByRole('link', { name: first.username })).toHaveAttribute(
    'href',
    /\/console\/players\/\d+$/,
  );
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);

  const second = await ask();
  await expect(page.getByRole('radio', { name: 'All 2' })).toBeVisible(LIVE);
  await card.getByRole('button', { name: `Yes to ${first.username}` }).press('Enter');
  await expect(page.getByText(`${first.username} is on ${team}.`, { exact: true })).toBeVisible();
  await expect(page.getByRole('button', { name: 'for 10 seconds' })).toBeFocused();
  await expect(page.getByRole('radio', { name: 'All 1' })).toBeVisible();
  const other = cards.filter({ hasText: second.username });
  await expect(other).toContainText(`${team} has 11 places left.`);
  expect(await waiting()).toEqual([second.username]);
  await page.keyboard.press('Enter');
  await expect(card.getByRole('button', { name: /^Yes/ })).toBeFocused();
  expect(await waiting()).toEqual([first.username, second.username]);
  await expect(other).toContainText(`${team} has 12 places left.`);

  // HAND-C11: Undo in the list, while this card and another still show their own.
  await other.getByRole('button', { name: `Yes to ${second.username}` }).click();
  await expect(page.getByRole('button', { name: 'for 10 seconds' })).toBeVisible();
  await card.getByRole('button', { name: `Yes to ${first.username}` }).click();
  await page.getByRole('button', { name: `Undo “Yes to ${first.username} for ${team}”` }).click();
  await expect(card.getByRole('button', { name: /^Yes/ })).toBeVisible();
  await page.getByRole('button', { name: 'for 10 seconds' }).click();
  await expect(other.getByRole('button', { name: /^Yes/ })).toBeVisible();
  await expect(page.getByRole('button', { name: 'for 10 seconds' })).toHaveCount(0);
  await expect(page.getByText(`${first.username} waits again for ${team}`)).toHaveCount(2);
  expect(await waiting()).toEqual([first.username, second.username]);

  await card.getByRole('button', { name: `No to ${first.username}` }).click();
  await page.mouse.move(0, 0);
  await expect(
    page.getByText(`${first.username} is not on ${team}.`, { exact: true }),
  ).toBeVisible();
  expect(await waiting()).toEqual([second.username]);
  await expect(page.getByRole('button', { name: 'for 10 seconds' })).toHaveCount(0, {
    timeout: 15_000,
  });
  await expect(other.getByRole('heading')).toBeFocused();
  await expect(card).toHaveCount(0);

  // Somebody else answers the other request.
  await server.backboard('team', 'accept', team, second.email);
  await expect(other).toContainText('No longer to answer.', LIVE);
  await page.setViewportSize({ width: 390, height: 844 });
  await expectNoSidewaysScroll(page);
  await expectRoomForLargeText(page);
  await other.getByRole('button', { name: 'Hide' }).click();
  await expect(page.getByText('No requests to join. They appear here')).toBeVisible();
  await expect(page.getByRole('radio', { name: 'All 0' })).toBeVisible();
});

test('HAND-C11: the inbox lists moves, teams and rulings, and Undo reverses each', async ({
  page,
  server,
}) => {
  const player = await signUp(server);
  const tag = randomUUID().slice(0, 6);
  const [league, from, to] = [`League ${tag}`, `Slammers ${tag}`, `Dunkers ${tag}`];
  await server.backboard('league', 'create', league, '--timezone', 'UTC');
  for (const team of [from, to]) await server.backboard('team', 'create', league, team);
  await server.backboard('team', 'add', from, player.email);
  const playersOf = async (team: string): Promise<string[]> => {
    const shown = JSON.parse(await server.backboard('league', 'show', league, '--json'));
    const { players } = shown.teams.find(({ name }: { name: string }) => name === team);
    return players.map(({ username }: { username: string }) => username);
  };
  await setUpPasskey(
    page,
    await inviteStaff(server, 'Noor', '--role', 'manager', '--league', league),
  );
  await page.getByRole('link', { name: 'Leagues' }).first().click();
  await page.getByRole('link', { name: league }).click();
  await page.getByRole('button', { name: 'Move players' }).click();
  await page.getByRole('checkbox', { name: player.username }).check();
  await page.getByLabel('1 player to').selectOption(to);
  await page.getByRole('button', { name: 'Move', exact: true }).click();
  await expect(page.getByText(`1 player moved to ${to}.`, { exact: true })).toBeVisible();
  expect(await playersOf(to)).toEqual([player.username]);

  await page
    .getByRole('link', { name: /^Inbox/ })
    .first()
    .click();
  const rows = page
    .getByRole('region', { name: 'Decided in the last 24 hours' })
    .getByRole('listitem');
  const words = (one: string, other: string) => `Moved ${player.username} from ${one} to ${other}`;
  const moved = rows.filter({ hasText: words(from, to) });
  await expect(moved).toContainText(/Noor, today \d\d:\d\d/);
  await expect(moved.getByRole('link', { name: to })).toHaveAttribute(
    'href',
    /\/console\/leagues\/teams\/\d+$/,
  );
  await expect(rows).toHaveCount(4);
  await expectAccessible(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await expectNoSidewaysScroll(page);
  await expectRoomForLargeText(page);
  await moved.getByRole('button', { name: `Undo “${words(from, to)}”` }).press('Enter');
  await expect(page.getByRole('status').filter({ hasText: 'Undone.' })).toBeAttached();
  await expect(page.getByRole('heading', { level: 1, name: 'Inbox' })).toBeFocused();
  await expect(rows.first()).toContainText(words(to, from));
  await expect(rows.first().getByRole('button', { name: /^Undo/ })).toBeVisible();
  await expect(moved.getByRole('button')).toHaveCount(0);
  expect(await playersOf(from)).toEqual([player.username]);

  // If somebody else has changed the team since, Undo fails, says so, and changes nothing.
  await page.route('**/api/operator/teams/add/', async (route) => {
    await server.backboard('team', 'remove', from, player.email);
    await route.continue();
  });
  await rows.first().getByRole('button', { name: /^Undo/ }).click();
  await expect(page.getByRole('alert')).toContainText('Not undone');
  await expect(rows.first()).toContainText(`Took ${player.username} off ${from}`, LIVE);

  const undo = async (sentence: string, then: string) => {
    await page.getByRole('button', { name: `Undo “${sentence}”` }).click();
    await expect(rows.first()).toContainText(then);
  };
  await server.backboard('team', 'rename', to, `New ${to}`);
  await undo(`Renamed ${to} to New ${to}`, `Renamed New ${to} to ${to}`);
  await server.backboard('team', 'create', league, `Spare ${tag}`);
  await undo(`Made the team Spare ${tag}`, `Deleted the team Spare ${tag}`);
  const monday = new Date();
  monday.setUTCDate(monday.getUTCDate() - ((monday.getUTCDay() + 6) % 7));
  const week = monday.toISOString().slice(0, 10);
  await server.backboard('schedule', 'generate', league, '--weeks', '1', '--from', week);
  await server.backboard(
    'schedule',
    'rule',
    league,
    week,
    from,
    'annulled',
    '--why',
    'Nobody came',
  );
  await page.getByRole('button', { name: / is annulled”$/ }).click();
  await expect(rows.first()).toContainText(/^Week 1: the totals of .* decide again/);
  await page.getByRole('button', { name: / decide again”$/ }).click();
  await expect(rows.first()).toContainText(/^Week 1: .* is annulled/);
});

test('PROD-165 HAND-C7: every page announces a new held game, and counts it in its title and in the ball', async ({
  page,
  server,
}) => {
  const player = await signUp(server);
  const { key } = await server.addMachine(`Hoop ${randomUUID().slice(0, 6)}`);
  await setUpPasskey(page, await inviteStaff(server, 'Tabitha', '--role', 'owner'));
  await expect(page.getByRole('heading', { level: 1, name: 'Tonight' })).toBeVisible();
  await page.goto('/console/leagues');
  const { number: before } = await (await page.request.get('/api/operator/tonight/count/')).json();
  const number = async () => Number(/^\((\d+)\) Leagues/.exec(await page.title())?.[1] ?? 0);
  await expect(page.getByRole('heading', { level: 1, name: 'Leagues' })).toBeVisible();
  await expect.poll(number).toBe(before);
  const game = { id: randomUUID(), player: player.uuid, score: 28_000 };
  const result = await server.play(key, { ...game, played_at: new Date().toISOString() });
  expect(result).toMatchObject({ status: 'held' });
  await expect(page.getByRole('status').filter({ hasText: /^New held game$/ })).toHaveCount(1);
  await expect.poll(number).toBe(before + 1);
  const words = before === 0 ? '1 thing needs a hand' : `${before + 1} things need a hand`;
  const places = page.getByRole('navigation', { name: 'Console' }).getByRole('link');
  await expect(places.filter({ hasText: words })).toHaveCount(1);
  await expect(places.filter({ hasText: words })).toHaveAttribute('href', '/console/');
  // No other place has a number (HAND-C7).
  await expect(places.filter({ hasText: /\d/ })).toHaveCount(1);
});

test('GAME-14: many held games are discarded at once on the page of their machine', async ({
  page,
  server,
}) => {
  const player = await signUp(server);
  const hoop = `Hoop ${randomUUID().slice(0, 6)}`;
  const { key } = JSON.parse(await server.backboard('machine', 'add', hoop, '--json'));
  const games = Array.from({ length: 11 }, (_, n) => ({
    id: randomUUID(),
    player: player.uuid,
    score: 30_000 + n,
    // Of an earlier night.
    played_at: new Date(Date.now() - 50 * 3_600_000 + n * 60_000).toISOString(),
  }));
  const answer = await fetch(`${server.url}/api/machine/games/`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ games }),
  });
  expect(answer.status).toBe(200);
  await setUpPasskey(page, await inviteStaff(server, 'Odo', '--role', 'owner'));
  await page
    .getByRole('link', { name: new RegExp(hoop) })
    .first()
    .click();
  await page.getByRole('button', { name: 'Discard all held games' }).click();
  const dialog = page.getByRole('dialog', { name: 'Discard all held games?' });
  await expect(dialog).toContainText(`All 11 held games of ${hoop}`);
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Discard all' }).click();
  await expect(page.getByText('Discarded held games: 11')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Discard all held games' })).toBeHidden();
  const { results } = JSON.parse(await server.backboard('held', 'list', '--json'));
  expect(results.filter(({ machine }: { machine: string }) => machine === hoop)).toEqual([]);
  expect(await server.backboard('held', 'discard', '--machine', hoop, '--yes')).toContain(
    'No game fits.',
  );
});
