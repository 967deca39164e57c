import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { ROLES, reaches } from '#contract/rules/staff.ts';
import { cupCases, makeCup } from '#testing/app/cup-cases.ts';
import {
  aGame,
  makeGames,
  makeLeague,
  makeMachine,
  makePlayer,
  makeScreen,
  makeSession,
  makeStaff,
  makeTeam,
  makeWaiting,
  numberOf,
} from '#testing/app/make.ts';
import { seasonCases } from '#testing/app/season-cases.ts';
import { OPERATOR_KEY, withApp } from '#testing/app/test-app.ts';
import { buildApp } from '../app.ts';
import { ownMetrics } from '../http/metrics.ts';

const t = withApp();
let routes: { method: string; path: string; role: string }[];
const asKey = { as: { key: OPERATOR_KEY } };

beforeAll(async () => {
  const { paths = {} } = t.app.swagger() as {
    paths?: Record<string, Record<string, { 'x-role'?: string }>>;
  };
  routes = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, operation]) =>
      operation['x-role'] === undefined
        ? []
        : [{ method: method.toUpperCase(), path, role: operation['x-role'] }],
    ),
  );
});

const ask = (playerId: number, teamId: number) =>
  t.db
    .insertInto('join_requests')
    .values({ player_id: playerId, team_id: teamId, asked_at: t.clock.now() })
    .execute();
const reportOf = (machineId: number, gameId: string, playerId: number) =>
  t.db
    .insertInto('game_reports')
    .values({
      machine_id: machineId,
      game_id: gameId,
      player_id: playerId,
      reason: 'not_mine',
      text: null,
      reported_at: t.clock.now(),
      settled_at: null,
    })
    .execute();

/** Streams stay open. server/live/console.test.ts tests them. */
const STREAMS = ['/api/console/events/'];
const filled = (path: string) => path.replaceAll('{id}', randomUUID()).replaceAll('{part}', '0');

test('P63: every route of the operator declares its least role', () => {
  expect(routes.length).toBeGreaterThan(40);
  const { paths = {} } = t.app.swagger();
  const silent = Object.keys(paths).filter(
    (path) => path.startsWith('/api/operator/') && !routes.some((route) => route.path === path),
  );
  expect(silent).toEqual([]);
});

test('P63: on each route, staff below its least role get 403 and others do not', async () => {
  const cells: string[] = [];
  const wrong: string[] = [];
  for (const role of ROLES) {
    const { headers } = await makeStaff(t, { role });
    for (const route of routes.filter(({ path }) => !STREAMS.includes(path))) {
      // Without a body: a caller with the role passes the check, and fails later.
      const { status } = await t.call(route.method, filled(route.path), { headers });
      const may = route.role !== 'key' && reaches(role, route.role as typeof role);
      cells.push(`${role} ${route.path}`);
      if ((status !== 403) !== may || status === 401)
        wrong.push(`${role}: ${route.method} ${route.path} (${route.role}) answers ${status}`);
    }
  }
  expect(wrong).toEqual([]);
  expect(cells).toHaveLength(3 * (routes.length - STREAMS.length));
});

test('P63: without a key or a session every route is 401', async () => {
  for (const route of routes) {
    const { status } = await t.call(route.method, filled(route.path), {
      headers: { origin: t.config.public_url },
    });
    expect([route.path, status]).toEqual([route.path, 401]);
  }
});

