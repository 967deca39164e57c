import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import {
  goToMidweek,
  makeGames,
  makeLeague,
  makeMachine,
  makePlayer,
  makeSession,
  makeStaff,
  makeTeam,
} from '#testing/app/make.ts';
import { OPERATOR_KEY, withApp } from '#testing/app/test-app.ts';

const t = withApp();
let machine: Awaited<ReturnType<typeof makeMachine>>;
beforeAll(async () => {
  machine = await makeMachine(t, { venue: 'Dockside Arcade' });
});

const as = { key: OPERATOR_KEY };
const post = (path: string, body: object) => t.call('POST', `/api/operator/${path}`, { as, body });
const linesAbout = (id: number) =>
  t.db.selectFrom('audit').selectAll().where('player_id', '=', id).orderBy('id').execute();
const page = (account: string) =>
  t.call('GET', `/api/operator/players/page/?account=${account}`, { as });

test('OPS-18 P65: the page has an age band and a masked address, and showing the address writes an audit line', async () => {
  const bands = [
    [14, '13 to 15'],
    [16, '16 or 17'],
    [25, '18 or over'],
    [null, 'unknown'],
  ] as const;
  const born = (years: number) => {
    const day = t.clock.now();
    day.setUTCFullYear(day.getUTCFullYear() - years);
    return day.toISOString().slice(0, 10);
  };
  for (const [years, age] of bands) {
    const date_of_birth = years === null ? null : born(years);
    const player = await makePlayer(t, { date_of_birth });
    const { status, body } = await page(String(player.id));
    expect([status, body.age, body.looked]).toEqual([200, age, null]);
    expect(body.address).toMatch(/^.\*\*\*@.…$/);
    expect(JSON.stringify(body)).not.toContain(player.email);
    expect(JSON.stringify(body)).not.toContain(String(date_of_birth ?? 'no date'));
    expect(await linesAbout(player.id)).toEqual([]);

    const shown = await post('players/show/', { account: String(player.id) });
    expect(shown.body.email).toBe(player.email);
    expect((await linesAbout(player.id)).map(({ what, after }) => [what, after])).toEqual([
      [`Looked at ${player.username}`, { address: 'shown' }],
    ]);
    expect((await page(String(player.id))).body.looked).toEqual({
      who: 'Command line',
      what: `Looked at ${player.username}`,
      at: expect.any(String),
    });
  }
  expect((await page('999999999')).status).toBe(404);
  expect((await page('x')).body).toEqual({ account: ['This is not the number of an account.'] });
});

test('OPS-18: the page says what each game counts for, who decided about it, and where the player is signed in', async () => {
  goToMidweek(t);
  const player = await makePlayer(t, { avatar_color: '#37DC45', jersey_number: '04' });
  const league = await makeLeague(t, { starts: '2026-01-05' });
  const team = await makeTeam(t, league, [player]);
  await makeSession(t, player);
  const ago = (minutes: number) => new Date(t.clock.now().getTime() - minutes * 60_000);
  const games = await makeGames(t, machine, player, [
    ...[500, 400, 300, 200, 100, 90, 80, 70].map((score, at) => ({
      score,
      played_at: ago(200 - at * 5),
    })),
    { score: 60, played_at: ago(20) },
    { score: t.config.max_score + 1, played_at: ago(10) },
  ]);
  await post('games/void/', { game: games[0]?.game });
  const { body } = await page(String(player.id));
  expect(body.team).toEqual({
    id: String(team.id),
    name: team.name,
    league_id: String(league.id),
    league: league.name,
  });
  expect(body.week).toEqual({ games: 8, own: 8, total: 1000, counts: true });
  expect(body.sessions).toEqual([{ client: expect.any(String), last_used_at: expect.any(String) }]);
  expect(body.achievements.map(({ name }: { name: string }) => name)).not.toEqual([]);
  const counted = (game: { score: number; counts: string; number: number | null }) => [
    game.score,
    game.counts,
    game.number,
  ];
  expect(body.games.map(counted)).toEqual([
    [t.config.max_score + 1, 'held', null],
    // This game replaces the void one among the first eight.
    [60, 'bench', 8],
    [70, 'bench', 7],
    [80, 'bench', 6],
    [90, 'bench', 5],
    [100, 'league', 4],
    [200, 'league', 3],
    [300, 'league', 2],
    [400, 'league', 1],
    [500, 'void', null],
  ]);
  expect(body.games_total).toBe(10);
  const change = (at: number) => body.games.at(at).week;
  expect(change(-1)).toMatchObject({ team: team.name, total: 1000, total_after: 1400 });
  expect(change(-2)).toMatchObject({ total: 1000, total_after: 690, number: expect.any(Number) });
  expect([change(0), change(1)?.total_after]).toEqual([null, 1000]);
  expect(body.games.at(-1)).toMatchObject({
    decided: { decision: 'void', by: 'Command line', at: expect.any(String) },
    report: null,
  });
  // The audit line says which game (STAFF-06).
  const audit = await t.call('GET', `/api/operator/audit/?player=${player.id}`, { as });
  expect(audit.body.results[0].after).toMatchObject({
    points: 500,
    machine: machine.name,
    played: games[0]?.played_at.toISOString(),
  });
  const few = await t.call('GET', `/api/operator/players/page/?account=${player.id}&games=3`, {
    as,
  });
  expect([few.body.games.length, few.body.games_total]).toEqual([3, 10]);
});

