import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { AGE_MAX_MS, AHEAD_MAX_MS, BATCH_MAX } from '#contract/rules/machines.ts';
import { gameResult } from '#contract/wire/machines.ts';
import { aGame, makeMachine, makePlayer } from '#testing/app/make.ts';
import { readRows } from '#testing/app/query-cost.ts';
import { testApp, withApp } from '#testing/app/test-app.ts';
import { lockPatiently } from '../db/locks.ts';
import { revokeMachine } from './machines.ts';
import { recordReport, reportRecorder } from './report.ts';

const t = withApp();

const post = (key: string, games: unknown) =>
  t.call('POST', '/api/machine/games/', { as: { key }, body: { games } });
const statuses = (answer: { body: { results: { status: string; reason?: string }[] } }) =>
  answer.body.results.map(({ status, reason }) => (reason ? `${status} ${reason}` : status));
const ago = (ms: number) => new Date(t.clock.now().getTime() - ms).toISOString();
const statOf = (player: { id: number }) =>
  t.db.selectFrom('player_stats').selectAll().where('player_id', '=', player.id).executeTakeFirst();
const gamesOf = (player: { id: number }) =>
  t.db.selectFrom('games').selectAll().where('player_id', '=', player.id).execute();

test('a reported game is recorded and counted in the statistics', async () => {
  const { key } = await makeMachine(t);
  const player = await makePlayer(t);
  const game = aGame(t, player, { score: 412 });
  const answer = await post(key, [game]);
  expect(answer.status).toBe(200);
  expect(answer.body).toEqual({
    results: [
      {
        id: game.id,
        status: 'recorded',
        counts: 'no_team',
        personal_best: true,
        achievements: ['first-game'],
      },
    ],
    server_time: expect.stringMatching(/Z$/),
  });
  expect(await statOf(player)).toEqual({
    player_id: player.id,
    games_played: 1,
    highscore: 412,
    score_sum: 412,
  });
});

test('P31c: a repeat is a duplicate and changes nothing', async () => {
  const { key } = await makeMachine(t);
  const player = await makePlayer(t);
  const game = aGame(t, player);
  expect(statuses(await post(key, [game]))).toEqual(['recorded']);
  const before = await statOf(player);
  expect(statuses(await post(key, [game]))).toEqual(['duplicate']);
  const respelt = {
    ...game,
    id: game.id.toUpperCase(),
    player: game.player.toUpperCase(),
    played_at: game.played_at.replace('Z', '+00:00'),
    duration_s: null,
    firmware: '1.4',
  };
  const again = await post(key, [respelt]);
  expect(again.body.results).toEqual([{ id: respelt.id, status: 'duplicate' }]);
  expect(await statOf(player)).toEqual(before);
  expect(await gamesOf(player)).toHaveLength(1);
});

test('P31c: 50 parallel posts of one game make one row', async () => {
  const { key } = await makeMachine(t);
  const player = await makePlayer(t);
  const game = aGame(t, player);
  const answers = await Promise.all(Array.from({ length: 50 }, () => post(key, [game])));
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  const found = answers.flatMap(statuses);
  expect(found.filter((status) => status === 'recorded')).toHaveLength(1);
  expect(found.filter((status) => status === 'duplicate')).toHaveLength(49);
  expect(await gamesOf(player)).toHaveLength(1);
  expect(await statOf(player)).toMatchObject({ games_played: 1 });
});

test('REL-13: machines that return with a backlog are all served, and each game counts once', async () => {
  const backlogs = await Promise.all(
    Array.from({ length: 20 }, async () => {
      const [machine, player] = [await makeMachine(t), await makePlayer(t)];
      const games = Array.from({ length: 100 }, (_, n) =>
        aGame(t, player, { score: n, played_at: ago((n + 1) * 20 * 60_000) }),
      );
      return { machine, player, games };
    }),
  );
  // A machine retries a 503 (MACH-07).
  const retry = async (key: string, report: unknown): Promise<string[]> => {
    const answer = await post(key, report);
    return answer.status === 503 ? retry(key, report) : statuses(answer);
  };
  // Send each report twice, as if the response were lost.
  const found = await Promise.all(
    backlogs.flatMap(({ machine, games }) =>
      [games.slice(0, 50), games.slice(50), games.slice(0, 50), games.slice(50)].map((report) =>
        retry(machine.key, report),
      ),
    ),
  );
  const times = (status: string) => found.flat().filter((one) => one === status).length;
  expect([times('recorded'), times('duplicate')]).toEqual([2000, 2000]);
  for (const { player } of backlogs)
    expect(await statOf(player)).toMatchObject({ games_played: 100, highscore: 99 });
});