describe('P63: staff of one venue', () => {
  /**
   * Routes about something of a venue or league. Each must refuse a caller who does not reach it.
   */
  type World = Awaited<ReturnType<typeof twoVenues>>;
  const BOUND: Record<string, (there: World) => object> = {
    'POST /api/operator/machines/': () => ({ name: `M ${randomUUID()}`, venue: 'There' }),
    'POST /api/operator/machines/rotate/': ({ machine }) => ({ machine: machine.name }),
    // The newest key gets a 409, but only after the check of the venue.
    'POST /api/operator/machines/stop-old-key/': ({ machine: { name, key } }) => ({
      machine: name,
      key: key.split('_')[2],
    }),
    'POST /api/operator/machines/revoke/': ({ machine }) => ({ machine: machine.name }),
    'GET /api/operator/machines/page/': ({ machine }) => ({ machine: machine.name }),
    'POST /api/operator/machines/repair/': ({ machine }) => ({ machine: machine.name }),
    'POST /api/operator/machines/change/': ({ machine }) => ({ machine: machine.name, name: 'X' }),
    'POST /api/operator/venues/change/': () => ({ venue: 'There', hours: null }),
    'POST /api/operator/held/release/': ({ game }) => ({ game }),
    'POST /api/operator/held/discard/': ({ game }) => ({ game }),
    'POST /api/operator/held/return/': ({ game }) => ({ game }),
    'POST /api/operator/reports/reopen/': ({ game }) => ({ game }),
    'POST /api/operator/games/void/': ({ game }) => ({ game }),
    'POST /api/operator/games/restore/': ({ game }) => ({ game }),
    'POST /api/operator/screens/': ({ waiting }) => ({ code: waiting, venue: 'There' }),
    'POST /api/operator/screens/change/': ({ screen }) => ({ screen, still: true }),
    'POST /api/operator/screens/remove/': ({ screen }) => ({ screen }),
    'GET /api/operator/screens/preview/': ({ screen }) => ({ screen }),
    'POST /api/operator/screens/notice/': () => ({ venue: 'There', notice: 'Hello' }),
    'GET /api/operator/machines/show/': ({ machine }) => ({ machine: machine.name }),
    'GET /api/operator/games/show/': ({ game }) => ({ game }),
    'GET /api/operator/inbox/decided/': ({ game }) => ({ game }),
    'POST /api/operator/reports/settle/': ({ game }) => ({ game, verdict: 'stands' }),
    'POST /api/operator/contests/': () => ({ venue: 'There', name: 'Night' }),
    'GET /api/operator/contests/page/': ({ contest }) => ({ contest }),
    'GET /api/operator/contests/poster/': ({ contest }) => ({ contest }),
    'POST /api/operator/contests/change/': ({ contest }) => ({ contest, name: 'Other' }),
    'POST /api/operator/contests/stop/': ({ contest }) => ({ contest }),
    'POST /api/operator/contests/cancel/': ({ contest }) => ({ contest }),
    'POST /api/operator/contests/again/': ({ contest }) => ({ contest }),
    'POST /api/operator/contests/correct/': ({ contest }) => ({ contest, reason: 'Why' }),
    'POST /api/operator/contests/leave/': ({ contest }) => ({ contest }),
    'POST /api/operator/cups/': () => ({ venue: 'There', name: 'Cup', from: 'week' }),
    'POST /api/operator/cups/preview/': () => ({ venue: 'There', name: 'Cup', from: 'week' }),
    'GET /api/operator/cups/page/': ({ cup }) => ({ cup }),
    'POST /api/operator/cups/seeds/': ({ cup }) => ({ cup, sides: ['a', 'b'] }),
    'POST /api/operator/cups/draw/': ({ cup }) => ({ cup }),
    'POST /api/operator/cups/sides/': ({ cup }) => ({ cup, side: '1' }),
    'POST /api/operator/cups/windows/': ({ cup }) => ({ cup, windows: [{ pairing: 'Final' }] }),
    'POST /api/operator/cups/withdraw/': ({ cup }) => ({ cup, side: '1' }),
    'POST /api/operator/cups/decide/': ({ cup }) => ({
      cup,
      pairing: 'Final',
      winner: '1',
      reason: 'Why',
    }),
    'POST /api/operator/cups/correct/': ({ cup }) => ({ cup, pairing: 'Final', reason: 'Why' }),
    'POST /api/operator/cups/leave/': ({ cup }) => ({ cup, pairing: 'Final' }),
    'POST /api/operator/cups/cancel/': ({ cup }) => ({ cup }),
    'GET /api/operator/seasons/': ({ league }) => ({ league: league.name }),
    'GET /api/operator/seasons/page/': ({ league }) => ({ season: `${league.name}/Season 1` }),
    'POST /api/operator/seasons/next/preview/': ({ league }) => ({ league: league.name }),
    'POST /api/operator/seasons/next/': ({ league }) => ({ league: league.name }),
    'POST /api/operator/seasons/change/': ({ league }) => ({
      season: `${league.name}/Season 1`,
      name: 'Other',
    }),
    'POST /api/operator/seasons/drop/': ({ league }) => ({ season: `${league.name}/Season 1` }),
    'POST /api/operator/seasons/end/': ({ league }) => ({ league: league.name }),
    'POST /api/operator/seasons/correct/': ({ league }) => ({
      season: `${league.name}/Season 1`,
      reason: 'Why',
    }),
    'POST /api/operator/seasons/leave/': ({ league }) => ({ season: `${league.name}/Season 1` }),
    'POST /api/operator/leagues/postpone/': ({ league }) => ({
      league: league.name,
      week: '2030-01-07',
      reason: 'Why',
    }),
    'POST /api/operator/leagues/postpone/undo/': ({ league }) => ({
      league: league.name,
      week: '2030-01-07',
    }),
    'POST /api/operator/leagues/swap/': ({ league }) => ({
      league: league.name,
      week: '2030-01-07',
      team: 'X',
      opponent: 'Y',
    }),
    'POST /api/operator/leagues/ruling/': ({ league }) => ({
      league: league.name,
      week: '2030-01-07',
      team: 'X',
      ruling: 'none',
    }),
    'POST /api/operator/teams/enter/': ({ team }) => ({ team: team.name }),
    'POST /api/operator/teams/withdraw/': ({ team }) => ({ team: team.name, reason: 'Why' }),
    'POST /api/operator/teams/withdraw/undo/': ({ team }) => ({ team: team.name }),
    'POST /api/operator/leagues/joining/': ({ league }) => ({
      league: league.name,
      joining: 'open',
    }),
    'POST /api/operator/teams/code/': ({ team }) => ({ team: team.name }),
    'POST /api/operator/teams/accept/': ({ team, asking }) => ({
      team: team.name,
      email: asking.email,
    }),
    'POST /api/operator/teams/decline/': ({ team, asking }) => ({
      team: team.name,
      email: asking.email,
    }),
    'POST /api/operator/teams/reopen/': ({ team, asking }) => ({
      team: team.name,
      email: asking.email,
    }),
    'GET /api/operator/leagues/show/': ({ league }) => ({ league: league.name }),
    'GET /api/operator/leagues/page/': ({ league }) => ({ league: league.name }),
    'GET /api/operator/leagues/schedule/preview/': ({ league }) => ({
      league: league.name,
      weeks: 1,
    }),
    'GET /api/operator/teams/page/': ({ team }) => ({ team: team.name }),
    'GET /api/operator/teams/poster/': ({ team }) => ({ team: team.name }),
    'GET /api/operator/teams/posters/': ({ league }) => ({ league: league.name }),
    'GET /api/operator/leagues/standings/': ({ league }) => ({ league: league.name }),
    'GET /api/operator/leagues/schedule/': ({ league }) => ({ league: league.name }),
    'POST /api/operator/leagues/schedule/': ({ league }) => ({ league: league.name, weeks: 1 }),
    'POST /api/operator/leagues/import/': ({ league }) => ({
      league: league.name,
      csv: 'A,a@b.de',
    }),
    'POST /api/operator/leagues/schedule/clear/': ({ league }) => ({ league: league.name }),
    'POST /api/operator/leagues/rename/': ({ league }) => ({ league: league.name, name: 'Other' }),
    'POST /api/operator/teams/rename/': ({ team }) => ({ team: team.name, name: 'Other' }),
    'POST /api/operator/teams/delete/': ({ team }) => ({ team: team.name }),
    'GET /api/operator/teams/': ({ league }) => ({ league: league.name }),
    'POST /api/operator/teams/': ({ league }) => ({ league: league.name, name: 'New' }),
    'POST /api/operator/teams/several/': ({ league }) => ({
      league: league.name,
      names: ['A', 'B'],
    }),
    'POST /api/operator/teams/add/': ({ team, player }) => ({
      team: team.name,
      emails: [player.email],
    }),
    'POST /api/operator/teams/remove/': ({ team, player }) => ({
      team: team.name,
      email: player.email,
    }),
    'POST /api/operator/held/discard-many/': ({ machine }) => ({ machine: machine.name }),
    'POST /api/operator/games/void-many/': ({ machine }) => ({
      machine: machine.name,
      from: '2027-01-01T00:00:00Z',
      to: '2027-01-02T00:00:00Z',
    }),
    'POST /api/operator/players/show/': ({ player }) => ({ account: String(player.id) }),
    'POST /api/operator/players/sign-out/': ({ player }) => ({ account: String(player.id) }),
    'POST /api/operator/players/change-email/': ({ player }) => ({
      account: String(player.id),
      new_email: `${randomUUID()}@example.com`,
    }),
    'POST /api/operator/players/confirm-email/': ({ player }) => ({
      account: String(player.id),
      new_email: `${randomUUID()}@example.com`,
      code: '123456',
    }),
    'POST /api/operator/players/birthdate/': ({ player }) => ({
      account: String(player.id),
      date_of_birth: '1999-02-03',
      reason: 'Mistyped',
    }),
    'POST /api/operator/players/delete/': ({ player }) => ({ account: String(player.id) }),
  };
  /** Lists omit what is out of reach. The value is the text to look for. */
  const LISTS: Record<string, (there: World) => string> = {
    'GET /api/operator/tonight/': ({ machine }) => machine.name,
    'GET /api/operator/venues/': () => 'There',
    'GET /api/operator/machines/': ({ machine }) => machine.name,
    'GET /api/operator/screens/': ({ screen }) => screen,
    'GET /api/operator/contests/': ({ contest }) => contest,
    'GET /api/operator/cups/': ({ cup }) => `"id":"${cup}","name":"Cup`,
    'GET /api/operator/leagues/': ({ league }) => league.name,
    'GET /api/operator/teams/': ({ team }) => team.name,
    'GET /api/operator/held/': ({ game }) => game,
    'GET /api/operator/inbox/': ({ game }) => game,
    'POST /api/operator/games/list/': ({ game }) => game,
    'GET /api/operator/reports/': ({ game }) => game,
    'GET /api/operator/teams/requests/': ({ asking }) => asking.username ?? '',
    'GET /api/console/me/': ({ league }) => league.name,
  };
  /** Routes about no venue or league, with reasons. */
  const UNBOUND: Record<string, string> = {
    'GET /api/operator/alerts/': 'their own address',
    'POST /api/operator/alerts/': 'their own address; that of others is for owners',
    'POST /api/operator/leagues/': 'makes a league, which is then given to its maker',
    'GET /api/operator/screens/waiting/': 'a television that waits belongs to no venue yet',
    'POST /api/operator/search/': 'tested in server/staff-pages/search-all.test.ts',
    'POST /api/operator/players/search/': 'staff find everybody; tested below',
    'GET /api/operator/inbox/decisions/': 'tested in server/staff-pages/inbox.test.ts',
    'GET /api/operator/tonight/count/': 'numbers; tested in server/staff-pages/tonight.test.ts',
    'GET /api/operator/players/page/': 'staff see everybody; tested below',
    'GET /api/console/devices/': 'their own devices',
    'POST /api/console/devices/options/': 'their own devices',
    'POST /api/console/devices/': 'their own devices',
    'DELETE /api/console/devices/{id}/': 'their own devices',
    'GET /api/console/events/': 'events have no data',
  };

  /** A venue with a machine, a league and a held game, out of reach of `Here`'s staff. */
  async function twoVenues() {
    const here = await makeMachine(t, { name: `Near ${randomUUID()}`, venue: 'Here' });
    const machine = await makeMachine(t, { name: `Far ${randomUUID()}`, venue: 'There' });
    const player = await makePlayer(t);
    const league = await makeLeague(t, { venue: 'There' });
    const team = await makeTeam(t, league, [player]);
    const report = await t.call('POST', '/api/machine/games/', {
      as: { key: machine.key },
      body: { games: [aGame(t, player, { score: 99_999 })] },
    });
    expect(report.body.results[0].status).toBe('held');
    const { name: screen } = await makeScreen(t, 'There');
    const { code: waiting } = await makeWaiting(t);
    const gameId: string = report.body.results[0].id;
    const game = String(await numberOf(t, gameId));
    const asking = await makePlayer(t);
    await ask(asking.id, team.id);
    await reportOf(machine.id, gameId, player.id);
    const contest = await makeContest('There');
    const { id: cup } = await makeCup(t, { venue: 'There' });
    const found = { here, machine, player, league, team, gameId, game, asking };
    return { ...found, screen, waiting, contest, cup };
  }

  test('each route that staff below owners may call is in one of the three lists', () => {
    const open = routes
      .filter(({ role }) => role === 'floor' || role === 'manager')
      .map(({ method, path }) => `${method} ${path}`);
    const listed = [...Object.keys(BOUND), ...Object.keys(LISTS), ...Object.keys(UNBOUND)];
    expect(open.filter((route) => !listed.includes(route))).toEqual([]);
    expect(listed.filter((route) => !open.includes(route))).toEqual([]);
  });

  test('are refused by every route that names an object of another venue, and do not see it in lists', async () => {
    const there = await twoVenues();
    const { headers } = await makeStaff(t, { role: 'manager', venues: ['Here'] });
    const { headers: ofThere } = await makeStaff(t, { role: 'manager', venues: ['There'] });
    for (const [route, build] of Object.entries(BOUND)) {
      const [method = '', path = ''] = route.split(' ');
      const input = build(there);
      const query = method === 'GET' ? `?${new URLSearchParams({ ...input })}` : '';
      const send = (as: Record<string, string>) =>
        t.call(method, `${path}${query}`, {
          headers: as,
          ...(method === 'GET' ? {} : { body: input }),
        });
      expect([route, (await send(headers)).status]).toEqual([route, 403]);
    }
    for (const [route, of] of Object.entries(LISTS)) {
      const [method = '', path = ''] = route.split(' ');
      const body = method === 'POST' ? { body: {} } : {};
      const mine = await t.call(method, path, { headers, ...body });
      expect([route, mine.status]).toEqual([route, 200]);
      expect(JSON.stringify(mine.body)).not.toContain(of(there));
      const theirs = await t.call(method, path, { headers: ofThere, ...body });
      expect(JSON.stringify(theirs.body)).toContain(of(there));
    }
    expect((await t.call('GET', '/api/operator/held/', asKey)).body.total).toBe(1);
  });

  test('reach the leagues given to them, and the leagues of their venues', async () => {
    const there = await twoVenues();
    const names = async (headers: Record<string, string>) =>
      (await t.call('GET', '/api/operator/leagues/', { headers })).body.results.map(
        ({ name }: { name: string }) => name,
      );
    const given = await makeStaff(t, { role: 'manager', leagues: [there.league.name] });
    const make = (headers: Record<string, string>, body: object = {}) =>
      t.call('POST', '/api/operator/leagues/', {
        headers,
        body: { name: `Made ${randomUUID()}`, timezone: 'UTC', ...body },
      });
    expect(await names(given.headers)).toEqual([there.league.name]);
    expect((await make(given.headers)).status).toBe(403);

    // A league made by a manager of one venue belongs to that venue.
    const maker = await makeStaff(t, { role: 'manager', venues: ['Here'] });
    const made = (await make(maker.headers)).body;
    expect(made.venue).toBe('Here');
    expect(await names(maker.headers)).toEqual([made.name]);
    for (const venue of ['There', null])
      expect((await make(maker.headers, { venue })).status).toBe(403);
    const both = await makeStaff(t, { role: 'manager', venues: ['Here', 'There'] });
    expect((await make(both.headers)).body).toEqual({
      venue: ['Say which of your venues runs the league.'],
    });
    expect((await make(both.headers, { venue: 'There' })).body.venue).toBe('There');
    expect(
      (
        await t.call('POST', '/api/operator/leagues/', {
          ...asKey,
          body: { name: `Made ${randomUUID()}`, timezone: 'UTC' },
        })
      ).body.venue,
    ).toBeNull();

    // Games played here do not make the league reachable. An owner does, by giving it this venue.
    const other = await makePlayer(t);
    await makeTeam(t, there.league, [other]);
    await t.call('POST', '/api/machine/games/', {
      as: { key: there.here.key },
      body: { games: [there.player, other].map((player) => aGame(t, player)) },
    });
    expect(await names(maker.headers)).toEqual([made.name]);
    const owner = await makeStaff(t);
    const move = (headers: Record<string, string>, venue: string | null) =>
      t.call('POST', '/api/operator/leagues/venue/', {
        headers,
        body: { league: there.league.name, venue },
      });
    expect((await move(maker.headers, 'Here')).status).toBe(403);
    expect((await move(owner.headers, 'Here')).body).toEqual({
      league: there.league.name,
      venue: 'Here',
    });
    expect((await names(maker.headers)).sort()).toEqual([there.league.name, made.name].sort());
    expect((await move(owner.headers, null)).body.venue).toBeNull();
    expect(await names(maker.headers)).toEqual([made.name]);
  });

  test('MACH-14: reach games by the venue where they were played, when the machine has moved', async () => {
    const there = await twoVenues();
    const stays = await makeStaff(t, { role: 'manager', venues: ['There'] });
    const gets = await makeStaff(t, { role: 'manager', venues: ['Here'] });
    t.clock.advance(1000);
    const moved = await t.call('POST', '/api/operator/machines/change/', {
      ...asKey,
      body: { machine: there.machine.name, venue: 'Here' },
    });
    expect(moved.body.venue).toBe('Here');
    const list = (headers: Record<string, string>, path: string) =>
      t.call(path.endsWith('list/') ? 'POST' : 'GET', path, {
        headers,
        ...(path.endsWith('list/') ? { body: {} } : {}),
      });
    const { headers } = gets;
    for (const path of ['held/', 'inbox/', 'games/list/', 'reports/'].map(
      (end) => `/api/operator/${end}`,
    )) {
      expect(JSON.stringify((await list(headers, path)).body)).not.toContain(
        `"game":"${there.game}"`,
      );
      expect(JSON.stringify((await list(stays.headers, path)).body)).toContain(
        `"game":"${there.game}"`,
      );
    }
    for (const path of ['inbox/', 'reports/'])
      expect((await list(stays.headers, `/api/operator/${path}`)).body.results).toContainEqual(
        expect.objectContaining({ machine: there.machine.name, venue: 'There' }),
      );
    const body = { game: there.game };
    const release = (as: Record<string, string>) =>
      t.call('POST', '/api/operator/held/release/', { headers: as, body });
    expect((await release(headers)).status).toBe(403);
    expect((await release(stays.headers)).status).toBe(200);
    // The moved machine's earlier games do not make There's league reachable.
    expect((await list(headers, '/api/operator/leagues/')).body.results).not.toContainEqual(
      expect.objectContaining({ name: there.league.name }),
    );
    // The machine itself belongs to its current venue.
    const show = `/api/operator/machines/show/?machine=${encodeURIComponent(there.machine.name)}`;
    expect((await list(headers, show)).status).toBe(200);
    expect((await list(stays.headers, show)).status).toBe(403);
  });

  test('P63: correct a game even if a machine elsewhere has reported its id again', async () => {
    const there = await twoVenues();
    const { headers } = await makeStaff(t, { role: 'manager', venues: ['There'] });
    const { headers: here } = await makeStaff(t, { role: 'manager', venues: ['Here'] });
    const game = there.game;
    const copy = { ...aGame(t, there.asking), id: there.gameId };
    const report = await t.call('POST', '/api/machine/games/', {
      as: { key: there.here.key },
      body: { games: [copy] },
    });
    expect(report.body.results[0].status).toBe('recorded');
    const send = (as: object, path: string, body: object = {}) =>
      t.call('POST', `/api/operator/${path}/`, { ...as, body: { game, ...body } });
    expect((await send({ headers: here }, 'held/discard')).status).toBe(403);
    const settled = await send({ headers }, 'reports/settle', { verdict: 'void' });
    expect(settled.body).toMatchObject({ machine: there.machine.name, state: 'discarded' });
    const listed = await t.call('POST', '/api/operator/games/list/', {
      headers: here,
      body: { id: there.gameId },
    });
    expect(listed.body.results).toMatchObject([{ machine: there.here.name, state: 'counted' }]);
  });

  test('P63: put a request back only if their team has declined it', async () => {
    const league = await makeLeague(t, { venue: 'Own Arcade' });
    const { headers } = await makeStaff(t, { role: 'manager', venues: ['Own Arcade'] });
    const [team, other] = [await makeTeam(t, league), await makeTeam(t, league)];
    const [stranger, asking] = [await makePlayer(t), await makePlayer(t)];
    await ask(asking.id, team.id);
    const send = async (
      path: 'accept' | 'decline' | 'reopen',
      { id }: { id: number },
      to: { id: number } = team,
    ) => {
      const { status, body } = await t.call('POST', `/api/operator/teams/${path}/`, {
        headers,
        body: { team: String(to.id), account: String(id) },
      });
      return [status, body.detail];
    };
    const refused = (name: string | null, to = team) => [
      409,
      `No answer of “${to.name}” to ${name} can be undone.`,
    ];
    expect(await send('reopen', stranger)).toEqual(refused(stranger.username));
    expect((await send('accept', stranger))[0]).toBe(404);

    expect((await send('decline', asking))[0]).toBe(200);
    expect(await send('reopen', asking, other)).toEqual(refused(asking.username, other));
    expect((await send('reopen', asking))[0]).toBe(200);
    // The player withdraws the request, so nothing is left to put back.
    await t.db.deleteFrom('join_requests').where('player_id', '=', asking.id).execute();
    expect(await send('reopen', asking)).toEqual(refused(asking.username));
    await ask(asking.id, team.id);
    expect((await send('accept', asking))[0]).toBe(200);
    expect((await send('reopen', asking))[0]).toBe(200);
  });

  test('reach players by a counted game at their venues or by a team of their leagues', async () => {
    const there = await twoVenues();
    const account = String(there.player.id);
    const { headers } = await makeStaff(t, { role: 'manager', venues: ['Here'] });
    const ofLeague = await makeStaff(t, { role: 'manager', leagues: [there.league.name] });
    const everywhere = await makeStaff(t, { role: 'manager' });
    const send = async (path: string, as: Record<string, string>, more: object = {}) =>
      t.call('POST', `/api/operator/players/${path}/`, { headers: as, body: { account, ...more } });
    const birth = { date_of_birth: '1999-02-03', reason: 'Mistyped' };
    const signOut = async (as: Record<string, string>) => (await send('sign-out', as)).status;
    // A held game gives staff no right over its player, because anyone with a machine's key can
    // report a game for any player.
    const report = (more: object) =>
      t.call('POST', '/api/machine/games/', {
        as: { key: there.here.key },
        body: { games: [aGame(t, there.asking, more)] },
      });
    await report({ score: 99_999 });
    const asking = { account: String(there.asking.id) };
    expect([await signOut(headers), await signOut(ofLeague.headers)]).toEqual([403, 200]);
    expect((await send('sign-out', headers, asking)).status).toBe(403);
    await report({});
    expect((await send('sign-out', headers, asking)).status).toBe(200);
    expect((await send('birthdate', headers, { ...asking, ...birth })).status).toBe(200);
    expect((await send('birthdate', headers, birth)).status).toBe(403);

    // An address and an account have no venue.
    const new_email = `${randomUUID()}@example.com`;
    for (const [path, more] of [
      ['change-email', { new_email }],
      ['confirm-email', { new_email, code: '123456' }],
      ['delete', {}],
    ] as const) {
      const refused = await send(path, headers, { ...asking, ...more });
      expect([path, refused.status]).toEqual([path, 403]);
      expect(refused.body.detail).toContain('owners and managers of all venues');
    }
    expect((await send('change-email', everywhere.headers, { new_email })).status).toBe(200);
    expect((await send('delete', everywhere.headers)).status).toBe(200);
  });

  test('see everybody, but nothing that players did at other venues', async () => {
    const there = await twoVenues();
    const { headers } = await makeStaff(t, { role: 'manager', venues: ['Here'] });
    const ofThere = await makeStaff(t, { role: 'manager', venues: ['There'] });
    const [near, far] = [there.here, there.machine];
    const ago = (minutes: number) => new Date(t.clock.now().getTime() - minutes * 60_000);
    const { asking } = there;
    await makeGames(t, far, asking, [
      { score: 100, played_at: ago(50) },
      { score: 200, played_at: ago(40) },
    ]);
    const find = async (as: Record<string, string>, text: object) =>
      (await t.call('POST', '/api/operator/players/search/', { headers: as, body: text })).body
        .results;
    const last = { last_machine: null, last_played_at: null, team: null };
    const found = JSON.stringify(await find(headers, {}));
    expect(found).not.toContain(asking.username);
    expect(found).not.toContain(far.name);
    expect(await find(headers, { text: asking.uuid })).toMatchObject([last]);
    expect(await find(headers, { text: there.player.email })).toMatchObject([last]);
    expect((await find(ofThere.headers, {}))[0]).toMatchObject({ last_machine: far.name });

    const page = async (as: Record<string, string>) =>
      (await t.call('GET', `/api/operator/players/page/?account=${asking.id}`, { headers: as }))
        .body;
    await t.call('POST', '/api/operator/teams/add/', {
      ...asKey,
      body: { team: there.team.name, emails: [asking.email] },
    });
    const voided = await t.call('POST', '/api/operator/games/list/', {
      ...asKey,
      body: { player: asking.email },
    });
    const { game } = voided.body.results[0];
    await t.call('POST', '/api/operator/games/void/', { ...asKey, body: { game } });
    expect(await page(headers)).toMatchObject({ team: null, looked: null, games: [] });
    expect(await page(ofThere.headers)).toMatchObject({
      looked: { what: `Voided a game of ${asking.username}` },
      games: [{ decided: { decision: 'void' } }, { decided: null }],
    });

    // `nearby` has only games at the caller's venues.
    const [held] = await makeGames(t, near, asking, [{ score: 99_999, played_at: ago(30) }]);
    const inbox = async (as: object) =>
      (await t.call('GET', '/api/operator/inbox/', as)).body.results.find(
        (one: { game: string }) => one.game === held?.game,
      );
    expect(await inbox({ headers })).toMatchObject({
      nearby: { length: 1 },
      player: { username: asking.username, team: null },
    });
    expect(await inbox(asKey)).toMatchObject({
      nearby: { length: 3 },
      player: { team: there.team.name },
    });
    // The held game gives no reach of the player, so a counted one lets staff look at the account.
    await makeGames(t, near, asking, [{ score: 100, played_at: ago(20) }]);
    const teamShown = async (as: Record<string, string>) =>
      (
        await t.call('POST', '/api/operator/players/show/', {
          headers: as,
          body: { account: String(asking.id) },
        })
      ).body.team;
    expect(await teamShown(headers)).toBeNull();
    expect(await teamShown(ofThere.headers)).toEqual({
      name: there.team.name,
      league: there.league.name,
    });
  });

  test('cannot take a player off a team of a league that they do not reach', async () => {
    const there = await twoVenues();
    const { headers } = await makeStaff(t, { role: 'manager', venues: ['Here'] });
    const made = { name: `Made ${randomUUID()}`, timezone: 'UTC' };
    await t.call('POST', '/api/operator/leagues/', { headers, body: made });
    const team = `T ${randomUUID()}`.slice(0, 40);
    await t.call('POST', '/api/operator/teams/', {
      headers,
      body: { league: made.name, name: team },
    });
    const add = (email: string) =>
      t.call('POST', '/api/operator/teams/add/', { headers, body: { team, emails: [email] } });
    const refused = await add(there.player.email.toUpperCase());
    expect([refused.status, refused.body.detail]).toEqual([
      403,
      `${there.player.username} is on a team of a league that is not yours. Ask an owner.`,
    ]);
    const byAccount = { team, accounts: [String(there.player.id)] };
    const moved = await t.call('POST', '/api/operator/teams/add/', { headers, body: byAccount });
    expect(moved.status).toBe(403);
    const { team_id } = await t.db
      .selectFrom('players')
      .select('team_id')
      .where('id', '=', there.player.id)
      .executeTakeFirstOrThrow();
    expect(team_id).toBe(there.team.id);
    expect((await add(there.asking.email)).status).toBe(200);
  });

  test('STAFF-41: add players whom they reach to a team by username, and others only by address', async () => {
    const there = await twoVenues();
    const { headers } = await makeStaff(t, { role: 'manager', venues: ['Here'] });
    const made = { name: `Made ${randomUUID()}`, timezone: 'UTC' };
    await t.call('POST', '/api/operator/leagues/', { headers, body: made });
    const { body: team } = await t.call('POST', '/api/operator/teams/', {
      headers,
      body: { league: made.name, name: 'Own team' },
    });
    const add = async (who: object) =>
      t.call('POST', '/api/operator/teams/add/', {
        headers,
        body: { team: `id:${team.id}`, ...who },
      });
    const usernames = [there.asking.username];
    const accounts = [String(there.asking.id)];
    for (const who of [{ usernames }, { accounts }]) {
      const refused = await add(who);
      expect([refused.status, refused.body.detail]).toEqual([
        403,
        `${there.asking.username} has played at none of your venues: use the address, or send the player the code of the team.`,
      ]);
    }
    await makeGames(t, there.here, there.asking, [{ score: 100 }]);
    expect((await add({ accounts })).status).toBe(200);
  });

  test('P65: change a team by account number, and never get a full address', async () => {
    const there = await twoVenues();
    const { headers } = await makeStaff(t, { role: 'manager', venues: ['There'] });
    const send = (path: string, player: { id: number }) =>
      t.call('POST', `/api/operator/teams/${path}/`, {
        headers,
        body: {
          team: `id:${there.team.id}`,
          ...(path === 'remove'
            ? { accounts: [String(player.id)] }
            : { account: String(player.id) }),
        },
      });
    const { player, asking } = there;
    const stranger = await makePlayer(t);
    await makeGames(t, there.machine, player, [{ score: 100 }]);
    const page = await t.call('GET', `/api/operator/teams/page/?team=id:${there.team.id}`, {
      headers,
    });
    expect(page.body.players).toMatchObject([{ account: String(player.id), address: 'p***@e…' }]);
    const answers = [
      [await send('remove', stranger), 409, `has changed the team of ${stranger.username}`],
      [await send('accept', stranger), 404, `${stranger.username} does not ask to join “`],
      [await send('remove', { id: 999_999_999 }), 404, 'There is no such account.'],
      [await send('accept', asking), 200],
      [await send('remove', player), 200],
    ] as const;
    for (const [{ status, body }, expected, detail = undefined] of answers) {
      expect([status, body.detail]).toEqual([expected, detail && expect.stringContaining(detail)]);
      expect(JSON.stringify(body)).not.toContain('@example');
    }
    const both = { team: `id:${there.team.id}`, accounts: ['1'], email: 'a@example.com' };
    expect(
      (await t.call('POST', '/api/operator/teams/remove/', { headers, body: both })).status,
    ).toBe(400);
  });

  test('get no full address from a list, and no name of another league from a refusal', async () => {
    const there = await twoVenues();
    const { headers } = await makeStaff(t, { role: 'manager', venues: ['Here'] });
    const made = { name: `Made ${randomUUID()}`, timezone: 'UTC' };
    const send = (path: string, body: object) =>
      t.call('POST', `/api/operator/${path}`, { headers, body });
    await send('leagues/', made);
    await send('teams/', { league: made.name, name: there.team.name });
    const csv = `team,email\n${there.team.name},${there.player.email}`;
    const imported = await send('leagues/import/', { league: made.name, csv });
    expect(imported.body.rows).toEqual([
      { line: 2, problem: expect.stringContaining('a league that is not yours') },
    ]);
    // Another league's team has this name too; the caller means their own.
    const team = there.team.name;
    const declined = await send('teams/decline/', { team, email: there.player.email });
    expect([declined.status, declined.body.detail]).toEqual([
      404,
      `${there.player.email} does not ask to join “${team}”.`,
    ]);
    const player = await makePlayer(t);
    const added = await send('teams/add/', { team, emails: [player.email] });
    await ask((await makePlayer(t)).id, Number((await myTeam(headers, made.name)).id));
    const get = (path: string) => t.call('GET', `/api/operator/${path}`, { headers });
    const shown = await get(`leagues/show/?${new URLSearchParams({ league: made.name })}`);
    const requests = await get('teams/requests/');
    const removed = await send('teams/remove/', { team, email: player.email });
    const renamed = await send('teams/rename/', { team, name: `R ${randomUUID()}`.slice(0, 40) });
    for (const { status, body } of [added, shown, requests, removed, renamed]) {
      expect(status).toBe(200);
      expect(JSON.stringify(body)).not.toContain('@example');
    }
    expect(added.body.players).toEqual([{ email: 'p***@e…', username: player.username }]);
  });

  const myTeam = async (headers: Record<string, string>, league: string) =>
    (await t.call('GET', `/api/operator/teams/?${new URLSearchParams({ league })}`, { headers }))
      .body.results[0];

  test('get no name of another venue, another league or staff from a 404, and no address', async () => {
    const there = await twoVenues();
    const { name: other } = await makeStaff(t, { name: `Olga ${randomUUID()}` });
    const { headers } = await makeStaff(t, { role: 'manager', venues: ['Here'] });
    const typo = (name: string) => `${name}x`;
    const names = [
      'There',
      there.machine.name,
      there.screen,
      there.league.name,
      there.team.name,
    ].concat(there.player.email);
    const read = (path: string, query: object) =>
      [path, 'GET', `?${new URLSearchParams({ ...query })}`, undefined] as const;
    const send = (path: string, body: object) => [path, 'POST', '', body] as const;
    for (const [path, method, query, body] of [
      read('machines/show/', { machine: typo(there.machine.name) }),
      read('machines/page/', { machine: typo(there.machine.name) }),
      send('machines/rotate/', { machine: typo(there.machine.name) }),
      send('machines/stop-old-key/', { machine: typo(there.machine.name) }),
      send('machines/repair/', { machine: typo(there.machine.name) }),
      send('machines/change/', { machine: typo(there.machine.name), name: 'X' }),
      send('venues/change/', { venue: typo('There'), hours: null }),
      send('screens/notice/', { venue: typo('There'), notice: null }),
      send('screens/notice/', { screen: typo(there.screen), notice: null }),
      read('screens/preview/', { screen: typo(there.screen) }),
      send('screens/remove/', { screen: typo(there.screen) }),
      read('leagues/show/', { league: typo(there.league.name) }),
      read('teams/page/', { team: typo(there.team.name) }),
      send('players/show/', { email: typo(there.player.email) }),
    ]) {
      const answer = await t.call(method, `/api/operator/${path}${query}`, { headers, body });
      expect([path, answer.status]).toEqual([path, 404]);
      for (const name of names) expect(answer.body.detail).not.toContain(`“${name}”`);
    }
    const mails = { staff: typo(other), email: 'a@example.com' };
    const alerts = await t.call('POST', '/api/operator/alerts/', { headers, body: mails });
    expect(alerts.status).toBe(403);
    const near = await t.call(
      'GET',
      `/api/operator/machines/show/?machine=${encodeURIComponent(typo(there.machine.name))}`,
      asKey,
    );
    expect(near.body.detail).toContain(`“${there.machine.name}”`);
  });
});

