import { once } from 'node:events';
import { Kysely, PostgresDialect } from 'kysely';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import type { BackupHeader } from '#contract/wire/backups.ts';
import type { Database } from '../db/database.ts';
import { MIGRATIONS } from '../db/migrate.ts';
import { runAtOnce } from '../db/migration.ts';
import type { Schema } from '../db/schema.ts';
import { badRequest, conflict } from '../errors.ts';
import { deleteUnverified, replayTombstones } from '../players/erase.ts';
import { columnsOf, countRows, PORTABLE_TEXT, setLastId } from './backup.ts';
import { addLive, keepLive, lastIdEver } from './keep.ts';
import type { OnProgress } from './long-work.ts';
import { type RowSink, readBackup } from './read-backup.ts';
import { BACKED_UP, EMPTIED } from './tables.ts';

/*
 * A restore loads a backup into a scratch schema, migrates that schema, and then replaces the live
 * tables.
 */

const SCRATCH = 'backboard_restore';
/** The advisory lock that allows one restore at a time, in all processes. */
const RESTORE_LOCK = 7_462_013;
/** How long a restore waits for running requests. New requests wait 2 s at most (P38). */
const LOCK_TIMEOUT_MS = 5_000;
const LOCK_ATTEMPTS = 3;
/** How often to cancel blocking statements. Most requests end within this time. */
const CANCEL_BLOCKERS_EVERY_MS = 300;
const DEADLOCK = '40P01';
const LOCK_NOT_AVAILABLE = '55P03';
const IN_USE =
  'Another program holds the tables (a session in psql, perhaps). End it, then try again. Nothing was changed.';

const MISMATCH = 'This backup is damaged: its rows do not fit its tables. Nothing was changed.';

/** Verifies a backup. @throws Refusal 400 as `readBackup` does */
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
 * Replaces the database's contents with a backup, in one transaction (P44, REL-14). Deletes
 * sessions and codes. Accounts that were deleted after the backup stay deleted (P30e). Each feature
 * declares what else stays as it is now (`TABLES`).
 * @returns `older`: the backup's version is older, so a rebuild must follow
 * @throws Refusal 400 if the file is not a complete backup of this or an older version, or if
 *   another restore runs
 * @throws Refusal 409 if another program keeps the tables locked
 */
export async function restoreBackup(pool: pg.Pool, path: string, onProgress: OnProgress) {
  return inTransaction(pool, async (client, db) => {
    await client.query(PORTABLE_TEXT);
    await client.query(`set local lock_timeout = ${LOCK_TIMEOUT_MS}`);
    const { rows } = await client.query<{ free: boolean }>(
      'select pg_try_advisory_xact_lock($1) as free',
      [RESTORE_LOCK],
    );
    if (!rows[0]?.free) throw badRequest('Another restore is running. Wait for its end.');
    const header = await load(client, db, path, onProgress);
    onProgress({ step: 'putting it in place', done: 0, total: 1 });
    await lockLive(pool, client);
    await addLive(client, SCRATCH, header);
    const squatted = await squattedAddresses(client);
    await client.query(`set local search_path = ${SCRATCH}`);
    const deletedAgain = await replayTombstones(db);
    await deleteUnverified(db, squatted);
    await client.query('set local search_path to default');
    await keepLive(client, SCRATCH);
    await replace(client, header);
    await client.query(`drop schema ${SCRATCH} cascade`);
    const older = header.migrations.length < Object.keys(MIGRATIONS).length;
    return { ...summary(header), deleted_again: deletedAgain, older };
  });
}

/** `client` is for COPY; `db` uses the same connection. */
async function inTransaction<T>(
  pool: pg.Pool,
  work: (client: pg.PoolClient, db: Database) => Promise<T>,
): Promise<T> {
  const client = await pool.connect();
  const db = new Kysely<Schema>({
    dialect: new PostgresDialect({
      pool: {
        options: {},
        connect: async () => ({ query: client.query.bind(client), release: () => undefined }),
        end: async () => undefined,
      },
    }),
  });
  let broken = false;
  try {
    await client.query('begin');
    const result = await work(client, db);
    const { command } = await client.query('commit');
    if (command === 'ROLLBACK') throw new Error('a statement of the transaction has failed');
    return result;
  } catch (error) {
    await client.query('rollback').catch(() => {
      broken = true;
    });
    throw error;
  } finally {
    client.release(broken);
  }
}

async function load(
  client: pg.PoolClient,
  db: Database,
  path: string,
  onProgress: OnProgress,
): Promise<BackupHeader> {
  const header = await copyRows(client, path, onProgress, async ({ migrations }) => {
    await client.query(`drop schema if exists ${SCRATCH} cascade`);
    await client.query(`create schema ${SCRATCH}`);
    await client.query(`set local search_path = ${SCRATCH}`);
    // Without this setting, each inserted league would get a season from a trigger (SEASON-01).
    await client.query(`set local backboard.replacing = 'yes'`);
    await runMigrations(db, (name) => migrations.includes(name));
  });
  await runMigrations(db, (name) => !header.migrations.includes(name));
  await client.query('set local search_path to default');
  return header;
}