test('P31e P31g: each kind of bad game has its own result, and the good games are stored', async () => {
  const day = 24 * 3_600_000;
  expect([AHEAD_MAX_MS, AGE_MAX_MS]).toEqual([5 * 60_000, 30 * day]);
  const { key } = await makeMachine(t);
  const player = await makePlayer(t);
  const good = aGame(t, player, { score: 100 });
  const stored = aGame(t, player, { score: 200, played_at: ago(120_000) });
  await post(key, [stored]);
  const { score: _, ...noScore } = aGame(t, player);
  const { id: __, ...noId } = aGame(t, player);
  const cases: [unknown, string][] = [
    [good, 'recorded'],
    [good, 'duplicate'],
    [{ ...good, score: 101 }, 'rejected conflict'],
    [stored, 'duplicate'],
    [{ ...stored, score: 1 }, 'rejected conflict'],
    [{ ...stored, score: -1 }, 'rejected conflict'],
    [{ id: stored.id }, 'rejected conflict'],
    [aGame(t, { uuid: crypto.randomUUID() }), 'rejected unknown_player'],
    [aGame(t, await makePlayer(t, { username: null })), 'rejected unknown_player'],
    [aGame(t, await makePlayer(t, { date_of_birth: null })), 'rejected unknown_player'],
    [aGame(t, player, { score: -1 }), 'rejected bad_score'],
    [aGame(t, player, { score: 1.5 }), 'rejected bad_score'],
    [aGame(t, player, { score: '300' }), 'rejected bad_score'],
    [aGame(t, player, { score: null }), 'rejected bad_score'],
    [aGame(t, player, { score: 2 ** 31 }), 'rejected bad_score'],
    [aGame(t, player, { score: 1e300 }), 'rejected bad_score'],
    [aGame(t, player, { played_at: ago(-AHEAD_MAX_MS - 60_000) }), 'rejected bad_time'],
    [aGame(t, player, { played_at: ago(AGE_MAX_MS + 60_000) }), 'rejected bad_time'],
    [aGame(t, player, { played_at: 'yesterday' }), 'rejected malformed'],
    [aGame(t, player, { played_at: '2026-01-31T18:30:00' }), 'rejected malformed'],
    [aGame(t, player, { played_at: 1_700_000_000 }), 'rejected malformed'],
    [aGame(t, player, { player: 'QR' }), 'rejected malformed'],
    [aGame(t, player, { player: 'QR', score: -1 }), 'rejected malformed'],
    [aGame(t, player, { id: '1' }), 'rejected malformed'],
    [aGame(t, player, { duration_s: -1 }), 'rejected malformed'],
    [aGame(t, player, { shots_made: 0.5 }), 'rejected malformed'],
    [noScore, 'rejected malformed'],
    [noId, 'rejected malformed'],
    [{ ...noId, id: 7 }, 'rejected malformed'],
    [null, 'rejected malformed'],
    ['game', 'rejected malformed'],
    [[], 'rejected malformed'],
    [{}, 'rejected malformed'],
    [aGame(t, player, { score: 10_000, played_at: ago(180_000) }), 'held over_max_score'],
    [aGame(t, player, { score: 0, played_at: ago(240_000) }), 'recorded'],
    [aGame(t, player, { score: 9999, played_at: ago(-AHEAD_MAX_MS + 60_000) }), 'recorded'],
    [aGame(t, player, { played_at: ago(AGE_MAX_MS - 60_000) }), 'recorded'],
    // These durations are too small for float4's normal numbers.
    [aGame(t, player, { score: 1, played_at: ago(300_000), duration_s: 1e-50 }), 'recorded'],
    [aGame(t, player, { score: 2, played_at: ago(360_000), duration_s: 1e-40 }), 'recorded'],
  ];
  const answer = await post(
    key,
    cases.map(([game]) => game),
  );
  expect(answer.status).toBe(200);
  expect(statuses(answer)).toEqual(cases.map(([, expected]) => expected));
  for (const [at, result] of answer.body.results.entries()) {
    const sent = (cases[at]?.[0] as { id?: unknown } | null)?.id;
    expect(result.id).toBe(typeof sent === 'string' ? sent : null);
    if (result.status === 'rejected') expect(result.detail).toEqual(expect.any(String));
  }
  expect((await gamesOf(player)).map(({ score }) => score).sort((a, b) => a - b)).toEqual([
    0, 1, 2, 100, 200, 300, 9999, 10_000,
  ]);
  expect(await statOf(player)).toMatchObject({ games_played: 7, highscore: 9999 });
});