test('P63: a name that looks like the id of another row does not refer to that row', async () => {
  const mine = await makeMachine(t, { venue: 'Mine' });
  const foreign = await makeMachine(t, { venue: 'Foreign' });
  const { headers } = await makeStaff(t, { role: 'manager', venues: ['Mine'] });
  for (const name of [String(foreign.id), `id:${foreign.id}`]) {
    const renamed = await t.call('POST', '/api/operator/machines/change/', {
      headers,
      body: { machine: `id:${mine.id}`, name },
    });
    expect(renamed.status).toBe(200);
    const shown = await t.call(
      'GET',
      `/api/operator/machines/show/?machine=id:${foreign.id}`,
      asKey,
    );
    expect(shown.body).toMatchObject({ id: String(foreign.id), venue: 'Foreign' });
  }
  const { name: screen } = await makeScreen(t, 'Foreign');
  const { results } = (await t.call('GET', '/api/operator/screens/', asKey)).body;
  const { id } = results.find((one: { name: string }) => one.name === screen);
  const { name: other } = await makeScreen(t, 'Mine');
  const body = { screen: other, name: `id:${id}` };
  expect((await t.call('POST', '/api/operator/screens/change/', { headers, body })).status).toBe(
    200,
  );
  const gone = { ...asKey, body: { screen: `id:${id}` } };
  expect((await t.call('POST', '/api/operator/screens/remove/', gone)).body.name).toBe(screen);
});

