import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { cupCases, makeCup } from '#testing/app/cup-cases.ts';
import {
  aBody,
  aParameter,
  aQuery,
  goodValue,
  type KnownValues,
  someHeaders,
} from '#testing/app/hostile-requests.ts';
import {
  aGame,
  goToMidweek,
  makeGames,
  makeIp,
  makeLeague,
  makeMachine,
  makePlayer,
  makeScreen,
  makeSession,
  makeStaff,
  makeTeam,
  makeWaiting,
} from '#testing/app/make.ts';
import { seasonCases } from '#testing/app/season-cases.ts';
import { type Answer, OPERATOR_KEY, type TestApp, testApp } from '#testing/app/test-app.ts';
import { HOSTILE_TEXTS } from '#testing/hostile-values.ts';
import { receiverOf } from '#testing/push-service.ts';
import { hashPassword } from '../accounts/passwords.ts';
import { fits, type Schema } from '../docs/schema.ts';
import { discardGame, voidGame } from '../games/corrections.ts';
import { settleReport } from '../games/reports.ts';
import { weekOf } from '../leagues/calendar.ts';
import { readCode } from '../leagues/joining.ts';
import { generateSchedule } from '../leagues/schedule.ts';
import { readSeasons } from '../leagues/seasons.ts';
import { makeLink } from '../staff/links.ts';

/**
 * Sends every route valid, nearly valid and hostile requests, made from the OpenAPI description.
 * None may get a 500, an undescribed response or field, or block the process (P30a, P37, P39, P45).
 * `FUZZ_RUNS=10000 vitest run server/system/fuzz.test.ts` sends 10,000 to each.
 */
const RUNS = process.env.FUZZ_RUNS ? Number(process.env.FUZZ_RUNS) : undefined;
/**
 * Without FUZZ_RUNS, how many requests for each input of a route: the headers, each parameter, each
 * field of a body.
 */
const RUNS_AN_INPUT = 40;
/** One request here takes as much work as a thousand elsewhere. */
const HEAVY = /^\/api\/operator\/(demo|rebuild|backup)\//;
const HEAVY_RUNS = Math.max(3, Math.round((RUNS ?? 0) / 100));
/** A process that is blocked for longer sheds load (P39). */
const CPU_MAX_MS = 500;
/** After this many calls of `furnish`, a new database replaces the full one. */
const MADE_MOST = 40;
/** A route calls `furnish` at most this often, because it takes as long as twenty requests. */
const FURNISHED_MOST = 20;
const PASSWORD = 'quiet orange kite';

vi.setConfig({ testTimeout: Math.max(120_000, (RUNS ?? 0) * 300) });

type Operation = {
  security?: Record<string, unknown>[];
  parameters?: { name: string; in: string; schema: Schema }[];
  requestBody?: { content: Record<string, { schema?: Schema }> };
  responses: Record<string, { content?: Record<string, { schema?: Schema }> }>;
};
type Route = { method: string; path: string; operation: Operation };

const described = await testApp();
const routes: Route[] = Object.entries(described.app.swagger().paths ?? {}).flatMap(
  ([path, calls]) =>
    Object.entries(calls as Record<string, Operation>).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      operation,
    })),
);
await described.close();
/** A stream does not end. live.test.ts tests it. */
const isStream = ({ operation }: Route) =>
  'text/event-stream' in (operation.responses['200']?.content ?? {});

let t: TestApp;
let password_hash: string;
let known: KnownValues;
let owner: Awaited<ReturnType<typeof makePlayer>>;
let gameIds: string[];
let keys: { player: string; machine: string; operator: string; screen: string };
let staffHeaders: { cookie: string; origin: string };
let made = 0;

/** A device of the owner, a friend, somebody who asks to be one, and somebody else's code. */
async function makeFriends(): Promise<KnownValues> {
  const now = t.clock.now();
  const { endpoint, p256dh, auth } = await receiverOf(`https://fcm.googleapis.com/fuzz/${made}`);
  const device = { endpoint, p256dh, auth, locale: 'en', zone: 'UTC' };
  const as = { access: keys.player };
  await t.call('PUT', '/api/users/push/device/', { as, body: device });
  const [friend, asking, showing] = [await makePlayer(t), await makePlayer(t), await makePlayer(t)];
  await sql`insert into friendships (player_id, friend_id, since)
    values (${owner.id}, ${friend.id}, ${now}), (${friend.id}, ${owner.id}, ${now})`.execute(t.db);
  const { rows } = await sql<{ n: number }>`
    select n from friendships where player_id = ${owner.id}`.execute(t.db);
  const own = await t.call('POST', '/api/friends/code/', { as });
  await sql`update friend_codes set asked_by = ${asking.id} where player_id = ${owner.id}`.execute(
    t.db,
  );
  const shown = await t.call('POST', '/api/friends/code/', { as: await makeSession(t, showing) });
  return {
    ...Object.fromEntries(Object.entries(device).map(([name, value]) => [name, [value]])),
    n: [String(rows[0]?.n)],
    friend: [shown.body.code],
    expires_at: [own.body.expires_at],
    kinds: [undefined],
    ask: ['later'],
    yes: [true],
    block: [undefined],
  };
}