test('each item of a report has one result, whatever its content, and the good game is recorded', async () => {
  const machine = await makeMachine(t);
  const player = await makePlayer(t);
  const fields = {
    id: fc.uuid(),
    player: fc.constant(player.uuid),
    score: fc.nat(9999),
    played_at: fc.oneof(
      fc.constant(ago(60_000)),
      fc.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/),
    ),
  };
  const nonsense = fc.record(
    Object.fromEntries(
      [...Object.keys(fields), 'duration_s', 'shots_made', '__proto__'].map((name) => [
        name,
        fc.jsonValue(),
      ]),
    ),
    { requiredKeys: [] },
  );
  const near = fc
    .tuple(fc.record(fields), nonsense)
    .map(([game, wrong]): unknown => ({ ...game, ...wrong }));
  const item = fc.oneof(fc.record(fields), near, nonsense, fc.jsonValue());
  let hour = 1;
  await fc.assert(
    fc.asyncProperty(fc.array(item, { maxLength: 6 }), fc.nat(6), async (items, place) => {
      hour += 1;
      const good = aGame(t, player, { played_at: ago(hour * 3_600_000) });
      const report = items.toSpliced(place, 0, good);
      const results = await recordReport(t, machine, report);
      expect(results).toHaveLength(report.length);
      expect(results[report.indexOf(good)]).toMatchObject({ id: good.id, status: 'recorded' });
      for (const result of results) expect(gameResult.safeParse(result).success).toBe(true);
    }),
    { numRuns: 60 },
  );
});

test('P31c: the id of a rejected game can be used for the corrected game', async () => {
  const { key } = await makeMachine(t);
  const player = await makePlayer(t);
  const game = aGame(t, player);
  const answer = await post(key, [{ ...game, score: -1 }, game]);
  expect(statuses(answer)).toEqual(['rejected bad_score', 'recorded']);
});

test('P31c: a repeated game is recognised even after the account was deleted', async () => {
  const { key } = await makeMachine(t);
  const player = await makePlayer(t);
  const game = aGame(t, player);
  await post(key, [game]);
  await t.db.deleteFrom('players').where('id', '=', player.id).execute();
  const answer = await post(key, [game, aGame(t, player), { ...game, score: 1 }]);
  expect(statuses(answer)).toEqual(['duplicate', 'rejected unknown_player', 'rejected conflict']);
});

test('P31c: with a replaced player code, a repeated game is recognised and a new game is rejected', async () => {
  const { key } = await makeMachine(t);
  const player = await makePlayer(t);
  const game = aGame(t, player);
  await post(key, [game]);
  const uuid = crypto.randomUUID();
  await t.db.updateTable('players').set({ uuid }).where('id', '=', player.id).execute();
  const answer = await post(key, [game, aGame(t, player), aGame(t, { uuid })]);
  expect(statuses(answer)).toEqual(['duplicate', 'rejected unknown_player', 'recorded']);
});

