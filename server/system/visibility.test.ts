import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { sql } from 'kysely';
import { beforeAll, expect, test, vi } from 'vitest';
import { joinAddress } from '#contract/rules/addresses.ts';
import { latestDate } from '#contract/rules/birthdate.ts';
import { LIVE_EVENTS } from '#contract/rules/live.ts';
import { OPEN_PATHS, PLAYER_PATHS } from '#contract/rules/pages.ts';
import { VISIBILITIES, type Visibility } from '#contract/rules/visibility.ts';
import {
  joinTeam,
  makeGames,
  makeIp,
  makeLeague,
  makeMachine,
  makePlayer,
  makeSession,
  makeTeam,
} from '#testing/app/make.ts';
import { DAY, HOUR, midweekApp } from '#testing/app/midweek.ts';
import { type CallOptions, OPERATOR_KEY } from '#testing/app/test-app.ts';
import { settleContests } from '../contests/final.ts';
import { settleCups } from '../cups/settle.ts';
import { duelTeller } from '../duels/notices.ts';
import { addDays, weekOf } from '../leagues/calendar.ts';
import { readCode, setJoining } from '../leagues/joining.ts';
import type { League, Team } from '../leagues/leagues.ts';
import { acceptRequest } from '../leagues/requests.ts';
import { generateSchedule } from '../leagues/schedule.ts';
import { endSeason } from '../leagues/season-end.ts';
import { makeNextSeason } from '../leagues/season-plan.ts';
import { readSeasons } from '../leagues/seasons.ts';
import { nudgeTeller } from '../nudges/notices.ts';
import { moveToTeams } from '../players/players.ts';

/*
 * P68: in random leagues, every player and a visitor call every route for players. No answer, mail
 * or page may name a player whom its reader may not see. For a new kind of reader, such as a
 * screen, add its authentication scheme to `READERS`.
 */

const WORLDS = Number(process.env.VISIBILITY_RUNS ?? 4);
const VENUE = 'Dockside Arcade';
const POLL = { timeout: 20_000 };
vi.setConfig({ testTimeout: Math.max(120_000, WORLDS * 10_000) });

const { t } = midweekApp();
// From Thursday on, team mates can be nudged.
beforeAll(() => t.clock.advance(DAY));

// --- A random world ---------------------------------------------------------------------------

/** Each team's league. Nobody is on the last team, which spares its league a bye. */
const LEAGUE_OF = [0, 0, 0, 1, 0] as const;
const SOLO = 2;

const seat = fc.option(fc.constantFrom(0, 0, 1, 3), { nil: null });
const person = fc.record({
  visibility: fc.constantFrom<Visibility>('league', 'league', ...VISIBILITIES),
  /** Days until the player comes of age; null: no birth date. */
  adultIn: fc.option(fc.constantFrom(-9_000, -1, 0, 1, 1_500), { nil: null, freq: 9 }),
  /** The team when the games were played. */
  before: seat,
  /** The team now. */
  after: seat,
  moves: fc.boolean(),
  /** Joined the team by its code, and has no games (LEAGUE-23). */
  stranger: fc.boolean(),
  score: fc.integer({ min: 100, max: 999 }),
});
type Fixed = {
  visibility?: Visibility;
  before: number | null;
  after: number | null;
  score?: number;
  stranger?: boolean;
};
const fixed = (fields: Fixed) =>
  person.map((one) => ({
    ...one,
    stranger: false,
    ...fields,
    moves: fields.before !== fields.after,
  }));
/**
 * Always these five: two teammates, one who left their league, one of another league, and one who
 * joined the team by its code.
 */
const people = fc
  .tuple(
    fixed({ before: 0, after: 0 }),
    fixed({ visibility: 'league', before: 0, after: 0 }),
    fixed({ visibility: 'league', before: 0, after: null, score: 999 }),
    fixed({ visibility: 'league', before: 3, after: 3 }),
    fixed({ before: null, after: 0, stranger: true }),
    fc.array(person, { minLength: 3, maxLength: 4 }),
  )
  .map(([one, mate, former, other, guest, more]) => [one, mate, former, other, guest, ...more]);