test('OPS-18: an account can be named by its number instead of its address, and then no answer has the address', async () => {
  const player = await makePlayer(t);
  await makeSession(t, player);
  const account = String(player.id);
  const new_email = `moved-${randomUUID()}@example.com`;
  const masked = `${player.email.slice(0, 1)}***@e…`;
  const sent = await post('players/change-email/', { account, new_email });
  const [mail] = await t.mails(new_email);
  const code = /\b\d{6}\b/.exec(mail?.text ?? '')?.[0];
  const changed = await post('players/confirm-email/', { account, new_email, code });
  const signedOut = await post('players/sign-out/', { account });
  const corrected = await post('players/birthdate/', { account, date_of_birth: '1999-02-03' });
  const shown = await post('players/show/', { account });
  const deleted = await post('players/delete/', { account });
  expect([sent, changed, signedOut, corrected, shown, deleted].map(({ status }) => status)).toEqual(
    [200, 200, 200, 200, 200, 200],
  );
  expect([sent.body.email, changed.body.sessions_ended]).toEqual([masked, 1]);
  expect([signedOut.body.email, corrected.body.email, deleted.body.email]).toEqual(
    Array.from({ length: 3 }, () => 'm***@e…'),
  );
  expect(shown.body.email).toBe(new_email);
  expect((await linesAbout(player.id)).map(({ what }) => what)).toEqual([
    `Mailed a code for a new address of ${player.username}`,
    `Changed the address of ${player.username}`,
    `Signed out ${player.username}`,
    `Corrected the birth date of ${player.username}`,
    `Looked at ${player.username}`,
    `Deleted ${player.username}`,
  ]);
  const both = { account, email: new_email };
  for (const body of [{}, both])
    expect((await post('players/show/', body)).body).toEqual({
      email: ['Give the address or the number of one account.'],
    });
  expect((await post('players/show/', { account })).status).toBe(404);
});