test('P31c: a repeated game is recognised even if it has become too old', async () => {
  const { key } = await makeMachine(t);
  const player = await makePlayer(t);
  const game = aGame(t, player, { played_at: ago(AGE_MAX_MS - 60_000) });
  expect(statuses(await post(key, [game]))).toEqual(['recorded']);
  t.clock.advance(120_000);
  expect(statuses(await post(key, [game]))).toEqual(['duplicate']);
});

test('P31c: two machines may use the same id for different games', async () => {
  const one = await makeMachine(t);
  const other = await makeMachine(t);
  const player = await makePlayer(t);
  const game = aGame(t, player, { played_at: ago(3_600_000) });
  expect(statuses(await post(one.key, [game]))).toEqual(['recorded']);
  expect(statuses(await post(other.key, [{ ...game, played_at: ago(60_000) }]))).toEqual([
    'recorded',
  ]);
});

test('P31g: a malformed body gets 400 and records nothing', async () => {
  const { key } = await makeMachine(t);
  const player = await makePlayer(t);
  const game = aGame(t, player);
  const bodies: unknown[] = [
    undefined,
    '',
    '{',
    'null',
    '[]',
    [game],
    game,
    {},
    { games: null },
    { games: {} },
    { games: [] },
    { games: game },
    { games: Array.from({ length: BATCH_MAX + 1 }, () => game) },
  ];
  for (const body of bodies) {
    const answer = await t.call('POST', '/api/machine/games/', { as: { key }, body });
    expect([JSON.stringify(body)?.slice(0, 40), answer.status]).toEqual([
      JSON.stringify(body)?.slice(0, 40),
      400,
    ]);
    expect(Object.keys(answer.body)).toHaveLength(1);
  }
  expect(await gamesOf(player)).toHaveLength(0);
  const text = await t.call('POST', '/api/machine/games/', {
    as: { key },
    body: JSON.stringify({ games: [game] }),
    headers: { 'content-type': 'text/plain' },
  });
  expect(text.status).toBe(415);
});

test('MACH-03: a game with keys such as `__proto__` blocks no other game', async () => {
  const { key } = await makeMachine(t);
  const player = await makePlayer(t);
  const good = aGame(t, player);
  const body = `{"games":[{"__proto__":{"score":1}},{"constructor":{"prototype":{}}},${JSON.stringify(good)}]}`;
  const answer = await t.call('POST', '/api/machine/games/', { as: { key }, body });
  expect(answer.status).toBe(200);
  expect(statuses(answer)).toEqual(['rejected malformed', 'rejected malformed', 'recorded']);
});

test('MACH-03 P37: a game nested more than 20 levels deep blocks no other game', async () => {
  const { key } = await makeMachine(t);
  const player = await makePlayer(t);
  const nested = (depth: number) => {
    const game = JSON.stringify(aGame(t, player, { played_at: ago(depth * 3_600_000) }));
    return game.replace(/}$/, `,"more":${'['.repeat(depth)}${']'.repeat(depth)}}`);
  };
  const body = `{"games":[${[nested(5), nested(21), nested(100_000), nested(6)].join()}]}`;
  const answer = await t.call('POST', '/api/machine/games/', { as: { key }, body });
  expect(answer.status).toBe(200);
  expect(statuses(answer)).toEqual([
    'recorded',
    'rejected malformed',
    'rejected malformed',
    'recorded',
  ]);
});

test('P31a: a report whose body ends after its machine was revoked is refused, and the rest of its batch is recorded', async () => {
  const [machine, revoked] = [await makeMachine(t), await makeMachine(t)];
  const player = await makePlayer(t);
  await revokeMachine(t, revoked.name);
  const record = reportRecorder(t);
  const [late, other] = await Promise.allSettled([
    record({ machine: revoked, items: [aGame(t, player)] }),
    record({ machine, items: [aGame(t, player, { played_at: ago(3_600_000) })] }),
  ]);
  expect(late).toMatchObject({ status: 'rejected', reason: { status: 403 } });
  expect(other).toMatchObject({ status: 'fulfilled', value: [{ status: 'recorded' }] });
  expect(await gamesOf(player)).toMatchObject([{ machine_id: machine.id }]);
});

