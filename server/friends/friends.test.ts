import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { FRIEND_CODE_DEAD, FRIENDS_MAX } from '#contract/rules/friends.ts';
import { friendCalls } from '#contract/wire/friends.ts';
import {
  goToMidweek,
  makeGames,
  makeIp,
  makeLeague,
  makeMachine,
  makePlayer,
  makeSession,
  makeStaff,
  makeTeam,
} from '#testing/app/make.ts';
import { withApp } from '#testing/app/test-app.ts';
import { addDays, weekOf } from '../leagues/calendar.ts';
import { addToTeam, removeFromTeam } from '../leagues/rosters.ts';
import { generateSchedule } from '../leagues/schedule.ts';

const t = withApp();
const PATH = '/api/friends/';
const DEAD = { detail: FRIEND_CODE_DEAD };
const years = (n: number) =>
  new Date(t.clock.now().getTime() - n * 365.25 * 86_400_000).toISOString().slice(0, 10);

async function aPlayer(columns: Parameters<typeof makePlayer>[1] = {}) {
  const player = await makePlayer(t, { visibility: 'league', ...columns });
  const ip = makeIp();
  const call = async (method: string, path: string, body?: unknown) =>
    t.call(method, path.startsWith('/') ? path : `${PATH}${path}`, {
      as: await makeSession(t, player),
      ip,
      ...(body === undefined ? {} : { body }),
    });
  return {
    ...player,
    call,
    show: async (): Promise<string> => (await call('POST', 'code/')).body.code,
    open: (code: string) => call('POST', 'open/', { code }),
    ask: (code: string) => call('POST', 'ask/', { code }),
    answer: async (yes: boolean, block?: boolean, to?: string) => {
      const shown = to ?? (await call('GET', 'code/')).body.expires_at;
      return call('POST', 'code/answer/', {
        yes,
        block,
        expires_at: shown ?? '2026-01-01T00:00:00Z',
      });
    },
    names: async () => {
      const { body } = await call('GET', '');
      return body.results.map(({ username }: { username: string }) => username);
    },
    numberOf: async (name: string | null): Promise<string> => {
      const { body } = await call('GET', '');
      return body.results.find((one: { username: string }) => one.username === name)?.n ?? '0';
    },
  };
}
type Someone = Awaited<ReturnType<typeof aPlayer>>;

async function befriend(one: Someone, other: Someone) {
  const code = await one.show();
  expect((await other.ask(code)).status).toBe(204);
  expect((await one.answer(true)).status).toBe(204);
}