test('OPS-03: `id:7` names the row 7 in each call of the operator, and nothing else', async () => {
  const machine = await makeMachine(t, { venue: 'Named by id' });
  const league = await makeLeague(t);
  const team = await makeTeam(t, league);
  const staff = await makeStaff(t);
  const { name: screen } = await makeScreen(t, 'Named by id');
  const list = async (path: string) =>
    (await t.call('GET', `/api/operator/${path}/`, asKey)).body.results;
  const idOf = async (path: string, name: string) =>
    (await list(path)).find((one: { name: string }) => one.name === name).id as string;
  const screenId = await idOf('screens', screen);
  const venue = await idOf('venues', 'Named by id');
  const calls: [path: string, field: string, id: string | number, more?: object][] = [
    ['machines/show/', 'machine', machine.id],
    ['machines/page/', 'machine', machine.id],
    ['machines/change/', 'machine', machine.id, { name: machine.name }],
    ['machines/repair/', 'machine', machine.id, {}],
    ['machines/rotate/', 'machine', machine.id, {}],
    ['machines/revoke/', 'machine', machine.id, {}],
    ['screens/preview/', 'screen', screenId],
    ['screens/change/', 'screen', screenId, { still: true }],
    ['screens/notice/', 'venue', venue, { notice: null }],
    ['screens/notice/', 'screen', screenId, { notice: null }],
    ['venues/change/', 'venue', venue, { hours: null }],
    ['leagues/show/', 'league', league.id],
    ['leagues/page/', 'league', league.id],
    ['leagues/rename/', 'league', league.id, { name: league.name }],
    ['leagues/joining/', 'league', league.id, { joining: 'ask' }],
    ['leagues/venue/', 'league', league.id, { venue: null }],
    ['teams/', 'league', league.id, { name: 'Made by id' }],
    ['teams/page/', 'team', team.id],
    ['teams/code/', 'team', team.id, {}],
    ['teams/rename/', 'team', team.id, { name: team.name }],
    ['staff/sessions/', 'staff', staff.id],
    ['staff/change/', 'staff', staff.id, { role: 'manager' }],
    ['audit/', 'venue', venue],
    ['screens/remove/', 'screen', screenId, {}],
  ];
  const send = async ([path, field, , more]: (typeof calls)[number], ref: string) => {
    const input = { [field]: ref };
    const { status, body } = more
      ? await t.call('POST', `/api/operator/${path}`, { ...asKey, body: { ...input, ...more } })
      : await t.call('GET', `/api/operator/${path}?${new URLSearchParams(input)}`, asKey);
    return [path, ref, status, body] as const;
  };
  for (const call of calls) {
    for (const wrong of ['id:999999999', `id:${'9'.repeat(30)}`, 'id:', 'id:1 or true', 'id:-1'])
      expect((await send(call, wrong)).slice(0, 3)).toEqual([call[0], wrong, 404]);
    const [path, ref, status, body] = await send(call, `id:${call[2]}`);
    expect([path, ref, [200, 201].includes(status)]).toEqual([call[0], ref, true]);
    if (call[1] === 'machine') expect(JSON.stringify(body)).toContain(machine.name);
    if (call[1] === 'team') expect(JSON.stringify(body)).toContain(team.name);
    if (call[1] === 'league') expect(JSON.stringify(body)).toContain(league.name);
    if (call[1] === 'screen') expect(JSON.stringify(body)).toContain(screen);
  }
});

