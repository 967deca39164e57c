import { randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { CODE_LETTERS } from '#contract/rules/short-code.ts';
import { screenAnswer } from '#contract/wire/screens.ts';
import {
  goToMidweek,
  makeGames,
  makeIp,
  makeLeague,
  makeMachine,
  makePlayer,
  makeSession,
  makeTeam,
} from '#testing/app/make.ts';
import { readRows } from '#testing/app/query-cost.ts';
import { OPERATOR_KEY, withApp } from '#testing/app/test-app.ts';
import { voidGame } from '../games/corrections.ts';
import { addDays, startOf, weekOf } from '../leagues/calendar.ts';
import { generateSchedule } from '../leagues/schedule.ts';
import { RATE_LIMITS } from '../rate-limits.ts';

const t = withApp();
let url: string;
beforeAll(async () => {
  goToMidweek(t);
  url = await t.app.listen({ host: '127.0.0.1', port: 0 });
});

const operator = { key: OPERATOR_KEY };
const VENUE = 'Dockside Arcade';
type Machine = Awaited<ReturnType<typeof makeMachine>>;
let machine: Machine;
beforeEach(async () => {
  machine = await makeMachine(t, { venue: VENUE });
});

const pair = (ip = makeIp()) =>
  t.call('POST', '/api/screen/pair/', { body: { width: 1920, height: 1080 }, ip });
const claim = (secret: string, ip = makeIp()) =>
  t.call('POST', '/api/screen/claim/', { body: { secret }, ip });
const add = (code: string, more: object = {}, ip = makeIp()) =>
  t.call('POST', '/api/operator/screens/', {
    body: { code, venue: VENUE, ...more },
    as: operator,
    ip,
  });
const change = (body: object) =>
  t.call('POST', '/api/operator/screens/change/', { body, as: operator });
const show = (token: string) => t.call('GET', '/api/screen/', { as: { key: token } });

async function makeScreen(more: object = {}): Promise<{ id: string; token: string; name: string }> {
  const { code, secret } = (await pair()).body;
  const { id, name } = (await add(code, more)).body;
  return { id, name, token: (await claim(secret)).body.token };
}

describe('P66: pairing', () => {
  test('gives a code of 6 characters for 15 minutes, and the token once', async () => {
    const { status, body } = await pair();
    expect(status).toBe(200);
    expect(CODE_LETTERS).toHaveLength(31);
    expect(body.code).toMatch(new RegExp(`^[${CODE_LETTERS}]{6}$`));
    const life = Date.parse(body.expires_at) - t.clock.now().getTime();
    expect(life).toBeGreaterThan(14.9 * 60_000);
    expect(life).toBeLessThanOrEqual(15 * 60_000);
    expect((await claim(body.secret)).body).toEqual({ token: null });

    const added = await add(`${body.code.slice(0, 3)}-${body.code.slice(3)}`.toLowerCase());
    expect([added.status, added.body]).toMatchObject([
      201,
      { venue: VENUE, name: 'Screen 1', paired: false, width: 1920, height: 1080 },
    ]);
    const { token } = (await claim(body.secret)).body;
    expect(token).toMatch(/^bbs_[\w-]{43}$/);
    expect((await claim(body.secret)).status).toBe(404);
    expect((await show(token)).status).toBe(200);
    const rows = JSON.stringify(await t.db.selectFrom('screens').selectAll().execute());
    expect(rows).not.toContain(token.slice(4));
  });

  test('refuses an old code, a code that was used, and a secret that is too old', async () => {
    const { code, secret } = (await pair()).body;
    t.clock.advance(15 * 60_000 + 1);
    expect((await add(code)).status).toBe(404);
    expect((await claim(secret)).status).toBe(404);
    const second = (await pair()).body;
    expect((await add(second.code)).status).toBe(201);
    expect((await add(second.code)).status).toBe(404);
    expect((await add('H7KQ0O')).body).toHaveProperty('code');
    // A new code deletes expired ones.
    expect(
      await t.db.selectFrom('screen_pairings').select('code').where('code', '=', code).execute(),
    ).toEqual([]);
  });

  test('keeps a paired television whose code expires before it claims its token', async () => {
    const { code, secret } = (await pair()).body;
    expect((await add(code)).status).toBe(201);
    t.clock.advance(15 * 60_000 + 1);
    await pair();
    expect((await claim(secret)).body.token).toMatch(/^bbs_/);
  });

  test('gives the token to one of several claims at once, over two processes', async () => {
    const other = await t.sibling();
    for (let round = 0; round < 3; round += 1) {
      const { code, secret } = (await pair()).body;
      expect((await add(code)).status).toBe(201);
      const answers = await Promise.all(
        Array.from({ length: 8 }, (_, at) =>
          (at % 2 === 0 ? t : other).call('POST', '/api/screen/claim/', {
            body: { secret },
            ip: makeIp(),
          }),
        ),
      );
      expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(404)]);
      const { token } = answers.find(({ status }) => status === 200)?.body ?? {};
      expect((await show(token)).status).toBe(200);
    }
  });

  test('lets only one of several staff who type a code at the same time pair the television', async () => {
    const other = await t.sibling();
    for (let round = 0; round < 3; round += 1) {
      const { code, secret } = (await pair()).body;
      const before = (await t.db.selectFrom('screens').select('id').execute()).length;
      const answers = await Promise.all(
        Array.from({ length: 6 }, (_, at) =>
          (at % 2 === 0 ? t : other).call('POST', '/api/operator/screens/', {
            body: { code, venue: VENUE, name: `TV ${randomUUID()}` },
            as: operator,
            ip: makeIp(),
          }),
        ),
      );
      expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
      for (const { status } of answers) expect([201, 404, 409]).toContain(status);
      expect(await t.db.selectFrom('screens').select('id').execute()).toHaveLength(before + 1);
      expect((await claim(secret)).body.token).toMatch(/^bbs_/);
    }
  });

  test('allows 10 wrong codes from a network in an hour, and does not count right ones', async () => {
    const ip = makeIp();
    for (let tries = 0; tries < RATE_LIMITS['screen-code'].max; tries += 1) {
      expect((await add((await pair()).body.code, {}, ip)).status).toBe(201);
      expect((await add('ZZZZZZ', {}, ip)).status).toBe(404);
    }
    const { code } = (await pair()).body;
    const refused = await add(code, {}, ip);
    expect([refused.status, Number(refused.headers['retry-after'])]).toEqual([
      429,
      expect.closeTo(3600, -2),
    ]);
    expect((await add(code)).status).toBe(201);
    t.clock.advance(3_600_000);
    expect((await add((await pair()).body.code, {}, ip)).status).toBe(201);
  });

  test('allows 10 wrong secrets from a network in an hour', async () => {
    const ip = makeIp();
    for (let tries = 0; tries < RATE_LIMITS['screen-code'].max; tries += 1)
      expect((await claim(randomUUID(), ip)).status).toBe(404);
    expect((await claim(randomUUID(), ip)).status).toBe(429);
    expect((await add((await pair()).body.code, {}, ip)).status).toBe(201);
  });

  test('gives a network at most 60 codes in an hour', async () => {
    const ip = makeIp();
    const statuses = [];
    for (let codes = 0; codes < 61; codes += 1) statuses.push((await pair(ip)).status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(60);
    expect(statuses.at(-1)).toBe(429);
  });

  test('a removed screen is refused at once, and its stream ends', async () => {
    const { token, name } = await makeScreen();
    const events = await openStream(token);
    const removed = await t.call('POST', '/api/operator/screens/remove/', {
      body: { screen: name },
      as: operator,
    });
    expect(removed.status).toBe(200);
    expect((await show(token)).status).toBe(401);
    await events.ended;
  });
});

