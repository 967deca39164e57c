import { randomUUID } from 'node:crypto';
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import {
  aGame,
  makeLeague,
  makeMachine,
  makePlayer,
  makeSession,
  makeTeam,
  numberOf,
} from '#testing/app/make.ts';
import { OPERATOR_KEY, type TestApp, withApp } from '#testing/app/test-app.ts';
import { type EventStream, openEvents } from '#testing/event-stream.ts';
import { openAmong } from '../accounts/sessions.ts';
import { ACCESS_LIFE_S, accessTokens } from '../accounts/tokens.ts';
import { openListener } from '../db/listener.ts';
import { CHANNEL, notify } from '../db/notifications.ts';
import { releaseGame, voidGame } from '../games/corrections.ts';
import { deleteTeam, renameTeam } from '../leagues/leagues.ts';
import { importRoster } from '../leagues/roster-import.ts';
import { addToTeam, removeFromTeam } from '../leagues/rosters.ts';
import { generateSchedule } from '../leagues/schedule.ts';
import { openLive, STREAMS_OF_A_PLAYER, STREAMS_OF_A_SESSION } from './live.ts';

const SLOW_POLL = { timeout: 15_000 };
const PATH = '/api/users/profile/events/';

const t = withApp();
let other: TestApp;
let url: string;
let otherUrl: string;
beforeAll(async () => {
  other = await t.sibling();
  url = await t.app.listen({ host: '127.0.0.1', port: 0 });
  otherUrl = await other.app.listen({ host: '127.0.0.1', port: 0 });
});

const open: EventStream[] = [];
afterEach(() => {
  for (const stream of open.splice(0)) stream.close();
});

async function streamOf(player: { id: number }, at = otherUrl): Promise<EventStream> {
  const { access } = await makeSession(t, player);
  const stream = await openEvents(at, access);
  open.push(stream);
  return stream;
}

async function play(machine: { key: string }, games: object[]): Promise<string[]> {
  const answer = await t.call('POST', '/api/machine/games/', {
    body: { games },
    as: { key: machine.key },
  });
  return answer.body.results.map(({ status }: { status: string }) => status);
}

