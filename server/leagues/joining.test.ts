import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { CODE_LETTERS, isCode } from '#contract/rules/short-code.ts';
import type { Joining } from '#contract/wire/leagues.ts';
import { untilBlocked } from '#testing/app/lock-waits.ts';
import { mailTo } from '#testing/app/mails.ts';
import {
  makeGames,
  makeLeague,
  makeMachine,
  makePlayer,
  makeSession,
  makeTeam,
} from '#testing/app/make.ts';
import { OPERATOR_KEY, withApp } from '#testing/app/test-app.ts';
import { addDays, weekOf } from './calendar.ts';
import { readCode, setJoining } from './joining.ts';
import { mailNewOnTeams } from './new-on-team.ts';
import { isDeclined } from './requests.ts';
import { addToTeam } from './rosters.ts';

const TEAM_MAX = 3;
const OPERATOR = { key: OPERATOR_KEY };

const t = withApp({ team_max: TEAM_MAX });

type Player = Awaited<ReturnType<typeof makePlayer>>;

async function joinable(joining: Joining, members = 0, starts?: string) {
  const league = await makeLeague(t, starts === undefined ? {} : { starts });
  await setJoining(t, league, joining);
  const players: Player[] = [];
  for (let n = 0; n < members; n += 1) players.push(await makePlayer(t));
  const team = await makeTeam(t, league, players);
  const code = await readCode(t.db, team);
  return { league, team, players, code, path: `/api/teams/join/${code}/` };
}

async function signedIn(columns: Parameters<typeof makePlayer>[1] = {}) {
  const player = await makePlayer(t, columns);
  return { ...player, as: await makeSession(t, player) };
}