describe('P66: a token of a screen', () => {
  test('opens nothing but its two routes', async () => {
    const { token } = await makeScreen();
    const session = await makeSession(t, await makePlayer(t));
    const opened: string[] = [];
    for (const [path, calls] of Object.entries(t.app.swagger().paths ?? {}))
      for (const [method, call] of Object.entries(calls ?? {})) {
        const { security = [] } = call as { security?: object[] };
        // A stream never ends; another test reads it.
        if (path === '/api/screen/events/' || security.length === 0) continue;
        const answer = await t.call(
          method.toUpperCase(),
          path.replaceAll(/\{\w+\}/g, randomUUID()),
          {
            as: { key: token },
            ip: makeIp(),
            ...(method === 'get' ? {} : { body: {} }),
          },
        );
        if (answer.status !== 401) opened.push(`${method} ${path}`);
      }
    expect(opened).toEqual(['get /api/screen/']);
    for (const key of [session.access, session.refresh, machine.key, OPERATOR_KEY, 'bbs_x'])
      expect((await show(key)).status).toBe(401);
    expect((await t.call('GET', '/api/screen/')).status).toBe(401);
  });

  test('reads its own venue only', async () => {
    const other = await makeMachine(t, { venue: 'Station Bowl' });
    const player = await makePlayer(t, { visibility: 'venue' });
    await makeGames(t, other, player, [{ score: 777 }]);
    const { token } = await makeScreen();
    const { body } = await show(token);
    expect(body.venue.name).toBe(VENUE);
    expect(JSON.stringify(body)).not.toContain(':777');
  });
});