test('P63: only owners name a venue that does not exist yet', async () => {
  const body = () => ({ name: `M ${randomUUID()}`, venue: `V ${randomUUID()}` });
  const add = (as: object, wanted: object) =>
    t.call('POST', '/api/operator/machines/', { ...as, body: wanted });
  const { name } = await makeMachine(t, { venue: 'Known Hall' });
  const manager = await makeStaff(t, { role: 'manager' });
  const limited = await makeStaff(t, { role: 'manager', venues: ['Known Hall'] });
  for (const { headers } of [manager, limited]) {
    const wanted = body();
    const added = await add({ headers }, wanted);
    expect([added.status, added.body.detail]).toEqual([
      404,
      `There is no venue “${wanted.venue}”.`,
    ]);
    const moved = await t.call('POST', '/api/operator/machines/change/', {
      headers,
      body: { machine: name, venue: wanted.venue },
    });
    expect(moved.status).toBe(404);
    expect((await add({ headers }, { ...body(), venue: 'known hall' })).status).toBe(201);
  }
  expect((await add({ headers: limited.headers }, { name: `M ${randomUUID()}` })).status).toBe(403);
  for (const as of [{ headers: (await makeStaff(t)).headers }, asKey])
    expect((await add(as, body())).status).toBe(201);
});

