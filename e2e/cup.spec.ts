import { type RunningServer, startServer } from '#testing/server.ts';
import { beginRound, endRound, openHoop, openPhone, openWall, setSlides, VENUE } from './finals.ts';
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

/** Less than the 15 s between two reads of a cup. */
const BETWEEN_READS = { timeout: 12_000 };

let server: RunningServer;
test.beforeAll(async () => {
  server = await startServer();
});
test.afterAll(() => server.close());

test('CUP-01 to 34: a cup of eight players, from the form to the decided final', async ({
  page,
  browser,
}) => {
  test.slow();
  const hoop = await openHoop(server);
  const players: NewPlayer[] = [];
  for (let at = 0; at < 8; at += 1) players.push(await signUp(server));
  const player = (seed: number) => players[seed - 1] as NewPlayer;
  const play = (seed: number, score: number) => hoop.play(player(seed), score);

  // The form previews the cup while staff type.
  await page.setViewportSize({ width: 1280, height: 800 });
  await setUpPasskey(page, await inviteStaff(server, 'Ines Duarte', '--role', 'owner'));
  await page.getByRole('link', { name: 'Contests' }).click();
  await page.getByRole('link', { name: 'New cup' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'New cup' })).toBeFocused();
  await page.getByLabel('Sides', { exact: true }).selectOption('sides');
  await page
    .getByLabel('One side a line, the best seed first')
    .fill(players.map(({ username }) => username).join('\n'));
  await expect(page.getByRole('heading', { name: '8 sides, 3 rounds' })).toBeVisible();
  await expectAccessible(page);
  await page.getByLabel('A week each').check();
  await expect(page.getByLabel('Begins')).toHaveAttribute('type', 'date');
  await expect(
    page
      .locator('.tree')
      .getByText(/^Mon .* to Sun \d+ \w+$/)
      .first(),
  ).toBeVisible();
  await page.getByLabel('Hours, one night').check();
  await page.getByRole('button', { name: 'Make this cup' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Finals night' })).toBeVisible();
  await expect(page.getByRole('button', { name: /^Decide/ })).toHaveCount(0);
  await page.getByRole('button', { name: 'Move the rounds' }).click();
  const tomorrow = new Date(Date.now() + 24 * 3_600_000).toISOString().slice(0, 10);
  await page.getByLabel('Quarter-finals begins').fill(`${tomorrow}T12:00`);
  await expect(page.getByLabel('Final ends')).toHaveValue(`${tomorrow}T16:15`);
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Move', exact: true }).click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(
    page
      .locator('.tree')
      .getByText(/12:00 to 13:15$/)
      .first(),
  ).toBeVisible();
  await beginRound(server, 0);
  await page.reload();
  await expect(page.getByText(/^When a window is over/)).toBeVisible();
  const stays = page.getByText('The cup can no longer be cancelled, because a pairing is decided.');
  await expect(stays).toHaveCount(0);
  await page.getByRole('button', { name: 'Decide QF 1' }).click();
  const decide = page.getByRole('dialog').getByRole('button', { name: 'Decide' });
  await expect(decide).toBeDisabled();
  await page.getByLabel('Reason').fill('Looked at the video');
  await expect(decide).toBeDisabled();
  await page.getByLabel('Winner').selectOption({ index: 1 });
  await expect(decide).toBeEnabled();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Cancel', exact: true }).click();

  // On the wall, 2 s after a game.
  const { wall, code } = await openWall(browser, server);
  await server.backboard('screen', 'add', code, '--venue', VENUE);
  await setSlides(server, 'cup');
  await expect(wall.locator('.is-on .tree3')).toBeVisible();
  await play(1, 401);
  await expect(wall.locator('.is-on .tree3')).toContainText('401', { timeout: 2_000 });

  // The player of seed 8 is behind, and leaves the cup.
  const phone = await openPhone(browser, server, player(8));
  await phone.goto(`${server.url}/profile`);
  await expect(phone.getByText('This game counts for the cup.')).toBeVisible();
  await phone.getByRole('link', { name: 'Finals night' }).click();
  await expect(phone.getByRole('heading', { level: 1, name: 'Finals night' })).toBeVisible();
  await expect(
    phone.getByRole('heading', { level: 2, name: 'Quarter-final', exact: true }),
  ).toBeVisible();
  await expect(phone.getByText('Any score adds to the sum.')).toBeVisible();
  await expectAccessible(phone);
  // The phone shows that a window begins or ends even between two reads.
  const live = phone.getByText('Live', { exact: true });
  const next = (moment: string) =>
    server.sql(`update cup_pairings set ${moment} = now() + interval '9 seconds' where round = 0`);
  await next('starts_at');
  await phone.reload();
  await expect(
    phone.getByRole('heading', { level: 2, name: 'Quarter-final', exact: true }),
  ).toBeVisible();
  await expect(live).toBeHidden();
  await expect(live).toBeVisible(BETWEEN_READS);
  await next('ends_at');
  await phone.reload();
  await expect(phone.getByText('Last games are coming in')).toBeVisible(BETWEEN_READS);
  await expect(live).toBeHidden();
  await beginRound(server, 0);
  await phone.reload();
  await expectNoSidewaysScroll(phone);
  await phone.setViewportSize({ width: 320, height: 700 });
  await expectNoSidewaysScroll(phone);
  await phone.getByRole('button', { name: 'I cannot come' }).click();
  await phone.getByRole('button', { name: 'Leave the cup' }).click();
  await expect(phone.getByText('This ended your cup.')).toBeVisible();
  await expect(phone.getByText('Walkover')).toBeVisible();

  // Seeds 1 (by walkover), 5, 2 and 3 win the quarter-finals.
  for (const [seed, score] of [
    [4, 300],
    [5, 301],
    [2, 500],
    [7, 100],
    [3, 200],
  ] as const)
    await play(seed, score);
  await endRound(server, 0);
  await page.reload();
  await expect(page.getByText('The next round still begins on time.')).toBeVisible();
  await hoop.settle();
  const tree = page.locator('.tree');
  const line = (words: string) =>
    expect(tree.getByText(words, { exact: true })).toBeVisible({ timeout: 30_000 });
  await line('QF 1: Walkover');
  await line('QF 2: Decided');
  await line('QF 4: No show');
  // The final is decided before third place.
  const rule = (pairing: string, winner: number) =>
    server.backboard(
      ...['cup', 'decide', 'Finals night', pairing, '--winner', `${winner}`],
      ...['--why', 'The lights went out', '--yes'],
    );
  await rule('SF 1', 1);
  await rule('SF 2', 2);
  const onlyThird = 'The final is decided, and the cup ends once third place is decided.';
  await expect(page.getByText(onlyThird)).toHaveCount(0);
  await rule('Final', 1);
  await expect(page.getByText(onlyThird)).toBeVisible();
  await phone.reload();
  await expect(phone.getByText(onlyThird)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Cancel the cup' })).toHaveCount(0);
  await expect(stays).toBeVisible();
  await expectAccessible(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await expectNoSidewaysScroll(page);
});

test('CUP-07, 17, 30: staff move a cup of week-long rounds and one of its pairings by days, and cancel the cup', async ({
  page,
  browser,
  expectNoise,
}) => {
  // The cup's page reads the cancelled cup once more before it closes.
  expectNoise(/status of 404/);
  await server.addMachine('Hoop 2', VENUE);
  const players: NewPlayer[] = [];
  for (let at = 0; at < 4; at += 1) players.push(await signUp(server));
  await page.setViewportSize({ width: 1280, height: 800 });
  await setUpPasskey(page, await inviteStaff(server, 'Rui Costa', '--role', 'owner'));
  await page.getByRole('link', { name: 'Contests' }).click();
  await page.getByRole('link', { name: 'New cup' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Finals weeks');
  await page.getByLabel('Sides', { exact: true }).selectOption('sides');
  await page
    .getByLabel('One side a line, the best seed first')
    .fill(players.map(({ username }) => username).join('\n'));
  await page.getByLabel('A week each').check();
  const day = (after: number) => {
    const monday = new Date();
    monday.setUTCDate(monday.getUTCDate() + 7 - ((monday.getUTCDay() + 6) % 7) + after);
    return monday.toISOString().slice(0, 10);
  };
  const words = (after: number) =>
    new Intl.DateTimeFormat('en-GB', { weekday: 'short', day: 'numeric', month: 'short' })
      .format(new Date(`${day(after)}T12:00`))
      .replace(',', '');
  const stands = (from: number, to: number) =>
    expect(page.getByText(`${words(from)} to ${words(to)}`)).toBeVisible();
  await page.getByLabel('Begins').fill(day(7));
  await page.getByRole('button', { name: 'Make this cup' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Finals weeks' })).toBeVisible();

  const move = page.getByRole('button', { name: 'Move', exact: true });
  await page.getByRole('button', { name: 'Move window of SF 2' }).click();
  await expect(page.getByLabel('Begins')).toHaveValue(day(7));
  await expect(page.getByLabel('Last day')).toHaveValue(day(13));
  await expectAccessible(page);
  await page.getByLabel('Last day').fill(day(12));
  await move.click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await stands(7, 12);

  await page.getByRole('button', { name: 'Move the rounds' }).click();
  await expect(move).toBeDisabled();
  await page.getByLabel('Semi-finals begins').fill(day(14));
  await expect(page.getByLabel('Semi-finals last day')).toHaveValue(day(20));
  await expect(page.getByLabel('Final last day')).toHaveValue(day(27));
  await expectAccessible(page);
  await move.click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await stands(14, 19);
  await page.getByRole('button', { name: 'Move window of SF 2' }).click();
  await expect(page.getByLabel('Begins')).toHaveValue(day(14));
  await expect(page.getByLabel('Last day')).toHaveValue(day(19));
  const [cup] = await server.sql(`select id from cups where name = 'Finals weeks'`);

  const phone = await openPhone(browser, server, players[0]);
  await phone.goto(`${server.url}/cups/${cup?.id}`);
  await expect(phone.getByText(/^Mon \d+ \w+ to Sun \d+ \w+$/).first()).toBeVisible();
  await expect(phone.getByText(/\d\d:\d\d/)).toHaveCount(0);

  await page.getByRole('button', { name: 'Cancel', exact: true }).click();
  await page.getByRole('button', { name: 'Cancel the cup' }).click();
  const asked = page.getByRole('dialog', { name: 'Cancel Finals weeks?' });
  await expect(asked.getByText('The cup and its pairings are gone.')).toBeVisible();
  await expectAccessible(page);
  await asked.getByRole('button', { name: 'Keep it' }).click();
  await page.getByRole('button', { name: 'Cancel the cup' }).click();
  await asked.getByRole('button', { name: 'Cancel the cup' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Contests' })).toBeVisible();
  await expect(page.getByText('The cup is cancelled. All its games stay.')).toBeFocused();
  await expect(page).toHaveURL(/\/console\/contests$/);
  await expect(page.getByText('Finals weeks')).toHaveCount(0);
  await expect(phone.getByText('No such cup')).toBeVisible(BETWEEN_READS);
});

test('CUP-04: the field for sides is filled with the league’s teams, and keeps what staff type', async ({
  page,
}) => {
  const venue = 'Team hall';
  await server.addMachine('Hoop 3', venue);
  const teams = {
    'East League': ['Egrets', 'Eagles'],
    'West League': ['Wasps', 'Wolves', 'Wrens'],
  };
  for (const [league, names] of Object.entries(teams)) {
    await server.backboard('league', 'create', league, '--timezone', 'UTC');
    for (const name of names) await server.backboard('team', 'create', league, name);
  }
  await page.setViewportSize({ width: 1280, height: 800 });
  await setUpPasskey(page, await inviteStaff(server, 'Tess Moreau', '--role', 'owner'));
  await page.getByRole('link', { name: 'Contests' }).click();
  await page.getByRole('link', { name: 'New cup' }).click();
  await page.getByLabel('Sides', { exact: true }).selectOption('sides');
  const league = page.getByLabel('League', { exact: true });
  const sides = page.getByLabel('One side a line, the best seed first');
  await expect(sides).toHaveValue('');
  await league.selectOption('East League');
  await expect(sides).toHaveValue('Eagles\nEgrets');
  await league.selectOption('West League');
  await expect(sides).toHaveValue('Wasps\nWolves\nWrens');
  await expect(page.getByRole('heading', { name: '3 sides, 1 bye, 2 rounds' })).toBeVisible();
  await sides.fill('Wrens\nWasps');
  await league.selectOption('East League');
  await expect(page.getByText('East League has no team “Wrens”.').first()).toBeVisible();
  await expect(sides).toHaveValue('Wrens\nWasps');
  await sides.fill('');
  await league.selectOption('West League');
  await expect(sides).toHaveValue('Wasps\nWolves\nWrens');
  await sides.fill('Wolves\nWasps');
  await page.getByLabel('Name', { exact: true }).fill('Hand cup');
  await page.getByRole('button', { name: 'Make this cup' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Hand cup' })).toBeVisible();
  await expect(page.getByText('1. Wolves')).toBeVisible();
  await expect(page.getByText('2. Wasps')).toBeVisible();
});