async function openStream(token: string) {
  const hangUp = new AbortController();
  const answer = await fetch(`${url}/api/screen/events/`, {
    headers: { authorization: `Bearer ${token}` },
    signal: hangUp.signal,
  });
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  let seen = 0;
  const read = async () => {
    const { done, value } = (await reader?.read()) ?? { done: true, value: '' };
    text += value ?? '';
    return !done;
  };
  return {
    status: answer.status,
    next: async () => {
      while ((text.match(/event: change/g) ?? []).length <= seen)
        if (!(await read())) throw new Error('the stream ended');
      seen += 1;
    },
    get ended() {
      return (async () => {
        while (await read());
      })();
    },
    text: () => text,
    close: () => hangUp.abort(),
  };
}

describe('SCREEN-04: the stream', () => {
  test('sends an event after a game at the venue, a correction, a notice and a change of the screen', async () => {
    const { token, id } = await makeScreen();
    const events = await openStream(token);
    const player = await makePlayer(t);
    const [game] = await makeGames(t, machine, player, [{ score: 400 }]);
    await events.next();
    await voidGame(t, game?.seq ?? 0);
    await events.next();
    await t.call('POST', '/api/operator/screens/notice/', {
      body: { venue: VENUE, notice: 'Hello' },
      as: operator,
    });
    await events.next();
    expect((await change({ screen: id, still: true })).status).toBe(200);
    await events.next();
    // P68: no event names a player.
    const said = events
      .text()
      .split('\n\n')
      .filter((one) => one !== '' && one !== ':');
    expect(new Set(said)).toEqual(new Set(['event: change\ndata:']));
    events.close();
  });

  test('sends an event when a player of the venue changes looks or visibility, or is deleted', async () => {
    const { token } = await makeScreen();
    const player = await makePlayer(t);
    await makeGames(t, machine, player, [{ score: 400 }]);
    const events = await openStream(token);
    const as = await makeSession(t, player);
    for (const body of [
      { visibility: 'venue' },
      { username: `w${randomUUID().slice(0, 8)}` },
      { avatar_color: '#377ADC' },
      { visibility: 'league' },
    ]) {
      expect((await t.call('PATCH', '/api/users/profile/', { as, body })).status).toBe(200);
      await events.next();
    }
    await t.call('POST', '/api/operator/players/delete/', {
      body: { email: player.email },
      as: operator,
    });
    await events.next();
    expect(events.text().match(/event: change/g)).toHaveLength(5);
    events.close();
  });

  test('sends an event for a new time zone, and when a machine comes, goes or is renamed', async () => {
    await makeMachine(t, { venue: 'Station Bowl' });
    const { token } = await makeScreen();
    const events = await openStream(token);
    const zone = (timezone: string) =>
      t.call('POST', '/api/operator/venues/change/', {
        body: { venue: VENUE, timezone },
        as: operator,
      });
    expect((await zone('Asia/Tokyo')).body.timezone).toBe('Asia/Tokyo');
    await events.next();
    await zone('UTC');
    await events.next();
    const hoop = `Hoop ${randomUUID()}`;
    for (const body of [{ venue: 'Station Bowl' }, { venue: VENUE }, { name: hoop }]) {
      const changed = await t.call('POST', '/api/operator/machines/change/', {
        body: { machine: String(machine.id), ...body },
        as: operator,
      });
      expect(changed.status).toBe(200);
      await events.next();
    }
    expect(events.text().match(/event: change/g)).toHaveLength(5);
    events.close();
  });

  test('sends an event after a game elsewhere if it affects a league that plays at the venue', async () => {
    const player = await makePlayer(t);
    const league = await makeLeague(t);
    await makeTeam(t, league, [player]);
    await makeGames(t, machine, player, [{ score: 250 }]);
    const { token } = await makeScreen();
    const events = await openStream(token);
    const elsewhere = await makeMachine(t, { venue: 'Station Bowl' });
    await makeGames(t, elsewhere, player, [
      { score: 260, played_at: new Date(t.clock.now().getTime() - 30_000) },
    ]);
    await events.next();
    events.close();
  });

  test('ends the oldest stream of a screen that opens a third one', async () => {
    const { token } = await makeScreen();
    const streams = [await openStream(token), await openStream(token), await openStream(token)];
    await streams[0]?.ended;
    for (const stream of streams) stream.close();
  });

  test('ends when the screen moves to another venue', async () => {
    await makeMachine(t, { venue: 'Station Bowl' });
    const { token, id } = await makeScreen();
    const events = await openStream(token);
    await change({ screen: id, venue: 'Station Bowl' });
    await events.ended;
    expect((await show(token)).body.venue.name).toBe('Station Bowl');
  });
});

