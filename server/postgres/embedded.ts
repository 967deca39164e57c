import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { lstat, mkdir, mkdtemp, open, realpath, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Account, APP_ROLE, ensureCluster, findBinaries, serverAccount } from './cluster.ts';
import { codeOf, EmbeddedDatabaseError, explain, lastComplaint } from './errors.ts';
import { clearLeftovers } from './leftovers.ts';
import { type Location, launch, limitLog, logPath, type Server } from './server.ts';

/** How long to retry while an earlier server shuts down (REL-03). */
const START_RETRY_MS = 15_000;
const STILL_SHUTTING_DOWN = /lock file .* already exists|pre-existing shared memory block/;
const RESTART_FIRST_DELAY_MS = 50;
const RESTART_LONGEST_DELAY_MS = 10_000;
const LOG_CHECK_MS = 60_000;
/** `sun_path` holds 104 bytes on macOS, 108 elsewhere, with the terminating zero. */
const SOCKET_PATH_LIMIT = 103;
const SOCKET_PORT = 5432;
const SOCKET_NAME = `.s.PGSQL.${SOCKET_PORT}`;

/** Keep references, because garbage collection would release the locks. */
const locks = new Set<DatabaseSync>();

export type EmbeddedDatabase = {
  /** How to connect. This stays the same when PostgreSQL restarts. */
  connection: { host: string; port: number; user: string; password: string; database: string };
  /** Shuts PostgreSQL down and unlocks the folder. Never rejects. Idempotent. */
  stop(): Promise<void>;
};

/**
 * Removes the shell's PG… variables. They are for another server, but the driver would read them
 * (OPS-32).
 */
function forgetShell(): void {
  for (const name of Object.keys(process.env)) if (/^PG[A-Z]/.test(name)) delete process.env[name];
}

/**
 * Starts PostgreSQL on `dataDir/postgres` with the app's database, and restarts it if it dies. If
 * the app dies, even killed, a watchdog stops PostgreSQL (P43, REL-03).
 * @param options.dataDir the app's data folder; created if missing
 * @param options.log a line per unusual event; PostgreSQL's own log is `postgres/server.log`
 * @param options.launched called when PostgreSQL has started, but is not ready yet
 * @param options.connections PostgreSQL's max_connections, 100 by default
 * @throws EmbeddedDatabaseError with a message for the operator: folder in use or not writable,
 * disk full, wrong platform or version
 */
export async function openEmbedded(options: {
  dataDir: string;
  log: (line: string) => void;
  launched?: () => void;
  connections?: number;
}): Promise<EmbeddedDatabase> {
  const { dataDir, log, launched = () => undefined, connections = 100 } = options;
  forgetShell();
  const binaries = await findBinaries();
  const home = await makeHome(dataDir);
  const unlock = lockFolder(home, dataDir);
  try {
    const account = await serverAccount(join(home, 'cluster'));
    const { cluster, password } = await ensureCluster(home, binaries, account);
    const windows = process.platform === 'win32';
    const host = windows ? '127.0.0.1' : await makeSocketFolder(cluster, account);
    const port = windows ? await freePort() : SOCKET_PORT;
    const location = { home, cluster, host, port, binaries, account, log, launched, connections };
    const stopServer = await keepRunning(location);
    let stopped: Promise<void> | undefined;
    return {
      connection: { host, port, user: APP_ROLE, password, database: APP_ROLE },
      stop: () => {
        stopped ??= stopServer()
          .then(() => (windows ? undefined : rm(host, { recursive: true, force: true })))
          .catch((error: unknown) => log(`while stopping the database: ${String(error)}`))
          .finally(unlock);
        return stopped;
      },
    };
  } catch (error) {
    unlock();
    if (error instanceof EmbeddedDatabaseError) throw error;
    const advice = explain(home, String(error));
    throw advice ? new EmbeddedDatabaseError(advice, { cause: error }) : error;
  }
}

async function makeHome(dataDir: string): Promise<string> {
  const home = resolve(dataDir, 'postgres');
  try {
    await mkdir(resolve(dataDir), { recursive: true });
    // Other users, such as PostgreSQL's, can enter the folder, but not list it.
    await mkdir(home, { recursive: true, mode: 0o711 });
    return await realpath(home);
  } catch (error) {
    const advice = explain(resolve(dataDir), codeOf(error));
    throw new EmbeddedDatabaseError(advice ?? `Cannot make the folder ${home}: ${String(error)}`);
  }
}

