import { once } from 'node:events';
import type { Kysely } from 'kysely';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import type { BackupHeader } from '#contract/operator.ts';
import { replayTombstones } from '../accounts/accounts.ts';
import type { Database } from '../db/database.ts';
import { MIGRATIONS } from '../db/migrate.ts';
import { inOneTransaction } from '../db/transaction.ts';
import { badRequest, conflict } from '../errors.ts';
import { BACKED_UP, columnsOf, countRows, ENDED, lastId, PLAIN_TEXT } from './backup.ts';
import { type RowSink, readBackup } from './file.ts';
import type { OnProgress } from './streams.ts';

/** Where the backup is loaded and brought up to date before anything of ours is touched. */
const SCRATCH = 'backboard_restore';
/** Any number, the same in every process: one restore at a time. */
const RESTORE_LOCK = 7_462_013;
/** Requests that are under way are waited for; new ones wait for us (and fail after 2 s, P38). */
const LOCK_TIMEOUT_MS = 5_000;
const LOCK_ATTEMPTS = 3;
/** A request is over in less, unless it waits for us. */
const CANCEL_EVERY_MS = 300;
const DEADLOCK = '40P01';
const LOCK_NOT_AVAILABLE = '55P03';
const IN_USE =
  'Another program holds the tables (a session in psql, perhaps). End it, then try again. Nothing was changed.';

const MISMATCH = 'This backup is damaged: its rows do not fit its tables. Nothing was changed.';

/** What a file holds, after all of it was read and found right. @throws Refusal 400, see readBackup */
export async function checkBackup(path: string, onProgress: OnProgress) {
  return summary(await readBackup(path, onProgress));
}

function summary({ made_at, tables }: BackupHeader) {
  return {
    made_at,
    rows: tables.reduce((sum, { rows }) => sum + rows, 0),
    tables: tables.map(({ table, rows }) => ({ table, rows })),
  };
}

/**
 * Replaces everything in the database by the backup in a file, in one transaction: it is there
 * whole, or nothing has changed (P44, REL-14). The rows go into a schema of their own first, made as
 * it was when the backup was made and then migrated, so that older backups fit too.
 *
 * All sessions and codes end. Accounts that were deleted since stay deleted (P30e). A machine that
 * exists now keeps the keys it has now: a key revoked since the backup must not come back.
 *
 * `older` says that the backup was made by an earlier version: rebuild afterwards.
 *
 * @throws Refusal 400 when the file is not a whole backup of this or an older version
 */
export async function restoreBackup(pool: pg.Pool, path: string, onProgress: OnProgress) {
  return inOneTransaction(pool, async (db, client) => {
    await client.query(PLAIN_TEXT);
    await client.query(`set local lock_timeout = ${LOCK_TIMEOUT_MS}`);
    const { rows } = await client.query<{ free: boolean }>(
      'select pg_try_advisory_xact_lock($1) as free',
      [RESTORE_LOCK],
    );
    if (!rows[0]?.free) throw badRequest('Another restore is running. Wait for its end.');
    const header = await load(client, db, path, onProgress);
    onProgress({ step: 'putting it in place', done: 0, total: 1 });
    await lockLive(pool, client);
    await client.query(
      `insert into ${SCRATCH}.tombstones select * from tombstones on conflict do nothing`,
    );
    await client.query(`set local search_path = ${SCRATCH}`);
    const deletedAgain = await replayTombstones(db);
    await client.query('set local search_path to default');
    await replace(client, header);
    await client.query(`drop schema ${SCRATCH} cascade`);
    const older = header.migrations.length < Object.keys(MIGRATIONS).length;
    return { ...summary(header), deleted_again: deletedAgain, older };
  });
}

/** Fills the scratch schema from the file and brings it up to this version. */
async function load(
  client: pg.PoolClient,
  db: Database,
  path: string,
  onProgress: OnProgress,
): Promise<BackupHeader> {
  const header = await readBackup(path, onProgress, {
    onHeader: async ({ migrations }) => {
      await client.query(`drop schema if exists ${SCRATCH} cascade`);
      await client.query(`create schema ${SCRATCH}`);
      await client.query(`set local search_path = ${SCRATCH}`);
      await runMigrations(db, (name) => migrations.includes(name));
    },
    onTable: async ({ table, columns }) => {
      // Names from the file go into a statement: only those that the schema knows.
      const known = (await columnsOf(client, table)).map(({ name }) => name);
      if (known.toSorted().join() !== columns.toSorted().join()) throw badRequest(MISMATCH);
      return copyInto(client, table, columns);
    },
  });
  for (const { table, rows } of header.tables)
    if ((await countRows(client, table)) !== rows) throw badRequest(MISMATCH);
  await checkDeferred(client);
  await runMigrations(db, (name) => !header.migrations.includes(name));
  await client.query('set local search_path to default');
  return header;
}

