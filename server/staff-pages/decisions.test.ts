import { describe, expect, test } from 'vitest';
import { DECISIONS_MAX } from '#contract/rules/inbox.ts';
import type { LeagueDecided } from '#contract/wire/inbox.ts';
import { makeLeague, makePlayer, makeStaff, makeTeam } from '#testing/app/make.ts';
import { DAY, HOUR, midweekApp } from '#testing/app/midweek.ts';
import { addDays, weekOf } from '../leagues/calendar.ts';
import { cleanUpLeagueDecisions } from '../leagues/decisions.ts';
import type { Team } from '../leagues/leagues.ts';
import { generateSchedule } from '../leagues/schedule.ts';
import { deletePlayer } from '../players/erase.ts';

const { t } = midweekApp();

type Headers = Awaited<ReturnType<typeof makeStaff>>['headers'];
const byId = ({ id }: { id: number | string }) => `id:${id}`;

/** A league with two teams and a player on the first, and an owner who decides. */
async function setUp() {
  const league = await makeLeague(t);
  const player = await makePlayer(t);
  const one = await makeTeam(t, league, [player]);
  const two = await makeTeam(t, league);
  const { name, headers } = await makeStaff(t);
  const post = async (path: string, body: object) => {
    const answer = await t.call('POST', `/api/operator/${path}/`, { headers, body });
    expect(answer.body, path).not.toHaveProperty('detail');
    return answer.body;
  };
  /** The decisions about this league, newest first. */
  const list = async (as: Headers = headers): Promise<LeagueDecided[]> => {
    const { body } = await t.call('GET', '/api/operator/inbox/decisions/', { headers: as });
    return body.leagues.filter((of: LeagueDecided) => of.league_id === String(league.id));
  };
  const account = String(player.id);
  const put = (to: Team, from: Team | null) =>
    post('teams/add', {
      team: byId(to),
      accounts: [account],
      from_team: from && String(from.id),
    });
  const off = (from: Team) => post('teams/remove', { team: byId(from), accounts: [account] });
  return { league, player, account, one, two, name, headers, post, list, put, off };
}
const short = (all: readonly LeagueDecided[]) =>
  all.map(({ decision, player, team, other, undo }) => [
    decision,
    player?.username ?? null,
    team?.name ?? null,
    other?.name ?? null,
    undo,
  ]);

describe('HAND-C11 a move of a player', () => {
  test('is in the inbox with both teams, and undoing it is another move', async () => {
    const { player, one, two, name, list, put, off } = await setUp();
    await put(two, one);
    expect(await list()).toEqual([
      {
        id: expect.any(String),
        by: name,
        at: expect.any(String),
        decision: 'moved',
        league_id: String(one.league_id),
        player: { id: String(player.id), username: player.username },
        team: { id: String(two.id), name: two.name },
        other: { id: String(one.id), name: one.name },
        before: null,
        after: null,
        week: null,
        week_number: null,
        reason_before: null,
        asked_at: null,
        undo: true,
      },
    ]);
    await put(one, two);
    await off(one);
    await put(two, null);
    // On the team already: nothing was decided.
    await put(two, two);
    const { username } = player;
    expect(short(await list())).toEqual([
      ['moved', username, two.name, null, true],
      ['moved', username, null, one.name, false],
      ['moved', username, one.name, two.name, false],
      ['moved', username, two.name, one.name, false],
    ]);
  });

  test('cannot be undone once the player has left the team', async () => {
    const { player, one, two, list, put } = await setUp();
    await put(two, one);
    await t.db.updateTable('players').set({ team_id: null }).where('id', '=', player.id).execute();
    expect(short(await list())).toEqual([['moved', player.username, two.name, one.name, false]]);
  });

  test('is deleted with the account', async () => {
    const { player, one, two, list, put } = await setUp();
    await put(two, one);
    await deletePlayer(t.db, player.id, t.clock.now());
    expect(await list()).toEqual([]);
  });

  test('is seen only by staff who reach both teams', async () => {
    const { league, one, list, put } = await setUp();
    const far = await makeLeague(t);
    const staffOf = async (...leagues: { name: string }[]) =>
      (await makeStaff(t, { role: 'manager', leagues: leagues.map(({ name }) => name) })).headers;
    const [near, foreign, both] = [
      await staffOf(league),
      await staffOf(far),
      await staffOf(league, far),
    ];
    const { one: from, put: putFar } = { one, put };
    await putFar(await makeTeam(t, far), from);
    const all = async (headers: Headers) =>
      (await t.call('GET', '/api/operator/inbox/decisions/', { headers })).body.leagues;
    expect(await all(near)).toEqual([]);
    expect(await all(foreign)).toEqual([]);
    expect(await all(both)).toMatchObject([{ league_id: String(far.id), undo: true }]);
    expect(await list(near)).toEqual([]);
  });
});