describe('friends are made in person (FRIEND-01 to FRIEND-03)', () => {
  test('FRIEND-01, FRIEND-02, FRIEND-03: one player shows a code, another asks with it, and the first accepts', async () => {
    const [maya, joe] = [await aPlayer(), await aPlayer()];
    expect((await maya.call('GET', 'code/')).status).toBe(404);
    const code = await maya.show();
    expect(code).toMatch(/^[A-HJKMNP-Z2-9]{8}$/);
    expect((await joe.open(` ${code.toLowerCase().slice(0, 4)} ${code.slice(4)}`)).body).toEqual({
      username: maya.username,
      avatar_color: maya.avatar_color,
      jersey_number: maya.jersey_number,
    });
    expect((await joe.open(`http://localhost:3000/friend/${code}`)).status).toBe(200);
    expect((await maya.call('GET', 'code/')).body.asked_by).toBeNull();
    expect((await joe.ask(code)).status).toBe(204);
    expect((await joe.ask(code)).status).toBe(204);
    expect((await maya.call('GET', 'code/')).body.asked_by.username).toBe(joe.username);
    expect(await maya.names()).toEqual([]);
    expect((await maya.answer(true)).status).toBe(204);
    expect(await maya.names()).toEqual([joe.username]);
    expect(await joe.names()).toEqual([maya.username]);
    expect((await maya.answer(true)).status).toBe(400);
    const { rows } = await sql<{ row: string }>`select c::text as row from friend_codes c`.execute(
      t.db,
    );
    expect(rows.map(({ row }) => row).join()).not.toContain(code);
  });

  test('FRIEND-02: a code works once within ten minutes, and a new code replaces the old one', async () => {
    const [maya, joe, lil] = [await aPlayer(), await aPlayer(), await aPlayer()];
    const first = await maya.show();
    const second = await maya.show();
    expect(await joe.open(first)).toMatchObject({ status: 400, body: DEAD });
    expect((await joe.ask(second)).status).toBe(204);
    // Nobody else can ask with this code any more.
    expect(await lil.ask(second)).toMatchObject({ status: 400, body: DEAD });
    await maya.answer(false);
    expect(await joe.ask(second)).toMatchObject({ status: 400, body: DEAD });
    const third = await maya.show();
    t.clock.advance(10 * 60_000 + 1);
    expect(await joe.open(third)).toMatchObject({ status: 400, body: DEAD });
    expect((await maya.answer(true)).status).toBe(400);
    expect(await maya.names()).toEqual([]);
  });

  test('FRIEND-03: an acceptance is for the player who asked with that code, not with the next code', async () => {
    const [maya, joe, lil] = [await aPlayer(), await aPlayer(), await aPlayer()];
    await joe.ask(await maya.show());
    const { expires_at } = (await maya.call('GET', 'code/')).body;
    t.clock.advance(1_000);
    await lil.ask(await maya.show());
    expect(await maya.answer(true, false, expires_at)).toMatchObject({ status: 400, body: DEAD });
    expect(await maya.names()).toEqual([]);
    expect((await maya.answer(true)).status).toBe(204);
    expect(await maya.names()).toEqual([lil.username]);
  });

  test('FRIEND-01, P100: no call takes anything about another player except a code that the player shows', () => {
    const taken = Object.values(friendCalls as Record<string, { body?: object; params?: object }>)
      .flatMap(({ body, params }) => [body, params])
      .flatMap((schema) => Object.keys((schema as { shape?: object } | undefined)?.shape ?? {}));
    expect([...new Set(taken)].toSorted()).toEqual(['block', 'code', 'expires_at', 'n', 'yes']);
  });

  test('FRIEND-08: a player who asks twice with 99 friends gets one more', async () => {
    const [maya, joe, lil] = [await aPlayer(), await aPlayer(), await aPlayer()];
    const others = await Promise.all(Array.from({ length: FRIENDS_MAX - 1 }, () => makePlayer(t)));
    for (const { id } of others)
      await sql`insert into friendships (player_id, friend_id, since)
        values (${lil.id}, ${id}, ${t.clock.now()}), (${id}, ${lil.id}, ${t.clock.now()})`.execute(
        t.db,
      );
    for (const one of [maya, joe]) expect((await lil.ask(await one.show())).status).toBe(204);
    expect((await maya.answer(true)).status).toBe(204);
    expect(await joe.answer(true)).toMatchObject({
      status: 400,
      body: { detail: 'The player who asks has 100 friends, the most there can be.' },
    });
    expect(await joe.names()).toEqual([]);
    expect(await lil.names()).toHaveLength(FRIENDS_MAX);
  });

  test('FRIEND-12: a player may make twenty codes an hour, and ask twenty times a day', async () => {
    const [maya, joe] = [await aPlayer(), await aPlayer()];
    const many = async (times: number, work: () => Promise<{ status: number }>) => {
      const statuses = [];
      for (let n = 0; n < times; n += 1) statuses.push((await work()).status);
      return statuses;
    };
    const twenty = (status: number) => Array.from({ length: 20 }, () => status);
    expect(await many(21, () => maya.call('POST', 'code/'))).toEqual([...twenty(200), 429]);
    t.clock.advance(3_600_000);
    const code = await maya.show();
    expect(await many(21, () => joe.ask(code))).toEqual([...twenty(204), 429]);
    t.clock.advance(23 * 3_600_000);
    expect((await joe.ask(await maya.show())).status).toBe(429);
    t.clock.advance(3_600_000);
    expect((await joe.ask(await maya.show())).status).toBe(204);
  });

  test('FRIEND-12, P98: a player may try ten wrong codes an hour, and further tries do not count for the network', async () => {
    const guesser = await aPlayer();
    for (let n = 0; n < 10; n += 1)
      expect(await guesser.open('AAAAAAAA')).toMatchObject({ status: 400, body: DEAD });
    const ofNetwork = async () =>
      (await sql`select points from limits where key like 'friend_wrong_network:%'`.execute(t.db))
        .rows;
    const before = await ofNetwork();
    expect(before).toContainEqual({ points: 10 });
    expect((await guesser.open('AAAAAAAA')).status).toBe(429);
    // The network is charged only for calls within the player's own limit.
    expect(await ofNetwork()).toEqual(before);
  });

  test('P98: a network may try sixty wrong codes an hour, and its refusals are no wrong codes of the player', async () => {
    const [ip, shower] = [makeIp(), await aPlayer()];
    const tryAs = async (one: Someone, code: string, from = ip) =>
      (
        await t.call('POST', `${PATH}open/`, {
          as: await makeSession(t, one),
          ip: from,
          body: { code },
        })
      ).status;
    for (let n = 0; n < 6; n += 1) {
      const guesser = await aPlayer();
      for (let wrong = 0; wrong < 10; wrong += 1)
        expect(await tryAs(guesser, 'AAAAAAAA')).toBe(400);
    }
    const [code, neighbour] = [await shower.show(), await aPlayer()];
    for (let n = 0; n < 11; n += 1) expect(await tryAs(neighbour, code)).toBe(429);
    expect(await tryAs(neighbour, code, makeIp())).toBe(200);
    t.clock.advance(3_600_000);
    expect(await tryAs(neighbour, await shower.show())).toBe(200);
  });

  test('FRIEND-12, P98: wrong codes of one player count together, over all networks and sessions', async () => {
    const [guesser, other, shower] = [await aPlayer(), await aPlayer(), await aPlayer()];
    const code = await shower.show();
    const tryFrom = async (ip: string, one: Someone, typed: string, path = 'open/') =>
      t.call('POST', `${PATH}${path}`, {
        as: await makeSession(t, one),
        ip,
        body: { code: typed },
      });
    for (let n = 0; n < 10; n += 1) {
      const answer = await tryFrom(makeIp(), guesser, 'AAAAAAAA', n % 2 === 0 ? 'open/' : 'ask/');
      expect(answer).toMatchObject({ status: 400, body: DEAD });
    }
    const fresh = makeIp();
    for (const path of ['open/', 'ask/'])
      expect((await tryFrom(fresh, guesser, code, path)).status).toBe(429);
    expect((await tryFrom(fresh, other, code)).status).toBe(200);
    t.clock.advance(3_600_000);
    expect((await tryFrom(fresh, guesser, await shower.show())).status).toBe(200);
  });
});