test('P31g P37: a report has at most 256 KiB', async () => {
  const { key } = await makeMachine(t);
  const player = await makePlayer(t);
  const fill = (bytes: number) => ({ games: [aGame(t, player)], note: 'x'.repeat(bytes) });
  const send = (body: unknown) => t.call('POST', '/api/machine/games/', { as: { key }, body });
  expect((await send(fill(255 * 1024))).status).toBe(200);
  expect((await send(fill(256 * 1024))).status).toBe(413);
});

test('P31a: the machine API refuses the token of a player', async () => {
  const answer = await t.call('POST', '/api/machine/games/', {
    as: { access: 'eyJhbGciOiJIUzI1NiJ9.e30.x' },
    body: { games: [{}] },
  });
  expect(answer.status).toBe(401);
});

test('P31f: games beyond what one person can play in an hour are held', async () => {
  const { key } = await makeMachine(t);
  const player = await makePlayer(t);
  const games = Array.from({ length: 130 }, (_, at) =>
    aGame(t, player, { played_at: ago(3_590_000 - at * 27_000) }),
  );
  const found = statuses(await post(key, games));
  expect(found.slice(0, 120)).toEqual(Array.from({ length: 120 }, () => 'recorded'));
  expect(found.slice(120)).toEqual(Array.from({ length: 10 }, () => 'held too_many_games'));
  expect(await statOf(player)).toMatchObject({ games_played: 120 });
  expect(statuses(await post(key, [aGame(t, player, { played_at: ago(86_400_000) })]))).toEqual([
    'recorded',
  ]);
});

test('P31f: if games of one player on two machines overlap, the second game is held', async () => {
  const [one, two] = [await makeMachine(t), await makeMachine(t)];
  const player = await makePlayer(t);
  const start = Date.parse(ago(3_600_000));
  const at = (seconds: number, fields = {}) =>
    aGame(t, player, { played_at: new Date(start + seconds * 1000).toISOString(), ...fields });
  expect(statuses(await post(one.key, [at(0, { duration_s: 60 })]))).toEqual(['recorded']);
  expect(statuses(await post(two.key, [at(59), at(61, { score: 5 })]))).toEqual([
    'held two_machines',
    'recorded',
  ]);
  // A game without a duration counts as 30 s, so both overlap the game 61 s ago.
  expect(statuses(await post(one.key, [at(40), at(32)]))).toEqual([
    'held two_machines',
    'held two_machines',
  ]);
  // Two people may play on one machine.
  expect(statuses(await post(one.key, [at(1)]))).toEqual(['recorded']);
});

test('P31f: a held game is stored, counts nowhere, and is a duplicate when repeated', async () => {
  const { key } = await makeMachine(t);
  const player = await makePlayer(t);
  const game = aGame(t, player, { score: 10_001 });
  const answer = await post(key, [game]);
  expect(answer.body.results).toEqual([{ id: game.id, status: 'held', reason: 'over_max_score' }]);
  expect(await gamesOf(player)).toMatchObject([{ state: 'held', held_reason: 'over_max_score' }]);
  expect(await statOf(player)).toBeUndefined();
  expect(statuses(await post(key, [game]))).toEqual(['duplicate']);
});

test('P31f: the setting MAX_SCORE changes the maximum score', async () => {
  const strict = await testApp({ max_score: 50 });
  const { key } = await makeMachine(strict);
  const player = await makePlayer(strict);
  const answer = await strict.call('POST', '/api/machine/games/', {
    as: { key },
    body: { games: [aGame(strict, player, { score: 50 }), aGame(strict, player, { score: 51 })] },
  });
  expect(statuses(answer)).toEqual(['recorded', 'held over_max_score']);
  await strict.close();
});

