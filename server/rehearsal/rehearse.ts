import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Kysely, sql } from 'kysely';
import type { Rehearsal } from '#contract/wire/backups.ts';
import { PORTABLE_TEXT, setLastId } from '../backup/backup.ts';
import { type OnProgress, untimedPool } from '../backup/long-work.ts';
import { readBackup } from '../backup/read-backup.ts';
import { copyRows } from '../backup/restore.ts';
import { type Clock, databaseClock } from '../clock.ts';
import { type Database, openDatabase, openPool } from '../db/database.ts';
import { hasWayBack, MIGRATIONS, type Migrations, migrate } from '../db/migrate.ts';
import { rebuild } from '../games/rebuild.ts';
import { cleanUpBoards } from '../leaderboards/boards.ts';
import { openEmbedded } from '../postgres/embedded.ts';
import { type Closers, startNewVersion } from './new-version.ts';
import { changedPlaces, placesOf02, SEASONS } from './places.ts';

const POOL_SIZE = 3;

type Step = Rehearsal['migrations'][number];

/**
 * Upgrades a copy of a backup in a new folder below `folder` and reports what that does (OPS-21).
 * @param closers gets the functions that stop a running rehearsal
 * @throws Refusal 400 if the file is not a complete backup of this or an older version
 * @throws EmbeddedDatabaseError if the copy's database cannot be opened
 * @throws RehearsalFailed if the new version does not start
 * @throws the database's error if a migration fails
 */
export async function rehearse(
  { file, folder, closers }: { file: string; folder: string; closers: Closers },
  onProgress: OnProgress,
): Promise<Rehearsal> {
  await readBackup(file, onProgress);
  const dataDir = await mkdtemp(join(folder, 'backboard-rehearsal-'));
  closers.push(() => rm(dataDir, { recursive: true, force: true, maxRetries: 3 }));
  try {
    const found = await withCopy(dataDir, closers, (copy) => upgrade(copy, file, onProgress));
    onProgress({ step: 'starting the new version', done: 0, total: 1 });
    const start_ms = await startNewVersion(dataDir, closers);
    return { ...found, start_ms };
  } finally {
    for (const close of closers.splice(0).reverse()) await close();
  }
}

type Copy = { pool: ReturnType<typeof untimedPool>; db: Database; clock: Clock };

async function withCopy<T>(
  dataDir: string,
  closers: Closers,
  work: (copy: Copy) => Promise<T>,
): Promise<T> {
  const opening = openEmbedded({ dataDir, log: () => undefined });
  closers.push(() =>
    opening.then(
      (embedded) => embedded.stop(),
      () => undefined,
    ),
  );
  const embedded = await opening;
  const timed = openPool(embedded.connection, POOL_SIZE, () => undefined, { limits: false });
  const pool = untimedPool(timed, () => undefined);
  const clock = await databaseClock(pool);
  try {
    return await work({ pool, db: openDatabase(timed), clock });
  } finally {
    clock.stop();
    await Promise.all([pool.end(), timed.end()]);
    await embedded.stop();
  }
}

async function upgrade(
  copy: Copy,
  file: string,
  onProgress: OnProgress,
): Promise<Omit<Rehearsal, 'start_ms'>> {
  const { db, clock } = copy;
  const { made_at, migrations: had } = await load(copy, file, onProgress);
  const before = { tables: await tableNames(db), bytes: await databaseBytes(db) };
  const rowsBefore = await rowsOf(db, before.tables);
  const pending = Object.keys(MIGRATIONS).filter((name) => !had.includes(name));
  const now = clock.now();
  const placesBefore = had.includes(SEASONS) ? null : await placesOf02(db, now);
  const steps: Step[] = [];
  let peak = before.bytes;
  for (const [done, name] of pending.entries()) {
    onProgress({ step: `migrating: ${name}`, done, total: pending.length });
    const size = await databaseBytes(db);
    const step = await runOne(db, had.concat(pending.slice(0, done + 1)));
    steps.push(step);
    peak = Math.max(peak, size + step.grown_bytes);
  }
  const wal = steps.reduce((sum, { wal_bytes }) => sum + wal_bytes, 0);
  const rowsAfter = await rowsOf(db, await tableNames(db));
  const after = await databaseBytes(db);
  const figures = await recountAll(copy, onProgress);
  const places = placesBefore && (await changedPlaces(db, placesBefore, now));
  const names = [...new Set([...Object.keys(rowsBefore), ...Object.keys(rowsAfter)])].toSorted();
  return {
    made_at,
    from: had.at(-1) ?? null,
    to: Object.keys(MIGRATIONS).at(-1) ?? '',
    migrations: steps,
    tables: names.map((table) => ({
      table,
      before: rowsBefore[table] ?? null,
      after: rowsAfter[table] ?? null,
    })),
    places,
    figures,
    disk: {
      before: before.bytes,
      after,
      needed: peak - before.bytes + wal,
    },
    way_back: hasWayBack(had) ? 'open' : 'backup',
  };
}