describe('who may be friends (FRIEND-04, FRIEND-05, P99)', () => {
  test('FRIEND-04, P98: wrong, own, used, blocked and disallowed codes get the same sentence in the same time', async () => {
    const [adult, child] = [await aPlayer(), await aPlayer({ date_of_birth: years(15) })];
    const blocker = await aPlayer();
    await befriend(blocker, adult);
    await blocker.call('POST', `${await blocker.numberOf(adult.username)}/block/`);
    const shower = await aPlayer();
    const used = await shower.show();
    await (await aPlayer()).ask(used);
    const cases: Record<string, string> = {
      wrong: 'ABCDEFGH',
      own: await adult.show(),
      used,
      child: await child.show(),
      blocked: await blocker.show(),
    };
    // Take the fastest of several rounds, because other work on the computer delays some.
    const fastest: Record<string, number> = {};
    const apart = () => {
      const times = Object.values(fastest);
      return Math.max(...times) - Math.min(...times);
    };
    for (let round = 0; round < 9 || (round < 60 && apart() >= 10); round += 1)
      for (const [name, code] of Object.entries(cases)) {
        await sql`delete from limits`.execute(t.db);
        const began = performance.now();
        const { status, body } = await adult.open(code);
        fastest[name] = Math.min(fastest[name] ?? Infinity, performance.now() - began);
        expect([name, status, body]).toEqual([name, 400, DEAD]);
        expect(await adult.ask(code)).toMatchObject({ status: 400, body: DEAD });
      }
    expect(apart()).toBeLessThan(10);
  });

  test('FRIEND-04, FRIEND-05, P99: the friendship of an adult and a child is active only while they are on one team', async () => {
    const league = await makeLeague(t);
    const [adult, child] = [await aPlayer(), await aPlayer({ date_of_birth: years(15) })];
    const team = await makeTeam(t, league, [adult, child]);
    const other = await makeTeam(t, league);
    await befriend(adult, child);
    expect(await adult.names()).toEqual([child.username]);
    const n = await adult.numberOf(child.username);
    await removeFromTeam(t, team, child.email);
    expect(await adult.names()).toEqual([]);
    expect(await child.names()).toEqual([]);
    expect((await adult.call('GET', `${n}/`)).status).toBe(404);
    await addToTeam(t, other, [child.email]);
    expect(await adult.names()).toEqual([]);
    await removeFromTeam(t, other, child.email);
    await addToTeam(t, team, [child.email]);
    expect(await adult.names()).toEqual([child.username]);
  });

  test('FRIEND-04, FRIEND-05, P99: two children may be friends, and the friendship sleeps while only one is 18', async () => {
    const [one, other] = [
      await aPlayer({ date_of_birth: years(16) }),
      await aPlayer({ date_of_birth: years(15) }),
    ];
    await befriend(one, other);
    expect(await one.names()).toEqual([other.username]);
    await sql`update players set date_of_birth = ${years(19)} where id = ${one.id}`.execute(t.db);
    expect(await one.names()).toEqual([]);
    expect(await other.names()).toEqual([]);
    await sql`update players set date_of_birth = ${years(19)} where id = ${other.id}`.execute(t.db);
    expect(await one.names()).toEqual([other.username]);
  });

  test('an acceptance is checked again after a player has left the team', async () => {
    const league = await makeLeague(t);
    const [adult, child] = [await aPlayer(), await aPlayer({ date_of_birth: years(15) })];
    const team = await makeTeam(t, league, [adult, child]);
    const code = await child.show();
    await adult.ask(code);
    await removeFromTeam(t, team, adult.email);
    // Now it looks as if nobody had asked.
    const asked = () => child.call('GET', 'code/');
    expect((await asked()).body.asked_by).toBeNull();
    expect((await child.answer(true)).status).toBe(204);
    expect(await child.names()).toEqual([]);
    expect((await asked()).status).toBe(404);
  });

  test('FRIEND-05, P99: a sleeping friendship’s number gets the same answer as an unknown number', async () => {
    const league = await makeLeague(t);
    const [adult, child] = [await aPlayer(), await aPlayer({ date_of_birth: years(15) })];
    const team = await makeTeam(t, league, [adult, child]);
    await befriend(adult, child);
    const n = await adult.numberOf(child.username);
    await removeFromTeam(t, team, child.email);
    expect((await adult.call('POST', `${n}/block/`)).status).toBe(204);
    expect((await adult.call('GET', '/api/blocks/')).body.results).toEqual([]);
  });

  test('FRIEND-03, P98: only one of two simultaneous answers counts', async () => {
    const other = await t.sibling();
    for (let round = 0; round < 5; round += 1) {
      const [maya, joe] = [await aPlayer(), await aPlayer()];
      await joe.ask(await maya.show());
      const { expires_at } = (await maya.call('GET', 'code/')).body;
      const as = await makeSession(t, maya);
      const answers = await Promise.all(
        [t, other].map((app, at) =>
          app.call('POST', '/api/friends/code/answer/', {
            as,
            body: { yes: at === 0, expires_at },
          }),
        ),
      );
      expect(answers.map(({ status }) => status).toSorted()).toEqual([204, 400]);
      const saidYes = answers[0]?.status === 204;
      expect([await maya.names(), await joe.names()]).toEqual(
        saidYes ? [[joe.username], [maya.username]] : [[], []],
      );
    }
  });

  test('P101: an acceptance and a simultaneous block make no friendship', async () => {
    for (let round = 0; round < 10; round += 1) {
      const [one, other] = [await aPlayer(), await aPlayer()];
      await other.ask(await one.show());
      await one.ask(await other.show());
      await Promise.all([one.answer(true), other.answer(false, true)]);
      expect((await other.call('GET', '/api/blocks/')).body.results).toHaveLength(1);
      expect([await one.names(), await other.names()]).toEqual([[], []]);
    }
  });
});