const plan = fc.record({
  adultAge: fc.constantFrom(18, 18, 18, 21, 0),
  people,
  /** The only player of a team, who may have left it. */
  solo: person,
});
type Plan = typeof plan extends fc.Arbitrary<infer P> ? P : never;

type Person = {
  id: number;
  uuid: string;
  email: string;
  username: string;
  avatar_color: string;
  jersey_number: string;
  visibility: Visibility;
  adult: boolean;
  league: number | null;
  team: number | null;
  stranger: boolean;
  /** The friend's id, whether the friendship sleeps or not. */
  friend: number;
};
type World = {
  people: Person[];
  codes: string[];
  teams: Team[];
  seasons: string[];
  cups: string[];
};

/** `years` before the latest date on earth, plus `days`. */
function birthday(days: number, years: number): string {
  const day = new Date(Date.parse(latestDate(t.clock.now())) + days * DAY);
  // Most years lack 29 February.
  const shift = day.getUTCMonth() === 1 && day.getUTCDate() === 29 ? Math.sign(days) || -1 : 0;
  const date = new Date(day.getTime() + shift * DAY);
  date.setUTCFullYear(date.getUTCFullYear() - years);
  return date.toISOString().slice(0, 10);
}

/**
 * Removes the last world's players from the boards. Later ids are too high to look like a jersey's
 * number.
 */
async function empty(): Promise<void> {
  await sql`truncate players, leagues, games, machines, venues cascade`.execute(t.db);
  await sql`select setval(pg_get_serial_sequence('seasons', 'id'), 1000),
    setval(pg_get_serial_sequence('duels', 'id'), 1000),
    setval(pg_get_serial_sequence('friendships', 'n'), 1000),
    setval(pg_get_serial_sequence('games', 'seq'), 1000)`.execute(t.db);
}

async function build({ adultAge, people, solo }: Plan): Promise<World> {
  await empty();
  Object.assign(t.config, { adult_age: adultAge });
  const since = new Date(t.clock.now().getTime() - 400 * DAY);
  const lastWeek = addDays(weekOf(t.clock.now(), 'UTC'), -7);
  const leagues = [
    await makeLeague(t, { starts: lastWeek }),
    await makeLeague(t, { starts: lastWeek }),
  ];
  const teams: Team[] = [];
  for (const at of LEAGUE_OF) {
    const league = leagues[at];
    if (league) teams.push(await makeTeam(t, league, []));
  }
  for (const [at, league] of leagues.entries()) {
    if (at === 0) await generateSchedule(t, league, { weeks: 3 });
    await setJoining(t, league, at === 0 ? 'open' : 'ask');
  }
  const machine = await makeMachine(t, { venue: VENUE });

  const made: Person[] = [];
  const all = [...people, { ...solo, before: SOLO, after: solo.moves ? null : SOLO }];
  for (const [at, { visibility, adultIn, score, before, ...one }] of all.entries()) {
    const after = one.moves ? one.after : before;
    const stranger = one.stranger && after !== null && after !== before;
    const player = await makePlayer(t, {
      visibility,
      username: `Qx${randomUUID().slice(0, 8)}`,
      avatar_color: `#FACE${String(at + 10)}`,
      jersey_number: String(at + 40),
      date_of_birth: adultIn === null ? null : birthday(adultIn, adultAge || 18),
    });
    const [former, present] = [teams[before ?? -1], teams[after ?? -1]];
    if (former) await joinTeam(t, former, [player], since);
    const games = [
      { score, played_at: new Date(t.clock.now().getTime() - HOUR) },
      { score: score - 50, played_at: new Date(t.clock.now().getTime() - 7 * DAY) },
    ];
    await makeGames(t, machine, player, stranger ? [] : games);
    if (present?.id !== former?.id)
      await moveToTeams(
        t.db,
        [{ player_id: player.id, team_id: present?.id ?? null }],
        t.clock.now(),
        stranger ? 'code' : 'staff',
      );
    made.push({
      ...player,
      username: player.username ?? '',
      adult: adultAge === 0 || (adultIn !== null && adultIn <= 0),
      league: after === null ? null : (LEAGUE_OF[after] ?? null),
      team: after,
      stranger,
      friend: 0,
    });
  }
  await makeFriends(made);
  await makeDuels(made);
  await makeNudges(made);
  const codes = await Promise.all(teams.map((team) => readCode(t.db, team)));
  const [first] = leagues;
  const seasons = first === undefined ? [] : await endAndBegin(first);
  return {
    people: made,
    codes: [...codes.map(String), ...(await makeContests())],
    teams,
    seasons,
    cups: await makeCups(made),
  };
}