/**
 * The code of a contest that is running if `hours` is 1, planned if it is more, and final, without
 * games, if it is negative.
 */
async function makeContest(venue: string, hours: number): Promise<string> {
  const now = t.clock.now().getTime();
  const at = (ms: number) => new Date(now + ms * 3_600_000);
  const [starts_at, ends_at] = hours === 1 ? [at(-1), at(1)] : [at(hours - 1), at(hours - 0.01)];
  const { rows } = await sql<{ id: number; code: string }>`
    insert into contests (venue_id, name, starts_at, ends_at, scoring, n, final_at)
    select id, 'Night', ${starts_at}, ${ends_at}, 'best3', 5,
      case when ${ends_at} < ${at(0)} then ${at(0)}::timestamptz end
    from venues where name = ${venue} returning id, code`.execute(t.db);
  const [made] = rows;
  if (hours < 0)
    await sql`insert into contest_results (contest_id, version, at, who, rows)
      values (${made?.id}, 1, ${at(0)}, 'Backboard', '[{"place": 1, "player_id": 0, "points": 1, "games": 1}]')`.execute(
      t.db,
    );
  return made?.code ?? '';
}

async function signIn(): Promise<void> {
  const { access } = await makeSession(t, owner);
  const { refresh } = await makeSession(t, owner);
  const sessions = await t.db
    .selectFrom('sessions')
    .select('id')
    .where('player_id', '=', owner.id)
    .execute();
  keys.player = access;
  known.refresh = [refresh];
  known.id = [...sessions.map(({ id }) => id), ...gameIds];
}

