import { createHash, type Hash } from 'node:crypto';
import { Readable } from 'node:stream';
import { createGzip } from 'node:zlib';
import type pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import type { BackupHeader, BackupTrailer } from '#contract/operator.ts';
import type { Clock } from '../clock.ts';

/** The layout of the file. A change that older code cannot read counts up. */
export const BACKUP_FORMAT = 1;

/** Every table that a backup holds; a row comes after the rows that it refers to. */
export const BACKED_UP = [
  'leagues',
  'teams',
  'players',
  'identities',
  'tombstones',
  'matchup_sides',
  'team_changes',
  'league_mode_changes',
  'venues',
  'machines',
  'machine_keys',
  'games',
  'player_stats',
  'bests',
  'league_weeks',
  'player_achievements',
] as const;

/** Left out on purpose: what opens an account or lives for minutes. A restore empties these … */
export const ENDED = ['sessions', 'codes', 'machine_pace'] as const;
/** … and leaves these as they are. */
export const LEFT_ALONE = ['limits', 'kept_mails'] as const;

type Described = BackupHeader['tables'][number];

/** A reader that stops taking for this long has gone; the snapshot is not kept for it. */
export const STALL_MS = 60_000;

/** Makes the text of rows the same whatever the server's settings are. */
export const PLAIN_TEXT = `
  set local datestyle = 'ISO, YMD';
  set local intervalstyle = 'postgres';
  set local timezone = 'UTC';
  set local bytea_output = 'hex';
  set local extra_float_digits = 3;
  set local client_encoding = 'UTF8'`;

/**
 * The whole database as of one moment, as a gzipped stream (P44): a line of JSON with what it is
 * and holds, the rows of each table as PostgreSQL's COPY writes them, a line of JSON with the
 * checksums. Players notice nothing of it.
 * @throws (as the stream's error) what the database throws.
 */
export function backupStream(pool: pg.Pool, clock: Clock): Readable {
  const gzip = createGzip();
  const lines = Readable.from(backup(pool, clock), { objectMode: false, highWaterMark: 65_536 });
  lines.on('error', (error) => gzip.destroy(error));
  gzip.on('close', () => lines.destroy());
  return lines.pipe(gzip);
}

async function* backup(pool: pg.Pool, clock: Clock): AsyncGenerator<Buffer> {
  const client = await pool.connect();
  let whole = false;
  try {
    await client.query('begin isolation level repeatable read read only');
    await client.query(PLAIN_TEXT);
    const header = await describe(client, clock.now());
    yield Buffer.from(`${JSON.stringify(header)}\n`);
    const sums: Hash[] = [];
    for (const { table, columns } of header.tables) {
      const sum = createHash('sha256');
      for await (const bytes of client.query(copyTo(`copy ${table} (${columns}) to stdout`))) {
        sum.update(bytes);
        yield bytes;
      }
      sums.push(sum);
    }
    await client.query('commit');
    const trailer: BackupTrailer = {
      end: true,
      rows: header.tables.reduce((total, { rows }) => total + rows, 0),
      sha256: sums.map((sum) => sum.digest('hex')),
    };
    yield Buffer.from(`${JSON.stringify(trailer)}\n`);
    whole = true;
  } finally {
    // After a failure or a reader that left, the connection may be in the middle of a COPY.
    client.release(!whole);
  }
}

/** What the backup will hold, counted in the same snapshot that its rows come from. */
async function describe(client: pg.ClientBase, now: Date): Promise<BackupHeader> {
  const tables: Described[] = [];
  for (const table of BACKED_UP) {
    const columns = await columnsOf(client, table);
    tables.push({
      table,
      columns: columns.map(({ name }) => name),
      rows: await countRows(client, table),
      last_id: await lastId(client, table),
    });
  }
  const { rows: applied } = await client.query<{ name: string }>(
    'select name from kysely_migration order by name',
  );
  return {
    backboard_backup: BACKUP_FORMAT,
    made_at: now.toISOString(),
    migrations: applied.map(({ name }) => name),
    tables,
  };
}

/** The columns of a table in their order; an identity column gives its numbers out by itself. */
export async function columnsOf(
  client: pg.ClientBase,
  table: string,
): Promise<{ name: string; identity: boolean }[]> {
  const { rows } = await client.query<{ name: string; identity: boolean }>(
    `select attname as name, attidentity <> '' as identity from pg_attribute
     where attrelid = $1::regclass and attnum > 0 and not attisdropped order by attnum`,
    [table],
  );
  return rows;
}

/** How many rows a table has. */
export async function countRows(client: pg.ClientBase, table: string): Promise<number> {
  const { rows } = await client.query<{ rows: number }>(`select count(*) as rows from ${table}`);
  return rows[0]?.rows ?? 0;
}

/**
 * The last number that a table's identity column gave out, or null without one: the number of a
 * deleted player must never be given to another, who would get the games (P30e).
 */
export async function lastId(client: pg.ClientBase, table: string): Promise<number | null> {
  const column = (await columnsOf(client, table)).find(({ identity }) => identity);
  if (!column) return null;
  const { rows } = await client.query<{ last: number | null }>(
    'select pg_sequence_last_value(pg_get_serial_sequence($1, $2)::regclass) as last',
    [table, column.name],
  );
  return rows[0]?.last ?? 0;
}