const only = (names: readonly string[]): Migrations =>
  Object.fromEntries(Object.entries(MIGRATIONS).filter(([name]) => names.includes(name)));

async function load({ pool, db }: Copy, file: string, onProgress: OnProgress) {
  const client = await pool.connect();
  let broken = true;
  try {
    await client.query('begin');
    await client.query(PORTABLE_TEXT);
    const header = await copyRows(client, file, onProgress, async ({ migrations }) => {
      // Uses another connection, because each migration has its own transaction.
      await migrate(db, only(migrations));
    });
    for (const { table, last_id } of header.tables) await setLastId(client, table, last_id ?? 0);
    await client.query('commit');
    // The planner needs statistics, as in production.
    await client.query('analyze');
    broken = false;
    return header;
  } finally {
    client.release(broken);
  }
}

const BLOCKED: Record<string, Step['blocked'][number]['for']> = {
  AccessExclusiveLock: 'reads',
  ExclusiveLock: 'writes',
  ShareRowExclusiveLock: 'writes',
  ShareLock: 'writes',
};

/** Runs and measures the last migration of `names`; the others have run. */
async function runOne(db: Database, names: string[]): Promise<Step> {
  const name = names.at(-1) ?? '';
  const tables = await tableNames(db);
  const bytes = await databaseBytes(db);
  const position = await walPosition(db);
  const blocked: Step['blocked'] = [];
  let grown_bytes = 0;
  const migrations = only(names);
  const migration = (MIGRATIONS as Migrations)[name] as Migrations[string];
  migrations[name] = {
    ...migration,
    up: async (trx) => {
      await migration.up?.(trx);
      for (const { table, mode } of await heldLocks(trx)) {
        const what = BLOCKED[mode];
        // A new table blocks nobody.
        if (what === undefined || !tables.includes(table)) continue;
        const known = blocked.find((one) => one.table === table);
        if (known === undefined) blocked.push({ table, for: what });
        else if (what === 'reads') known.for = 'reads';
      }
      // Before the commit, a rewritten table has two files.
      grown_bytes = Math.max(0, (await databaseBytes(trx)) - bytes);
    },
  };
  const began = performance.now();
  await migrate(db, migrations);
  const ms = Math.round(performance.now() - began);
  grown_bytes = Math.max(grown_bytes, (await databaseBytes(db)) - bytes);
  return { name, ms, blocked, grown_bytes, wal_bytes: (await walPosition(db)) - position };
}

async function heldLocks(trx: Kysely<unknown>): Promise<{ table: string; mode: string }[]> {
  const { rows } = await sql<{ table: string; mode: string }>`
    select c.relname as table, l.mode from pg_locks l join pg_class c on c.oid = l.relation
    where l.pid = pg_backend_pid() and l.granted and c.relkind = 'r'
      and c.relnamespace = current_schema()::regnamespace
    order by 1`.execute(trx);
  return rows;
}

async function tableNames(db: Database): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select tablename as name from pg_tables where schemaname = current_schema()
      and tablename not like 'kysely%' and tablename <> 'migrations' order by 1`.execute(db);
  return rows.map(({ name }) => name);
}

async function rowsOf(db: Database, tables: string[]): Promise<Record<string, number>> {
  const found: Record<string, number> = {};
  for (const table of tables) {
    const { rows } = await sql<{ rows: number }>`
      select count(*) as rows from ${sql.table(table)}`.execute(db);
    found[table] = rows[0]?.rows ?? 0;
  }
  return found;
}

async function databaseBytes(db: Kysely<unknown> | Database): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    select pg_database_size(current_database()) as bytes`.execute(db);
  return rows[0]?.bytes ?? 0;
}

async function walPosition(db: Database): Promise<number> {
  const { rows } = await sql<{ at: number }>`
    select (pg_current_wal_insert_lsn() - '0/0')::bigint as at`.execute(db);
  return rows[0]?.at ?? 0;
}

/** Cleans up first, because a backup can have boards of past weeks. */
async function recountAll({ db, clock }: Copy, onProgress: OnProgress) {
  await cleanUpBoards({ db, clock });
  return rebuild({ db, clock }, (done, total) =>
    onProgress({ step: 'checking the figures', done, total }),
  );
}