describe('an event', () => {
  test('of a game that one process records reaches the streams of another process', async () => {
    const [player, machine] = [await makePlayer(t), await makeMachine(t)];
    const stream = await streamOf(player);
    expect(await play(machine, [aGame(t, player)])).toEqual(['recorded']);
    expect(await stream.next()).toBe('game');
  });

  test('never reaches other players, and is not emitted after a rollback', async () => {
    const [player, stranger, machine] = [
      await makePlayer(t),
      await makePlayer(t),
      await makeMachine(t),
    ];
    const stream = await streamOf(player);
    await play(machine, [aGame(t, stranger)]);
    const undone = t.db.transaction().execute(async (trx) => {
      await notify(trx, { game: [player.id] });
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    await t.db.transaction().execute((trx) => notify(trx, { profile: [player.id] }));
    expect(await stream.next()).toBe('profile');
  });

  test('is emitted once per player of a batch, however many games or players it has', async () => {
    const [player, machine] = [await makePlayer(t), await makeMachine(t)];
    const stream = await streamOf(player);
    const hour = 3_600_000;
    const games = Array.from({ length: 500 }, (_, at) =>
      aGame(t, player, { played_at: new Date(t.clock.now().getTime() - (at + 1) * hour) }),
    );
    expect(new Set(await play(machine, games))).toEqual(new Set(['recorded']));
    const many = Array.from({ length: 2_000 }, (_, at) => 9_007_199_254_738_991 + at);
    await t.db.transaction().execute((trx) => notify(trx, { profile: [...many, player.id] }));
    expect([await stream.next(), await stream.next()]).toEqual(['game', 'profile']);
  });

  test('is emitted when the operator releases or voids a game', async () => {
    const [player, machine] = [await makePlayer(t), await makeMachine(t)];
    const stream = await streamOf(player);
    const held = aGame(t, player, { score: t.config.max_score + 1 });
    expect(await play(machine, [held])).toEqual(['held']);
    expect(await stream.next()).toBe('game');
    await releaseGame(t, await numberOf(t, held.id));
    expect(await stream.next()).toBe('game');
    await voidGame(t, await numberOf(t, held.id));
    expect(await stream.next()).toBe('game');
  });

  test('of a correction is emitted once, to the player of the game only', async () => {
    const [one, two, machine] = [await makePlayer(t), await makePlayer(t), await makeMachine(t)];
    const [first, second] = [await streamOf(one), await streamOf(two)];
    const games = [aGame(t, one), aGame(t, two)];
    expect(await play(machine, games)).toEqual(['recorded', 'recorded']);
    expect([await first.next(), await second.next()]).toEqual(['game', 'game']);
    // Repeated and rejected games cause no event.
    const refused = aGame(t, one, { score: -1 });
    expect(await play(machine, [...games, refused])).toEqual([
      'duplicate',
      'duplicate',
      'rejected',
    ]);
    const game = String(await numberOf(t, games[1]?.id));
    const command = (path: string) =>
      t.call('POST', `/api/operator/games/${path}/`, {
        as: { key: OPERATOR_KEY },
        body: { game },
      });
    expect((await command('void')).body.state).toBe('void');
    expect((await command('void')).status).toBe(409);
    expect(await second.next()).toBe('game');
    expect((await command('restore')).body.state).toBe('counted');
    expect(await second.next()).toBe('game');
    // Notifications keep their order, so an unexpected event would arrive before `profile`.
    await t.db.transaction().execute((trx) => notify(trx, { profile: [one.id, two.id] }));
    expect([await first.next(), await second.next()]).toEqual(['profile', 'profile']);
  });

  test('is emitted after a profile change elsewhere, a new code, and a change of team', async () => {
    const player = await makePlayer(t);
    const { access } = await makeSession(t, player);
    const stream = await streamOf(player);
    const patch = { body: { avatar_color: '#112233' }, as: { access } };
    expect((await t.call('PATCH', '/api/users/profile/', patch)).status).toBe(200);
    expect(await stream.next()).toBe('profile');
    const code = await t.call('POST', '/api/users/profile/new-code/', { body: {}, as: { access } });
    expect(code.status).toBe(200);
    expect(await stream.next()).toBe('profile');
    const team = await makeTeam(t, await makeLeague(t));
    await addToTeam(t, team, [player.email]);
    expect(await stream.next()).toBe('profile');
    await removeFromTeam(t, team, player.email);
    expect(await stream.next()).toBe('profile');
  });

  test('PROD-99: reaches a player who waits for a team that is renamed or deleted', async () => {
    const [player, team] = [await makePlayer(t), await makeTeam(t, await makeLeague(t))];
    await t.db
      .insertInto('join_requests')
      .values({ player_id: player.id, team_id: team.id, asked_at: t.clock.now() })
      .execute();
    const stream = await streamOf(player);
    await renameTeam(t.db, team, 'Rim Reapers');
    expect(await stream.next()).toBe('profile');
    await deleteTeam(t.db, team);
    expect(await stream.next()).toBe('profile');
  });

  test('is emitted after a roster import, and after a new schedule', async () => {
    const player = await makePlayer(t);
    const stream = await streamOf(player);
    const league = await makeLeague(t);
    await importRoster(t, league, [{ line: 2, team: 'One', email: player.email }]);
    expect(await stream.next()).toBe('profile');
    await makeTeam(t, league);
    await expect
      .poll(async () => {
        await generateSchedule(t, league, { weeks: 1 });
        return stream.all;
      }, SLOW_POLL)
      .toContain('league');
  });
});

describe('a league event', () => {
  test('is emitted after every game that counts for the league, and reaches no other league', async () => {
    const [one, two, elsewhere] = [await makePlayer(t), await makePlayer(t), await makePlayer(t)];
    const [league, machine] = [await makeLeague(t), await makeMachine(t)];
    await makeTeam(t, league, [one]);
    await makeTeam(t, league, [two]);
    await makeTeam(t, await makeLeague(t), [elsewhere]);
    const [opponent, stranger] = [await streamOf(two), await streamOf(elsewhere)];
    // Look only at the last event, because making the teams has emitted events too.
    await play(machine, [aGame(t, one)]);
    await expect.poll(() => opponent.all.at(-1), SLOW_POLL).toBe('league');
    await play(machine, [aGame(t, elsewhere)]);
    await expect
      .poll(() => stranger.all.filter((event) => event === 'game'), SLOW_POLL)
      .toHaveLength(1);
    expect(opponent.all).not.toContain('game');
  });

  test('reaches a player who joined the league while their stream was open', async () => {
    const [mover, mate, machine] = [await makePlayer(t), await makePlayer(t), await makeMachine(t)];
    const stream = await streamOf(mover);
    const team = await makeTeam(t, await makeLeague(t), [mate]);
    await addToTeam(t, team, [mover.email]);
    expect(await stream.next()).toBe('profile');
    await expect
      .poll(async () => {
        await play(machine, [aGame(t, mate)]);
        return stream.all;
      }, SLOW_POLL)
      .toContain('league');
  });

  test('reaches a player who joined the league while the stream opened', async () => {
    const [mover, mate, machine] = [await makePlayer(t), await makePlayer(t), await makeMachine(t)];
    const team = await makeTeam(t, await makeLeague(t), [mate]);
    const earlier = await streamOf(mover);
    // The first query reads the league. The player joins after that, before the stream is open.
    vi.spyOn(other.pool, 'query').mockImplementationOnce(async () => {
      await addToTeam(t, team, [mover.email]);
      expect(await earlier.next()).toBe('profile');
      return { rows: [] };
    });
    const stream = await streamOf(mover);
    await expect
      .poll(async () => {
        await play(machine, [aGame(t, mate)]);
        return stream.all;
      }, SLOW_POLL)
      .toContain('league');
  });
});

describe('a stream', () => {
  test('has the headers of every response, and headers that forbid caching and buffering', async () => {
    const { answer } = await streamOf(await makePlayer(t));
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-resource-policy': 'same-origin',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'x-request-id': expect.any(String),
    });
  });

  test('starts with the events of the last seconds before it opened', async () => {
    const [player, machine] = [await makePlayer(t), await makeMachine(t)];
    // Once an older stream has the event, its process has received the notification.
    const before = await streamOf(player);
    await play(machine, [aGame(t, player), aGame(t, player)]);
    expect(await before.next()).toBe('game');
    expect(await (await streamOf(player)).next()).toBe('game');
  });

  test('needs a session and GET', async () => {
    expect((await t.call('GET', PATH)).status).toBe(401);
    const { access } = await makeSession(t, await makePlayer(t));
    expect((await t.call('HEAD', PATH, { as: { access } })).status).toBe(405);
    const posted = await t.call('POST', PATH, { body: {}, as: { access } });
    expect(posted.status).toBe(405);
    expect((await t.call('GET', PATH.slice(0, -1), { as: { access } })).status).toBe(308);
    const description = (await t.call('GET', '/api/openapi.json')).body.paths[PATH];
    expect(Object.keys(description)).toEqual(['get']);
    expect(Object.keys(description.get.responses[200].content)).toEqual(['text/event-stream']);
    expect(description.get.security).toEqual([{ player: [] }]);
  });

  test('ends when its access token expires', async () => {
    const player = await makePlayer(t);
    await makeSession(t, player);
    const session = await t.db
      .selectFrom('sessions')
      .select('id')
      .where('player_id', '=', player.id)
      .executeTakeFirstOrThrow();
    const nearlyOver = new Date(t.clock.now().getTime() - (ACCESS_LIFE_S - 6) * 1000);
    const access = accessTokens(t.config).make(player.id, session.id, nearlyOver);
    const stream = await openEvents(url, access);
    await stream.ended;
    await expect(openEvents(url, access)).rejects.toThrow('answered 401');
  });

  test('ends when its session opens too many streams', async () => {
    const player = await makePlayer(t);
    const { access } = await makeSession(t, player);
    const streams = [];
    for (let count = 0; count <= STREAMS_OF_A_SESSION; count += 1)
      streams.push(await openEvents(url, access));
    open.push(...streams);
    await streams[0]?.ended;
    await t.db.transaction().execute((trx) => notify(trx, { game: [player.id] }));
    for (const stream of streams.slice(1)) expect(await stream.next()).toBe('game');
  });

  test('P39a: a player may have 12 streams, and each notification reads their league once', async () => {
    const player = await makePlayer(t);
    const sessions = [];
    for (let count = 0; count < 4; count += 1) sessions.push(await makeSession(t, player));
    const streams = [];
    for (let count = 0; count <= STREAMS_OF_A_PLAYER; count += 1)
      streams.push(await openEvents(url, sessions[count % 4]?.access ?? ''));
    open.push(...streams);
    await streams[0]?.ended;
    const query = vi.spyOn(t.pool, 'query');
    await t.db.transaction().execute((trx) => notify(trx, { profile: [player.id] }));
    for (const stream of streams.slice(1)) expect(await stream.next()).toBe('profile');
    const reads = query.mock.calls.filter(([text]) => /league_id/.test(String(text)));
    expect(reads).toHaveLength(1);
  });

  test('has heartbeats, outlasts every request timeout, and ends within 30 s of its session', {
    timeout: 90_000,
  }, async () => {
    const [player, leaver] = [await makePlayer(t), await makePlayer(t)];
    const [staying, leaving] = [await streamOf(player), await streamOf(leaver)];
    await t.db.deleteFrom('sessions').where('player_id', '=', leaver.id).execute();
    const late = AbortSignal.timeout(30_000);
    await Promise.race([
      leaving.ended,
      new Promise((_, fail) => late.addEventListener('abort', () => fail(new Error('too late')))),
    ]);
    await expect.poll(() => staying.all, { timeout: 60_000 }).toEqual(['beat', 'beat', 'beat']);
    await t.db.transaction().execute((trx) => notify(trx, { game: [player.id] }));
    expect(await staying.next()).toBe('game');
  });

  test('is dropped when its client does not read', async () => {
    const player = await makePlayer(t);
    const listener = openListener(t);
    const live = openLive(t, listener, (ids) => openAmong(t, ids));
    const unread = await live.open({
      id: randomUUID(),
      player_id: player.id,
      created_at: t.clock.now(),
      access_until: new Date(t.clock.now().getTime() + ACCESS_LIFE_S * 1000),
    });
    expect(live.count()).toBe(1);
    await t.pool.query(
      `select pg_notify($1, 'game ' || $2 || ',' || n) from generate_series(1000000001, 1000000400) n`,
      [CHANNEL, player.id],
    );
    await expect.poll(() => unread.destroyed, SLOW_POLL).toBe(true);
    expect(live.count()).toBe(0);
    await live.close();
    await listener.close();
  });
});

