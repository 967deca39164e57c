import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { copyFile, readFile, stat, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Account, type Binaries, commandAs } from './cluster.ts';
import { codeOf, readIfThere, spawnFailure } from './errors.ts';

/** Replaying the log after a crash takes its time; a server that works on it is left to it. */
const RECOVERY_LIMIT_MS = 300_000;
const RECOVERY_TOLD_AFTER_MS = 3_000;
/** A fast stop writes everything to disk; the next signals leave that to the next start. P41 has 30 s in all. */
const FAST_STOP_MS = 10_000;
const IMMEDIATE_STOP_MS = 3_000;
const LOG_LIMIT_BYTES = 5_000_000;

/** Where a server works, and as whom. */
export type Place = {
  home: string;
  cluster: string;
  host: string;
  port: number;
  binaries: Binaries;
  account: Account;
  log: (line: string) => void;
  /** Told when the server has been launched and only its readiness is waited for. */
  launched: () => void;
};

/** `ended` tells how: a signal or an exit code. */
export type Server = { ended: Promise<string>; stop(): Promise<void> };

/** One attempt: a server that takes connections, or what it wrote before it gave up. */
export async function launch(place: Place, stopping: AbortSignal): Promise<Server | string> {
  const { cluster, binaries, account } = place;
  const settings = Object.entries(settingsOf(place)).flatMap(([name, value]) => [
    '-c',
    `${name}=${value}`,
  ]);
  const touched = [join(cluster, 'PG_VERSION')];
  if (process.platform !== 'win32') touched.push(join(place.host, 'socket'));
  const args = ['-D', cluster, ...settings];
  const { command, args: all, options } = commandAs(account, binaries.postgres, args, touched);

  const logStart = await stat(logPath(place)).then(
    ({ size }) => size,
    () => 0,
  );
  const output = openSync(logPath(place), 'a', 0o600);
  // A session of its own: Ctrl-C in the terminal is for the app, which stops the server in order.
  const child = spawn(command, all, {
    ...options,
    detached: true,
    stdio: ['ignore', output, output],
  });
  closeSync(output);
  place.launched();
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
  let told = false;
  while (running) {
    const lines = (await readIfThere(join(cluster, 'postmaster.pid')))?.split('\n');
    if (lines?.[0] === String(child.pid) && lines[7]?.trim() === 'ready') return server;
    const waited = performance.now() - began;
    if (stopping.aborted || waited > RECOVERY_LIMIT_MS) {
      await server.stop();
      return 'FATAL: it was not ready in time';
    }
    if (waited > RECOVERY_TOLD_AFTER_MS && !told) {
      told = true;
      place.log(
        `the database server takes longer to start, most likely after a crash (see ${logPath(place)})`,
      );
    }
    await Promise.race([sleep(5), ended]);
  }
  if (failure) throw failure;
  return await readFrom(logPath(place), logStart);
}

/** What the server is told at every start; it wins over postgresql.conf and ALTER SYSTEM. */
function settingsOf({ host, port }: Place): Record<string, string | number> {
  const windows = process.platform === 'win32';
  return {
    listen_addresses: windows ? host : '',
    unix_socket_directories: windows ? '' : host,
    port,
    unix_socket_permissions: '0700',
    // REL-04: what is acknowledged is on the disk.
    fsync: 'on',
    synchronous_commit: 'on',
    full_page_writes: 'on',
    // After a crash: one call in place of one for each of 1,300 files, 0.2 s in place of 1.4 s.
    recovery_init_sync_method: process.platform === 'linux' ? 'syncfs' : 'fsync',
    timezone: 'UTC',
    log_timezone: 'UTC',
    max_connections: 100,
    shared_buffers: '128MB',
    // A small server beside its app: no helpers that only wait.
    io_method: 'sync',
    max_logical_replication_workers: 0,
    log_checkpoints: 'off',
    log_line_prefix: '%m [%p] ',
    // P42: rows, values and statements can hold addresses and codes. The app logs its own errors.
    log_error_verbosity: 'terse',
    log_min_error_statement: 'panic',
  };
}

/**
 * A process that waits until the app is gone, however it went: then its stdin ends, and it tells the
 * server to stop. A shell, since it takes a megabyte and Node forty; Windows has none.
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
    // Without a watchdog the next start still finds and stops the server.
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
  for (const [signal, patience] of signals) {
    if (process.platform === 'win32' && signal !== 'SIGKILL') {
      spawnSync(binaries.pgCtl, ['kill', signal.slice(3), String(child.pid)]);
    } else {
      child.kill(signal);
    }
    const enough = new AbortController();
    const late = sleep(patience, true, { signal: enough.signal }).catch(() => false);
    const timedOut = await Promise.race([ended.then(() => false), late]);
    enough.abort();
    if (!timedOut) return;
  }
}

/** Where the server writes what it has to say. */
export const logPath = ({ home }: { home: string }) => join(home, 'server.log');

/** The server appends to its log for as long as it lives, so a full one is copied and emptied. */
export async function limitLog(place: Place): Promise<void> {
  const path = logPath(place);
  try {
    if ((await stat(path)).size < LOG_LIMIT_BYTES) return;
    await copyFile(path, `${path}.1`);
    await truncate(path);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') place.log(`cannot shorten ${path}: ${codeOf(error)}`);
  }
}

async function readFrom(path: string, start: number): Promise<string> {
  return (await readFile(path)).subarray(start).toString();
}
