import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFile,
  chmod,
  copyFile,
  mkdir,
  readdir,
  readFile,
  rename,
  stat,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import {
  isRoot,
  isRunning,
  killCommitLoops,
  makeFolder,
  ORDINARY_USER,
  removeFolder,
  serverOf,
  startCommitLoop,
  untilExited,
} from '#testing/app/database-processes.ts';
import { commandAs } from './cluster.ts';
import { type EmbeddedDatabase, openEmbedded } from './embedded.ts';
import { EmbeddedDatabaseError } from './errors.ts';

const opened: EmbeddedDatabase[] = [];
const folders: string[] = [];
let lines: string[] = [];

async function folder(owner?: typeof ORDINARY_USER): Promise<string> {
  const path = await makeFolder(owner);
  folders.push(path);
  return path;
}

async function open(dataDir: string): Promise<EmbeddedDatabase> {
  const database = await openEmbedded({ dataDir, log: (line) => lines.push(line) });
  opened.push(database);
  return database;
}

async function ask(database: EmbeddedDatabase, sql: string): Promise<Record<string, unknown>> {
  const client = new pg.Client(database.connection);
  await client.connect();
  try {
    return (await client.query(sql)).rows[0];
  } finally {
    await client.end();
  }
}

let used: string | undefined;

/** A folder with a used cluster, because a first start takes a second. Tests must not change it. */
async function usedFolder(): Promise<string> {
  if (used === undefined) {
    used = await makeFolder();
    const database = await open(used);
    await ask(database, 'CREATE TABLE kept AS SELECT 7 AS number');
    await database.stop();
  }
  return used;
}

const pidFile = (dataDir: string) => join(dataDir, 'postgres/cluster/postmaster.pid');

function watchdogOf(server: number): number {
  const { stdout } = spawnSync('pgrep', ['-f', `watchdog ${server}$`], { encoding: 'utf8' });
  return Number(stdout);
}

afterEach(async () => {
  killCommitLoops();
  await Promise.all(opened.splice(0).map((database) => database.stop()));
  await Promise.all(folders.splice(0).map(removeFolder));
  lines = [];
});

afterAll(async () => {
  if (used !== undefined) await removeFolder(used);
});

describe('P43: the embedded database', () => {
  test('writes everything to disk, accepts only scram over its own socket, and gives no superuser', async () => {
    const dataDir = await usedFolder();
    const database = await open(dataDir);
    const settings = await ask(
      database,
      `SELECT ${[
        ...['fsync', 'synchronous_commit', 'full_page_writes', 'data_checksums'],
        ...['listen_addresses', 'timezone', 'server_encoding', 'password_encryption'],
      ]
        .map((name) => `current_setting('${name}') AS ${name}`)
        .join()},
        (SELECT rolsuper FROM pg_roles WHERE rolname = current_user) AS superuser,
        lower('ÄÉ') AS lower`,
    );
    expect(settings).toEqual({
      fsync: 'on',
      synchronous_commit: 'on',
      full_page_writes: 'on',
      data_checksums: 'on',
      listen_addresses: '',
      timezone: 'UTC',
      server_encoding: 'UTF8',
      password_encryption: 'scram-sha-256',
      superuser: false,
      lower: 'äé',
    });
    const access = await readFile(join(dataDir, 'postgres/cluster/pg_hba.conf'), 'utf8');
    const methods = access
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((line) => line.split(/\s+/).at(-1));
    expect(new Set(methods)).toEqual(new Set(['scram-sha-256']));

    const password = join(dataDir, 'postgres/password');
    expect((await stat(password)).mode & 0o777).toBe(0o600);
    expect((await readFile(password, 'utf8')).trim()).toBe(database.connection.password);
    const stranger = new pg.Client({ ...database.connection, password: 'guess' });
    await expect(stranger.connect()).rejects.toThrow('password authentication failed');
  });

  test('keeps its data across a stop and leaves no process', async () => {
    const dataDir = await usedFolder();
    const database = await open(dataDir);
    expect(await ask(database, 'SELECT number FROM kept')).toEqual({ number: 7 });
    const server = serverOf(dataDir);
    await database.stop();
    expect(isRunning(server)).toBe(false);
    expect(watchdogOf(server)).toBe(0);
    await expect(stat(database.connection.host)).rejects.toThrow('ENOENT');
    expect(lines).toEqual([]);
  });

  test('refuses a second process on a folder with one line that names it', async () => {
    const dataDir = await usedFolder();
    const database = await open(dataDir);
    const sentence = `Backboard is already running on ${dataDir}. Stop that one first, or set DATA_DIR to another folder.`;
    const second = startCommitLoop(dataDir);
    expect(await second.ended).toBe(1);
    expect(second.errors()).toBe(`${sentence}\n`);
    await expect(open(dataDir)).rejects.toThrow(new EmbeddedDatabaseError(sentence));
    expect(await ask(database, 'SELECT 1 AS one')).toEqual({ one: 1 });
  });

  test('several databases run in parallel', async () => {
    const databases = await Promise.all(
      [usedFolder(), folder(), folder()].map(async (dataDir) => open(await dataDir)),
    );
    const answers = databases.map((database) => ask(database, 'SELECT 1 AS one'));
    expect(await Promise.all(answers)).toEqual([{ one: 1 }, { one: 1 }, { one: 1 }]);
    await Promise.all(databases.map((database) => database.stop()));
  });

  test('starts over after a first start that was killed', async () => {
    const dataDir = await folder();
    const first = startCommitLoop(dataDir);
    const home = join(dataDir, 'postgres');
    while (!(await readdir(home).catch(() => [])).some((name) => name.startsWith('new-'))) {
      await new Promise(setImmediate);
    }
    process.kill(first.pid, 'SIGKILL');
    await first.ended;
    const database = await open(dataDir);
    expect(await ask(database, 'SELECT 1 AS one')).toEqual({ one: 1 });
    expect((await readdir(home)).sort()).toEqual(['cluster', 'lock', 'password', 'server.log']);
  });

  test('is stopped on Ctrl-C by the app, not by the terminal', async () => {
    const dataDir = await folder();
    const loop = startCommitLoop(dataDir);
    await loop.opened();
    process.kill(-loop.pid, 'SIGINT');
    expect(await loop.ended).toBe(0);
    expect(loop.errors()).toBe('');
  });

  test('keeps its log short', async () => {
    const dataDir = await usedFolder();
    const log = join(dataDir, 'postgres/server.log');
    await writeFile(log, 'x'.repeat(6_000_000));
    await open(dataDir);
    expect((await stat(log)).size).toBeLessThan(10_000);
    expect((await stat(`${log}.1`)).size).toBe(6_000_000);
  });
});