/** Makes the rows that requests refer to; earlier requests may have deleted them. */
async function furnish(): Promise<void> {
  made += 1;
  const mark = `${made}`;
  const [player, mate] = [await makePlayer(t, { password_hash }), await makePlayer(t)];
  const waiting = await makePlayer(t, { email_verified_at: null, username: null });
  const league = await makeLeague(t);
  const team = await makeTeam(t, league, [player, mate]);
  const empty = await makeTeam(t, league);
  const seasons = await readSeasons(t.db, league.id);
  const { key, id, name } = await makeMachine(t, { venue: `Venue ${mark}` });
  const games = await makeGames(t, { id }, player, [
    { score: 10 },
    { score: 20 },
    { score: 10_000 },
  ]);
  const [, second] = games;
  if (second) await voidGame(t, second.seq);
  const asking = await makePlayer(t);
  await t.db
    .insertInto('join_requests')
    .values({ player_id: asking.id, team_id: team.id, asked_at: t.clock.now() })
    .execute();
  const reported = games[2];
  if (reported)
    await t.db
      .insertInto('game_reports')
      .values({
        machine_id: id,
        game_id: reported.id,
        player_id: player.id,
        reason: 'not_mine',
        reported_at: t.clock.now(),
      })
      .execute();
  owner = player;
  gameIds = games.map((game) => game.id);
  const screen = await makeScreen(t, `Venue ${mark}`);
  const waiting_screen = await makeWaiting(t);
  const waiting_machine = await makeWaiting(t, 'machine');
  ({ headers: staffHeaders } = await makeStaff(t));
  const member = await makeStaff(t, { role: 'floor' });
  const passkey = `passkey-${mark}`;
  await t.db
    .insertInto('staff_passkeys')
    .values({
      id: passkey,
      staff_id: member.id,
      public_key: Buffer.from([1]),
      counter: 0,
      transports: [],
      name: 'Laptop',
      created_at: t.clock.now(),
      last_used_at: t.clock.now(),
    })
    .execute();
  const { url: link } = await makeLink(t, t.db, member.id, 'Somebody');
  const inDays = (days: number) =>
    new Date(t.clock.now().getTime() + days * 86_400_000).toISOString();
  await makeMachine(t, { venue: `Night ${mark}` });
  const contests = [
    await makeContest(`Venue ${mark}`, 1),
    await makeContest(`Night ${mark}`, 48),
    await makeContest(`Venue ${mark}`, -1),
  ];
  keys = { player: '', machine: key, operator: OPERATOR_KEY, screen: screen.token };
  const emails = [player.email, asking.email, waiting.email, 'nobody@example.com'];
  known = {
    // Undefined, because a body may have an address instead.
    account: [undefined, undefined, String(player.id)],
    all: [true],
    avatar_color: ['#a1b2c3'],
    beside: [true, false],
    code: [
      await makeContest(`Venue ${mark}`, 1),
      waiting_machine.code,
      await readCode(t.db, team),
      waiting_screen.code,
    ],
    code_verifier: ['v'.repeat(43)],
    contest: contests,
    count: [1, 10],
    cup: [(await makeCup(t)).id],
    csv: [`team,email\nNew ${mark},${mate.email}\n`, `${team.name},${player.email}`],
    date_of_birth: [player.date_of_birth, '2000-02-29'],
    email: emails,
    device: [passkey],
    emails: [[mate.email], emails],
    usernames: [[], [mate.username]],
    from: ['2026-11-16', '2027-01-04'],
    game: games.map(({ game }) => game),
    games: [[aGame(t, player)], [aGame(t, mate), aGame(t, player, { score: -1 })]],
    jersey_number: ['7', '42'],
    league: [league.name, String(league.id)],
    machine: [name, id],
    new_email: [`moved-${mark}@example.com`, mate.email],
    name: [`Name ${mark}-a`, `Name ${mark}-b`, `Name ${mark}-c`, name],
    names: ['a', 'b', 'c'].map((end) => [`Team ${mark}-${end}`]),
    part: [0, 1],
    password: [PASSWORD, 'not the password'],
    period: ['week', 'all'],
    season: [`${league.name}/Season 1`, '1'],
    seasons: seasons.map(({ id }) => String(id)),
    week: ['2026-11-16', '2026-11-23'],
    reason: ['Why'],
    player: [player.uuid, mate.uuid],
    scope: ['all', 'league', 'venue'],
    screen: [screen.name],
    secret: [waiting_machine.secret, waiting_screen.secret],
    staff: [member.name],
    starts: ['2026-11-16', inDays(9)],
    ends: [inDays(9.1)],
    machines: [undefined, null],
    team: [team.name, String(team.id), empty.name],
    timezone: ['Europe/Berlin', 'UTC'],
    token: ['made-up', new URL(link).hash.slice(1)],
    username: [`fuzz-${mark}`, player.username],
    uuid: [player.uuid, mate.uuid],
    venue: [`Venue ${mark}`],
    weeks: [2, 10],
  };
  await signIn();
  Object.assign(known, await makeFriends());
}

/** A discarded game, and a game whose report is settled. */
async function decidedGames(): Promise<string[]> {
  const { id } = await makeMachine(t);
  const player = await makePlayer(t);
  const [held, counted] = await makeGames(t, { id }, player, [{ score: 10_000 }, { score: 10 }]);
  if (held === undefined || counted === undefined) throw new Error('no games');
  await discardGame(t, held.seq);
  await t.db
    .insertInto('game_reports')
    .values({
      machine_id: id,
      game_id: counted.id,
      player_id: player.id,
      reason: 'not_mine',
      reported_at: t.clock.now(),
    })
    .execute();
  await settleReport(t, counted.seq, 'stands');
  return [String(held.seq), String(counted.seq)];
}

/** A cup in which the caller is a side. */
async function ownCup(): Promise<string> {
  const other = await makePlayer(t);
  const sides = [owner, other].map(({ id }) => String(id));
  return (await makeCup(t, { sides })).id;
}

/** A friend to offer a duel to, or an open offer: the friend's, or for DELETE the caller's. */
async function duelWith(path: string): Promise<KnownValues> {
  const { id, username } = await makePlayer(t);
  const now = t.clock.now();
  await sql`insert into friendships (player_id, friend_id, since)
    values (${owner.id}, ${id}, ${now}), (${id}, ${owner.id}, ${now})`.execute(t.db);
  await sql`delete from duels`.execute(t.db);
  if (path === '/api/users/duels/') return { username: [username], cursor: ['1'] };
  const [offerer, rival] = path.endsWith('{id}/') ? [owner.id, id] : [id, owner.id];
  const { rows } = await sql<{ id: number }>`
    insert into duels (offerer_id, rival_id, offered_at, accept_until, changed_at)
    values (${offerer}, ${rival}, ${now}, ${new Date(now.getTime() + 3_600_000)}, ${now})
    returning id`.execute(t.db);
  return { id: rows.map((row) => String(row.id)) };
}

