import { createHash, type Hash } from 'node:crypto';
import { Readable } from 'node:stream';
import { createGzip } from 'node:zlib';
import type pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import type { BackupHeader, BackupTrailer } from '#contract/wire/backups.ts';
import type { Clock } from '../clock.ts';
import { BACKED_UP } from './tables.ts';

/** The version of the file's format. Increase it with each change that older code cannot read. */
export const BACKUP_FORMAT = 1;

type Described = BackupHeader['tables'][number];

/** A client that reads nothing for this long is dropped, which ends the snapshot. */
export const STALL_MS = 60_000;

/** With these settings, every PostgreSQL writes a row as the same text. */
export const PORTABLE_TEXT = `
  set local datestyle = 'ISO, YMD';
  set local intervalstyle = 'postgres';
  set local timezone = 'UTC';
  set local bytea_output = 'hex';
  set local extra_float_digits = 3;
  set local client_encoding = 'UTF8'`;

/**
 * Streams a consistent snapshot of the database, gzipped (P44): a header line of JSON, each table's
 * rows in COPY format, and a trailer line of JSON with checksums. Emits database errors.
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
    await client.query(PORTABLE_TEXT);
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
    // Close a failed connection, because it may still be in a COPY.
    client.release(!whole);
  }
}

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
    'select name from migrations order by name',
  );
  return {
    backboard_backup: BACKUP_FORMAT,
    made_at: now.toISOString(),
    migrations: applied.map(({ name }) => name),
    tables,
  };
}

export type Column = { name: string; identity: boolean; required: boolean; key: boolean };

/** A table's columns in order. `key`: whether the column is part of the primary key. */
export async function columnsOf(client: pg.ClientBase, table: string): Promise<Column[]> {
  const { rows } = await client.query<Column>(
    `select attname as name, attidentity <> '' as identity, attnotnull as required,
       exists (select from pg_index where indrelid = attrelid and indisprimary
         and attnum = any (indkey)) as key
     from pg_attribute
     where attrelid = $1::regclass and attnum > 0 and not attisdropped order by attnum`,
    [table],
  );
  return rows;
}

export async function countRows(client: pg.ClientBase, table: string): Promise<number> {
  const { rows } = await client.query<{ rows: number }>(`select count(*) as rows from ${table}`);
  return rows[0]?.rows ?? 0;
}

/**
 * The last value of a table's identity sequence: 0 if unused, null if the table has no sequence. A
 * backup keeps it, because a new player with a deleted player's id would get that player's games
 * (P30e).
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

/** Makes a table's identity sequence continue after `last`, except 0. Ignores other tables. */
export async function setLastId(client: pg.ClientBase, table: string, last: number): Promise<void> {
  const column = (await columnsOf(client, table)).find(({ identity }) => identity);
  if (!column || last === 0) return;
  await client.query('select setval(pg_get_serial_sequence($1, $2)::regclass, $3)', [
    table,
    column.name,
    last,
  ]);
}