test('STAFF-40: the page of a player out of reach says nothing about age and devices, and of a team only that there is one', async () => {
  const hoop = await makeMachine(t, { venue: 'Quiet Hall' });
  const player = await makePlayer(t);
  const free = await makePlayer(t);
  const team = await makeTeam(t, await makeLeague(t), [player]);
  await makeSession(t, player);
  const { headers } = await makeStaff(t, { role: 'manager', venues: ['Quiet Hall'] });
  const page = async (as: object, { id } = player) =>
    (await t.call('GET', `/api/operator/players/page/?account=${id}`, as)).body;
  expect(await page({ headers })).toMatchObject({ reached: false, age: 'unknown', sessions: [] });
  expect(await page({ headers })).toMatchObject({ team: null, other_team: true });
  expect(await page({ headers }, free)).toMatchObject({ team: null, other_team: false });
  expect(await page(asKey)).toMatchObject({ team: { name: team.name }, other_team: false });
  const found = async ({ email }: typeof player) => {
    const search = { headers, body: { text: email } };
    return (await t.call('POST', '/api/operator/players/search/', search)).body.results;
  };
  expect(await found(player)).toMatchObject([{ team: null, other_team: true }]);
  expect(await found(free)).toMatchObject([{ team: null, other_team: false }]);
  expect((await page(asKey)).sessions).toHaveLength(1);
  await makeGames(t, hoop, player, [{}]);
  const seen = await page({ headers });
  expect([seen.reached, seen.age]).toEqual([true, (await page(asKey)).age]);
  expect(seen.age).not.toBe('unknown');
  expect(seen.sessions).toHaveLength(1);
});

test('P62: staff who change their own and each other’s rows at once all get an answer', async () => {
  const [ines, olga] = [await makeStaff(t), await makeStaff(t)];
  const send = ({ headers }: typeof ines, path: string, body: object) =>
    t.call('POST', `/api/operator/${path}`, { headers, body });
  const all = Array.from({ length: 8 }, (_, n) => [
    send(ines, 'staff/change/', { staff: `id:${ines.id}`, name: `Ines ${randomUUID()}` }),
    send(ines, 'staff/link/', { staff: `id:${olga.id}` }),
    send(olga, 'staff/link/', { staff: `id:${ines.id}` }),
    send(olga, 'alerts/', { staff: `id:${olga.id}`, email: `a${n}@example.com` }),
  ]).flat();
  expect((await Promise.all(all)).map(({ status }) => status)).toEqual(all.map(() => 200));
});

test('P63: only owners sign out all players, and managers sign out one', async () => {
  const { headers } = await makeStaff(t, { role: 'manager' });
  const player = await makePlayer(t);
  const out = (body: object) =>
    t.call('POST', '/api/operator/players/sign-out/', { headers, body });
  expect((await out({ email: player.email })).status).toBe(200);
  expect((await out({ all: true })).status).toBe(403);
});