/**
 * Returns a function that unlocks the folder. Uses SQLite's file lock, which ends with the process.
 */
function lockFolder(home: string, dataDir: string): () => void {
  let lock: DatabaseSync | undefined;
  const unlock = () => {
    if (lock?.isOpen) lock.close();
    if (lock) locks.delete(lock);
  };
  try {
    lock = new DatabaseSync(join(home, 'lock'), { timeout: 0 });
    lock.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
    locks.add(lock);
    return unlock;
  } catch (error) {
    unlock();
    if (/locked/.test(String(error))) {
      throw new EmbeddedDatabaseError(
        `Backboard is already running on ${resolve(dataDir)}. Stop that one first, or set DATA_DIR to another folder.`,
      );
    }
    throw new EmbeddedDatabaseError(
      `Cannot lock ${join(home, 'lock')} (${error instanceof Error ? error.message : error}). The folder has to be writable by this user.`,
    );
  }
}

/** Makes a folder for the socket, because the data folder's path can be too long for a socket. */
async function makeSocketFolder(cluster: string, account: Account): Promise<string> {
  const name = `backboard-${createHash('sha256').update(cluster).digest('hex').slice(0, 16)}`;
  const fits = Buffer.byteLength(join(tmpdir(), name, SOCKET_NAME)) <= SOCKET_PATH_LIMIT;
  let folder = join(fits ? tmpdir() : '/tmp', name);
  try {
    await mkdir(folder, { mode: 0o700 });
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
    const there = await lstat(folder);
    const owners = [process.getuid?.(), account?.uid];
    // Use a random name, because another user may have created the folder to intercept connections.
    if (!there.isDirectory() || !owners.includes(there.uid)) folder = await mkdtemp(`${folder}-`);
  }
  // Change the folder through an open handle, because its owner could replace it with a link to one
  // of our folders.
  const opened = await open(folder, constants.O_DIRECTORY | constants.O_NOFOLLOW);
  try {
    await opened.chmod(0o700);
    if (account) await opened.chown(account.uid, account.gid);
  } finally {
    await opened.close();
  }
  return folder;
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const address = server.address();
  await new Promise((done) => server.close(done));
  if (address === null || typeof address === 'string') throw new Error('no free port');
  return address.port;
}

/** Starts PostgreSQL and restarts it if it dies. The returned function stops it for good. */
async function keepRunning(location: Location): Promise<() => Promise<void>> {
  const stopping = new AbortController();
  let server = await startServer(location, stopping.signal);

  async function supervise(): Promise<void> {
    while (!stopping.signal.aborted) {
      const how = await server.ended;
      if (stopping.signal.aborted) return;
      location.log(`the database server died (${how}): restarting it`);
      for (
        let delay = RESTART_FIRST_DELAY_MS;
        ;
        delay = Math.min(delay * 2, RESTART_LONGEST_DELAY_MS)
      ) {
        await sleep(delay, undefined, { signal: stopping.signal });
        try {
          server = await startServer(location, stopping.signal);
          location.log('the database server is back');
          break;
        } catch (error) {
          if (stopping.signal.aborted) return;
          const reason = error instanceof Error ? error.message : String(error);
          location.log(`the database server does not start: ${reason}`);
        }
      }
    }
  }
  const supervision = supervise().catch((error: unknown) => {
    if (!stopping.signal.aborted) throw error;
  });
  const logCheck = setInterval(() => void limitLog(location), LOG_CHECK_MS).unref();

  return async () => {
    clearInterval(logCheck);
    stopping.abort();
    await server.stop();
    await supervision;
    // `supervise` may just have restarted the server.
    await server.stop();
  };
}

async function startServer(location: Location, stopping: AbortSignal): Promise<Server> {
  const deadline = performance.now() + START_RETRY_MS;
  for (;;) {
    await clearLeftovers(location.cluster, location.log);
    // Remove a stale socket; no server of this cluster runs now.
    await rm(join(location.host, SOCKET_NAME), { force: true });
    await rm(join(location.host, `${SOCKET_NAME}.lock`), { force: true });
    const complaint = await limitLog(location).then(() => launch(location, stopping));
    if (typeof complaint !== 'string') return complaint;
    if (!STILL_SHUTTING_DOWN.test(complaint) || performance.now() > deadline) {
      throw new EmbeddedDatabaseError(
        explain(location.home, complaint) ??
          `PostgreSQL does not start: ${lastComplaint(complaint)} (see ${logPath(location)})`,
      );
    }
    await sleep(100);
  }
}