describe('SCREEN-03: the payload', () => {
  const arcade = async () => {
    const venue = `Arcade ${randomUUID().slice(0, 8)}`;
    const hoop = await makeMachine(t, { venue });
    const { token, id } = await makeScreen({ venue });
    return { hoop, token, id, venue };
  };

  test('has the newest game first, with the high score that it beat', async () => {
    const { hoop, token } = await arcade();
    const player = await makePlayer(t, { visibility: 'venue' });
    const ago = (minutes: number) => new Date(t.clock.now().getTime() - minutes * 60_000);
    await makeGames(t, hoop, player, [
      { score: 364, played_at: ago(20) },
      { score: 402, played_at: ago(10) },
      { score: 390, played_at: ago(5) },
    ]);
    const { tonight } = (await show(token)).body;
    expect(tonight).toMatchObject([
      { score: 390, beat: null, machine: hoop.name, username: player.username },
      { score: 402, beat: 364, avatar_color: player.avatar_color },
      { score: 364, beat: null },
    ]);
  });

  test('MACH-14: leaves out what a machine recorded in another venue', async () => {
    const { hoop, token: before } = await arcade();
    const { token, venue } = await arcade();
    const player = await makePlayer(t);
    const league = await makeLeague(t);
    await makeTeam(t, league, [player]);
    await makeTeam(t, league);
    const from = t.clock.now().toISOString().slice(0, 10);
    await generateSchedule(t, league, { weeks: 1, from });
    await makeGames(t, hoop, player, [{ score: 222 }]);
    const shown = async (of: string) => {
      const { tonight, achievements, leagues } = (await show(of)).body;
      return [tonight, achievements, leagues].map(({ length }) => length > 0);
    };
    expect(await shown(before)).toEqual([true, true, true]);
    t.clock.advance(1000);
    await t.call('POST', '/api/operator/machines/change/', {
      as: operator,
      body: { machine: hoop.name, venue },
    });
    expect(await shown(token)).toEqual([false, false, false]);
    t.clock.advance(61_000);
    await makeGames(t, hoop, player, [{ score: 333 }]);
    expect((await show(token)).body.tonight).toMatchObject([{ score: 333 }]);
  });

  test('leaves out games before 06:00 of the venue, and void games', async () => {
    const { hoop, token, venue } = await arcade();
    await t.db
      .updateTable('venues')
      .set({ timezone: 'America/New_York' })
      .where('name', '=', venue)
      .execute();
    const player = await makePlayer(t);
    const noon = t.clock.now();
    const at = (hour: number) => new Date(new Date(noon).setUTCHours(hour, 30, 0, 0));
    // A night in New York begins at 06:00, which is 10:00 or 11:00 UTC.
    await makeGames(t, hoop, player, [{ score: 111, played_at: at(9) }]);
    const games = await makeGames(t, hoop, player, [
      { score: 222, played_at: at(11) },
      { score: 333, played_at: at(11) },
    ]);
    await voidGame(t, games[1]?.seq ?? 0);
    expect((await show(token)).body.tonight.map(({ score }: { score: number }) => score)).toEqual([
      222,
    ]);
  });

  test('PROD-114: after a change of the clock, games since 06:00 keep the offset of their time', async () => {
    const { token, venue } = await arcade();
    await t.db
      .updateTable('venues')
      .set({ timezone: 'Europe/Amsterdam' })
      .where('name', '=', venue)
      .execute();
    const before = t.clock.now().getTime();
    const goTo = (at: number) => t.clock.advance(at - t.clock.now().getTime());
    const at = '2027-10-31T01:00:00.000Z';
    goTo(Date.parse(at) + 60 * 60_000);
    const winter = { at, utc_offset: 60 };
    expect((await show(token)).body.venue).toMatchObject({ utc_offset: 120, utc_change: winter });
    goTo(Date.parse(at) + 6 * 60 * 60_000);
    expect((await show(token)).body.venue).toMatchObject({ utc_offset: 60, utc_change: null });
    goTo(before);
  });

  test('P68: names only players who chose "also the screens in venues" and are of age', async () => {
    const { hoop, token } = await arcade();
    const born = (years: number) =>
      new Date(t.clock.now().getTime() - years * 365.25 * 86_400_000).toISOString().slice(0, 10);
    const people = [
      await makePlayer(t, { visibility: 'venue', date_of_birth: born(30) }),
      await makePlayer(t, { visibility: 'players', date_of_birth: born(30) }),
      await makePlayer(t, { visibility: 'league', date_of_birth: born(30) }),
      await makePlayer(t, { visibility: 'venue', date_of_birth: born(16) }),
    ];
    for (const [at, player] of people.entries())
      await makeGames(t, hoop, player, [{ score: 500 - at }]);
    const { body } = await show(token);
    const names = new RegExp(people.map(({ username }) => username).join('|'), 'g');
    expect(new Set(JSON.stringify(body).match(names))).toEqual(new Set([people[0]?.username]));
    expect(body.all).toMatchObject([
      { place: 1, score: 500, username: people[0]?.username },
      { place: 2, score: 499, username: null, avatar_color: null, jersey_number: null },
      { place: 3, score: 498, username: null },
      { place: 4, score: 497, username: null },
    ]);
    expect(body.tonight).toHaveLength(4);
    expect(body.achievements.length).toBeGreaterThan(0);
  });

  test('has the matchups of the week with live totals, and a bye', async () => {
    const { hoop, token } = await arcade();
    const league = await makeLeague(t);
    const players = [await makePlayer(t), await makePlayer(t), await makePlayer(t)];
    for (const [at, player] of players.entries())
      await makeTeam(t, league, [player], { name: `Team ${'ABC'[at]}` });
    const from = t.clock.now().toISOString().slice(0, 10);
    await generateSchedule(t, league, { weeks: 3, from });
    for (const player of players)
      await makeGames(t, hoop, player, [{ score: 100 * (players.indexOf(player) + 1) }]);
    const [shown] = (await show(token)).body.leagues;
    expect(shown).toMatchObject({ name: league.name });
    expect(shown.weeks - shown.week).toBe(2);
    expect(shown.matchups).toHaveLength(2);
    const totals = shown.matchups.flatMap(
      ({ home, away }: { home: { total: number }; away: { total: number } | null }) => [
        home.total,
        ...(away === null ? [] : [away.total]),
      ],
    );
    expect(totals.toSorted()).toEqual([100, 200, 300]);
    expect(shown.matchups[1]).toMatchObject({ home: { games: 1, games_max: 8 }, away: null });

    // HAND-T1: the matchups of next week are shown from Saturday on, by the league's clock.
    expect(shown.next).toBeNull();
    const saturday = startOf(addDays(weekOf(t.clock.now(), league.timezone), 5), league.timezone);
    t.clock.advance(saturday.getTime() - 60_000 - t.clock.now().getTime());
    expect((await show(token)).body.leagues[0].next).toBeNull();
    t.clock.advance(60_000);
    const { next } = (await show(token)).body.leagues[0];
    expect(next.week).toBe(shown.week + 1);
    expect(next.matchups).toHaveLength(2);
    expect(next.matchups[1].away).toBeNull();
    const names = next.matchups.flatMap(({ home, away }: { home: string; away: string | null }) => [
      home,
      ...(away === null ? [] : [away]),
    ]);
    expect(names.toSorted()).toEqual(['Team A', 'Team B', 'Team C']);
  });

  test('has at most 10 kB gzip when everything is full and nothing repeats', async () => {
    const { hoop, token, id, venue } = await arcade();
    const noise = (length: number) =>
      Array.from({ length: Math.ceil(length / 32) }, () => randomUUID().replaceAll('-', ''))
        .join('')
        .slice(0, length);
    const from = t.clock.now().toISOString().slice(0, 10);
    for (let n = 0; n < 3; n += 1) {
      const league = await makeLeague(t, { name: noise(60) });
      for (let team = 0; team < 32; team += 1) {
        const player = await makePlayer(t, {
          username: noise(30),
          visibility: 'venue',
          avatar_color: `#${noise(6).toUpperCase()}`,
        });
        await makeTeam(t, league, [player], { name: noise(40) });
        if (team < 12) await makeGames(t, hoop, player, [{ score: 9_000 - 7 * team }]);
      }
      await generateSchedule(t, league, { weeks: 1, from });
    }
    const weekly = 'mon-sun 00:00-06:00, mon-sun 07:00-15:00, mon-sun 16:00-23:00';
    for (const place of [{ venue }, { screen: id }])
      await t.call('POST', '/api/operator/screens/notice/', {
        body: { ...place, notice: noise(200), weekly },
        as: operator,
      });
    const { body } = await show(token);
    expect(body.notices.length).toBeGreaterThan(8);
    expect(() => screenAnswer.parse(body)).not.toThrow();
    expect(
      [body.tonight, body.all, body.leagues, body.achievements].map(({ length }) => length),
    ).toEqual([6, 10, 3, 6]);
    expect(body.leagues[0].matchups).toHaveLength(16);
    expect(gzipSync(JSON.stringify(body)).length).toBeLessThan(10_000);
  });

  test('reads at most 1,000 rows of 6,000 games', { timeout: 120_000 }, async () => {
    const { hoop, token } = await arcade();
    const read = readRows(t);
    const players = await Promise.all(Array.from({ length: 10 }, () => makePlayer(t)));
    /** Plays `count` games for each player, one an hour, starting `back` hours ago. */
    const play = async (count: number, back: number) => {
      for (const player of players)
        await makeGames(
          t,
          hoop,
          player,
          Array.from({ length: count }, (_, n) => ({
            score: n % 500,
            played_at: new Date(t.clock.now().getTime() - (back + n) * 3_600_000),
          })),
        );
      await t.pool.query('vacuum analyze');
    };
    const rows = async () =>
      (await read(() => show(token))).reduce((sum, cost) => sum + cost.rows, 0);
    await play(600, 24);
    expect(await rows()).toBeLessThan(1_000);
  });
});