describe('P43: who runs the server', () => {
  test.runIf(isRoot)(
    'root starts the server as the user `nobody`, even in a folder closed to others',
    async () => {
      const closed = await folder();
      await chmod(closed, 0o700);
      for (const dataDir of [join(closed, 'data'), await folder()]) {
        const database = await open(dataDir);
        const status = await readFile(`/proc/${serverOf(dataDir)}/status`, 'utf8');
        expect(status).toMatch(/^Uid:\s+65534\s+65534\s+65534\s+65534$/m);
        // No capability, or CAP_DAC_OVERRIDE (bit 1) if the user has no access to a path, such as
        // the checkout.
        const capabilities = dataDir.startsWith(closed) ? '0{15}2' : '0{15}[02]';
        expect(status).toMatch(new RegExp(`^CapEff:\\s+${capabilities}$`, 'm'));
        expect(await ask(database, 'SELECT 1 AS one')).toEqual({ one: 1 });
      }
    },
  );

  test.runIf(isRoot)('the server’s programs may be in a folder closed to others', async () => {
    const closed = await folder();
    await chmod(closed, 0o700);
    const program = join(closed, 'program');
    await writeFile(program, '', { mode: 0o700 });
    // access(2) can refuse a program that would run.
    const look = ['-e', 'fs.accessSync(process.argv[1], fs.constants.X_OK)', program];
    const { command, args, options } = commandAs(ORDINARY_USER, process.execPath, look, [program]);
    expect(spawnSync(command, args, { ...options, encoding: 'utf8' }).stderr).toBe('');
  });

  test('a server runs as the ordinary user who started it', async () => {
    const user = isRoot ? ORDINARY_USER : undefined;
    const dataDir = await folder(user);
    const loop = startCommitLoop(dataDir, user);
    const server = await loop.opened();
    expect((await stat(`/proc/${server}`)).uid).toBe(user?.uid ?? process.getuid?.());
    await loop.moreRows(1);
    process.kill(loop.pid, 'SIGINT');
    expect(await loop.ended).toBe(0);
  });

  test.runIf(isRoot)(
    'a user who does not own the folder gets an error that names the owner',
    async () => {
      const dataDir = await usedFolder();
      await chmod(join(dataDir, 'postgres/lock'), 0o666);
      const loop = startCommitLoop(dataDir, ORDINARY_USER);
      expect(await loop.ended).toBe(1);
      expect(loop.errors()).toMatch(/belongs to another user \(uid 65534\)/);
    },
  );
});