/** Makes friends of the first and second person, the third and fourth, and so on. */
async function makeFriends(people: Person[]): Promise<void> {
  for (const [at, one] of people.entries()) {
    const friend = people[at % 2 === 0 ? at + 1 : at - 1];
    if (friend === undefined) continue;
    one.friend = friend.id;
    await t.db
      .insertInto('friendships')
      .values({ player_id: one.id, friend_id: friend.id, since: t.clock.now() })
      .execute();
  }
}

/** Makes duels between all people: each is offered, running or decided. */
async function makeDuels(people: readonly Person[]): Promise<void> {
  const now = t.clock.now().getTime();
  const at = (days: number) => new Date(now + days * DAY);
  const pairs = people.flatMap((one, n) => people.slice(n + 1).map((other) => ({ one, other })));
  for (const [n, { one, other }] of pairs.entries()) {
    const state = (['offered', 'running', 'decided'] as const)[n % 3];
    const accepted = state === 'offered' ? {} : { accepted_at: at(-7), ends_at: at(1 - (n % 3)) };
    await t.db
      .insertInto('duels')
      .values({
        offerer_id: one.id,
        rival_id: other.id,
        ...(state && { state }),
        ...accepted,
        offered_at: at(-8),
        accept_until: at(1),
        changed_at: at(-7),
      })
      .execute();
  }
}

/** Has each person nudged by the next one. */
async function makeNudges(people: readonly Person[]): Promise<void> {
  for (const [at, { id }] of people.entries())
    await t.db
      .insertInto('nudges')
      .values({
        player_id: id,
        week: weekOf(t.clock.now(), 'UTC'),
        sender_id: people[(at + 1) % people.length]?.id ?? null,
        at: t.clock.now(),
      })
      .execute();
}

/**
 * Makes last week a final season with awards, and this week the first of the next season. Returns
 * both ids.
 */
async function endAndBegin(league: League): Promise<string[]> {
  await endSeason(t.db, league, { after: 'finished', now: true }, t.clock.now(), 'Test');
  await makeNextSeason(t, league, {
    starts: weekOf(t.clock.now(), 'UTC'),
    weeks: 3,
    leave_out: [],
    new_teams: [],
    players: 'keep',
    codes: 'keep',
    at_once: true,
  });
  return (await readSeasons(t.db, league.id)).map(({ id }) => String(id));
}

/** Makes a running contest and a final one, with everybody's last game. */
async function makeContests(): Promise<string[]> {
  const now = t.clock.now().getTime();
  const { rows } = await sql<{ code: string }>`
    insert into contests (venue_id, name, starts_at, ends_at, scoring, n)
    select id, 'Night', ${new Date(now - 2 * HOUR)}, ends_at::timestamptz, 'best3', 5
    from venues, unnest(array[${new Date(now + HOUR)}, ${new Date(now - HOUR / 2)}]::timestamptz[])
      as ends_at where name = ${VENUE} returning code`.execute(t.db);
  expect(await settleContests(t)).toBe(1);
  return rows.map(({ code }) => code);
}

/** Makes a running cup with everybody, and a final one, with everybody's last game in round 1. */
async function makeCups(people: readonly Person[]): Promise<string[]> {
  const now = t.clock.now().getTime();
  const made: string[] = [];
  for (const hours of [2, -0.4]) {
    const { body } = await t.call('POST', '/api/operator/cups/', {
      as: { key: OPERATOR_KEY },
      body: {
        name: 'Cup',
        venue: VENUE,
        from: 'sides',
        sides: people.map(({ username }) => username),
        starts: new Date(now + HOUR).toISOString(),
        third: false,
      },
    });
    made.push(body.id);
    await sql`update cup_pairings set starts_at = ${new Date(now - 2 * HOUR)},
      ends_at = ${new Date(now + hours * HOUR)} where cup_id = ${body.id}`.execute(t.db);
  }
  await settleCups(t);
  const [running, final] = await Promise.all(
    made.map(
      async (id) =>
        (
          await sql<{ final_at: Date | null }>`
      select final_at from cups where id = ${id}`.execute(t.db)
        ).rows[0]?.final_at,
    ),
  );
  expect(running).toBeNull();
  expect(final).not.toBeNull();
  return made;
}