const teamOfPlayer = async ({ id }: { id: number }) =>
  await t.db
    .selectFrom('players')
    .select(['team_id', 'league_mode_enabled'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();

const decide = (how: 'accept' | 'decline' | 'reopen', team: { id: number }, email: string) =>
  t.call('POST', `/api/operator/teams/${how}/`, {
    as: OPERATOR,
    body: { team: String(team.id), email },
  });

test('LEAGUE-13, P111: a team keeps its code until staff replace it, and then the old code is unknown', async () => {
  const { team, code, path } = await joinable('open');
  expect(code).toMatch(/^[A-Z2-9]{6}$/);
  for (const confusing of '0O1IL') expect(CODE_LETTERS).not.toContain(confusing);
  expect(isCode(code)).toBe(true);
  expect(await readCode(t.db, team)).toBe(code);

  const replaced = await t.call('POST', '/api/operator/teams/code/', {
    as: OPERATOR,
    body: { team: team.name, new: true },
  });
  expect(replaced.body).toMatchObject({ team: team.name, joining: 'open' });
  expect(replaced.body.code).not.toBe(code);
  expect(replaced.body.url).toBe(`http://localhost:3000/join/${replaced.body.code}`);
  const { as } = await signedIn();
  const old = await t.call('GET', path, { as });
  expect([old.status, old.body.detail]).toEqual([
    404,
    'No team has this code. It may be mistyped, or a newer one was made.',
  ]);
});

test('LEAGUE-13: a team has a code from the start, and reading the code changes nothing (P36)', async () => {
  const league = await makeLeague(t);
  const teams = [await makeTeam(t, league), await makeTeam(t, league)];
  const version = () =>
    sql<{ xmin: string }>`select xmin::text from teams where league_id = ${league.id} order by id`
      .execute(t.db)
      .then(({ rows }) => rows);
  const before = await version();
  const codes = await Promise.all(teams.map((team) => readCode(t.db, team)));
  expect(new Set(codes).size).toBe(2);
  expect(codes.every(isCode)).toBe(true);
  for (const { id } of teams)
    for (const page of ['page', 'poster']) {
      const path = `/api/operator/teams/${page}/?team=${id}`;
      expect((await t.call('GET', path, { as: OPERATOR })).status, path).toBe(200);
    }
  expect(await version()).toEqual(before);
});

test('LEAGUE-12: joining an open league puts a player on the team immediately, with league mode on', async () => {
  const { path, team, league } = await joinable('open', 1);
  const me = await signedIn();
  const typed = path.replace(
    /\w{6}\/$/,
    (code) => `${code.slice(0, 3)}-${code.slice(3).toLowerCase()}`,
  );
  const page = await t.call('GET', typed, { as: me.as });
  expect(page.body).toMatchObject({
    team: team.name,
    league: league.name,
    joining: 'open',
    size: 1,
    max: TEAM_MAX,
    mine: 'none',
    other_team: null,
  });
  expect(page.body.members).toEqual([
    { username: expect.any(String), avatar_color: '#377AD3', jersey_number: '00' },
  ]);
  const joined = await t.call('POST', path, { as: me.as });
  expect([joined.status, joined.body]).toEqual([200, { state: 'joined' }]);
  expect(await teamOfPlayer(me)).toEqual({ team_id: team.id, league_mode_enabled: true });
  expect((await t.call('POST', path, { as: me.as })).body).toEqual({ state: 'joined' });
  expect((await t.call('GET', path, { as: me.as })).body.mine).toBe('member');
  const { rows } = await sql<{ changes: number }>`
    select (select count(*) from team_changes where player_id = ${me.id})
      + (select count(*) from league_mode_changes where player_id = ${me.id}) as changes`.execute(
    t.db,
  );
  expect(rows[0]?.changes).toBe(2);
});

test('LEAGUE-14: the page says from when games count for the team', async () => {
  const countsFrom = async ({ path }: { path: string }) =>
    (await t.call('GET', path)).body.counts_from;
  const week = weekOf(t.clock.now(), 'UTC');
  const team = await joinable('open');
  expect(await countsFrom(team)).toBeNull();
  const enter = (weeks: number, to_week: string | null = null) =>
    t.db
      .updateTable('season_entries')
      .set({ from_week: addDays(week, 7 * weeks), to_week, withdrew_why: to_week && 'Too few' })
      .where('team_id', '=', team.team.id)
      .execute();
  await enter(1);
  expect(await countsFrom(team), 'joins next week').toBe('next_week');
  await enter(2);
  expect(await countsFrom(team), 'joins in two weeks').toBe('this_season');
  await enter(0);
  await sql`insert into season_pauses (season_id, week, reason, at, by_plan)
    select id, ${week}, 'A burst pipe', now(), false from seasons
    where league_id = ${team.league.id}`.execute(t.db);
  expect(await countsFrom(team)).toBe('next_week');
  await enter(-2, addDays(week, -7));
  expect(await countsFrom(team), 'withdrew').toBe('next_season');
  expect(await countsFrom(await joinable('open', 0, addDays(week, 7)))).toBe('next_season');
});

test('LEAGUE-12: a visitor sees the team without names, and cannot join', async () => {
  const { path, players, team } = await joinable('open', 2);
  const page = await t.call('GET', path);
  expect(page.status).toBe(200);
  expect(page.body).toMatchObject({ team: team.name, size: 2, mine: 'none' });
  const nobody = { username: null, avatar_color: null, jersey_number: null };
  expect(page.body.members).toEqual([nobody, nobody]);
  for (const { username } of players) expect(JSON.stringify(page.body)).not.toContain(username);
  expect((await t.call('POST', path)).status).toBe(401);
  // An invalid token gets 401, not the visitors' page, so that the app refreshes its token.
  expect((await t.call('GET', path, { as: { access: 'a.b.c' } })).status).toBe(401);
});

test('P68: the page names only players whom its viewer may see', async () => {
  const { path, team, league } = await joinable('open');
  const [child, hidden, shown] = [
    await signedIn({ date_of_birth: '2013-06-01', visibility: 'venue' }),
    await signedIn({ visibility: 'league' }),
    await signedIn({ visibility: 'players' }),
  ];
  for (const { as } of [child, hidden, shown]) await t.call('POST', path, { as });
  const opponent = await makePlayer(t);
  await makeTeam(t, league, [opponent]);
  const seenBy = async (as: { access: string }) =>
    (await t.call('GET', path, { as })).body.members.map(
      ({ username }: { username: string | null }) => username,
    );
  const stranger = await signedIn();
  expect(await seenBy(stranger.as)).toEqual([shown.username, null, null]);
  expect((await t.call('GET', path, { as: stranger.as })).body.members[1]).toEqual({
    username: null,
    avatar_color: null,
    jersey_number: null,
  });
  const all = [child, hidden, shown].map(({ username }) => username).sort();
  expect((await seenBy(await makeSession(t, opponent))).sort()).toEqual(all);
  // LEAGUE-23: a player who joined by the code sees only some names until their first game.
  expect(await seenBy(hidden.as)).toEqual([
    ...[hidden, shown].map(({ username }) => username).sort(),
    null,
  ]);
  await makeGames(t, await makeMachine(t), hidden, [{}]);
  expect((await seenBy(hidden.as)).sort()).toEqual(all);
  const visitor = await t.call('GET', path);
  expect([visitor.body.team, visitor.body.size]).toEqual([team.name, 3]);
  for (const name of all) expect(JSON.stringify(visitor.body)).not.toContain(name);
});

test('LEAGUE-12: a refusal to join says why: closed league, full team, other team or unfinished profile', async () => {
  const closed = await joinable('closed');
  const me = await signedIn();
  const refused = async (path: string, as = me.as) => {
    const { status, body } = await t.call('POST', path, { as });
    return [status, body.detail];
  };
  expect(await refused(closed.path)).toEqual([400, `${closed.league.name} takes no new players.`]);
  for (const joining of ['open', 'ask'] as const) {
    const full = await joinable(joining, TEAM_MAX);
    expect(await refused(full.path)).toEqual([
      400,
      '3 of 3 players. Ask the captain, or the venue, for a place. The code works again when one is free.',
    ]);
  }
  const open = await joinable('open');
  const unfinished = await signedIn({ username: null });
  expect(await refused(open.path, unfinished.as)).toEqual([400, 'Finish your profile first.']);

  const home = await joinable('open');
  await t.call('POST', home.path, { as: me.as });
  expect(await refused(open.path)).toEqual([
    400,
    `You are on ${home.team.name}. The venue moves players between teams.`,
  ]);
  const page = await t.call('GET', open.path, { as: me.as });
  expect(page.body).toMatchObject({ mine: 'none', other_team: home.team.name });
  expect(await teamOfPlayer(me)).toMatchObject({ team_id: home.team.id });
});

test('LEAGUE-14: staff accept a request, and the player has the team, league mode and a mail', async () => {
  const { path, team, league } = await joinable('ask');
  const me = await signedIn();
  const asked = await t.call('POST', path, { as: me.as });
  expect([asked.status, asked.body]).toEqual([200, { state: 'asked' }]);
  expect(await teamOfPlayer(me)).toEqual({ team_id: null, league_mode_enabled: false });
  const page = await t.call('GET', path, { as: me.as });
  expect(page.body).toMatchObject({ mine: 'asked', asked_at: expect.any(String) });
  expect((await t.call('GET', '/api/teams/request/', { as: me.as })).body).toEqual({
    request: { team: team.name, league: league.name, asked_at: page.body.asked_at },
  });
  t.clock.advance(60_000);
  await t.call('POST', path, { as: me.as });
  expect((await t.call('GET', path, { as: me.as })).body.asked_at).toBe(page.body.asked_at);

  const list = await t.call('GET', `/api/operator/teams/requests/?league=${league.id}`, {
    as: OPERATOR,
  });
  expect(list.body.results).toEqual([
    {
      team_id: String(team.id),
      team: team.name,
      league_id: String(league.id),
      league: league.name,
      email: me.email,
      username: me.username,
      asked_at: page.body.asked_at,
    },
  ]);
  const accepted = await decide('accept', team, me.email);
  expect([accepted.status, accepted.body.username]).toEqual([200, me.username]);
  expect(await teamOfPlayer(me)).toEqual({ team_id: team.id, league_mode_enabled: true });
  expect(await t.mails(me.email)).toEqual([]);
  expect((await t.call('GET', '/api/teams/request/', { as: me.as })).body).toEqual({
    request: null,
  });
  const again = await decide('accept', team, me.email);
  expect([again.status, again.body.detail]).toEqual([
    404,
    `${me.email} does not ask to join “${team.name}”. ${me.email} is on “${team.name}”.`,
  ]);
});

test('OPS-17: a declined player is not told of the refusal after asking again or getting on the team', async () => {
  const { path, team } = await joinable('ask');
  const me = await signedIn();
  const declined = () => isDeclined(t.db, { player_id: me.id, team_id: team.id });
  await t.call('POST', path, { as: me.as });
  await decide('decline', team, me.email);
  expect(await declined()).toBe(true);
  await t.call('POST', path, { as: me.as });
  expect(await declined()).toBe(false);
  await decide('accept', team, me.email);
  expect(await declined()).toBe(false);
});

test.each(['accept', 'decline'] as const)(
  'OPS-17: after an undone %s the request waits as before, and the player learns only the next answer',
  async (how) => {
    const { team, path } = await joinable('ask');
    const me = await signedIn();
    await t.call('POST', path, { as: me.as });
    const request = () =>
      t.db.selectFrom('join_requests').selectAll().where('player_id', '=', me.id).execute();
    const before = await request();
    t.clock.advance(1_000);
    await decide(how, team, me.email);
    expect(await request()).toEqual([]);
    t.clock.advance(1_000);
    const undone = await t.call('POST', '/api/operator/teams/reopen/', {
      as: OPERATOR,
      body: { team: String(team.id), email: me.email, asked_at: before[0]?.asked_at },
    });
    expect(undone.body).toMatchObject({ team: team.name, username: me.username });
    expect(await request()).toEqual(before);
    expect((await decide('reopen', team, me.email)).status).toBe(200);
    expect(await request()).toEqual(before);
    expect(await teamOfPlayer(me)).toMatchObject({ team_id: null });
    expect(await isDeclined(t.db, { player_id: me.id, team_id: team.id })).toBe(false);
    t.clock.advance(1_000);
    await decide('accept', team, me.email);
    t.clock.advance(60_000);
    await mailNewOnTeams(t);
    expect((await mailTo(t, me.email)).text).toContain('Staff said yes.');
  },
);

test('OPS-17: an answer cannot be undone once the player has asked or joined another team', async () => {
  const { team, path } = await joinable('ask');
  const other = await joinable('ask');
  const me = await signedIn();
  await t.call('POST', path, { as: me.as });
  await decide('decline', team, me.email);
  await t.call('POST', other.path, { as: me.as });
  const late = await decide('reopen', team, me.email);
  expect([late.status, late.body.detail]).toEqual([
    409,
    `${me.email} asks to join another team now.`,
  ]);
  await addToTeam(t, other.team, [me.email]);
  for (const { id, name } of [team, other.team]) {
    const { status, body } = await decide('reopen', { id }, me.email);
    expect([status, body.detail]).toEqual([
      409,
      `${me.email} is on a team and did not ask to join “${name}”.`,
    ]);
  }
  expect(await teamOfPlayer(me)).toMatchObject({ team_id: other.team.id });
});

test('LEAGUE-14: a declined player gets a mail and may ask again, and a request can be withdrawn', async () => {
  const { path, team } = await joinable('ask');
  const me = await signedIn();
  await t.call('POST', path, { as: me.as });
  expect((await decide('decline', team, me.email)).status).toBe(200);
  expect((await mailTo(t, me.email)).subject).toBe(`No place on ${team.name}`);
  expect((await t.call('GET', path, { as: me.as })).body.mine).toBe('none');
  expect((await t.call('POST', path, { as: me.as })).body).toEqual({ state: 'asked' });
  for (const _ of [1, 2])
    expect((await t.call('DELETE', '/api/teams/request/', { as: me.as })).status).toBe(204);
  expect((await t.call('GET', path, { as: me.as })).body.mine).toBe('none');
  expect((await decide('accept', team, me.email)).status).toBe(404);
  // Nor can an undo of the refusal make the player ask again (P63).
  expect((await decide('reopen', team, me.email)).status).toBe(409);
  expect(await teamOfPlayer(me)).toMatchObject({ team_id: null });
});

test('LEAGUE-14: a request to another team replaces the first, and a player who gets a team loses the request', async () => {
  const [first, second, open] = [
    await joinable('ask'),
    await joinable('ask'),
    await joinable('open'),
  ];
  const me = await signedIn();
  await t.call('POST', first.path, { as: me.as });
  expect((await t.call('GET', second.path, { as: me.as })).body.other_request).toBe(
    first.team.name,
  );
  await t.call('POST', second.path, { as: me.as });
  expect((await t.call('GET', first.path, { as: me.as })).body).toMatchObject({
    mine: 'none',
    other_request: second.team.name,
  });
  await t.call('POST', open.path, { as: me.as });
  const late = await decide('accept', second.team, me.email);
  expect([late.status, late.body.detail]).toEqual([
    404,
    `${me.email} does not ask to join “${second.team.name}”. ${me.email} is on “${open.team.name}”.`,
  ]);

  const other = await signedIn();
  await t.call('POST', second.path, { as: other.as });
  await t.call('POST', '/api/operator/teams/add/', {
    as: OPERATOR,
    body: { team: String(open.team.id), emails: [other.email] },
  });
  expect((await t.call('GET', '/api/teams/request/', { as: other.as })).body.request).toBeNull();
});

test('STAFF-23: staff put players on a team by name too, in any letter case', async () => {
  const { team } = await joinable('ask', TEAM_MAX - 1);
  const player = await makePlayer(t, { username: 'Nadia_Net' });
  const add = (body: object) =>
    t.call('POST', '/api/operator/teams/add/', {
      as: OPERATOR,
      body: { team: String(team.id), ...body },
    });
  const added = await add({ usernames: ['NADIA_net'] });
  expect(added.body.players).toContainEqual({ email: player.email, username: 'Nadia_Net' });
  expect((await add({ usernames: ['nobody_at_all'] })).body).toEqual({
    usernames: ['There is no player “nobody_at_all”.'],
  });
  expect((await add({})).body).toEqual({ emails: ['Name at least one player.'] });
});

test('LEAGUE-12: nobody is accepted onto a full team', async () => {
  const { path, team, players } = await joinable('ask', TEAM_MAX - 1);
  const [one, two] = [await signedIn(), await signedIn()];
  for (const { as } of [one, two]) await t.call('POST', path, { as });
  expect((await decide('accept', team, one.email)).status).toBe(200);
  const full = await decide('accept', team, two.email);
  expect([full.status, full.body.detail]).toEqual([
    409,
    `“${team.name}” is full: 3 of 3 players. Take somebody off first.`,
  ]);
  await t.call('POST', '/api/operator/teams/remove/', {
    as: OPERATOR,
    body: { team: String(team.id), email: players[0]?.email },
  });
  expect((await decide('accept', team, two.email)).status).toBe(200);
});

test('LEAGUE-12: only one of many concurrent players gets the last free place on a team, over two processes', async () => {
  const other = await t.sibling();
  for (let round = 0; round < 3; round += 1) {
    const { path, team } = await joinable('open', TEAM_MAX - 1);
    const racers = await Promise.all(Array.from({ length: 8 }, () => signedIn()));
    const answers = await Promise.all(
      racers.map(({ as }, at) => (at % 2 === 0 ? t : other).call('POST', path, { as })),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(7);
    const { rows } = await sql<{ players: number }>`
      select count(*) as players from players where team_id = ${team.id}`.execute(t.db);
    expect(rows[0]?.players).toBe(TEAM_MAX);
  }
});

test('LEAGUE-12: closing a league waits for a join in progress, and no join is stored later', async () => {
  const { path, league, team } = await joinable('open');
  const me = await signedIn();
  const { joining, closing } = await t.db.transaction().execute(async (trx) => {
    // This lock stops the join after it has read that the league is open.
    await sql`lock table team_changes in share row exclusive mode`.execute(trx);
    const join = t.call('POST', path, { as: me.as });
    await untilBlocked(t, 1);
    const close = setJoining(t, league, 'closed');
    // Only the join holds a lock that closing needs, so closing waits for the join.
    await untilBlocked(t, 2);
    return { joining: { join }, closing: { close } };
  });
  expect((await joining.join).status).toBe(200);
  await closing.close;
  expect(await teamOfPlayer(me)).toMatchObject({ team_id: team.id });
  const late = await signedIn();
  expect((await t.call('POST', path, { as: late.as })).status).toBe(400);
});

test('LEAGUE-14: when a player is accepted and joins another team at the same time, only one takes effect', async () => {
  for (let round = 0; round < 5; round += 1) {
    const [ask, open] = [await joinable('ask'), await joinable('open')];
    const me = await signedIn();
    await t.call('POST', ask.path, { as: me.as });
    const [accepted, joined] = await Promise.all([
      decide('accept', ask.team, me.email),
      t.call('POST', open.path, { as: me.as }),
    ]);
    const { team_id } = await teamOfPlayer(me);
    expect([accepted.status, joined.status, team_id]).toEqual(
      accepted.status === 200 ? [200, 400, ask.team.id] : [404, 200, open.team.id],
    );
  }
});

test('P67: a player may try ten wrong codes an hour, over two processes, and right codes do not count', async () => {
  const other = await t.sibling();
  const { path } = await joinable('open');
  const me = await signedIn();
  for (let n = 0; n < 15; n += 1)
    expect((await t.call('GET', path, { as: me.as })).status).toBe(200);
  const wrong = Array.from({ length: 14 }, (_, at) =>
    (at % 2 === 0 ? t : other).call(at % 3 === 0 ? 'POST' : 'GET', '/api/teams/join/AAAAAA/', {
      as: me.as,
    }),
  );
  const statuses = (await Promise.all(wrong)).map(({ status }) => status);
  expect(statuses.filter((status) => status === 404)).toHaveLength(10);
  expect(statuses.filter((status) => status === 429)).toHaveLength(4);
  // The right code is refused too, so that no further guess succeeds.
  const locked = await t.call('GET', path, { as: me.as });
  expect(locked.status).toBe(429);
  expect(Number(locked.headers['retry-after'])).toBeGreaterThan(3_000);
  expect((await t.call('GET', path, { as: (await signedIn()).as })).status).toBe(200);
  t.clock.advance(3_600_000);
  const later = await makeSession(t, me);
  expect((await t.call('GET', path, { as: later })).status).toBe(200);
});

test('P67: wrong codes of visitors are limited by network', async () => {
  const { path } = await joinable('open');
  const ip = '203.0.113.9';
  for (let n = 0; n < 60; n += 1)
    expect((await t.call('GET', '/api/teams/join/AAAAAA/', { ip })).status).toBe(404);
  expect((await t.call('GET', path, { ip })).status).toBe(429);
  expect((await t.call('GET', path, { ip: '203.0.113.10' })).status).toBe(200);
});

test('a text that cannot be a code gets the same 404 as an unknown code', async () => {
  const { as } = await signedIn();
  for (const code of [
    'A',
    'ABC',
    '000000',
    '%00%00',
    'A'.repeat(65),
    'A'.repeat(2_000),
    '..%2f..',
    'ÄÖÜÄÖÜ',
    "a'--bc",
  ]) {
    const { status, body } = await t.call('GET', `/api/teams/join/${code}/`, { as });
    expect([code, status, body.detail]).toEqual([code, 404, expect.stringMatching(/^No team has/)]);
  }
});

test('an unknown way of joining is refused', async () => {
  const { league } = await joinable('open');
  const { status } = await t.call('POST', '/api/operator/leagues/joining/', {
    as: OPERATOR,
    body: { league: league.name, joining: 'perhaps' },
  });
  expect(status).toBe(400);
  const set = await t.call('POST', '/api/operator/leagues/joining/', {
    as: OPERATOR,
    body: { league: league.name, joining: 'ask' },
  });
  expect(set.body).toEqual({ league: league.name, joining: 'ask' });
});