describe('P43: one sentence says what prevents a start', () => {
  test('a folder that cannot be written', async () => {
    const dataDir = isRoot ? '/sys/backboard' : await folder();
    if (!isRoot) await chmod(dataDir, 0o555);
    await expect(open(dataDir)).rejects.toThrow(
      new EmbeddedDatabaseError(
        `This user cannot write in ${dataDir}. Change its owner, or set DATA_DIR to another folder.`,
      ),
    );
  });

  test('a database of another major version', async () => {
    const dataDir = await usedFolder();
    const version = join(dataDir, 'postgres/cluster/PG_VERSION');
    await writeFile(version, '17\n');
    await expect(open(dataDir)).rejects.toThrow(
      /was made by PostgreSQL 17, .* brings PostgreSQL 18/,
    );
    await writeFile(version, '18\n');
  });

  test('a platform without binaries', async () => {
    const real = Object.getOwnPropertyDescriptor(process, 'arch') ?? {};
    Object.defineProperty(process, 'arch', { ...real, value: 'sparc' });
    try {
      await expect(open(await folder())).rejects.toThrow(
        /There is no embedded PostgreSQL for \w+-sparc\. Set DATABASE_URL/,
      );
    } finally {
      Object.defineProperty(process, 'arch', real);
    }
  });

  const canMount = isRoot && process.platform === 'linux';
  test.runIf(canMount)('a full disk, on the first start and on later ones', async () => {
    const disk = await folder();
    const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=64m,mode=755', 'tmpfs', disk]);
    if (mounted.status !== 0) return; // Not every container may mount.
    try {
      const filler = join(disk, 'filler');
      const fill = () => spawnSync('dd', ['if=/dev/zero', `of=${filler}`, 'bs=1M']);
      await writeFile(filler, 'x'.repeat(60_000_000));
      const full = /There is no space left on the disk that holds .*\. Make room/;
      await expect(open(disk)).rejects.toThrow(full);
      await writeFile(filler, '');
      const database = await open(disk);
      await ask(database, 'CREATE TABLE kept AS SELECT 7 AS number');
      await database.stop();
      fill();
      await expect(open(disk)).rejects.toThrow(full);
      await writeFile(filler, '');
      expect(await ask(await open(disk), 'SELECT number FROM kept')).toEqual({ number: 7 });
    } finally {
      await Promise.all(opened.splice(0).map((database) => database.stop()));
      spawnSync('umount', [disk]);
    }
  });
});