/** A teammate whom the caller can nudge: it is Thursday, and the week is level. */
async function mateToNudge(): Promise<KnownValues> {
  goToMidweek(t);
  t.clock.advance(24 * 3_600_000);
  await signIn();
  const [mate, rival] = [await makePlayer(t), await makePlayer(t)];
  const league = await makeLeague(t);
  const since = new Date(t.clock.now().getTime() - 3_600_000);
  await makeTeam(t, league, [owner, mate], { since });
  await makeTeam(t, league, [rival]);
  await generateSchedule(t, league, { weeks: 1, from: weekOf(t.clock.now(), 'UTC') });
  const machine = await makeMachine(t);
  for (const player of [mate, rival]) await makeGames(t, machine, player, [{ score: 10 }]);
  return { username: [mate.username ?? ''] };
}

/** Values for a route in which a name means something else than in other routes. */
function ownValues(path: string): KnownValues {
  const account = [String(owner.id)];
  const own: Record<string, KnownValues> = {
    'audit/': { player: account },
    'audit/export/': { player: account },
    'contests/': { n: [5] },
    'contests/change/': { n: [5] },
    'games/list/': { player: [owner.username] },
    'games/void-many/': { from: ['2026-11-16T00:00:00Z'] },
    'screens/notice/': {
      screen: [undefined],
      from: [undefined],
      until: ['closing', undefined],
      weekly: ['fri-sat 18:00-02:00', undefined],
    },
    'players/page/': { account, games: [20] },
  };
  return own[path.replace('/api/operator/', '')] ?? {};
}

/** `known`, with what only this route needs to succeed. */
async function knownFor(path: string): Promise<KnownValues> {
  if (/\/(held\/return|reports\/reopen)\/$/.test(path))
    return { ...known, game: await decidedGames() };
  if (path.startsWith('/api/users/duels/')) return { ...known, ...(await duelWith(path)) };
  if (path === '/api/users/nudges/') return { ...known, ...(await mateToNudge()) };
  if (path.startsWith('/api/friends/')) return { ...known, code: known.friend ?? [] };
  if (path === '/api/seasons/{id}/') return { ...known, id: known.seasons ?? [] };
  if (path.endsWith('/games/{id}/report/'))
    return { ...known, id: gameIds, reason: ['not_mine', 'machine'] };
  const route = path.replace(/^\/api\/operator\/|preview\/$/g, '');
  if (path.startsWith('/api/cups/')) return { ...known, id: [await ownCup()] };
  const body = await { ...seasonCases(t), ...cupCases(t) }[route]?.();
  if (body === undefined) return { ...known, ...ownValues(path) };
  const own = Object.entries(body).map(([name, value]) => [name, [value]]);
  const left = { starts: [undefined], ends: [undefined], from: [undefined] };
  return { ...known, ...left, ...Object.fromEntries(own) };
}

beforeAll(async () => {
  t = await testApp();
  password_hash = await hashPassword(PASSWORD);
});
beforeEach(async () => {
  if (made > MADE_MOST) {
    await t.close();
    t = await testApp();
    made = 0;
  }
  await furnish();
});
afterAll(() => t.close());

type Call = {
  params: Record<string, string>;
  query: string;
  body: unknown;
  headers: Record<string, string>;
};

function callsOf({ operation }: Route, known: KnownValues): fc.Arbitrary<Call> {
  const { parameters = [], requestBody } = operation;
  const schemas = (place: string) =>
    Object.fromEntries(
      parameters.filter((one) => one.in === place).map((one) => [one.name, one.schema]),
    );
  const schema = requestBody?.content['application/json']?.schema;
  return fc.record({
    params: fc.record(
      Object.fromEntries(
        Object.entries(schemas('path')).map(([name, one]) => [name, aParameter(one, known, name)]),
      ),
    ),
    query: aQuery(schemas('query'), known),
    body:
      schema === undefined
        ? fc.constantFrom(undefined, undefined, {}, '', '{')
        : aBody(schema, known),
    headers: someHeaders,
  });
}

const inputsOf = ({ operation: { parameters = [], requestBody } }: Route) =>
  1 +
  parameters.length +
  Object.keys(requestBody?.content['application/json']?.schema?.properties ?? {}).length;

