import { expect, test } from 'vitest';
import { makeGames, makeLeague, makeMachine, makePlayer, makeTeam } from '#testing/app/make.ts';
import { midweekApp } from '#testing/app/midweek.ts';
import { OPERATOR_KEY } from '#testing/app/test-app.ts';
import { addDays, dayOf, weekOf } from '../leagues/calendar.ts';
import { readCode } from '../leagues/joining.ts';
import { generateSchedule } from '../leagues/schedule.ts';

const { t } = midweekApp();

const read = (path: string, query: Record<string, string>) =>
  t.call('GET', `/api/operator/${path}?${new URLSearchParams(query)}`, {
    as: { key: OPERATOR_KEY },
  });

test('OPS-16: the preview of a schedule stores nothing, and the schedule is then made as previewed', async () => {
  const league = await makeLeague(t, { starts: addDays(dayOf(t.clock.now(), 'UTC'), 7) });
  for (const name of ['Zeta', 'delta', 'Gamma', 'Beta', 'Alpha'])
    await makeTeam(t, league, [], { name });
  const query = { league: String(league.id), weeks: '7' };
  const stored = () =>
    t.db.selectFrom('matchup_sides').selectAll().where('league_id', '=', league.id).execute();

  const preview = await read('leagues/schedule/preview/', query);
  expect(preview.status).toBe(200);
  expect(preview.body.schedule).toHaveLength(7);
  expect(await stored()).toEqual([]);
  await generateSchedule(t, league, { weeks: 7 });
  const { body } = await read('leagues/schedule/', { league: query.league });
  expect(preview.body.schedule).toEqual(body.schedule);

  const again = await read('leagues/schedule/preview/', { ...query, from: league.starts_on });
  expect(again.status).toBe(409);
  const late = await read('leagues/schedule/preview/', { ...query, from: '9999-12-31' });
  expect(late.body.detail).toContain('choose an earlier week');
  const none = await read('leagues/schedule/preview/', { ...query, weeks: '0' });
  expect(none.status).toBe(400);
  const alone = await makeLeague(t);
  const few = await read('leagues/schedule/preview/', { league: alone.name, weeks: '1' });
  expect(few.body.detail).toContain('needs at least two teams');
});

test('OPS-16: the page of a league has the running week, its held games, and the requests to join', async () => {
  const league = await makeLeague(t);
  const [ann, bob, eve] = [await makePlayer(t), await makePlayer(t), await makePlayer(t)];
  const one = await makeTeam(t, league, [ann]);
  const other = await makeTeam(t, league, [bob]);
  await generateSchedule(t, league, { weeks: 2, from: dayOf(t.clock.now(), 'UTC') });
  const machine = await makeMachine(t);
  await makeGames(t, machine, ann, [{ score: 300 }, { score: t.config.max_score + 1 }]);
  await t.db
    .insertInto('join_requests')
    .values({ player_id: eve.id, team_id: one.id, asked_at: t.clock.now() })
    .execute();

  const { status, body } = await read('leagues/page/', { league: String(league.id) });
  expect(status).toBe(200);
  expect(body.now.held).toBe(1);
  const sides = body.now.matchups.flatMap((m: { home: object; away: object }) => [m.home, m.away]);
  expect(sides).toContainEqual({ team: one.name, total: 300, games: 1, max: 8 });
  expect(sides).toContainEqual({ team: other.name, total: 0, games: 0, max: 8 });
  expect(body).toMatchObject({ ended: 0, planning: { coming: 1 }, week: 1, weeks: 2 });
  const row = body.teams.find(({ name }: { name: string }) => name === one.name);
  expect(row).toMatchObject({
    waiting: 1,
    players: [{ id: String(ann.id), username: ann.username }],
  });
  const days = (Date.parse(body.planning.first_free) - Date.parse(body.now.from)) / 86_400_000;
  expect(days).toBe(14);
});

test('OPS-16: every page has the number of weeks, and a place once a scheduled week has ended', async () => {
  const current = weekOf(t.clock.now(), 'UTC');
  const league = await makeLeague(t, { starts: addDays(current, -21) });
  const [team] = [await makeTeam(t, league), await makeTeam(t, league)];
  const pages = async (of: { id: number; league_id: number } = team) => {
    const code = await readCode(t.db, of);
    const [ofLeague, ofTeam, poster, join] = await Promise.all([
      read('leagues/page/', { league: String(of.league_id) }),
      read('teams/page/', { team: String(of.id) }),
      read('teams/poster/', { team: String(of.id) }),
      t.call('GET', `/api/teams/join/${code}/`),
    ]);
    const { week, weeks, ended } = ofLeague.body;
    expect(join.body).toMatchObject({ week, weeks });
    const places = [ofTeam.body.place, join.body.place];
    return { week, weeks, ended, places, ends: [poster, join].map((p) => p.body.season_ends_on) };
  };
  expect(await pages()).toMatchObject({ weeks: 0, ended: 0, places: [null, null] });

  // The next week is the first with matchups.
  await generateSchedule(t, league, { weeks: 1, from: addDays(current, 7) });
  const last = addDays(current, 13);
  expect(await pages()).toEqual({
    week: 0,
    weeks: 1,
    ended: 0,
    places: [null, null],
    ends: [last, last],
  });
  // Two weeks with matchups have ended.
  const second = await makeLeague(t, { starts: addDays(current, -14) });
  const [old] = [await makeTeam(t, second), await makeTeam(t, second)];
  await generateSchedule(t, second, { weeks: 2 });
  expect(await pages(old)).toMatchObject({ week: 3, weeks: 2, ended: 2, places: [1, 1] });

  const over = await makeLeague(t, { starts: addDays(current, -7) });
  const [late] = [await makeTeam(t, over), await makeTeam(t, over)];
  await generateSchedule(t, over, { weeks: 1 });
  expect((await read('teams/poster/', { team: `id:${late.id}` })).body.season_ends_on).toBeNull();
});