describe('what a friend sees (FRIEND-06 to FRIEND-09, P102)', () => {
  test('FRIEND-06, FRIEND-07, FRIEND-08, FRIEND-09, P102: a friend sees name, figures and weeks, but no place and no time', async () => {
    goToMidweek(t);
    const [maya, joe, stranger] = [await aPlayer(), await aPlayer(), await aPlayer()];
    const machine = await makeMachine(t, { name: 'Secret hoop', venue: 'Secret venue' });
    const monday = (weeks: number) =>
      new Date(t.clock.now().getTime() - (2 + 7 * weeks) * 86_400_000);
    const week = (scores: number[], weeks: number) =>
      scores.map((score, n) => ({
        score,
        played_at: new Date(monday(weeks).getTime() + n * 600_000),
      }));
    await makeGames(t, machine, maya, [
      ...week([100, 100, 100, 100, 1], 1),
      ...week([10, 10, 10, 10], 2),
      ...week([50, 50, 50], 3),
      { score: 77 },
    ]);
    await makeGames(t, machine, joe, [
      ...week([90, 90, 90, 90, 5], 1),
      ...week([10, 10, 10, 10], 2),
      ...week([500, 500, 500, 500], 3),
    ]);
    expect((await board(maya)).includes(String(joe.username))).toBe(false);
    await befriend(maya, joe);
    expect((await board(maya)).includes(String(joe.username))).toBe(true);
    expect((await board(stranger)).includes(String(joe.username))).toBe(false);
    // FRIEND-08: the player and friends alone, with places among them.
    const friendsBoard = async (viewer: Someone, period: string) => {
      const { body } = await viewer.call(
        'GET',
        `/api/leaderboards/?scope=friends&period=${period}`,
      );
      const rows = body.results.map(
        ({ place, username, score }: Record<string, unknown>) => `${place} ${username} ${score}`,
      );
      return [body.friends, ...rows];
    };
    expect(await friendsBoard(maya, 'all')).toEqual([
      true,
      `1 ${joe.username} 500`,
      `2 ${maya.username} 100`,
    ]);
    expect(await friendsBoard(maya, 'week')).toEqual([true, `1 ${maya.username} 77`]);
    expect(await friendsBoard(stranger, 'all')).toEqual([false]);
    const { body: list } = await maya.call('GET', '');
    expect(list).toMatchObject({
      results: [{ username: joe.username, high_score: 500, games: 13, best_week_game: null }],
      me: { high_score: 100, best_week_game: 77 },
    });
    const { body } = await maya.call('GET', `${list.results[0].n}/`);
    expect(
      body.weeks.map(({ mine, theirs, result }: Record<string, unknown>) => [mine, theirs, result]),
    ).toEqual([
      [400, 360, 'won'],
      [40, 40, 'level'],
    ]);
    const text = JSON.stringify([list, body]);
    expect(text).not.toMatch(/Secret|T\d\d:|\d\d:\d\d/);
  });

  test('FRIEND-09: the two met in finished league weeks, not in the running one', async () => {
    goToMidweek(t);
    const [maya, joe] = [await aPlayer(), await aPlayer()];
    await befriend(maya, joe);
    const week = weekOf(t.clock.now(), 'UTC');
    const league = await makeLeague(t, { starts: addDays(week, -7) });
    await makeTeam(t, league, [maya], { name: 'Mayas' });
    await makeTeam(t, league, [joe], { name: 'Joes' });
    await generateSchedule(t, league, { weeks: 2 });
    const machine = await makeMachine(t);
    const lastWeek = { played_at: new Date(t.clock.now().getTime() - 7 * 86_400_000) };
    await makeGames(t, machine, maya, [{ score: 300, ...lastWeek }, { score: 10 }]);
    await makeGames(t, machine, joe, [{ score: 200, ...lastWeek }, { score: 900 }]);
    const met = async () =>
      (await maya.call('GET', `${await maya.numberOf(joe.username)}/`)).body.met;
    const first = { week: addDays(week, -7), own: 300, other: 200, result: 'won' };
    expect(await met()).toMatchObject([first]);
    t.clock.advance(7 * 86_400_000);
    expect(await met()).toMatchObject([{ week, own: 10, other: 900, result: 'lost' }, first]);
  });

  test('P102: a friend’s stream gets no event when the player plays', async () => {
    const [maya, joe] = [await aPlayer(), await aPlayer()];
    await befriend(maya, joe);
    const machine = await makeMachine(t);
    const heard: string[] = [];
    const listener = await t.pool.connect();
    listener.on('notification', ({ payload }) => heard.push(payload ?? ''));
    await listener.query('listen backboard_live');
    await makeGames(t, machine, joe, [{ score: 388 }]);
    await expect.poll(() => heard.join()).toMatch(new RegExp(`\\b${joe.id}\\b`));
    await listener.query('unlisten *');
    listener.release(true);
    expect(heard.join()).not.toMatch(new RegExp(`\\b${maya.id}\\b`));
  });

  async function board(viewer: Someone): Promise<string> {
    const as = await makeSession(t, viewer);
    const { body } = await t.call('GET', '/api/leaderboards/?scope=all&period=all', { as });
    return JSON.stringify(body);
  }
});