/** The first requests are valid: as many as the longest list in `known`. */
const GOOD_CALLS = 4;

function goodCallsOf({ operation }: Route, known: KnownValues): Call[] {
  const { parameters = [], requestBody } = operation;
  const schema = requestBody?.content['application/json']?.schema;
  return Array.from({ length: GOOD_CALLS }, (_, at) => {
    const values = (place: string) =>
      Object.fromEntries(
        parameters
          .filter((one) => one.in === place && (place === 'path' || one.name in known))
          .map((one) => [one.name, String(goodValue(one.schema, known, at, one.name))]),
      );
    const query = new URLSearchParams(values('query')).toString();
    return {
      params: values('path'),
      query: query && `?${query}`,
      body: schema && goodValue(schema, known, at),
      headers: {},
    };
  });
}

/** The challenge's cookie (P60). */
const CHALLENGE =
  /^backboard_challenge=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=300$/;
/** The tokens of a browser in which somebody signed in (P79d). */
const DEVICES =
  /^devices=[\w-]{22}\.\w+\.[\w-]{22}(~[^;]*)?; Path=\/api\/users\/; HttpOnly; SameSite=Strict; Max-Age=15552000$/;
const COOKIES: Record<string, RegExp> = {
  // Only these calls change a cookie without a passkey.
  '/api/console/sign-in/options/': CHALLENGE,
  '/api/console/link/options/': CHALLENGE,
  '/api/console/devices/options/': CHALLENGE,
  // The session's cookie, removed (P62).
  '/api/console/sign-out/': /^backboard_staff=; Path=\/; HttpOnly; SameSite=Strict; Max-Age=0$/,
  '/api/users/auth/login/': DEVICES,
};

function faultsOf({ operation, method, path }: Route, answer: Answer): string[] {
  const { status, body, headers } = answer;
  const response = operation.responses[String(status)];
  if (status === 500) return [`500: ${JSON.stringify(body)}`];
  if (response === undefined) return [`${status} is not described: ${JSON.stringify(body)}`];
  const faults: string[] = [];
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const json = response.content?.['application/json']?.schema;
  const ndjson = response.content?.['application/x-ndjson']?.schema;
  const lines = String(headers['content-type']).includes('ndjson')
    ? text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line))
    : undefined;
  if (lines && !lines.every((line) => fits(ndjson ?? {}, line)))
    faults.push(`a line is not as described: ${text}`);
  if (json && !lines && status !== 204 && !fits(json, body))
    faults.push(`not as described: ${text}`);
  if (status === 204 && text !== '') faults.push(`204 with a body: ${text}`);
  // Text in quotes is what the caller sent.
  const own = text.replace(/“.*”/g, '');
  if (status >= 400 && /node_modules|\bat .*:\d+:\d+|select |insert |pg_|ECONN/i.test(own))
    faults.push(`tells what is inside: ${text}`);
  if ([429, 503].includes(status) && !/^[1-9]\d*$/.test(String(headers['retry-after'])))
    faults.push('without Retry-After');
  if (headers['cache-control'] !== 'no-store') faults.push('may be cached');
  const cookie = headers['set-cookie'];
  if (method !== 'GET' && cookie !== undefined && !COOKIES[path]?.test(String(cookie)))
    faults.push(`sets a cookie: ${cookie}`);
  return faults;
}

/**
 * Signs in again after a 429 or the deletion of a session. Calls `furnish` again after a 401 or
 * another deletion, up to a limit.
 */
async function renew({ method, path }: Route, status: number, furnished: number): Promise<void> {
  const deleted = method === 'DELETE' && status < 300;
  if (status === 429 || (deleted && path.includes('/sessions/'))) await signIn();
  else if ((status === 401 || deleted) && furnished < FURNISHED_MOST) await furnish();
}

/** A console page sends its origin (P64) and the cookie. */
const consoleHeaders = (path: string, caller: string | undefined) =>
  caller === 'staff'
    ? staffHeaders
    : { ...(path.startsWith('/api/console/') ? { origin: t.config.public_url } : {}) };

const succeeded = new Map<string, number>();