// --- Who may see whom: the rule again, independent of the code under test ---

/**
 * A player, null for a visitor, `picture` for anybody with a picture that the player shared, or
 * `screen` for anybody at one.
 */
type Reader = Person | null | { picture: Person } | 'screen';

const isPlayer = (reader: Reader): reader is Person =>
  typeof reader === 'object' && reader !== null && 'id' in reader;

function maySee(reader: Reader, person: Person): boolean {
  if (reader === null) return false;
  if (reader === 'screen') return person.adult && person.visibility === 'venue';
  const toAll = person.adult && person.visibility !== 'league';
  if ('picture' in reader) return toAll || (person.adult && person.id === reader.picture.id);
  const areMates = person.team !== null && person.team === reader.team;
  const areFriends = person.friend === reader.id && (person.adult === reader.adult || areMates);
  const sameLeague = !reader.stranger && person.league !== null && person.league === reader.league;
  return person.id === reader.id || toAll || sameLeague || areFriends;
}

/** What a text reveals about these people. Only JSON has jersey numbers. */
function tells(text: string, people: readonly Person[], { json = true } = {}): string[] {
  const low = text.toLowerCase();
  return people
    .flatMap(({ username, avatar_color, jersey_number }) => [
      low.includes(username.toLowerCase()) ? `the name ${username}` : [],
      low.includes(avatar_color.toLowerCase()) ? `the colour of ${username}` : [],
      // In quotes: two digits also occur in times and scores.
      json && text.includes(`"${jersey_number}"`) ? `the number of ${username}` : [],
    ])
    .flat();
}

// --- Every call of the OpenAPI description -----------------------------------------------------

type Operation = {
  security?: Record<string, unknown>[];
  parameters?: { name: string; in: string; schema: { enum?: string[] } }[];
  responses: Record<string, { content?: Record<string, unknown> }>;
};
type Call = { method: string; path: string; operation: Operation };

/** Schemes whose callers may see everybody, with reasons. */
const SEE_EVERYBODY: Record<string, string> = {
  machine: 'greets whoever stands in front of it',
  operator: 'staff see everybody',
  staff: 'staff see everybody',
};

/** Each scheme's readers. `visitor` is for calls without a scheme. */
const READERS: Record<
  string,
  (world: World) => Promise<{ reader: Reader; options: CallOptions }[]>
> = {
  visitor: async () => [{ reader: null, options: {} }],
  screen: async () => [{ reader: 'screen', options: { as: await makeScreen() } }],
  player: async ({ people }) =>
    Promise.all(
      people.map(async (person) => ({
        reader: person,
        options: { as: await makeSession(t, person) },
      })),
    ),
};

async function makeScreen(): Promise<{ key: string }> {
  const ip = makeIp();
  const paired = await t.call('POST', '/api/screen/pair/', { body: {}, ip });
  const { code, secret } = paired.body;
  await t.call('POST', '/api/operator/screens/', {
    body: { code, venue: VENUE },
    as: { key: OPERATOR_KEY },
    ip,
  });
  const claimed = await t.call('POST', '/api/screen/claim/', { body: { secret }, ip });
  return { key: claimed.body.token };
}

/** Parameters that the description does not list. */
const PARAMETERS: Record<string, (world: World) => string[]> = {
  'path code': ({ codes }) => codes,
  'path n': () => ['0', '1'],
  'path id': ({ seasons, cups }) => [randomUUID(), ...seasons, ...cups],
  'query cursor': () => [''],
  'query team': ({ teams }) => teams.map(({ name }) => encodeURIComponent(name)),
};

