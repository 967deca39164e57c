import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { copyFile, readFile, stat, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Account, type Binaries, commandAs } from './cluster.ts';
import { codeOf, readIfThere, spawnFailure } from './errors.ts';

/** This limit is long, because crash recovery replays the write-ahead log. */
const RECOVERY_LIMIT_MS = 300_000;
const RECOVERY_LOGGED_AFTER_MS = 3_000;
/** How long to wait after a stop signal before a stronger one is sent (P41). */
const FAST_STOP_MS = 10_000;
const IMMEDIATE_STOP_MS = 3_000;
const LOG_LIMIT_BYTES = 5_000_000;

export type Location = {
  home: string;
  cluster: string;
  host: string;
  port: number;
  binaries: Binaries;
  account: Account;
  log: (line: string) => void;
  launched: () => void;
  connections: number;
};

/** `ended`: how it ended, as a signal's name, an exit code or an error message. */
export type Server = { ended: Promise<string>; stop(): Promise<void> };

/**
 * Launches PostgreSQL once. Returns the server when it accepts connections, or its output if it
 * fails.
 * @throws EmbeddedDatabaseError if the program cannot be run
 */
export async function launch(location: Location, stopping: AbortSignal): Promise<Server | string> {
  const { cluster, binaries, account } = location;
  const settings = Object.entries(settingsOf(location)).flatMap(([name, value]) => [
    '-c',
    `${name}=${value}`,
  ]);
  const touched = [join(cluster, 'PG_VERSION')];
  if (process.platform !== 'win32') touched.push(join(location.host, 'socket'));
  const args = ['-D', cluster, ...settings];
  const { command, args: all, options } = commandAs(account, binaries.postgres, args, touched);

  const logStart = await stat(logPath(location)).then(
    ({ size }) => size,
    () => 0,
  );
  const output = openSync(logPath(location), 'a', 0o600);
  // In its own session PostgreSQL gets no Ctrl-C; the app stops it.
  const child = spawn(command, all, {
    ...options,
    detached: true,
    stdio: ['ignore', output, output],
  });
  closeSync(output);
  location.launched();
  let failure: Error | undefined;
  let running = true;
  const ended = new Promise<string>((resolve) => {
    const end = (how: string) => {
      running = false;
      resolve(how);
    };
    child.on('exit', (code, signal) => end(signal ?? `exit code ${code}`));
    child.on('error', (error) => {
      failure = spawnFailure(command, error);
      end(failure.message);
    });
  });
  const releaseWatchdog = watch(child, binaries, () => running);
  void ended.then(releaseWatchdog);
  const server = { ended, stop: () => stopChild(child, binaries, ended) };

  const began = performance.now();
  let logged = false;
  while (running) {
    const lines = (await readIfThere(join(cluster, 'postmaster.pid')))?.split('\n');
    if (lines?.[0] === String(child.pid) && lines[7]?.trim() === 'ready') return server;
    const waited = performance.now() - began;
    if (stopping.aborted || waited > RECOVERY_LIMIT_MS) {
      await server.stop();
      return 'FATAL: it was not ready in time';
    }
    if (waited > RECOVERY_LOGGED_AFTER_MS && !logged) {
      logged = true;
      location.log(
        `the database server takes longer to start: the computer is busy, or it recovers from a crash (see ${logPath(location)})`,
      );
    }
    await Promise.race([sleep(5), ended]);
  }
  if (failure) throw failure;
  return await readFrom(logPath(location), logStart);
}

/** These settings override postgresql.conf and ALTER SYSTEM. */
function settingsOf({ host, port, connections }: Location): Record<string, string | number> {
  const windows = process.platform === 'win32';
  return {
    listen_addresses: windows ? host : '',
    unix_socket_directories: windows ? '' : host,
    port,
    unix_socket_permissions: '0700',
    // REL-04: an acknowledged commit is on disk.
    fsync: 'on',
    synchronous_commit: 'on',
    full_page_writes: 'on',
    // syncfs is one system call instead of one per file: with 1,300 files, recovery takes 0.2 s
    // instead of 1.4 s.
    recovery_init_sync_method: process.platform === 'linux' ? 'syncfs' : 'fsync',
    timezone: 'UTC',
    log_timezone: 'UTC',
    max_connections: connections,
    shared_buffers: '128MB',
    // A small server needs no idle helper processes.
    io_method: 'sync',
    max_logical_replication_workers: 0,
    log_checkpoints: 'off',
    log_line_prefix: '%m [%p] ',
    // P42: rows, values and statements can contain addresses and codes.
    log_error_verbosity: 'terse',
    log_min_error_statement: 'panic',
  };
}

/**
 * Starts a watchdog (a shell of 1 MB; on Windows, Node of 40 MB) and returns a function that kills
 * it. When the app dies, the watchdog's stdin closes, and the watchdog stops PostgreSQL.
 */
function watch(server: ChildProcess, binaries: Binaries, running: () => boolean): () => void {
  if (server.pid === undefined) return () => {};
  const pid = String(server.pid);
  const command: [string, string[]] =
    process.platform === 'win32'
      ? [
          process.execPath,
          [
            '-e',
            "process.stdin.resume().on('close', () => require('child_process').spawnSync(process.argv[1], ['kill', 'INT', process.argv[2]]))",
            binaries.pgCtl,
            pid,
          ],
        ]
      : ['/bin/sh', ['-c', 'trap "" HUP INT TERM; read -r _; kill -INT "$1"', 'watchdog', pid]];
  let watchdog = spawnWatchdog();
  function spawnWatchdog(): ChildProcess {
    const child = spawn(...command, { detached: true, stdio: ['pipe', 'ignore', 'ignore'] });
    // Without a watchdog, the app's next start stops a leftover server.
    child.on('error', () => {});
    child.stdin?.on('error', () => {});
    child.on('exit', () => {
      if (running()) watchdog = spawnWatchdog();
    });
    return child;
  }
  return () => watchdog.kill('SIGKILL');
}

async function stopChild(
  child: ChildProcess,
  binaries: Binaries,
  ended: Promise<string>,
): Promise<void> {
  const signals = [
    ['SIGINT', FAST_STOP_MS],
    ['SIGQUIT', IMMEDIATE_STOP_MS],
    ['SIGKILL', IMMEDIATE_STOP_MS],
  ] as const;
  for (const [signal, timeoutMs] of signals) {
    if (process.platform === 'win32' && signal !== 'SIGKILL') {
      spawnSync(binaries.pgCtl, ['kill', signal.slice(3), String(child.pid)]);
    } else {
      child.kill(signal);
    }
    const enough = new AbortController();
    const late = sleep(timeoutMs, true, { signal: enough.signal }).catch(() => false);
    const timedOut = await Promise.race([ended.then(() => false), late]);
    enough.abort();
    if (!timedOut) return;
  }
}

export const logPath = ({ home }: { home: string }) => join(home, 'server.log');

/** Copies and truncates the log, which the server keeps open. */
export async function limitLog(location: Location): Promise<void> {
  const path = logPath(location);
  try {
    if ((await stat(path)).size < LOG_LIMIT_BYTES) return;
    await copyFile(path, `${path}.1`);
    await truncate(path);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') location.log(`cannot shorten ${path}: ${codeOf(error)}`);
  }
}

async function readFrom(path: string, start: number): Promise<string> {
  return (await readFile(path)).subarray(start).toString();
}