test('OPS-03: a team’s page shows its own league, even if the league’s name looks like another league’s id', async () => {
  const other = await makeLeague(t);
  const league = await makeLeague(t, { name: `id:${other.id}` });
  const team = await makeTeam(t, league);
  for (const path of ['teams/page/', 'teams/poster/'])
    expect(JSON.stringify((await read(path, { team: `id:${team.id}` })).body.league)).toContain(
      league.name,
    );
});

test('OPS-16: the page of a team has figures of the week, requests and a code that does not change', async () => {
  const league = await makeLeague(t);
  const [ann, eve] = [await makePlayer(t), await makePlayer(t)];
  const machine = await makeMachine(t);
  await makeGames(t, machine, eve, [{ score: 200 }, { score: 250 }]);
  const team = await makeTeam(t, league, [ann]);
  await makeGames(t, machine, ann, [{ score: 120 }]);
  await t.db
    .insertInto('join_requests')
    .values({ player_id: eve.id, team_id: team.id, asked_at: t.clock.now() })
    .execute();
  const query = { team: String(team.id) };
  const { body } = await read('teams/page/', query);
  expect(body).toMatchObject({
    name: team.name,
    place: null,
    league: { name: league.name, joining: 'closed' },
    players: [{ account: String(ann.id), games: 1, total: 120, league_mode_enabled: true }],
    requests: [{ account: String(eve.id), games_played: 2, avg_score: 225 }],
  });
  // P65: only players/show/ has the whole address, and the audit records it.
  for (const { address } of [...body.players, ...body.requests])
    expect(address).toMatch(/^.\*\*\*@.…$/);
  expect(JSON.stringify(body)).not.toContain('@example');
  expect(body.code).toBe(await readCode(t.db, team));
  expect(body.url).toBe(`${t.config.public_url}/join/${body.code}`);
  const poster = await read('teams/poster/', query);
  expect(poster.body).toEqual({
    id: String(team.id),
    team: team.name,
    league: league.name,
    league_id: String(league.id),
    venue: null,
    joining: 'closed',
    code: body.code,
    url: body.url,
    season_ends_on: null,
  });
  const other = await makeTeam(t, league);
  const posters = await read('teams/posters/', { league: league.name });
  expect((posters.body.results as { id: string }[]).map(({ id }) => id).toSorted()).toEqual(
    [team, other].map(({ id }) => String(id)).toSorted(),
  );
  expect(posters.body.results).toContainEqual(poster.body);
  await generateSchedule(t, league, { weeks: 1, from: dayOf(t.clock.now(), 'UTC') });
  expect((await read('teams/poster/', query)).body.season_ends_on).toMatch(/^\d{4}-\d\d-\d\d$/);
});

test('LEAGUE-12: a league is created with its way of joining, which is closed by default', async () => {
  const make = (body: object) =>
    t.call('POST', '/api/operator/leagues/', { as: { key: OPERATOR_KEY }, body });
  const open = await make({ name: 'Open doors', timezone: 'UTC', joining: 'open' });
  expect(open.body.joining).toBe('open');
  expect((await make({ name: 'Shut doors', timezone: 'UTC' })).body.joining).toBe('closed');
  const { body } = await read('leagues/page/', { league: 'Open doors' });
  expect(body).toMatchObject({ joining: 'open', now: null, standings: [], teams: [] });
});

test('LEAGUE-01: the time zone of a league can change until it has a game, even a held one', async () => {
  const league = await makeLeague(t);
  const rename = (timezone: string, name = league.name) =>
    t.call('POST', '/api/operator/leagues/rename/', {
      as: { key: OPERATOR_KEY },
      body: { league: `id:${league.id}`, name, timezone },
    });
  expect((await rename('Mars/Olympus')).body.timezone).toEqual([
    expect.stringContaining('is no time zone'),
  ]);
  expect((await rename('Asia/Tokyo')).body).toMatchObject({ timezone: 'Asia/Tokyo' });
  expect((await rename(league.timezone)).status).toBe(200);
  const player = await makePlayer(t, { league_mode_enabled: true });
  await makeTeam(t, league, [player]);
  await makeGames(t, await makeMachine(t), player, [{ score: 1_000_000 }]);
  const refused = await rename('Asia/Tokyo');
  expect([refused.status, refused.body.detail]).toEqual([409, expect.stringContaining('fixed')]);
  const { body } = await rename(league.timezone, `${league.name}!`);
  expect(body).toMatchObject({ league: `${league.name}!`, timezone: league.timezone });
});