describe('the end of a friendship (FRIEND-10, P100, P101)', () => {
  test('FRIEND-10, P100: a friendship ends for both players at once, and its number is never used again', async () => {
    const [maya, joe, lil] = [await aPlayer(), await aPlayer(), await aPlayer()];
    await befriend(maya, joe);
    const n = await maya.numberOf(joe.username);
    expect((await lil.call('GET', `${n}/`)).status).toBe(404);
    for (const path of [`${n}/`, `${n}/block/`, '0/', 'x/', '99999999999999999999/'])
      await lil.call(path.endsWith('block/') ? 'POST' : 'DELETE', path);
    expect(await maya.names()).toEqual([joe.username]);
    expect((await maya.call('DELETE', `${n}/`)).status).toBe(204);
    expect((await maya.call('DELETE', `${n}/`)).status).toBe(204);
    expect(await joe.names()).toEqual([]);
    await befriend(maya, joe);
    expect(await maya.numberOf(joe.username)).not.toBe(n);
  });

  test('FRIEND-10, P101: a block ends the codes between two players, and the blocked player cannot see it', async () => {
    const [maya, joe] = [await aPlayer(), await aPlayer()];
    await joe.ask(await maya.show());
    expect((await maya.answer(false, true)).status).toBe(204);
    for (const [one, other] of [
      [maya, joe],
      [joe, maya],
    ] as const)
      expect(await other.open(await one.show())).toMatchObject({ status: 400, body: DEAD });
    expect((await joe.call('GET', '/api/blocks/')).body.results).toEqual([]);
    const { body } = await maya.call('GET', '/api/blocks/');
    expect(body.results).toHaveLength(1);
    await joe.call('DELETE', `/api/blocks/${body.results[0].n}/`);
    expect((await maya.call('GET', '/api/blocks/')).body.results).toHaveLength(1);
    await maya.call('DELETE', `/api/blocks/${body.results[0].n}/`);
    expect((await joe.open(await maya.show())).status).toBe(200);
  });

  test('FRIEND-11: deleting an account ends its friendships for both', async () => {
    const [maya, joe] = [await aPlayer(), await aPlayer()];
    await befriend(maya, joe);
    await t.db.deleteFrom('players').where('id', '=', joe.id).execute();
    expect(await maya.names()).toEqual([]);
    const { rows } = await sql`select from friendships where ${maya.id} in (player_id, friend_id)
      or ${joe.id} in (player_id, friend_id)`.execute(t.db);
    expect(rows).toEqual([]);
  });

  test('FRIEND-11: staff see neither friendships nor blocks, and no line of the audit has them', async () => {
    const [maya, joe, lil] = [await aPlayer(), await aPlayer(), await aPlayer()];
    await befriend(maya, joe);
    await befriend(maya, lil);
    await maya.call('POST', `${await maya.numberOf(lil.username)}/block/`);
    const { headers } = await makeStaff(t, { role: 'owner' });
    for (const path of [`players/page/?account=${maya.id}`, 'audit/', 'tonight/']) {
      const { status, body } = await t.call('GET', `/api/operator/${path}`, { headers });
      expect([path, status]).toEqual([path, 200]);
      const text = JSON.stringify(body);
      for (const word of [String(joe.username), String(lil.username), 'friend', 'block'])
        expect([path, text.includes(word)]).toEqual([path, false]);
    }
  });
});