test('a personal best is better than all games played before it', async () => {
  const { key } = await makeMachine(t);
  const player = await makePlayer(t);
  const games = [
    aGame(t, player, { score: 300, played_at: ago(100_000) }),
    aGame(t, player, { score: 200, played_at: ago(200_000) }),
    aGame(t, player, { score: 300, played_at: ago(50_000) }),
    aGame(t, player, { score: 0, played_at: ago(300_000) }),
  ];
  const answer = await post(key, games);
  expect(answer.body.results.map((one: { personal_best: boolean }) => one.personal_best)).toEqual([
    true,
    true,
    false,
    false,
  ]);
});

test('a report takes the same number of statements, whatever its size', async () => {
  const { key } = await makeMachine(t);
  const players = await Promise.all(Array.from({ length: 50 }, () => makePlayer(t)));
  let statements = 0;
  const clients = new Set<unknown>();
  t.pool.on('acquire', (client) => {
    if (clients.has(client)) return;
    clients.add(client);
    const query = client.query.bind(client);
    client.query = ((...args: Parameters<typeof query>) => {
      statements += 1;
      return query(...args);
    }) as typeof client.query;
  });
  const report = (size: number) =>
    Array.from({ length: size }, (_, at) =>
      aGame(t, players[at % players.length] ?? { uuid: '' }, { played_at: ago(at * 200_000) }),
    );
  const count = async (size: number) => {
    statements = 0;
    const found = statuses(await post(key, report(size)));
    expect(found).toEqual(found.map(() => 'recorded'));
    return statements;
  };
  await count(1);
  const few = await count(2);
  const many = await count(BATCH_MAX);
  expect(many).toBeLessThanOrEqual(few + 2);
  expect(many).toBeLessThanOrEqual(20);
});

test('concurrent reports of several machines with the same players all succeed', async () => {
  const machines = await Promise.all(Array.from({ length: 6 }, () => makeMachine(t)));
  const players = await Promise.all(Array.from({ length: 12 }, () => makePlayer(t)));
  const shuffled = <T>(list: T[]) => list.toSorted(() => Math.random() - 0.5);
  const reports = machines.flatMap(({ key }, machine) =>
    Array.from({ length: 4 }, (_, report) => ({
      key,
      games: shuffled(
        players.map((player, at) =>
          // A player's games on different machines are more than an hour apart, so none is held.
          aGame(t, player, {
            played_at: ago((machine + 1) * 7_200_000 + report * 400_000 + at * 1000),
            score: 100 + at,
          }),
        ),
      ),
    })),
  );
  const answers = await Promise.all(reports.map(({ key, games }) => post(key, games)));
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  for (const [at, player] of players.entries())
    expect(await statOf(player)).toMatchObject({
      games_played: reports.length,
      highscore: 100 + at,
      score_sum: reports.length * (100 + at),
    });
});

test('P31c P31d: concurrent reports share a commit, but each has its own results', async () => {
  const machines = await Promise.all(Array.from({ length: 20 }, () => makeMachine(t)));
  const player = await makePlayer(t);
  // Ids are unique only within a machine.
  const { id } = aGame(t, player);
  const reports = machines.map((_, n) => [
    aGame(t, player, { id, score: 100 + n, played_at: ago((n + 1) * 20 * 60_000) }),
    aGame(t, { uuid: randomUUID() }),
  ]);
  const answers = await Promise.all(machines.map(({ key }, n) => post(key, reports[n])));
  expect(answers.map(statuses)).toEqual(
    machines.map(() => ['recorded', 'rejected unknown_player']),
  );
  const { rows } = await sql<{ commits: number }>`
    select count(distinct xmin::text)::integer as commits from games where id = ${id}`.execute(
    t.db,
  );
  expect(rows[0]?.commits).toBeLessThan(machines.length);
  const stored = await gamesOf(player);
  expect(stored.map(({ score }) => score).toSorted((a, b) => a - b)).toEqual(
    machines.map((_, n) => 100 + n),
  );
  expect(await statOf(player)).toMatchObject({ games_played: 20, highscore: 119 });
});

