import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chown, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import {
  aGame,
  goToMidweek,
  makeLeague,
  makeMachine,
  makePlayer,
  makeSession,
  makeTeam,
} from '#testing/app/make.ts';
import { readRows } from '#testing/app/query-cost.ts';
import { appOn, type TestApp, testApp } from '#testing/app/test-app.ts';
import { openDatabase, openPool } from '../db/database.ts';
import { migrate } from '../db/migrate.ts';
import { viewMachines } from '../machines/overview.ts';
import { recordReport } from '../machines/report.ts';
import { commandAs, serverAccount } from '../postgres/cluster.ts';

/** PostgreSQL of Debian 12, the oldest version that we support. */
const DEBIAN = '/usr/lib/postgresql/15/bin';
/** With this many players, PostgreSQL prefers an index to a scan. */
const PLAYERS = 20_000;
const GAMES = 2;
/** More rows than any hot statement needs, fewer than a board has. */
const ROWS_MAX = 500;

async function debianApp(): Promise<TestApp> {
  const folder = await mkdtemp(join(tmpdir(), 'backboard-debian-'));
  const cluster = join(folder, 'cluster');
  const account = await serverAccount(cluster);
  if (account !== undefined) await chown(folder, account.uid, account.gid);
  const run = (program: string, ...args: string[]) => {
    const {
      command,
      args: all,
      options,
    } = commandAs(account, join(DEBIAN, program), args, [cluster]);
    execFileSync(command, all, { ...options, stdio: 'ignore' });
  };
  run('initdb', '-D', cluster, '-U', 'postgres', '-A', 'trust', '-N', '--locale=C', '-E', 'UTF8');
  const settings = `-c listen_addresses= -c fsync=off -c unix_socket_directories=${folder}`;
  run('pg_ctl', '-D', cluster, '-w', '-l', join(folder, 'log'), '-o', settings, 'start');
  const connection = {
    host: folder,
    port: 5432,
    user: 'postgres',
    password: '',
    database: 'postgres',
  };
  const pool = openPool(connection, 1, () => undefined);
  await migrate(openDatabase(pool));
  await pool.end();
  const t = await appOn(connection);
  return {
    ...t,
    close: async () => {
      await t.close();
      run('pg_ctl', '-D', cluster, '-m', 'immediate', 'stop');
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function crowd(
  t: TestApp,
  machine: { id: number; venue_id: number | null },
  players: number,
) {
  const now = t.clock.now();
  const named = `crowd${players}`;
  await sql`
    insert into players (email, username, date_of_birth, created_at)
    select ${named}::text || '-' || n || '@example.com', ${named}::text || '-' || n, '2000-01-01',
      ${now}
    from generate_series(1, ${players}::integer) n`.execute(t.unlimited);
  await sql`
    insert into games (machine_id, id, player_id, score, played_at, day, received_at, state, digest,
      outside)
    select ${machine.id}, gen_random_uuid(), p.id, (p.id + 7 * n) % 200,
      ${now}::timestamptz - n * interval '5 minutes', ${now}::timestamptz::date, ${now}, 'counted',
      sha256('game'), 'no_team'
    from players p, generate_series(1, ${GAMES}::integer) n
    where p.username like ${`${named}-%`}`.execute(t.unlimited);
  await sql`
    insert into player_stats (player_id, games_played, highscore, score_sum)
    select player_id, count(*), max(score), sum(score) from games
    where player_id in (select id from players where username like ${`${named}-%`})
    group by 1`.execute(t.unlimited);
  await sql`
    insert into bests (venue_id, week, player_id, score)
    select venue, week, s.player_id, s.highscore from player_stats s
    join players p on p.id = s.player_id and p.username like ${`${named}-%`}
    cross join unnest(array[0, ${machine.venue_id}::integer]) venue
    cross join unnest(array['-infinity'::date, date_trunc('week', ${now}::timestamptz at time zone 'UTC')::date]) week`.execute(
    t.unlimited,
  );
  await sql`truncate best_counts`.execute(t.unlimited);
  await sql`
    insert into best_counts select venue_id, week, score, count(*) from bests
    group by 1, 2, 3`.execute(t.unlimited);
}

const servers = [
  { name: 'the embedded PostgreSQL', open: () => testApp(), there: true },
  { name: 'PostgreSQL 15 of Debian', open: debianApp, there: existsSync(DEBIAN) },
];

for (const { name, open, there } of servers)
  describe.skipIf(!there)(`on ${name}`, () => {
    test('API-27: every hot statement reads few rows; with any statistics, a game’s boards are found by their key, and a machine’s last game without reading its other games', {
      timeout: 120_000,
    }, async () => {
      const t = await open();
      try {
        goToMidweek(t);
        const machine = await makeMachine(t, { venue: 'Dockside' });
        const player = await makePlayer(t);
        await makeTeam(t, await makeLeague(t), [player]);
        const others = await Promise.all(Array.from({ length: 9 }, () => makePlayer(t)));
        const as = await makeSession(t, player);
        const read = readRows(t);
        const hot = async () => {
          t.clock.advance(60_000);
          const players = [player, ...others];
          await recordReport(
            t,
            machine,
            players.map((one) => aGame(t, one, { score: 150 })),
          );
          for (const path of [
            '/api/leaderboards/',
            '/api/leaderboards/?scope=venue&period=week',
            '/api/leaderboards/?scope=league&period=week',
            '/api/leaderboards/user-league-stats/',
            '/api/leaderboards/user-league-season/',
            '/api/users/profile/',
            '/api/users/profile/games/',
            '/api/users/profile/figures/',
            '/api/users/profile/asks/',
            '/api/achievements/',
            '/api/achievements/user_achievements/',
          ])
            expect((await t.call('GET', path, { as })).status, path).toBe(200);
          await viewMachines(t);
        };
        await crowd(t, machine, 10);
        await sql`analyze`.execute(t.unlimited);
        await crowd(t, machine, PLAYERS);
        for (const statistics of ['old', 'new']) {
          if (statistics === 'new') await sql`vacuum analyze`.execute(t.unlimited);
          const costs = await read(hot);
          expect(costs.some(({ text }) => text.includes('insert into bests'))).toBe(true);
          expect(costs.some(({ text }) => text.includes('from best_counts'))).toBe(true);
          expect(costs.some(({ text }) => text.includes('as last_played_at'))).toBe(true);
          for (const { text, rows, scans } of costs) {
            const isBoards = text.includes('insert into bests');
            const isMachines = text.includes('as last_played_at');
            // With old statistics, most statements may scan a small table. The statement that
            // writes the boards must never read a whole week, and the one that reads the machines
            // never all of a machine's games.
            if (isBoards) expect(scans.join(), text).not.toContain('bests_in_order');
            if (isBoards || isMachines || statistics === 'new')
              expect(rows, `${statistics} statistics:\n${text}\n${scans.join(', ')}`).toBeLessThan(
                ROWS_MAX,
              );
          }
        }
        await t.db.updateTable('machines').set({ venue_id: null }).execute();
        for (const { text, rows } of await read(() => viewMachines(t)))
          expect(rows, `without a venue:\n${text}`).toBeLessThan(ROWS_MAX);
      } finally {
        await t.close();
      }
    });
  });