/**
 * Copies a backup's rows into the client's current schema, in its transaction, and checks counts
 * and constraints. `prepare` creates the tables of the backup's version.
 * @throws Refusal 400 as `readBackup`, or if the rows do not fit the tables
 */
export async function copyRows(
  client: pg.PoolClient,
  path: string,
  onProgress: OnProgress,
  prepare: (header: BackupHeader) => Promise<void>,
): Promise<BackupHeader> {
  const header = await readBackup(path, onProgress, {
    onHeader: prepare,
    onTable: async ({ table, columns }) => {
      // The column names become part of SQL, so accept only the schema's.
      const known = (await columnsOf(client, table)).map(({ name }) => name);
      if (known.toSorted().join() !== columns.toSorted().join()) throw badRequest(MISMATCH);
      return copyInto(client, table, columns);
    },
  });
  for (const { table, rows } of header.tables)
    if ((await countRows(client, table)) !== rows) throw badRequest(MISMATCH);
  await checkDeferred(client);
  return header;
}

async function runMigrations(db: Database, wanted: (name: string) => boolean): Promise<void> {
  // Untyped, because each migration sees the schema of its own time.
  for (const [name, migration] of Object.entries(MIGRATIONS))
    if (wanted(name)) await runAtOnce(db as Kysely<unknown>, migration);
}

/** A sink that copies rows into a table. A row that PostgreSQL rejects means a damaged backup. */
async function copyInto(client: pg.PoolClient, table: string, columns: string[]): Promise<RowSink> {
  const stream = client.query(copyFrom(`copy ${table} (${columns.join(', ')}) from stdin`));
  let over = false;
  const failed = new Promise<never>((_, reject) => {
    stream.once('error', (error: Error & { code?: string }) => {
      over = true;
      // SQLSTATE 22…: bad data; 23…: a violated constraint.
      reject(/^2[23]/.test(error.code ?? '') ? badRequest(MISMATCH) : error);
    });
  });
  failed.catch(() => undefined);
  return {
    write: async (bytes) => {
      // After an error, `stream.write` would throw a TypeError.
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

/** Checks deferred constraints now: pending checks would block the migrations. */
async function checkDeferred(client: pg.PoolClient): Promise<void> {
  await client.query('set constraints all immediate').catch((error: Error & { code?: string }) => {
    throw error.code?.startsWith('23') ? badRequest(MISMATCH) : error;
  });
}

const LIVE = [...BACKED_UP, ...EMPTIED].join(', ');

/** Cancels the app's statements that block session $1. Their callers get 503. */
const CANCEL_BLOCKERS = `
  select pg_cancel_backend(pid) from pg_stat_activity
  where pid = any(pg_blocking_pids($1)) and usename = current_user`;

/**
 * Locks the live tables. Cancels blocking statements, because under load, a request that holds one
 * table and waits for another would deadlock with the restore.
 */
async function lockLive(pool: pg.Pool, client: pg.PoolClient): Promise<void> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  const cancelling = setInterval(
    () => void pool.query(CANCEL_BLOCKERS, [rows[0]?.pid]).catch(() => undefined),
    CANCEL_BLOCKERS_EVERY_MS,
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
    clearInterval(cancelling);
  }
}

/**
 * The addresses that belong to a player now, but belonged in the backup to an unverified account
 * that no longer exists. Restoring such an account would take the address from its owner (P7).
 */
async function squattedAddresses(client: pg.PoolClient): Promise<string[]> {
  const { rows } = await client.query<{ email: string }>(`
    select other.email from ${SCRATCH}.players other
    join players live on live.email = other.email
    where other.email_verified_at is null
      and exists (select from ${SCRATCH}.players old
        where old.id = live.id and old.created_at = live.created_at)
      and not exists (select from players same
        where same.id = other.id and same.created_at = other.created_at)`);
  return rows.map(({ email }) => email);
}

async function replace(client: pg.PoolClient, header: BackupHeader): Promise<void> {
  const lastIds = new Map<string, number>();
  for (const table of BACKED_UP) lastIds.set(table, (await lastIdEver(client, header, table)) ?? 0);
  // Without this setting, the audit refuses TRUNCATE (P65).
  await client.query(`set local backboard.restoring = 'yes'`);
  await client.query(`truncate ${LIVE}`);
  await client.query(`set local backboard.restoring = 'no'`);
  await client.query('set constraints all deferred');
  for (const table of BACKED_UP) {
    const columns = (await columnsOf(client, table)).map(({ name }) => name).join(', ');
    await client.query(
      `insert into ${table} (${columns}) overriding system value
       select ${columns} from ${SCRATCH}.${table}`,
    );
    const expected = await countRows(client, `${SCRATCH}.${table}`);
    const rows = await countRows(client, table);
    if (rows !== expected)
      throw new Error(`${table} has ${rows} rows after the restore, ${expected} were expected`);
    await setLastId(client, table, lastIds.get(table) ?? 0);
  }
  await client.query('set constraints all immediate');
}