test('P31d: a report that waits for a lock, or cannot be stored, affects no other report of its batch', async () => {
  const machines = await Promise.all(Array.from({ length: 6 }, () => makeMachine(t)));
  const [held, bad] = machines as [(typeof machines)[number], (typeof machines)[number]];
  const players = await Promise.all(machines.map(() => makePlayer(t)));
  await sql`create function refuse_one() returns trigger language plpgsql as
    $$ begin raise exception 'refused'; end $$`.execute(t.db);
  await sql`create trigger refuse_one before insert on games for each row
    when (new.machine_id = ${sql.lit(bad.id)}) execute function refuse_one()`.execute(t.db);
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const { promise: locked, resolve: lock } = Promise.withResolvers<void>();
  const holding = t.db.transaction().execute(async (trx) => {
    await lockPatiently(trx, 'machine', [held.id]);
    lock();
    await released;
  });
  try {
    await locked;
    const calls = machines.map(({ key }, n) =>
      post(key, [aGame(t, players[n] as { uuid: string })]),
    );
    const others = await Promise.all(calls.slice(2));
    expect(others.map(statuses)).toEqual(others.map(() => ['recorded']));
    expect((await calls[1])?.status).toBe(500);
    release();
    expect(statuses((await calls[0]) as Awaited<ReturnType<typeof post>>)).toEqual(['recorded']);
  } finally {
    release();
    await holding;
    await sql`drop trigger refuse_one on games`.execute(t.db);
  }
  const counted = await Promise.all(players.map(async (player) => (await gamesOf(player)).length));
  expect(counted).toEqual([1, 0, 1, 1, 1, 1]);
});

test('P31f: when two machines report overlapping games of one player at once, one game is held', async () => {
  const [one, two] = [await makeMachine(t), await makeMachine(t)];
  for (let round = 0; round < 10; round += 1) {
    const player = await makePlayer(t);
    const answers = await Promise.all([
      post(one.key, [aGame(t, player)]),
      post(two.key, [aGame(t, player)]),
    ]);
    expect(answers.flatMap(statuses).sort()).toEqual(['held two_machines', 'recorded']);
    expect(await statOf(player)).toMatchObject({ games_played: 1 });
  }
});

test('P31d: no game is acknowledged before the commit', async () => {
  const [machine, player] = [await makeMachine(t), await makePlayer(t)];
  const send = (game: object) =>
    t.call('POST', '/api/machine/games/', { as: machine, body: { games: [game] } });
  await sql`create function refuse() returns trigger language plpgsql as
    $$ begin raise exception 'refused at the commit'; end $$`.execute(t.db);
  await sql`create constraint trigger refuse after insert on games
    deferrable initially deferred for each row execute function refuse()`.execute(t.db);
  const game = aGame(t, player);
  try {
    expect((await send(game)).status).toBe(500);
  } finally {
    await sql`drop trigger refuse on games`.execute(t.db);
  }
  expect(await t.db.selectFrom('games').select('id').where('id', '=', game.id).execute()).toEqual(
    [],
  );
  expect((await send(game)).body.results[0].status).toBe('recorded');
  const { rows } = await sql<{ setting: string }>`
    select setting from pg_settings where name in ('synchronous_commit', 'fsync')`.execute(t.db);
  expect(rows.map(({ setting }) => setting)).toEqual(['on', 'on']);
});

test('P31g: a report costs the same after a player has thousands of held games', async () => {
  const one = await testApp();
  const [machine, player] = [await makeMachine(one), await makePlayer(one)];
  const now = one.clock.now();
  await sql`
    insert into games (machine_id, id, player_id, score, played_at, day, received_at, state,
      held_reason, digest, outside)
    select ${machine.id}, gen_random_uuid(), ${player.id}, 99999, at, at::date, ${now}, 'held',
      'over_max_score', sha256('a'), 'no_team'
    from generate_series(1, 20000) n,
      lateral (select ${now}::timestamptz - n * interval '100 ms' as at) played`.execute(
    one.unlimited,
  );
  await sql`analyze games`.execute(one.db);
  const read = readRows(one);
  const report = [aGame(one, player, { score: 99_999 })];
  for (const { text, rows, scans } of await read(() => recordReport(one, machine, report)))
    expect(rows, `${text}\n${scans.join(', ')}`).toBeLessThan(200);
  await one.close();
});