describe('HAND-C11 a team', () => {
  test('is in the inbox when it is made, renamed and deleted', async () => {
    const { league, list, post } = await setUp();
    const made = await post('teams', { league: byId(league), name: 'Dunkerz' });
    expect(await list()).toMatchObject([
      { decision: 'made', team: { id: made.id, name: 'Dunkerz' }, undo: true },
    ]);
    await post('teams/rename', { team: byId(made), name: 'Dunkers' });
    expect(await list()).toMatchObject([
      { decision: 'renamed', before: 'Dunkerz', after: 'Dunkers', undo: true },
      { decision: 'made', undo: false },
    ]);
    await post('teams/rename', { team: byId(made), name: 'Dunkerz' });
    expect((await list()).map(({ undo }) => undo)).toEqual([true, false, false]);
    await post('teams/delete', { team: byId(made) });
    expect(await list()).toMatchObject([
      { decision: 'deleted', team: null, before: 'Dunkerz', undo: false },
    ]);
  });

  test('cannot be removed by Undo once it has a player or a matchup', async () => {
    const { league, player, list, post } = await setUp();
    const { results } = await post('teams/several', {
      league: byId(league),
      names: ['With', 'Without', 'Scheduled'],
    });
    const made = async () =>
      Object.fromEntries(
        (await list()).flatMap(({ decision, team, undo }) =>
          decision === 'made' ? [[team?.name, undo]] : [],
        ),
      );
    await post('teams/add', { team: byId(results[0]), accounts: [String(player.id)] });
    expect(await made()).toEqual({ With: false, Without: true, Scheduled: true });
    await generateSchedule(t, league, { weeks: 1 });
    expect(await made()).toEqual({ With: false, Without: false, Scheduled: false });
  });

  test('cannot get its old name back if another team has that name now', async () => {
    const { league, one, list, post } = await setUp();
    await post('teams/rename', { team: byId(one), name: 'Newname' });
    await makeTeam(t, league, [], { name: one.name.toUpperCase() });
    expect(await list()).toMatchObject([{ decision: 'renamed', undo: false }]);
  });
});

describe('HAND-C11 a request to join', () => {
  async function asked() {
    const world = await setUp();
    const { two, off, one } = world;
    await off(one);
    const asked_at = new Date(t.clock.now().getTime() - HOUR);
    const request = { player_id: world.player.id, team_id: two.id, asked_at };
    await t.db.insertInto('join_requests').values(request).execute();
    const body = { team: byId(two), account: world.account };
    const newest = async () => (await world.list())[0];
    return { ...world, request, body, newest, asked_at: asked_at.toISOString() };
  }

  test.each(['accept', 'decline'] as const)(
    'that was answered by %s can be put back',
    async (how) => {
      const { request, body, player, two, asked_at, post, newest } = await asked();
      t.clock.advance(1_000);
      await post(`teams/${how}`, body);
      expect(await newest()).toMatchObject({
        decision: `${how.replace(/e$/, '')}ed`,
        player: { username: player.username },
        team: { name: two.name },
        asked_at,
        undo: true,
      });
      t.clock.advance(1_000);
      await post('teams/reopen', { ...body, asked_at });
      expect(await newest()).toMatchObject({ decision: 'reopened', undo: false });
      const waiting = t.db.selectFrom('join_requests').selectAll();
      expect(await waiting.where('player_id', '=', player.id).execute()).toEqual([request]);
    },
  );

  test('cannot be put back once the player has another team or request', async () => {
    const { body, player, one, two, post, newest } = await asked();
    t.clock.advance(1_000);
    await post('teams/accept', body);
    await t.db.updateTable('players').set({ team_id: null }).where('id', '=', player.id).execute();
    expect(await newest()).toMatchObject({ decision: 'accepted', undo: false });
    const request = { player_id: player.id, team_id: two.id, asked_at: t.clock.now() };
    await t.db.insertInto('join_requests').values(request).execute();
    await post('teams/decline', body);
    expect(await newest()).toMatchObject({ decision: 'declined', undo: true });
    await t.db.insertInto('join_requests').values(request).execute();
    expect(await newest()).toMatchObject({ decision: 'declined', undo: false });
    await t.db.deleteFrom('join_requests').where('player_id', '=', player.id).execute();
    await t.db
      .updateTable('players')
      .set({ team_id: one.id })
      .where('id', '=', player.id)
      .execute();
    expect(await newest()).toMatchObject({ decision: 'declined', undo: false });
  });
});