async function runMigrations(db: Database, wanted: (name: string) => boolean): Promise<void> {
  // Migrations know no table by type: each was written for the tables of its time.
  for (const [name, { up }] of Object.entries(MIGRATIONS))
    if (wanted(name)) await up(db as Kysely<unknown>);
}

/** A sink that COPYs rows into a table; a row that the table refuses makes the file a wrong one. */
async function copyInto(client: pg.PoolClient, table: string, columns: string[]): Promise<RowSink> {
  const stream = client.query(copyFrom(`copy ${table} (${columns.join(', ')}) from stdin`));
  let over = false;
  const failed = new Promise<never>((_, reject) => {
    stream.once('error', (error: Error & { code?: string }) => {
      over = true;
      // Class 22 is bad data, 23 a broken constraint: the file's fault, not the database's.
      reject(/^2[23]/.test(error.code ?? '') ? badRequest(MISMATCH) : error);
    });
  });
  failed.catch(() => undefined);
  return {
    write: async (bytes) => {
      // The stream has lost its connection by then, and would fall over it.
      if (over) await failed;
      if (!stream.write(bytes)) await Promise.race([once(stream, 'drain'), failed]);
    },
    end: async () => {
      if (over) await failed;
      const finished = once(stream, 'finish');
      stream.end();
      await Promise.race([finished, failed]);
      over = true;
    },
    abort: () => {
      if (!over) stream.destroy();
    },
  };
}

/** What is not sound must not come near the live tables, and waiting checks would bar migrations. */
async function checkDeferred(client: pg.PoolClient): Promise<void> {
  await client.query('set constraints all immediate').catch((error: Error & { code?: string }) => {
    throw error.code?.startsWith('23') ? badRequest(MISMATCH) : error;
  });
}

const LIVE = [...BACKED_UP, ...ENDED].join(', ');

/** Statements of our own role that a session waits for; a cancelled one is answered 503. */
const CANCEL_BLOCKERS = `
  select pg_cancel_backend(pid) from pg_stat_activity
  where pid = any(pg_blocking_pids($1)) and usename = current_user`;

/**
 * Takes the live tables for ourselves. Under load requests would always have some of them and wait
 * for others of ours, a deadlock; so those in our way are cancelled, and their callers try again.
 */
async function lockLive(pool: pg.Pool, client: pg.PoolClient): Promise<void> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  const clearWay = setInterval(
    () => void pool.query(CANCEL_BLOCKERS, [rows[0]?.pid]).catch(() => undefined),
    CANCEL_EVERY_MS,
  );
  try {
    for (let attempt = 1; ; attempt += 1) {
      await client.query('savepoint before_lock');
      try {
        await client.query(`lock table ${LIVE} in access exclusive mode`);
        return;
      } catch (error) {
        await client.query('rollback to savepoint before_lock');
        const code = error instanceof Error && 'code' in error ? error.code : '';
        if (code === LOCK_NOT_AVAILABLE) throw conflict(IN_USE);
        if (code !== DEADLOCK || attempt === LOCK_ATTEMPTS) throw error;
      }
    }
  } finally {
    clearInterval(clearWay);
  }
}

/** Empties the live tables and moves the loaded rows in; ends sessions, keeps what must survive. */
async function replace(client: pg.PoolClient, header: BackupHeader): Promise<void> {
  await client.query(`
    create temp table present_machines on commit drop as
      select live.id, live.revoked_at from machines live
      join ${SCRATCH}.machines old on old.id = live.id and old.name = live.name;
    create temp table present_keys on commit drop as
      select * from machine_keys where machine_id in (select id from present_machines)`);
  const lastIds = new Map<string, number>();
  for (const table of BACKED_UP) {
    const now = await lastId(client, table);
    const then = header.tables.find((described) => described.table === table)?.last_id ?? 0;
    if (now !== null) lastIds.set(table, Math.max(now, then));
  }
  await client.query(`truncate ${LIVE}`);
  await client.query('set constraints all deferred');
  for (const table of BACKED_UP) {
    const all = await columnsOf(client, table);
    const columns = all.map(({ name }) => name).join(', ');
    await client.query(
      `insert into ${table} (${columns}) overriding system value
       select ${columns} from ${SCRATCH}.${table}`,
    );
    const expected = await countRows(client, `${SCRATCH}.${table}`);
    const rows = await countRows(client, table);
    if (rows !== expected)
      throw new Error(`${table} has ${rows} rows after the restore, ${expected} were expected`);
    const identity = all.find((column) => column.identity)?.name;
    const last = lastIds.get(table) ?? 0;
    if (identity !== undefined && last > 0)
      await client.query('select setval(pg_get_serial_sequence($1, $2)::regclass, $3)', [
        table,
        identity,
        last,
      ]);
  }
  await client.query(`
    set constraints all immediate;
    update machines set revoked_at = present.revoked_at
      from present_machines present where present.id = machines.id;
    delete from machine_keys where machine_id in (select id from present_machines);
    insert into machine_keys select * from present_keys`);
}
