import { createHash } from 'node:crypto';
import { chmod, chown, lstat, mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Account, APP_ROLE, ensureCluster, findBinaries, serverAccount } from './cluster.ts';
import { codeOf, EmbeddedDatabaseError, explain, lastComplaint } from './errors.ts';
import { clearLeftovers } from './leftovers.ts';
import { launch, limitLog, logPath, type Place, type Server } from './server.ts';

/** How long a start is tried again while an earlier server is still on its way out (REL-03). */
const START_RETRY_MS = 15_000;
const ON_ITS_WAY_OUT = /lock file .* already exists|pre-existing shared memory block/;
const RESTART_FIRST_DELAY_MS = 50;
const RESTART_LONGEST_DELAY_MS = 10_000;
const LOG_CHECK_MS = 60_000;
/** `sun_path` of a Unix socket holds 108 bytes with the closing zero; macOS 104. */
const SOCKET_PATH_LIMIT = 103;
const SOCKET_PORT = 5432;
const SOCKET_NAME = `.s.PGSQL.${SOCKET_PORT}`;

/** A lock ends when its object is collected, so those in use are kept here. */
const locks = new Set<DatabaseSync>();

export type EmbeddedDatabase = {
  /** Stays the same as long as the app runs, also when the server is restarted. */
  connection: { host: string; port: number; user: string; password: string; database: string };
  /** Stops the server in order and gives the folder free; never rejects, may be called twice. */
  stop(): Promise<void>;
};

/**
 * Starts the PostgreSQL server of this app on `dataDir/postgres`, and makes the database on the very
 * first start. While the app lives, a server that dies is started again; when the app dies, however
 * that happens, a watchdog stops the server (P43, REL-03).
 *
 * @param options.dataDir the app's folder for everything it keeps; made when missing
 * @param options.log gets one line for everything unusual; the server's own log is `postgres/server.log`
 * @param options.launched is told each time the server has been launched and only its readiness is
 *   waited for
 * @throws EmbeddedDatabaseError with a message for the operator: folder in use, disk full, not
 *   writable, platform or version that does not fit
 */
export async function openEmbedded(options: {
  dataDir: string;
  log: (line: string) => void;
  launched?: () => void;
}): Promise<EmbeddedDatabase> {
  const { dataDir, log, launched = () => undefined } = options;
  const binaries = await findBinaries();
  const home = await makeHome(dataDir);
  const unlock = lockFolder(home, dataDir);
  try {
    const account = await serverAccount(join(home, 'cluster'));
    const { cluster, password } = await ensureCluster(home, binaries, account);
    const windows = process.platform === 'win32';
    const host = windows ? '127.0.0.1' : await makeSocketFolder(cluster, account);
    const port = windows ? await freePort() : SOCKET_PORT;
    const place = { home, cluster, host, port, binaries, account, log, launched };
    const stopServer = await keepRunning(place);
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
    // Others, such as the user who runs the server, may pass through it but not look around.
    await mkdir(home, { recursive: true, mode: 0o711 });
    return await realpath(home);
  } catch (error) {
    const advice = explain(resolve(dataDir), codeOf(error));
    throw new EmbeddedDatabaseError(advice ?? `Cannot make the folder ${home}: ${String(error)}`);
  }
}

/**
 * Takes the folder for this process. The lock is the operating system's own, held through SQLite:
 * it ends with the process, so there is no such thing as a stale one. Gives what unlocks.
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

/** A folder only for this cluster's socket: the folder of the data may have a path too long for one. */
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
    // Somebody else may have made it first to lie in wait: then take a name nobody could know.
    if (!there.isDirectory() || !owners.includes(there.uid)) folder = await mkdtemp(`${folder}-`);
  }
  await chmod(folder, 0o700);
  if (account) await chown(folder, account.uid, account.gid);
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

/** Starts the server and starts it again whenever it dies; gives the function that ends this. */
async function keepRunning(place: Place): Promise<() => Promise<void>> {
  const stopping = new AbortController();
  let server = await startServer(place, stopping.signal);

  async function supervise(): Promise<void> {
    while (!stopping.signal.aborted) {
      const how = await server.ended;
      if (stopping.signal.aborted) return;
      place.log(`the database server ended by itself (${how}): starting it again`);
      for (
        let delay = RESTART_FIRST_DELAY_MS;
        ;
        delay = Math.min(delay * 2, RESTART_LONGEST_DELAY_MS)
      ) {
        await sleep(delay, undefined, { signal: stopping.signal });
        try {
          server = await startServer(place, stopping.signal);
          place.log('the database server is back');
          break;
        } catch (error) {
          if (stopping.signal.aborted) return;
          const reason = error instanceof Error ? error.message : String(error);
          place.log(`the database server does not start: ${reason}`);
        }
      }
    }
  }
  const supervision = supervise().catch((error: unknown) => {
    if (!stopping.signal.aborted) throw error;
  });
  const logCheck = setInterval(() => void limitLog(place), LOG_CHECK_MS).unref();

  return async () => {
    clearInterval(logCheck);
    stopping.abort();
    await server.stop();
    await supervision;
    // It may have been in the middle of starting another one.
    await server.stop();
  };
}

async function startServer(place: Place, stopping: AbortSignal): Promise<Server> {
  const deadline = performance.now() + START_RETRY_MS;
  for (;;) {
    await clearLeftovers(place.cluster, place.log);
    // The socket's folder is this cluster's alone, and no server works on the cluster.
    await rm(join(place.host, SOCKET_NAME), { force: true });
    await rm(join(place.host, `${SOCKET_NAME}.lock`), { force: true });
    const complaint = await limitLog(place).then(() => launch(place, stopping));
    if (typeof complaint !== 'string') return complaint;
    if (!ON_ITS_WAY_OUT.test(complaint) || performance.now() > deadline) {
      throw new EmbeddedDatabaseError(
        explain(place.home, complaint) ??
          `PostgreSQL does not start: ${lastComplaint(complaint)} (see ${logPath(place)})`,
      );
    }
    await sleep(100);
  }
}
