import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { address, allowSlowTests, slowPoll } from '#testing/app/server-process.ts';
import { serverLogger } from '../log.ts';
import { commandAs, findBinaries, serverAccount } from '../postgres/cluster.ts';
import { type EmbeddedDatabase, openEmbedded } from '../postgres/embedded.ts';
import { type Database, openDatabase, openPool } from './database.ts';
import { openReplica } from './replica.ts';

allowSlowTests();

let folder: string;
let primary: EmbeddedDatabase;
let db: Database;
let replicaUrl: string;
let startStandby: () => Promise<ChildProcess>;
let standby: ChildProcess;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'backboard-replica-'));
  await chmod(folder, 0o711);
  const log = () => undefined;
  await (await openEmbedded({ dataDir: folder, log })).stop();
  const cluster = join(folder, 'postgres', 'cluster');
  const binaries = await findBinaries();
  const account = await serverAccount(cluster);
  const run = (args: string[], touched: string) =>
    commandAs(account, binaries.postgres, args, [touched]);
  const single = run(['--single', '-D', cluster, 'postgres'], cluster);
  spawnSync(single.command, single.args, {
    ...single.options,
    input: 'alter role backboard replication\n',
  });

  const host = join(folder, 's');
  await mkdir(host, { mode: 0o700 });
  const copy = join(folder, 'copy');
  execFileSync('cp', ['-a', cluster, copy]);
  await writeFile(join(copy, 'standby.signal'), '');
  if (account)
    for (const path of [host, join(copy, 'standby.signal')])
      await chown(path, account.uid, account.gid);
  primary = await openEmbedded({ dataDir: folder, log });
  db = openDatabase(openPool(primary.connection, 2, () => undefined));
  await sql`create table notes (text text)`.execute(db);

  const own = { ...primary.connection, host };
  replicaUrl = address(own, own.database);
  const follow = Object.entries(primary.connection).map(([name, value]) =>
    name === 'database' ? '' : `${name}='${value}'`,
  );
  const settings = {
    primary_conninfo: follow.join(' '),
    listen_addresses: '',
    unix_socket_directories: host,
    wal_retrieve_retry_interval: '100ms',
  };
  startStandby = async () => {
    const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    const { command, args: all, options } = run(['-D', copy, ...args], copy);
    return spawn(command, all, { ...options, stdio: 'ignore' });
  };
  standby = await startStandby();
});
afterAll(async () => {
  standby.kill('SIGQUIT');
  await once(standby, 'exit');
  await db.destroy();
  await primary.stop();
  await rm(folder, { recursive: true, force: true });
});

const fromStandby = async (from: Database) => {
  const { rows } = await sql<{ standby: boolean }>`select pg_is_in_recovery() as standby`.execute(
    from,
  );
  return rows[0]?.standby;
};

function open(database_replica_url: string | null) {
  const lines: string[] = [];
  const log = serverLogger('info', { write: (line) => void lines.push(line) });
  return { ...openReplica(database_replica_url, { db, log }), lines };
}

test('without a replica everything is read from the primary', async () => {
  const { read, close } = open(null);
  expect(await read(fromStandby)).toBe(false);
  await close();
});

test('reads do not go to a server that is not a standby', async () => {
  const { host, port, user, password, database } = primary.connection;
  const { read, close, lines } = open(address({ host, port, user, password, database }, database));
  const checks = async () => {
    const { rows } = await sql<{ checks: number }>`
      select count(*)::integer as checks from pg_stat_activity
      where query like '%pg_stat_wal_receiver%' and state = 'idle'`.execute(db);
    return rows[0]?.checks;
  };
  await expect.poll(checks, slowPoll).toBe(1);
  expect(await read(async (from) => from === db)).toBe(true);
  await close();
  expect(lines).toEqual([]);
});

test('reads go to the standby while it follows its primary, and otherwise to the primary', async () => {
  const { read, close, lines } = open(replicaUrl);
  await expect.poll(() => read(fromStandby), slowPoll).toBe(true);
  await sql`insert into notes values ('hello')`.execute(db);
  const notes = () =>
    read(async (from) => (await sql<{ text: string }>`select text from notes`.execute(from)).rows);
  await expect.poll(notes, slowPoll).toEqual([{ text: 'hello' }]);

  standby.kill('SIGQUIT');
  await once(standby, 'exit');
  expect(await read(fromStandby)).toBe(false);
  expect(await notes()).toEqual([{ text: 'hello' }]);

  standby = await startStandby();
  await expect.poll(() => read(fromStandby), slowPoll).toBe(true);

  expect(lines.map((line) => JSON.parse(line).msg)).toEqual([
    'the replica is read again',
    'the replica is not read',
    'the replica is read again',
  ]);
  await close();
});

test('reads no longer go to a promoted standby', async () => {
  const { read, close } = open(replicaUrl);
  await expect.poll(() => read(fromStandby), slowPoll).toBe(true);
  // Promote it by a restart, because the app's role may not call `pg_promote()`.
  standby.kill('SIGQUIT');
  await once(standby, 'exit');
  await rm(join(folder, 'copy', 'standby.signal'));
  standby = await startStandby();
  const other = openDatabase(openPool({ connectionString: replicaUrl }, 1, () => undefined));
  await expect.poll(() => fromStandby(other).catch(() => null), slowPoll).toBe(false);
  await other.destroy();
  await expect.poll(() => read(async (from) => from === db), slowPoll).toBe(true);
  await close();
});
