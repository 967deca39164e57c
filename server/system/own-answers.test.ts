import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  makeGames,
  makeLeague,
  makeMachine,
  makePlayer,
  makeSession,
  makeTeam,
} from '#testing/app/make.ts';
import {
  allowSlowTests,
  openSharedDatabase,
  type ServerProcess,
  type Shared,
  startServer,
} from '#testing/app/server-process.ts';
import { freePort } from '#testing/ports.ts';

allowSlowTests();

const PLAYERS = 50;
const SECONDS = Number(process.env.OWN_ANSWERS_SECONDS ?? 2);
/** Two reads in this time stay below a session's 20 a second (P39a). */
const PAUSE_MS = 125;
const PATHS = ['/api/users/profile/', '/api/leaderboards/user-league-stats/'];

describe.each([1, 2])('with %i processes', (count) => {
  let t: Shared;
  let server: ServerProcess;
  beforeAll(async () => {
    t = await openSharedDatabase();
    server = startServer(await freePort(), {
      ...t.environment,
      WEB_PROCESSES: String(count),
    });
    await server.ready();
  });
  afterAll(() => t.close());

  test(`P4: ${PLAYERS} players who read at the same time each get only their own answers`, async () => {
    const league = await makeLeague(t);
    const machine = await makeMachine(t);
    const readers = [];
    for (let n = 0; n < PLAYERS; n += 1) {
      const player = await makePlayer(t);
      // Makes every player's week different.
      const team = await makeTeam(t, league, [player]);
      await makeGames(t, machine, player, [{ score: 100 + n }]);
      readers.push({ player, team, score: 100 + n, as: await makeSession(t, player) });
    }
    const expected = new Map<object, string[]>();
    for (const reader of readers) {
      const answers = [];
      for (const path of PATHS) answers.push((await server.call('GET', path, reader)).body);
      const [profile, week] = answers;
      const { player, score } = reader;
      expect(profile).toMatchObject({ uuid: player.uuid, user_stat: { highscore: score } });
      expect(week.teammates).toMatchObject([
        { username: player.username, weekly_total_score: score },
      ]);
      expected.set(
        reader,
        answers.map((answer) => JSON.stringify(answer)),
      );
    }
    const until = Date.now() + SECONDS * 1000;
    let answered = 0;
    const wrong: unknown[] = [];
    // On a busy computer, one round may take all the time.
    for (let round = 0; round < 2 || Date.now() < until; round += 1) {
      // Sends all at once and in random order, because calls share batches.
      const inAnyOrder = readers
        .map((reader) => ({ reader, at: Math.random() }))
        .sort((one, other) => one.at - other.at);
      await Promise.all([
        pause(PAUSE_MS),
        ...inAnyOrder.flatMap(({ reader }) =>
          PATHS.map(async (path, which) => {
            const { status, body } = await server.call('GET', path, reader);
            answered += 1;
            const own = expected.get(reader)?.[which];
            if (status !== 200 || JSON.stringify(body) !== own) wrong.push({ status, body, own });
          }),
        ),
      ]);
    }
    if (SECONDS > 2) console.info(`${answered} answers with ${count} processes in ${SECONDS} s`);
    expect(wrong).toEqual([]);
    expect(answered).toBeGreaterThan(PLAYERS * PATHS.length);
  });
});