/** Bodies of the calls that change something. The answers may name only the caller. */
const BODIES: Record<string, unknown> = {
  'PATCH /api/users/profile/': {},
  'POST /api/users/profile/asks/': { wall: 'later' },
  'POST /api/users/profile/new-code/': undefined,
  'POST /api/teams/join/{code}/': undefined,
  'POST /api/users/profile/games/{id}/report/': { reason: 'not_mine' },
  'DELETE /api/users/profile/games/{id}/report/': undefined,
  'DELETE /api/teams/request/': undefined,
  'POST /api/cups/{id}/leave/': undefined,
  'POST /api/users/google/': { code: 'c', code_verifier: 'v'.repeat(43), nonce: 'n' },
  'POST /api/users/oidc/': { code: 'c', code_verifier: 'v'.repeat(43), nonce: 'n' },
  'DELETE /api/users/google/': { password: 'not my password' },
  'DELETE /api/users/oidc/': { password: 'not my password' },
  'DELETE /api/users/sessions/{id}/': undefined,
  'DELETE /api/users/sessions/': undefined,
  'PATCH /api/users/push/': {},
  'PUT /api/users/push/device/': {},
  'DELETE /api/users/push/devices/{id}/': undefined,
  'POST /api/users/push/test/': undefined,
  'POST /api/users/duels/': { username: 'nobody' },
  'POST /api/users/duels/{id}/accept/': undefined,
  'POST /api/users/duels/{id}/decline/': undefined,
  'POST /api/users/duels/{id}/block/': undefined,
  'DELETE /api/users/duels/{id}/': undefined,
  'POST /api/users/nudges/': { username: 'nobody' },
  'POST /api/friends/code/': undefined,
  'POST /api/friends/code/answer/': { yes: false, expires_at: '2026-01-01T00:00:00Z' },
  'POST /api/friends/open/': { code: 'ABCDEFGH' },
  'POST /api/friends/ask/': { code: 'ABCDEFGH' },
  'DELETE /api/friends/{n}/': undefined,
  'POST /api/friends/{n}/block/': undefined,
  'DELETE /api/blocks/{n}/': undefined,
  'DELETE /api/users/profile/': { password: 'not my password' },
};

function calls(): Call[] {
  return Object.entries(t.app.swagger().paths ?? {}).flatMap(([path, methods]) =>
    Object.entries(methods as Record<string, Operation>).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      operation,
    })),
  );
}

/** A stream does not end. A test below reads it. */
const isStream = ({ operation }: Call) =>
  'text/event-stream' in (operation.responses['200']?.content ?? {});

const schemesOf = ({ operation }: Call) => {
  const found = (operation.security ?? []).flatMap((scheme) => Object.keys(scheme));
  const open = operation.security?.every((scheme) => Object.keys(scheme).length > 0);
  return open && found.length > 0 ? found : [...found, 'visitor'];
};

function addresses({ path, operation, method }: Call, world: World): string[] {
  return (operation.parameters ?? [])
    .filter((parameter) => parameter.in !== 'header')
    .reduce(
      (made, { name, in: where, schema }) => {
        const values = schema.enum ?? PARAMETERS[`${where} ${name}`]?.(world);
        if (values === undefined)
          throw new Error(`Add “${where} ${name}” of ${method} ${path} to PARAMETERS.`);
        return made.flatMap((address) =>
          values.map((value) =>
            where === 'path'
              ? address.replace(`{${name}}`, value)
              : `${address}${address.includes('?') ? '&' : '?'}${name}=${value}`,
          ),
        );
      },
      [path],
    )
    .map((address) => address.replace(/[?&]cursor=(?=&|$)/, ''));
}

/**
 * Players share last week's answer as a picture, so it may name only people whom anybody with the
 * picture may see.
 */
const readerOf = (path: string, reader: Reader): Reader =>
  path === '/api/leaderboards/user-league-last-week/' && isPlayer(reader)
    ? { picture: reader }
    : reader;

type Read = { what: string; reader: Reader; status: number; body: unknown; text: string };