describe('P30a P37 P39 P45: every response is as described', () => {
  test('the description lists the fields of every object', () => {
    const open: string[] = [];
    const walk = (schema: Schema, where: string) => {
      if (schema.properties && schema.additionalProperties !== false) open.push(where);
      for (const [name, one] of Object.entries(schema.properties ?? {}))
        walk(one, `${where}.${name}`);
      for (const one of [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])]) walk(one, where);
      if (schema.items) walk(schema.items, `${where}[]`);
    };
    for (const { method, path, operation } of routes)
      for (const [status, { content = {} }] of Object.entries(operation.responses))
        for (const { schema } of Object.values(content))
          if (schema) walk(schema, `${method} ${path} ${status}`);
    expect(open).toEqual([]);
    expect(routes.length).toBeGreaterThan(50);
  });

  test.each(routes.filter((route) => !isStream(route)))('$method $path', async (route) => {
    const { method, path, operation } = route;
    const caller = Object.keys(operation.security?.[0] ?? {})[0] as
      | keyof typeof keys
      | 'staff'
      | undefined;
    const name = `${method} ${path}`;
    let longest = 0;
    const before = made;
    const known = await knownFor(path);
    await fc.assert(
      fc.asyncProperty(callsOf(route, known), async ({ params, query, body, headers }) => {
        const url = path.replace(/\{(\w+)\}/g, (_, key) => params[key] ?? '') + query;
        // Without this, the rate limits would refuse most requests (P19, P31g). For a player,
        // `renew` opens a new session instead.
        if (caller !== 'player') t.clock.advance(1_000);
        const cpu = process.threadCpuUsage();
        const answer = await t.call(method, url, {
          body,
          headers: { ...consoleHeaders(path, caller), ...headers },
          ip: makeIp(),
          ...(caller === undefined || caller === 'staff' ? {} : { as: { key: keys[caller] } }),
        });
        const { user, system } = process.threadCpuUsage(cpu);
        longest = Math.max(longest, (user + system) / 1000);
        if (answer.status < 300) succeeded.set(name, (succeeded.get(name) ?? 0) + 1);
        if (caller === 'player') await renew(route, answer.status, made - before);
        expect(faultsOf(route, answer)).toEqual([]);
      }),
      {
        numRuns:
          GOOD_CALLS + (HEAVY.test(path) ? HEAVY_RUNS : (RUNS ?? RUNS_AN_INPUT * inputsOf(route))),
        examples: goodCallsOf(route, known).map((good) => [good]),
        endOnFailure: true,
      },
    );
    if (!HEAVY.test(path)) expect(longest).toBeLessThan(CPU_MAX_MS);
  });

  test('the requests above succeeded at least once on each route', () => {
    /** These need a mail's secret, a provider's code, or a backup. */
    const never =
      /(google|oidc)\/callback|^POST \/api\/users\/(google|oidc)\/|verify-email|confirm-email|auth\/reset-password|restores\/\{id\}\/|events/;
    /** Console routes at which no generated request can succeed, with reasons. */
    const console: Record<string, string> = {
      'POST /api/console/link/register/': 'needs the signature of an authenticator',
      'POST /api/console/sign-in/': 'needs the signature of an authenticator',
      'POST /api/console/devices/': 'needs the signature of an authenticator',
      'POST /api/console/link/session/': 'always 403 at an address that can have passkeys',
    };
    const silent = routes
      .filter((route) => !isStream(route))
      .map(({ method, path }) => `${method} ${path}`)
      .filter((name) => !never.test(name) && !(name in console) && !succeeded.has(name));
    expect(silent).toEqual([]);
  });

  test('pages, files and unknown paths never give a 5xx or reveal internals', async () => {
    const segment = fc.oneof(
      fc.constantFrom(
        'api',
        'users',
        'auth',
        'login',
        'assets',
        'docs',
        'dev',
        'mailbox',
        'health',
      ),
      fc.constantFrom(...HOSTILE_TEXTS, '.git', 'package.json', 'index.html', '.env', 'secret.key'),
      fc.string({ unit: 'binary' }),
    );
    const aPath = fc
      .array(segment, { maxLength: 5 })
      .map((parts) => `/${parts.map((part) => encodeURIComponent(part.toWellFormed())).join('/')}`);
    const methods = fc.constantFrom('GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS');
    await fc.assert(
      fc.asyncProperty(methods, aPath, someHeaders, async (method, path, headers) => {
        const { status, body } = await t.call(method, path, { headers, ip: makeIp() });
        expect(status).toBeLessThan(500);
        expect(JSON.stringify(body)).not.toMatch(/node_modules|\.ts:\d+|"scripts":|root:x:/);
      }),
      { numRuns: RUNS ?? RUNS_AN_INPUT * 8, endOnFailure: true },
    );
  });
});