test('LEAGUE-07 OPS-18: staff move a player by account number, and the page says which games of the week stay', async () => {
  goToMidweek(t);
  const player = await makePlayer(t);
  const league = await makeLeague(t, { starts: '2026-01-05' });
  const [first, second] = [await makeTeam(t, league, [player]), await makeTeam(t, league)];
  const account = String(player.id);
  const ago = (minutes: number) => new Date(t.clock.now().getTime() - minutes * 60_000);
  await makeGames(
    t,
    machine,
    player,
    [500, 400, 300, 200, 100].map((score, at) => ({ score, played_at: ago(60 - at) })),
  );
  const onTeam = { id: String(first.id), name: first.name };
  expect((await page(account)).body).toMatchObject({
    team: onTeam,
    week: { games: 5, own: 5, total: 1400 },
  });
  const { headers } = await makeStaff(t);
  const change = (path: string, body: object) =>
    t.call('POST', `/api/operator/teams/${path}/`, { headers, body });
  const moved = await change('add', { team: String(second.id), accounts: [account] });
  expect([moved.status, moved.body.moved]).toEqual([
    200,
    [{ email: expect.stringContaining('***'), moved_from: first.name }],
  ]);
  await makeGames(t, machine, player, [{ score: 90, played_at: new Date(t.clock.now()) }]);
  expect((await page(account)).body).toMatchObject({
    team: { id: String(second.id) },
    week: { games: 6, own: 1, total: 90 },
  });

  // No refusal has an address that the caller did not type (P65).
  const wrong = await change('remove', { team: String(first.id), accounts: [account] });
  expect([wrong.status, wrong.body.detail]).toEqual([
    409,
    expect.stringContaining(`has changed the team of ${player.username} meanwhile`),
  ]);
  const { id } = await makePlayer(t, { username: null });
  const nameless = { team: String(second.id), accounts: [String(id)] };
  expect((await change('add', nameless)).body).toEqual({
    accounts: ['This player has not finished signing up.'],
  });
  expect((await change('remove', { team: String(second.id), accounts: ['99999999'] })).status).toBe(
    404,
  );

  expect((await change('remove', { team: String(second.id), accounts: [account] })).status).toBe(
    200,
  );
  expect((await page(account)).body).toMatchObject({
    team: null,
    week: { games: 6, own: 0, total: 0 },
  });
});

test('LEAGUE-07: a move that began from another team is refused, and changes nothing', async () => {
  const player = await makePlayer(t);
  const league = await makeLeague(t, { starts: '2026-01-05' });
  const [first, second, third] = [
    await makeTeam(t, league, [player]),
    await makeTeam(t, league),
    await makeTeam(t, league),
  ];
  const { headers } = await makeStaff(t);
  const move = (to: { id: number }, from?: string | null) =>
    t.call('POST', '/api/operator/teams/add/', {
      headers,
      body: { team: `id:${to.id}`, accounts: [String(player.id)], from_team: from },
    });
  const teamNow = async () => (await page(String(player.id))).body.team?.id ?? null;
  // A colleague moves the player while this person can still undo their own move.
  expect((await move(second, String(first.id))).status).toBe(200);
  const late = await move(third, String(first.id));
  expect([late.status, late.body.detail]).toEqual([
    409,
    `Somebody else has changed the team of ${player.username} meanwhile, so nothing was moved. Look at the team, then choose again.`,
  ]);
  expect((await move(third, null)).status).toBe(409);
  expect(await teamNow()).toBe(String(second.id));
  // A move to the present team, or without `from_team`, succeeds.
  expect((await move(second, String(first.id))).status).toBe(200);
  expect((await move(third)).status).toBe(200);
  expect(await teamNow()).toBe(String(third.id));
  expect((await move(first, 'Bankers')).body).toEqual({
    from_team: ['This is not the number of a team.'],
  });
});

test('P65: staff say why they correct a birth date, and the audit has the reason and no date', async () => {
  const player = await makePlayer(t);
  const { headers } = await makeStaff(t);
  const correct = (more: object) =>
    t.call('POST', '/api/operator/players/birthdate/', {
      headers,
      body: { account: String(player.id), date_of_birth: '2001-04-05', ...more },
    });
  expect((await correct({})).body).toEqual({ reason: ['Say why: it goes to the audit.'] });
  expect((await correct({ reason: 'Not 5.4.2010' })).body).toEqual({
    reason: ['Leave the date out: the audit has no birth dates.'],
  });
  expect((await correct({ reason: ' Mistyped the year ' })).status).toBe(200);
  const lines = await linesAbout(player.id);
  expect(lines.map(({ before, after }) => [before, after])).toEqual([
    [{}, { reason: 'Mistyped the year' }],
  ]);
  expect(JSON.stringify(lines)).not.toContain('2001-04-05');
  const { body } = await t.call('GET', `/api/operator/audit/?player=${player.id}`, { as });
  expect(body.results.map(({ what }: { what: string }) => what)).toEqual([
    `Corrected the birth date of ${player.username}`,
  ]);
});
