import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { freePort } from '#testing/ports.ts';
import { type Postgres, startPostgres } from '../postgres.ts';
import { production, startNode } from '../processes.ts';
import { insist, longestGap, proveExactlyOnce, reportGames } from './games.ts';
import { refreshOf } from './seed.ts';
import { copyOfSeed } from './test-bed.ts';

/**
 * Failover under load: PostgreSQL's primary and its synchronous standby are behind HAProxy, which
 * also balances two processes of the app. While machines report games, the primary is killed and
 * the standby promoted.
 */

const SIZE = { games: 10_000, players: 1_000, teams: 100 };
/** Clients that report at the same time. */
const REPORTERS = 40;
const BEFORE_MS = 5_000;
const AFTER_MS = 5_000;
/** The pause between two checks of a database server. */
const LOOK_EVERY_MS = 250;
/** The primary counts as dead after this many failed checks in a row. */
const DEAD_AFTER = 3;

export type Failover = {
  /** Seconds from the kill until the failure was noticed. */
  noticed: number;
  /** Seconds from the kill until the standby was promoted. */
  promoted: number;
  /** The longest time without an acknowledged game, in seconds. */
  withoutGames: number;
  /** The longest time without a profile read, in seconds. */
  withoutReads: number;
  proof: string;
  /** Failed reports. Each was retried. */
  repeated: number;
};

function requireProgram(name: string): void {
  if (spawnSync(name, ['-v']).error !== undefined)
    throw new Error(`${name} is missing. Install it: apt-get install ${name}`);
}

// --- HAProxy ----------------------------------------------------------------------------------

const hex = (text: string) => Buffer.from(text, 'latin1').toString('hex');
const int32 = (n: number) => n.toString(16).padStart(8, '0');

/** HAProxy's options for a TCP check that passes only for a standby, or only for a primary. */
function askForRole(standby: boolean): string[] {
  const start = `${int32(0x30000)}${hex('user\0postgres\0database\0postgres\0\0')}`;
  const query = hex('select pg_is_in_recovery()\0');
  return [
    'option tcp-check',
    'tcp-check connect',
    `tcp-check send-binary ${int32(4 + start.length / 2)}${start}`,
    // PostgreSQL is ready for a query.
    'tcp-check expect binary 5a0000000549',
    `tcp-check send-binary 51${int32(4 + query.length / 2)}${query}`,
    // A row with one column: `t` for a standby, `f` for a primary.
    `tcp-check expect binary 440000000b000100000001${hex(standby ? 't' : 'f')}`,
  ];
}

type Ports = { primary: number; standby: number; web: number; a: number; b: number };

const configuration = ({ primary, standby, web, a, b }: Ports, apps: number[]) => `
global
  maxconn 4000
defaults
  timeout connect 1s
  timeout client 1h
  timeout server 1h
  timeout check 1s
  default-server inter 500ms fastinter 200ms downinter 200ms fall 2 rise 1
${[
  { name: 'primary', port: primary, check: askForRole(false) },
  { name: 'standby', port: standby, check: askForRole(true) },
]
  .map(
    ({ name, port, check }) => `
listen ${name}
  mode tcp
  bind 127.0.0.1:${port}
  ${check.join('\n  ')}
  server a 127.0.0.1:${a} check on-marked-down shutdown-sessions
  server b 127.0.0.1:${b} check on-marked-down shutdown-sessions`,
  )
  .join('\n')}

listen web
  mode http
  bind 127.0.0.1:${web}
  option httpchk GET /health/live
  option redispatch
  retry-on conn-failure
  ${apps.map((port, at) => `server app${at} 127.0.0.1:${port} check`).join('\n  ')}
`;

function startHaproxy(ports: Ports, apps: number[], folder: string): { stop(): void } {
  const file = join(folder, 'haproxy.cfg');
  writeFileSync(file, configuration(ports, apps));
  execFileSync('haproxy', ['-c', '-q', '-f', file]);
  const child = spawn('haproxy', ['-q', '-db', '-f', file], { stdio: 'ignore' });
  const stop = () => void child.kill('SIGKILL');
  process.on('exit', stop);
  return { stop };
}

// --- PostgreSQL -------------------------------------------------------------------------------

async function startPair({ a, b }: Ports): Promise<{ first: Postgres; second: Postgres }> {
  const folder = await copyOfSeed(SIZE, 'primary');
  // The seed was filled with wal_level=minimal. A standby needs the default level.
  const listen = { listen_addresses: '127.0.0.1', max_wal_senders: 4, wal_keep_size: '1GB' };
  await (await startPostgres(folder, { settings: listen })).stop();
  const copy = join(folder, '..', 'standby');
  rmSync(copy, { recursive: true, force: true });
  execFileSync('cp', ['-a', folder, copy]);
  const cluster = join(copy, 'postgres', 'cluster');
  // With this file, PostgreSQL starts as a standby.
  execFileSync('install', [
    '-o',
    String(statSync(cluster).uid),
    '/dev/null',
    join(cluster, 'standby.signal'),
  ]);
  const first = await startPostgres(folder, {
    port: a,
    settings: { ...listen, synchronous_standby_names: '*' },
  });
  const second = await startPostgres(copy, {
    port: b,
    settings: { ...listen, primary_conninfo: `host=127.0.0.1 port=${a} user=postgres` },
  });
  for (;;) {
    const [state] = await first.query<{ in_step: boolean }>(
      "select count(*) > 0 as in_step from pg_stat_replication where sync_state = 'sync' and replay_lsn = pg_current_wal_lsn()",
    );
    if (state?.in_step) return { first, second };
    await sleep(50);
  }
}