async function newVenue(): Promise<string> {
  const venue = `Hall ${randomUUID()}`;
  await makeMachine(t, { venue });
  return venue;
}

let nights = 0;
/** The code of a planned contest, at a different time from earlier ones. */
async function makeContest(venue?: string): Promise<string> {
  nights += 4;
  const at = (hours: number) =>
    new Date(t.clock.now().getTime() + (nights + hours) * 3_600_000).toISOString();
  const { body } = await t.call('POST', '/api/operator/contests/', {
    ...asKey,
    body: { venue: venue ?? (await newVenue()), name: 'Night', starts: at(0), ends: at(3) },
  });
  return body.code;
}

/** A final contest that a recount would change. */
async function changedContest(): Promise<string> {
  const venue = await newVenue();
  const code = await makeContest(venue);
  const now = t.clock.now();
  await sql`update contests set starts_at = ${new Date(now.getTime() - 3_600_000)},
    ends_at = ${new Date(now.getTime() - 30_000)}, final_at = ${now} where code = ${code}`.execute(
    t.db,
  );
  await sql`insert into contest_results (contest_id, version, at, who, rows)
    select id, 1, final_at, 'Backboard', '[]' from contests where code = ${code}`.execute(t.db);
  await makeGames(t, await makeMachine(t, { venue }), await makePlayer(t), [{}]);
  return code;
}