describe('staff', () => {
  test('set slides, their order and seconds, and cannot turn off the last slide', async () => {
    const { id, token } = await makeScreen();
    const slides = [
      { slide: 'join', on: true, seconds: 30 },
      { slide: 'tonight', on: true, seconds: 12 },
      { slide: 'week', on: false, seconds: 12 },
    ];
    const changed = await change({ screen: id, slides });
    expect(changed.body.slides).toHaveLength(10);
    expect((await show(token)).body.slides).toEqual([
      { slide: 'join', seconds: 30 },
      { slide: 'tonight', seconds: 12 },
    ]);
    for (const wrong of [
      [{ slide: 'join', on: false, seconds: 30 }],
      [{ slide: 'join', on: true, seconds: 4 }],
      [{ slide: 'jackpot', on: true, seconds: 12 }],
      [slides[0], slides[0]],
    ])
      expect((await change({ screen: id, slides: wrong })).status).toBe(400);
  });

  test('see similar names when they mistype one, and cannot use a name twice', async () => {
    const { name } = await makeScreen({ name: 'Lane wall' });
    const { id } = await makeScreen();
    const missed = await change({ screen: 'Lane wal' });
    expect([missed.status, missed.body.detail]).toEqual([
      404,
      'There is no screen “Lane wal”. Did you mean “Lane wall”?',
    ]);
    expect((await change({ screen: id, name: name.toUpperCase() })).status).toBe(409);
    const dotted = await makeScreen({ name: 'İzmir' });
    expect((await change({ screen: id, name: dotted.name })).status).toBe(409);
    const { code } = (await pair()).body;
    expect((await add(code, { venue: 'Dockside Arcad' })).body.detail).toMatch(/Dockside Arcade/);
    expect((await add(code, { name })).status).toBe(409);
    expect((await add(code)).status).toBe(201);
  });

  test('see the waiting television, what it shows, and whether it is live', async () => {
    const { code } = (await pair()).body;
    const waiting = (typed: string) =>
      t.call('GET', `/api/operator/screens/waiting/?code=${typed}`, { as: operator, ip: makeIp() });
    expect((await waiting(code)).body).toMatchObject({ code, width: 1920, height: 1080 });
    expect((await waiting('ZZZZZZ')).status).toBe(404);
    const { name, token, id } = await makeScreen();
    const row = async () => {
      const { body } = await t.call('GET', '/api/operator/screens/', { as: operator });
      return body.results.find((one: { id: string }) => one.id === id);
    };
    expect(await row()).toMatchObject({ live: false, last_seen_at: null });
    await show(token);
    expect(await row()).toMatchObject({ live: true, paired: true });
    t.clock.advance(150_000);
    expect(await row()).toMatchObject({ live: false });
    const preview = await t.call('GET', `/api/operator/screens/preview/?screen=${id}`, {
      as: operator,
    });
    expect(preview.body).toMatchObject({ name, venue: { name: VENUE } });
  });

  test('set a notice of 200 characters, and remove it', async () => {
    const { token } = await makeScreen();
    const set = (notice: string | null) =>
      t.call('POST', '/api/operator/screens/notice/', {
        body: { venue: VENUE, notice },
        as: operator,
      });
    expect((await set('x'.repeat(201))).status).toBe(400);
    expect((await set('🏀'.repeat(201))).status).toBe(400);
    expect((await set('🏀'.repeat(200))).status).toBe(200);
    expect((await set('a\u202Eb')).status).toBe(400);
    expect((await set(`  League\n  night  `)).body).toEqual({
      venue: VENUE,
      screen: null,
      timezone: 'UTC',
      notice: 'League night',
      notice_from: null,
      notice_until: null,
      notice_weekly: null,
    });
    expect((await show(token)).body.notice).toBe('League night');
    await set(null);
    expect((await show(token)).body.notice).toBeNull();
  });

  test('SCREEN-08: set when a notice ends, and nothing shows it after that', async () => {
    const { token, id } = await makeScreen();
    const set = (until: string | null, notice: string | null = 'Kitchen closes soon') =>
      t.call('POST', '/api/operator/screens/notice/', {
        body: { venue: VENUE, notice, until },
        as: operator,
      });
    for (const wrong of ['', 'soon', '2026-02-30 22:00', '2999-01-01T24:00', '2999-01-01T22:00Z'])
      expect([wrong, (await set(wrong)).status]).toEqual([wrong, 400]);
    expect((await set('2020-01-01 22:00')).body).toEqual({
      until: ['This time is past at the venue. Choose a later one.'],
    });
    const end = new Date(Math.ceil((t.clock.now().getTime() + 1) / 60_000) * 60_000 + 120_000);
    const answer = await set(end.toISOString().slice(0, 16).replace('T', ' '));
    expect(answer.body.notice_until).toBe(end.toISOString());
    const row = async () => {
      const { body } = await t.call('GET', '/api/operator/screens/', { as: operator });
      return body.results.find((one: { id: string }) => one.id === id);
    };
    const up = { notice: 'Kitchen closes soon', notice_until: end.toISOString() };
    expect((await show(token)).body).toMatchObject(up);
    expect(await row()).toMatchObject({ ...up, timezone: 'UTC', closes: false });
    t.clock.advance(end.getTime() - t.clock.now().getTime());
    const gone = { notice: null, notice_until: null };
    expect((await show(token)).body).toMatchObject(gone);
    expect(await row()).toMatchObject(gone);

    const closes = (await row()).closes_at;
    expect((await set(closes)).body.notice_until).toBe(closes);
    expect((await set('closing')).body.notice_until).toBe(closes);
    expect((await set('closing', null)).body).toMatchObject(gone);
    const [line] = await t.db
      .selectFrom('audit')
      .select(['before', 'after'])
      .orderBy('id', 'desc')
      .limit(1)
      .execute();
    expect(line).toMatchObject({
      before: { until: closes.slice(0, 16).replace('T', ' ') },
      after: { notice: null, until: null },
    });
  });

  test('HAND-C14: a screen’s own notice comes before the venue’s while it is due', async () => {
    const { token, id, name } = await makeScreen();
    const other = await makeScreen();
    const rows = async () => {
      const { body } = await t.call('GET', '/api/operator/screens/', { as: operator });
      const row = (of: string) => body.results.find((one: { id: string }) => one.id === of);
      return [row(id), row(other.id)];
    };
    const set = (body: object) =>
      t.call('POST', '/api/operator/screens/notice/', {
        body: { notice: 'Order here', ...body },
        as: operator,
      });
    const now = t.clock.now().getTime();
    const at = (minutes: number) => new Date(now + minutes * 60_000).toISOString();
    const [from, until] = [at(60), at(120)];
    await set({ venue: VENUE, notice: 'League night' });
    const answer = await set({ screen: id, from, until });
    const own = { notice: 'Order here', notice_from: from, notice_until: until };
    expect(answer.body).toEqual({
      venue: VENUE,
      screen: name,
      timezone: 'UTC',
      ...own,
      notice_weekly: null,
    });
    expect(await rows()).toMatchObject([
      { notice: 'League night', own },
      { notice: 'League night', own: { notice: null } },
    ]);
    const house = { text: 'League night', from: null, until: null };
    const mine = { text: 'Order here', from, until };
    expect((await show(token)).body.notices).toEqual([mine, house]);
    expect((await show(other.token)).body.notices).toEqual([house]);
    const texts = [];
    for (const minutes of [0, 60, 120]) {
      t.clock.advance(now + minutes * 60_000 - t.clock.now().getTime());
      texts.push((await show(token)).body.notice);
    }
    expect(texts).toEqual(['League night', 'Order here', 'League night']);
    const [line] = await t.db
      .selectFrom('audit')
      .select(['what', 'after'])
      .orderBy('id', 'desc')
      .limit(1)
      .execute();
    expect(line).toMatchObject({ what: `Set the notice of ${name}`, after: { weekly: null } });

    const weekly = { venue: VENUE, notice: 'Happy hour', weekly: 'mon-sun 00:00-24:00' };
    expect((await set(weekly)).body).toMatchObject({ notice_weekly: 'mon-sun 00:00-24:00' });
    expect((await show(other.token)).body.notice).toBe('Happy hour');
    for (const [wrong, why] of [
      [{ notice: 'x' }, { venue: ['Name one venue or one screen.'] }],
      [{ venue: VENUE, screen: id }, { venue: ['Name one venue or one screen.'] }],
      [
        { ...weekly, until: 'closing' },
        { weekly: ['Give days of the week, or a begin and an end, not both.'] },
      ],
      [{ screen: id, from: at(300), until: at(200) }, { until: [expect.stringMatching(/later/)] }],
      [{ ...weekly, weekly: 'fri' }, { weekly: [expect.stringMatching(/Write them as/)] }],
    ])
      expect(await set(wrong as object)).toMatchObject({ status: 400, body: why });
  });
});