describe('HAND-C11 a ruling', () => {
  test('is in the inbox when it is made, changed and withdrawn, each time with the ruling before it', async () => {
    const { league, one, two, list, post } = await setUp();
    const week = weekOf(t.clock.now(), 'UTC');
    await generateSchedule(t, league, { weeks: 1, from: week });
    const rule = (ruling: string, reason?: string) =>
      post('leagues/ruling', { league: byId(league), team: byId(one), week, ruling, reason });
    await rule('home', 'Nobody came');
    const [first] = await list();
    const { home } = await t.db
      .selectFrom('matchup_sides')
      .select('home')
      .where('team_id', '=', one.id)
      .executeTakeFirstOrThrow();
    const sides = home ? [one, two] : [two, one];
    expect([first?.team?.name, first?.other?.name]).toEqual(sides.map(({ name }) => name));
    expect(first).toMatchObject({
      decision: 'ruled',
      before: 'none',
      after: 'home',
      week,
      week_number: expect.any(Number),
      reason_before: null,
      undo: true,
    });
    await rule('away', 'They came late');
    await rule('none');
    expect(await list()).toMatchObject([
      { before: 'away', after: 'none', reason_before: 'They came late', undo: true },
      { before: 'home', after: 'away', reason_before: 'Nobody came', undo: false },
      { before: 'none', after: 'home', undo: false },
    ]);
    await rule('both_lose', 'Nobody came');
    await post('leagues/postpone', { league: byId(league), week, reason: 'Snow' });
    const later = addDays(week, 7);
    expect((await list())[0]).toMatchObject({ after: 'both_lose', week: later, undo: true });
    await post('leagues/ruling', {
      league: byId(league),
      team: byId(one),
      week: later,
      ruling: 'none',
    });
    expect((await list())[0]).toMatchObject({ after: 'none', undo: false });
    await post('leagues/postpone/undo', { league: byId(league), week });
    expect((await list())[0]).toMatchObject({ after: 'none', week, undo: true });
    const third = await makeTeam(t, league);
    await t.db.updateTable('league_decisions').set({ other_id: third.id }).execute();
    expect((await list()).every(({ undo }) => !undo)).toBe(true);
  });
});

test('HAND-C11 the newest decisions of a day are listed, and older ones are deleted', async () => {
  const { league, headers, post } = await setUp();
  const make = (from: number, number: number) =>
    post('teams/several', {
      league: byId(league),
      names: Array.from({ length: number }, (_, at) => `Team ${from + at} of many`),
    });
  await make(0, 1);
  t.clock.advance(HOUR);
  await make(1, DECISIONS_MAX + 1);
  const all = async (as = headers): Promise<LeagueDecided[]> =>
    (await t.call('GET', '/api/operator/inbox/decisions/', { headers: as })).body.leagues;
  expect(await all()).toHaveLength(DECISIONS_MAX);
  expect((await all())[0]?.team?.name).toBe(`Team ${DECISIONS_MAX + 1} of many`);
  const stored = async () =>
    (await t.db.selectFrom('league_decisions').selectAll().execute()).filter(
      ({ league_id }) => league_id === league.id,
    );
  t.clock.advance(DAY - HOUR);
  await cleanUpLeagueDecisions(t);
  expect(await stored()).toHaveLength(DECISIONS_MAX + 1);
  t.clock.advance(HOUR);
  expect(await all((await makeStaff(t)).headers)).toEqual([]);
  await cleanUpLeagueDecisions(t);
  expect(await stored()).toEqual([]);
});