/** The notifications about each player's duels and nudges, as they would be sent now (PUSH-T10). */
async function readNotices({ people }: World): Promise<Read[]> {
  const at = { zone: 'UTC', locale: 'en' };
  const duels = await t.db
    .selectFrom('duels')
    .select(['id', 'offerer_id', 'rival_id', 'state'])
    .execute();
  const answers: Read[] = [];
  let told = 0;
  for (const reader of people) {
    const notice = { id: '', player_id: reader.id, subject: '', worth_until: t.clock.now() };
    const own = duels.filter(({ offerer_id, rival_id }) =>
      [offerer_id, rival_id].includes(reader.id),
    );
    for (const { id, state } of own) {
      const what = state === 'running' ? 'accepted' : state;
      const body = await duelTeller.words(t, { ...notice, kind: 'duel', data: { what, id } }, at);
      if (body !== null) told += 1;
      const text = JSON.stringify(body);
      answers.push({ what: `${what} to ${reader.username}`, reader, status: 200, body, text });
    }
    const body = await nudgeTeller.words(t, { ...notice, kind: 'nudge', data: {} }, at);
    const text = JSON.stringify(body);
    answers.push({ what: `nudge to ${reader.username}`, reader, status: 200, body, text });
  }
  expect(told).toBeGreaterThan(people.length);
  return answers;
}

/** Makes every call that only reads, as every reader, and reads every notification. */
async function readAll(world: World) {
  const answers = await readNotices(world);
  for (const [scheme, readersOf] of Object.entries(READERS)) {
    const readers = await readersOf(world);
    const asked = calls().filter(
      (call) => call.method === 'GET' && !isStream(call) && schemesOf(call).includes(scheme),
    );
    for (const { reader, options } of readers)
      for (const call of asked)
        for (const address of addresses(call, world)) {
          const { status, body } = await t.call('GET', address, { ip: makeIp(), ...options });
          const who = isPlayer(reader) ? reader.username : scheme;
          answers.push({
            what: `GET ${address} by ${who}`,
            reader: readerOf(call.path, reader),
            status,
            body,
            text: typeof body === 'string' ? body : JSON.stringify(body),
          });
        }
  }
  return answers;
}

/**
 * Makes every change and opens every page, as two players. Returns what answers, mails and pages
 * reveal about others.
 */
async function changeAll({ people, teams }: World): Promise<string[]> {
  const found: string[] = [];
  const note = (what: string, told: string[]) =>
    found.push(...told.map((one) => `${what} has ${one}`));
  const codes = await Promise.all(teams.map((team) => readCode(t.db, team)));
  for (const person of people.slice(0, 2)) {
    const others = people.filter((other) => other !== person);
    for (const [call, body] of Object.entries(BODIES)) {
      const [method = '', path = ''] = call.split(' ');
      for (const value of path.includes('{code}') ? codes : [randomUUID()]) {
        const address = path.replace(/\{\w+\}/, value);
        const as = await makeSession(t, person);
        const answer = await t.call(method, address, { as, body, ip: makeIp() });
        if (answer.status >= 500) found.push(`${call} answers ${answer.status}`);
        note(call, tells(JSON.stringify(answer.body), others));
      }
    }
    await t.call('POST', '/api/users/auth/request-password-reset/', {
      body: { email: person.email },
      ip: makeIp(),
    });
  }
  const { rows } = await sql<{ email: string; team_id: number }>`
    select p.email, r.team_id from join_requests r join players p on p.id = r.player_id`.execute(
    t.db,
  );
  for (const { email, team_id } of rows) {
    const team = teams.find(({ id }) => id === team_id);
    if (team) await acceptRequest(t, team, email);
  }
  const mailed = async () =>
    (await t.mails()).filter(({ recipient }) => people.some(({ email }) => email === recipient));
  // A reset mail is written after the answer.
  await expect.poll(async () => (await mailed()).length, POLL).toBeGreaterThanOrEqual(2);
  for (const { recipient, subject, text, html } of await mailed()) {
    const others = people.filter(({ email }) => email !== recipient);
    note(`the mail “${subject}”`, tells(`${subject} ${text} ${html}`, others, { json: false }));
  }
  const pages = [...OPEN_PATHS, ...PLAYER_PATHS, ...codes.map(joinAddress), '/seasons/1'];
  for (const address of [...pages, '/screen', '/console', '/nowhere']) {
    const headers = { accept: 'text/html' };
    const { body } = await t.call('GET', address, { headers, ip: makeIp() });
    note(address, tells(String(body), people, { json: false }));
  }
  return found;
}