async function answers(port: number): Promise<boolean> {
  const client = new pg.Client({
    host: '127.0.0.1',
    port,
    user: 'postgres',
    connectionTimeoutMillis: LOOK_EVERY_MS,
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return true;
  } catch {
    return false;
  } finally {
    client.end().catch(() => undefined);
  }
}

/** Waits until HAProxy knows the primary. Until then, connections go to either server. */
async function rolesKnown({ primary, standby }: Ports): Promise<void> {
  const role = async (port: number) => {
    const client = new pg.Client({ host: '127.0.0.1', port, user: 'postgres' });
    client.on('error', () => undefined);
    try {
      await client.connect();
      const { rows } = await client.query('select pg_is_in_recovery() as follows');
      return rows[0]?.follows;
    } catch {
      // HAProxy does not listen yet, or has just marked this PostgreSQL as down.
      return undefined;
    } finally {
      client.end().catch(() => undefined);
    }
  };
  // Require two correct answers in a row, because HAProxy alternates between the servers.
  for (let right = 0; right < 2; await sleep(LOOK_EVERY_MS))
    right = (await role(primary)) === false && (await role(standby)) === true ? right + 1 : 0;
}

// --- The run ----------------------------------------------------------------------------------

/**
 * Runs one failover and returns its times.
 * @throws Error if an acknowledged game is lost or stored twice
 */
export async function failOver(say: (line: string) => void): Promise<Failover> {
  requireProgram('haproxy');
  const [primary = 0, standby = 0, web = 0, a = 0, b = 0] = await Promise.all(
    Array.from({ length: 5 }, () => freePort()),
  );
  const ports = { primary, standby, web, a, b };
  const { first, second } = await startPair(ports);
  const appPorts = [await freePort(), await freePort()];
  const haproxy = startHaproxy(ports, appPorts, join(first.folder, '..'));
  await rolesKnown(ports);
  const url = (port: number) => `postgres://backboard@127.0.0.1:${port}/backboard`;
  const apps = [];
  for (const port of appPorts)
    apps.push(
      await startNode('server/main.ts', {
        env: production(url(primary), {
          DATABASE_REPLICA_URL: url(standby),
          DATA_DIR: first.folder,
          PORT: String(port),
          LOG_LEVEL: 'fatal',
        }),
        cpus: null,
        ready: '/health/ready',
      }),
    );
  say('two servers, two processes, HAProxy before both: ready');

  const base = `http://127.0.0.1:${web}`;
  const begun = new Date();
  const readsAt: number[] = [];
  let over = false;
  const tokens = await fetch(`${base}/api/users/auth/token/refresh/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ refresh: refreshOf(1) }),
  });
  const { access } = (await tokens.json()) as { access: string };
  const look = async () => {
    while (!over) {
      const headers = { authorization: `Bearer ${access}` };
      await insist(
        () => fetch(`${base}/api/users/profile/`, { headers }),
        () => undefined,
      );
      readsAt.push(performance.now());
      await sleep(20);
    }
  };
  const games = reportGames(() => base, SIZE, REPORTERS);
  const { acknowledged } = games;
  const looking = look();

  await sleep(BEFORE_MS);
  say(`${acknowledged.size} games acknowledged; now the primary is killed`);
  const killedAt = performance.now();
  const since = () => (performance.now() - killedAt) / 1000;
  await first.stop('SIGKILL');
  for (let missed = 0; missed < DEAD_AFTER; ) {
    missed = (await answers(a)) ? 0 : missed + 1;
    await sleep(LOOK_EVERY_MS);
  }
  const noticed = since();
  await second.query('select pg_promote()');
  const promoted = since();
  say(`noticed after ${noticed.toFixed(1)} s, promoted after ${promoted.toFixed(1)} s`);
  const atPromotion = acknowledged.size;
  while (acknowledged.size < atPromotion + REPORTERS) await sleep(20);
  await sleep(AFTER_MS);
  over = true;
  await Promise.all([looking, games.stop()]);
  const proof = await proveExactlyOnce(second, begun, acknowledged);
  for (const app of apps) await app.stop();
  haproxy.stop();
  await second.stop();
  return {
    noticed,
    promoted,
    withoutGames: longestGap(games.calls.map(({ ended }) => ended)).ms / 1000,
    withoutReads: longestGap(readsAt).ms / 1000,
    proof,
    repeated: games.repeated(),
  };
}