describe('P65: each changing route writes to the audit', () => {
  const CHANGES: Record<string, () => Promise<object>> = {
    'machines/': async () => ({ name: `M ${randomUUID()}` }),
    'machines/rotate/': async () => ({ machine: (await makeMachine(t)).name }),
    'machines/stop-old-key/': async () => {
      const { name } = await makeMachine(t);
      await t.call('POST', '/api/operator/machines/rotate/', {
        ...asKey,
        body: { machine: name },
      });
      return { machine: name };
    },
    'machines/revoke/': async () => ({ machine: (await makeMachine(t)).name }),
    'screens/': async () => {
      await makeMachine(t, { venue: 'Here' });
      return { code: (await makeWaiting(t)).code, venue: 'Here' };
    },
    'screens/change/': async () => {
      await makeMachine(t, { venue: 'Here' });
      return { screen: (await makeScreen(t, 'Here')).name, still: true };
    },
    'screens/remove/': async () => {
      await makeMachine(t, { venue: 'Here' });
      return { screen: (await makeScreen(t, 'Here')).name };
    },
    'screens/notice/': async () => {
      await makeMachine(t, { venue: 'Here' });
      return { venue: 'Here', notice: 'Hello' };
    },
    'alerts/': async () => ({ staff: (await makeStaff(t)).name, email: 'a@example.com' }),
    'machines/repair/': async () => ({ machine: (await makeMachine(t)).name }),
    'machines/change/': async () => ({ machine: (await makeMachine(t)).name, venue: 'New Hall' }),
    'venues/': async () => ({ name: `V ${randomUUID()}`, timezone: 'UTC' }),
    'venues/change/': async () => {
      await makeMachine(t, { venue: 'Changing Hall' });
      return { venue: 'Changing Hall', hours: 'mon 10:00-12:00' };
    },
    'leagues/': async () => ({ name: `L ${randomUUID()}`, timezone: 'UTC' }),
    'leagues/import/': async () => ({
      league: (await makeLeague(t)).name,
      csv: `A,${(await makePlayer(t)).email}`,
      new_teams: true,
    }),
    'leagues/schedule/clear/': async () => ({ league: (await makeLeague(t)).name }),
    'leagues/rename/': async () => ({
      league: (await makeLeague(t)).name,
      name: `L ${randomUUID()}`,
    }),
    'teams/rename/': async () => ({
      team: (await makeTeam(t, await makeLeague(t))).name,
      name: `T ${randomUUID()}`.slice(0, 40),
    }),
    'teams/delete/': async () => ({ team: (await makeTeam(t, await makeLeague(t))).name }),
    'leagues/schedule/': async () => {
      const league = await makeLeague(t);
      await makeTeam(t, league);
      await makeTeam(t, league);
      return { league: league.name, weeks: 1 };
    },
    'teams/': async () => ({ league: (await makeLeague(t)).name, name: 'Made' }),
    'teams/several/': async () => ({ league: (await makeLeague(t)).name, names: ['A', 'B'] }),
    'teams/add/': async () => ({
      team: (await makeTeam(t, await makeLeague(t))).name,
      emails: [(await makePlayer(t)).email],
    }),
    'teams/remove/': async () => {
      const player = await makePlayer(t);
      return { team: (await makeTeam(t, await makeLeague(t), [player])).name, email: player.email };
    },
    'held/release/': async () => ({ game: await played('held') }),
    'held/discard/': async () => ({ game: await played('held') }),
    'held/return/': async () => {
      const game = await played('held');
      await t.call('POST', '/api/operator/held/discard/', { ...asKey, body: { game } });
      return { game };
    },
    'held/discard-many/': async () => {
      const machine = await makeMachine(t);
      await playedOn(machine, await makePlayer(t), 99_999);
      return { machine: machine.name };
    },
    'games/void-many/': async () => {
      const machine = await makeMachine(t);
      await playedOn(machine, await makePlayer(t));
      const now = t.clock.now().getTime();
      return {
        machine: machine.name,
        from: new Date(now - 3_600_000).toISOString(),
        to: new Date(now + 3_600_000).toISOString(),
      };
    },
    'games/void/': async () => ({ game: await played('counted') }),
    'games/restore/': async () => {
      const game = await played('counted');
      await t.call('POST', '/api/operator/games/void/', { ...asKey, body: { game } });
      return { game };
    },
    'reports/settle/': async () => {
      const [machine, player] = [await makeMachine(t), await makePlayer(t)];
      const game = await playedOn(machine, player);
      await reportOf(machine.id, game, player.id);
      return { game: String(await numberOf(t, game)), verdict: 'stands' };
    },
    'reports/reopen/': async () => {
      const [machine, player] = [await makeMachine(t), await makePlayer(t)];
      const game = await playedOn(machine, player);
      await reportOf(machine.id, game, player.id);
      const number = String(await numberOf(t, game));
      const body = { game: number, verdict: 'stands' };
      await t.call('POST', '/api/operator/reports/settle/', { ...asKey, body });
      return { game: number };
    },
    'leagues/venue/': async () => {
      await makeMachine(t, { venue: 'Here' });
      return { league: (await makeLeague(t)).name, venue: 'Here' };
    },
    'leagues/joining/': async () => ({ league: (await makeLeague(t)).name, joining: 'ask' }),
    ...seasonCases(t),
    ...cupCases(t),
    'contests/': async () => ({ venue: await newVenue(), name: 'Night' }),
    'contests/change/': async () => ({ contest: await makeContest(), name: 'Other' }),
    'contests/stop/': async () => {
      const contest = await makeContest();
      await sql`update contests set starts_at = ${t.clock.now()} where code = ${contest}`.execute(
        t.db,
      );
      return { contest };
    },
    'contests/cancel/': async () => ({ contest: await makeContest() }),
    'contests/again/': async () => ({ contest: await makeContest() }),
    'contests/correct/': async () => ({ contest: await changedContest(), reason: 'Why' }),
    'contests/leave/': async () => ({ contest: await changedContest() }),
    'teams/code/': async () => ({
      team: (await makeTeam(t, await makeLeague(t))).name,
      new: true,
    }),
    'teams/accept/': async () => asked(),
    'teams/decline/': async () => asked(),
    'teams/reopen/': async () => asked(),
    'players/show/': async () => ({ email: (await makePlayer(t)).email }),
    'players/sign-out/': async () => ({ email: (await makePlayer(t)).email }),
    'players/change-email/': async () => ({
      email: (await makePlayer(t)).email,
      new_email: `${randomUUID()}@example.com`,
    }),
    'players/confirm-email/': async () => {
      const body = { email: (await makePlayer(t)).email, new_email: `${randomUUID()}@example.com` };
      await t.call('POST', '/api/operator/players/change-email/', { ...asKey, body });
      const [mail] = await t.mails(body.new_email);
      return { ...body, code: /\b\d{6}\b/.exec(mail?.text ?? '')?.[0] };
    },
    'players/birthdate/': async () => ({
      email: (await makePlayer(t)).email,
      date_of_birth: '1999-02-03',
    }),
    'players/delete/': async () => ({ email: (await makePlayer(t)).email }),
    'staff/': async () => ({ name: `S ${randomUUID()}`, role: 'floor' }),
    'staff/link/': async () => ({ staff: (await makeStaff(t)).name }),
    'staff/unlink/': async () => {
      const { name } = await makeStaff(t);
      await t.call('POST', '/api/operator/staff/link/', { ...asKey, body: { staff: name } });
      return { staff: name };
    },
    'staff/change/': async () => ({ staff: (await makeStaff(t)).name, role: 'floor' }),
    'staff/remove/': async () => ({ staff: (await makeStaff(t)).name }),
    'staff/sign-out/': async () => ({ staff: (await makeStaff(t)).name }),
    'staff/remove-device/': async () => {
      const { id, name } = await makeStaff(t);
      const device = { id: randomUUID(), staff_id: id, public_key: Buffer.from('k'), counter: 0 };
      await t.db
        .insertInto('staff_passkeys')
        .values({ ...device, transports: [], name: 'Old phone', created_at: t.clock.now() })
        .execute();
      return { staff: name, device: device.id };
    },
    'rebuild/': async () => ({}),
    'demo/': async () => ({ beside: true }),
    'push/rotate/': async () => ({}),
  };

  /** Changes without an audit line, with reasons. */
  const SILENT: Record<string, string> = {
    'cups/preview/': 'reads; its form stands in the body',
    'seasons/next/preview/': 'reads; its form stands in the body',
    'games/list/': 'reads; its filter may be an address, so it stands in the body',
    'search/': 'reads; its text may be an address, so it stands in the body',
    'players/search/': 'reads; its text may be an address, so it stands in the body',
    'restores/': 'begins an upload, which changes nothing',
    'restores/{id}/parts/{part}/': 'part of an upload',
    'restores/{id}/check/': 'reads an upload',
    'restores/{id}/run/': 'tested with the backup (server/backup/backup.test.ts)',
    'restores/{id}/': 'drops an upload',
  };

  async function playedOn(machine: { key: string }, player: { uuid: string }, score?: number) {
    const { body } = await t.call('POST', '/api/machine/games/', {
      as: { key: machine.key },
      body: { games: [aGame(t, player, score === undefined ? {} : { score })] },
    });
    return body.results[0].id as string;
  }
  const played = async (state: 'held' | 'counted') =>
    String(
      await numberOf(
        t,
        await playedOn(
          await makeMachine(t),
          await makePlayer(t),
          state === 'held' ? 99_999 : undefined,
        ),
      ),
    );
  async function asked() {
    const [team, player] = [await makeTeam(t, await makeLeague(t)), await makePlayer(t)];
    await ask(player.id, team.id);
    return { team: team.name, email: player.email };
  }
  const lines = () => t.db.selectFrom('audit').selectAll().orderBy('id').execute();

  test('the tables above name each changing route of the operator', () => {
    const changing = routes
      .filter(({ method, path }) => method !== 'GET' && path.startsWith('/api/operator/'))
      .map(({ path }) => path.replace('/api/operator/', ''));
    expect([...Object.keys(CHANGES), ...Object.keys(SILENT)].sort()).toEqual(changing.sort());
  });

  test('with who, when and what, and without addresses, keys and birth dates', async () => {
    for (const [route, build] of Object.entries(CHANGES)) {
      const body = await build();
      const before = (await lines()).length;
      const answer = await t.call('POST', `/api/operator/${route}`, { ...asKey, body });
      expect([route, answer.status < 300]).toEqual([route, true]);
      const written = (await lines()).slice(before);
      expect([route, written.length > 0]).toEqual([route, true]);
      expect(written[0]).toMatchObject({ who: 'Command line', staff_id: null });
      const text = JSON.stringify(written);
      expect(text).not.toMatch(/@example|bbm_[a-z]+_[a-z0-9]{12}|1999-02-03|#[\w-]{43}/);
    }
  }, 60_000);

  /**
   * Replaces what may differ between two equal acts: names, ids, times, and addresses, which staff
   * get masked.
   */
  const alike = (value: unknown) =>
    JSON.stringify(value)
      .replace(/"(Command line|Owner)"/g, 'WHO')
      .replace(/[^"\s“@]+@[^"\s,”]+/g, 'ADDRESS')
      .replace(/[\da-f]{8}(-[\da-f]{4}){2,3}[\w-]*/g, 'ID')
      .replace(/bbm_[\w-]+|#[\w-]{43}|"(stopped|code)":"\w+"|\/(join|contest)\/\w{6}/g, 'SECRET')
      .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
      .replace(/(p|Hoop|Player|League|Team|Staff|Screen)[ _-]?\w*\d+\w*/gi, 'NAME')
      .replace(/\d+/g, 'N');

  test('OPS-01: the command line and the console get the same answer, refusal and audit line for the same act', async () => {
    const owner = await makeStaff(t, { name: 'Owner' });
    const ask = async (route: string, as: object, body: object) => {
      const before = (await lines()).length;
      const { status, body: answer } = await t.call('POST', `/api/operator/${route}`, {
        ...as,
        body,
      });
      const written = (await lines()).slice(before);
      return alike([
        status,
        answer,
        written.map(({ area, what, before, after }) => [area, what, before, after]),
      ]);
    };
    const keyOnly = new Set(['rebuild/', 'demo/', 'push/rotate/']);
    for (const [route, build] of Object.entries(CHANGES)) {
      if (keyOnly.has(route)) continue;
      const more = route === 'players/birthdate/' ? { reason: 'Mistyped' } : {};
      for (const unknown of [false, true]) {
        const body = async () => {
          const made = { ...(await build()), ...more };
          const [first = ''] = Object.keys(made);
          const nowhere = `${randomUUID()}${first === 'email' ? '@example.com' : ''}`;
          return unknown ? { ...made, [first]: nowhere } : made;
        };
        const typed = await ask(route, asKey, await body());
        expect([route, await ask(route, { headers: owner.headers }, await body())]).toEqual([
          route,
          typed,
        ]);
      }
    }
  }, 60_000);

  test('a refused change writes no line', async () => {
    const { name } = await makeMachine(t);
    const before = (await lines()).length;
    const again = await t.call('POST', '/api/operator/machines/', { ...asKey, body: { name } });
    expect(again.status).toBe(409);
    expect(await lines()).toHaveLength(before);
  });
});

test('P17: made-up staff cookies and screen tokens use the pool of anonymous callers', async () => {
  let statements = 0;
  const db = t.db.withPlugin({
    transformQuery: ({ node }) => {
      statements += 1;
      return node;
    },
    transformResult: async ({ result }) => result,
  });
  const app = await buildApp({ ...t, db, anonymous: t.db, metrics: ownMetrics() });
  try {
    const { headers } = await makeStaff(t);
    await makeMachine(t, { venue: 'Here' });
    const { token } = await makeScreen(t, 'Here');
    const call = async (url: string, sent: Record<string, string>) =>
      (await app.inject({ url, headers: sent })).statusCode;
    for (const url of ['/api/operator/machines/', '/api/console/me/']) {
      statements = 0;
      expect(await call(url, { cookie: `${headers.cookie.slice(0, -1)}~` })).toBe(401);
      expect(statements).toBe(0);
      expect(await call(url, headers)).toBe(200);
      expect(statements).toBeGreaterThan(0);
    }
    statements = 0;
    expect(await call('/api/screen/', { authorization: `Bearer bbs_${'a'.repeat(43)}` })).toBe(401);
    expect(statements).toBe(0);
    expect(await call('/api/screen/', { authorization: `Bearer ${token}` })).toBe(200);
    expect(statements).toBeGreaterThan(0);
  } finally {
    await app.close();
  }
});