test('P68: the test calls every route except those whose callers see everybody', () => {
  const all = calls();
  const schemes = new Set(all.flatMap(schemesOf));
  const unknown = [...schemes].filter((one) => !(one in READERS) && !(one in SEE_EVERYBODY));
  expect(unknown, 'add it to READERS or SEE_EVERYBODY').toEqual([]);
  const writes = all.filter((call) => call.method !== 'GET' && schemesOf(call).includes('player'));
  const missing = writes
    .map(({ method, path }) => `${method} ${path}`)
    .filter((one) => !(one in BODIES));
  expect(missing, 'add it to BODIES').toEqual([]);
  const world = { people: [], codes: ['ABCDEF'], teams: [], seasons: ['1'], cups: ['1'] };
  for (const call of all)
    if (schemesOf(call).some((scheme) => scheme in READERS)) addresses(call, world);
});

test('P68, P99, FRAME-06, AWARD-09, FRIEND-07, PUSH-T10: no answer, notification, mail or page names somebody whom its reader may not see', async () => {
  await fc.assert(
    fc.asyncProperty(plan, async (planned) => {
      const world = await build(planned);
      const { people } = world;
      const players = people.filter(({ stranger }) => !stranger);
      const found: string[] = [];
      for (const { what, reader, status, body, text } of await readAll(world)) {
        if (status >= 500) found.push(`${what} answers ${status}`);
        if (reader === 'screen') expect([what, status]).toEqual([what, 200]);
        const hidden = people.filter((person) => !maySee(reader, person));
        found.push(...tells(text, hidden).map((leak) => `${what} has ${leak}`));
        for (const secret of people.flatMap(({ uuid, email }) => [uuid, email]))
          if (
            text.includes(secret) &&
            !(isPlayer(reader) && [reader.uuid, reader.email].includes(secret))
          )
            found.push(`${what} has ${secret}`);
        // All players have played in the contests, so a missing filter would show.
        if (what.startsWith('GET /api/contests/') && status === 200)
          expect((body as { players: number }).players).toBe(players.length);
        // Everybody is a side and was at the venue, so everybody sees the tree.
        const [, cup] = /^GET \/api\/cups\/(\d+)\/ /.exec(what) ?? [];
        if (cup !== undefined && world.cups.includes(cup))
          expect([status, (body as { sides: number }).sides]).toEqual([200, people.length]);
        // A row without a name stays, and every visible name is on the board.
        if (what.startsWith('GET /api/leaderboards/?scope=all') && isPlayer(reader)) {
          const { results: rows } = body as { results: { username: string | null }[] };
          expect(rows).toHaveLength(players.length);
          expect(rows.flatMap(({ username }) => username ?? []).sort()).toEqual(
            players
              .filter((person) => maySee(reader, person))
              .map(({ username }) => username)
              .sort(),
          );
        }
      }
      expect([...found, ...(await changeAll(world))]).toEqual([]);
    }),
    { numRuns: WORLDS, endOnFailure: true },
  );
});

test('P68: an event has a name and no data', async () => {
  const [viewer, mate] = [await makePlayer(t), await makePlayer(t, { visibility: 'league' })];
  await makeTeam(t, await makeLeague(t), [viewer, mate]);
  const machine = await makeMachine(t);
  const url = await t.app.listen({ host: '127.0.0.1', port: 0 });
  const { access } = await makeSession(t, viewer);
  const hangUp = new AbortController();
  const answer = await fetch(`${url}/api/users/profile/events/`, {
    headers: { authorization: `Bearer ${access}` },
    signal: hangUp.signal,
  });
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  for (const expected of ['league', 'profile']) {
    if (expected === 'league') await makeGames(t, machine, mate, [{}]);
    else
      await t.call('PATCH', '/api/users/profile/', {
        as: { access },
        body: { visibility: 'venue' },
      });
    while (!text.includes(`event: ${expected}\n`)) text += (await reader?.read())?.value ?? '';
  }
  hangUp.abort();
  const allowed = LIVE_EVENTS.map((event) => `event: ${event}\ndata:`);
  const events = text.split('\n\n').filter((one) => one !== '' && !one.startsWith(':'));
  expect(events.filter((one) => !allowed.includes(one))).toEqual([]);
});