describe('when the database', () => {
  test('drops the listening connection, every page refetches, and streams continue', async () => {
    const [player, machine] = [await makePlayer(t), await makeMachine(t)];
    const stream = await streamOf(player);
    await t.pool.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where application_name = 'backboard-live' and datname = current_database()`,
    );
    expect([await stream.next(), await stream.next()]).toEqual(['game', 'profile']);
    await play(machine, [aGame(t, player)]);
    expect(await stream.next()).toBe('game');
    const mate = await makePlayer(t);
    const team = await makeTeam(t, await makeLeague(t), [mate]);
    await t.db
      .updateTable('players')
      .set({ team_id: team.id })
      .where('id', '=', player.id)
      .execute();
    await t.pool.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where application_name = 'backboard-live' and datname = current_database()`,
    );
    await expect
      .poll(async () => {
        await play(machine, [aGame(t, mate)]);
        return stream.all;
      }, SLOW_POLL)
      .toContain('league');
    // A new stream's page may have missed notifications too.
    expect(await (await streamOf(player)).next()).toBe('game');
  });
});

test('P41 a shutdown ends the streams immediately', async () => {
  const third = await t.sibling();
  const at = await third.app.listen({ host: '127.0.0.1', port: 0 });
  const streams = await Promise.all([1, 2, 3].map(async () => streamOf(await makePlayer(t), at)));
  await third.app.close();
  await Promise.all(streams.map(({ ended }) => ended));
});