describe('REL-03: after a kill', () => {
  test('the watchdog stops the server of a killed app, even if an earlier watchdog was killed', async () => {
    const dataDir = await folder();
    const loop = startCommitLoop(dataDir);
    const server = await loop.opened();
    const first = watchdogOf(server);
    process.kill(first, 'SIGKILL');
    await untilExited(first);
    await expect.poll(() => watchdogOf(server), { timeout: 10_000 }).toBeGreaterThan(0);
    process.kill(loop.pid, 'SIGKILL');
    await untilExited(server);
    const log = await readFile(join(dataDir, 'postgres/server.log'), 'utf8');
    expect(log).toContain('received fast shutdown request');
  });

  test('a server that outlived its app and watchdog is shut down cleanly, then replaced', async () => {
    const dataDir = await folder();
    const loop = startCommitLoop(dataDir);
    const server = await loop.opened();
    await loop.moreRows(1);
    process.kill(loop.pid, 'SIGSTOP');
    process.kill(watchdogOf(server), 'SIGKILL');
    process.kill(loop.pid, 'SIGKILL');
    await loop.ended;
    expect(isRunning(server)).toBe(true);
    const database = await open(dataDir);
    expect(isRunning(server)).toBe(false);
    expect(serverOf(dataDir)).not.toBe(server);
    expect(lines).toEqual([
      `a database server (process ${server}) outlived its app: sending SIGINT`,
    ]);
    expect(await ask(database, 'SELECT count(*) > 0 AS kept FROM rows')).toEqual({ kept: true });
  });

  test('a pool finds the restarted server at the same address', async () => {
    const dataDir = await usedFolder();
    const database = await open(dataDir);
    const pool = new pg.Pool({ ...database.connection, max: 2 });
    pool.on('error', () => {});
    await pool.query('SELECT 1');
    process.kill(serverOf(dataDir), 'SIGKILL');
    await expect.poll(() => lines.at(-1), { timeout: 15_000 }).toBe('the database server is back');
    expect((await pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
    await pool.end();
  });

  test.each([
    ['empty', ''],
    ['garbage', 'no number\n\0\xff'],
    ['negative', '-1\n/nowhere\n'],
    ['a number without a process', '2147483647\n/nowhere\n1\n5432\n'],
  ])('a pid file that is %s does not prevent the start', async (_, content) => {
    const dataDir = await usedFolder();
    await writeFile(pidFile(dataDir), content, { mode: 0o600 });
    const database = await open(dataDir);
    expect(await ask(database, 'SELECT number FROM kept')).toEqual({ number: 7 });
  });

  test('OPS-32: a pid file whose number now belongs to another program does not prevent the start', async () => {
    const dataDir = await usedFolder();
    const stranger = spawn('sleep', ['60']);
    await once(stranger, 'spawn');
    try {
      const content = `${stranger.pid}\n${join(dataDir, 'postgres/cluster')}\n`;
      await writeFile(pidFile(dataDir), content, { mode: 0o600 });
      const database = await open(dataDir);
      expect(await ask(database, 'SELECT number FROM kept')).toEqual({ number: 7 });
      expect(isRunning(stranger.pid ?? 0)).toBe(true);
    } finally {
      stranger.kill();
    }
  });

  test('OPS-32: a start waits for a slow computer, and the log says so', async () => {
    const dataDir = await usedFolder();
    const conf = join(dataDir, 'postgres/cluster/postgresql.conf');
    const before = await readFile(conf);
    // PostgreSQL waits at this pipe, because it reads all settings before it does anything else.
    const pipe = join(dataDir, 'postgres/slow.conf');
    spawnSync('mkfifo', ['-m', '666', pipe]);
    await appendFile(conf, `\ninclude '${pipe}'\n`);
    try {
      const opening = open(dataDir);
      await expect
        .poll(() => lines.join(' '), { timeout: 15_000 })
        .toContain('the database server takes longer to start: the computer is busy');
      // Let the next read of the settings find a file, and let the waiting read end.
      const waiting = `${pipe}.waiting`;
      await rename(pipe, waiting);
      await writeFile(pipe, '');
      await writeFile(waiting, '');
      expect(await ask(await opening, 'SELECT number FROM kept')).toEqual({ number: 7 });
    } finally {
      await writeFile(conf, before);
    }
  });

  test('a start leaves the pid file and the process of another live PostgreSQL alone', async () => {
    const dataDir = await usedFolder();
    await mkdir(join(dataDir, 'bin'), { recursive: true });
    await copyFile('/bin/sleep', join(dataDir, 'bin/postgres'));
    const stranger = spawn(join(dataDir, 'bin/postgres'), ['60']);
    await once(stranger, 'spawn');
    try {
      const content = `${stranger.pid}\n${join(dataDir, 'postgres/cluster')}\n`;
      await writeFile(pidFile(dataDir), content, { mode: 0o600 });
      await expect(open(dataDir)).rejects.toThrow(
        `names process ${stranger.pid}, which is running but is not this database's server`,
      );
      expect(await readFile(pidFile(dataDir), 'utf8')).toBe(content);

      // A pid file older than the process that it names: the pid was reused.
      const before = new Date(Date.now() - 3_600_000);
      await utimes(pidFile(dataDir), before, before);
      const database = await open(dataDir);
      expect(await ask(database, 'SELECT number FROM kept')).toEqual({ number: 7 });
      expect(isRunning(stranger.pid ?? 0)).toBe(true);
    } finally {
      stranger.kill();
    }
  });

  test('a shell in the data directory is not mistaken for a server', async () => {
    const dataDir = await usedFolder();
    const cwd = join(dataDir, 'postgres/cluster');
    const shell = spawn('sleep', ['60'], { cwd });
    await once(shell, 'spawn');
    try {
      await open(dataDir);
      expect(isRunning(shell.pid ?? 0)).toBe(true);
    } finally {
      shell.kill();
    }
  });
});

test('P43: another user who created the socket folder first gets no connection', async () => {
  const dataDir = await usedFolder();
  const usual = (await open(dataDir)).connection.host;
  await opened.pop()?.stop();
  if (isRoot) {
    await mkdir(usual);
    const taken = spawnSync('chown', [`${ORDINARY_USER.uid}:${ORDINARY_USER.gid}`, usual]);
    expect(taken.status).toBe(0);
  } else {
    await writeFile(usual, '');
  }
  folders.push(usual);
  const { host } = (await open(dataDir)).connection;
  expect(host).not.toBe(usual);
  expect((await stat(host)).mode & 0o777).toBe(0o700);
});
