import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createGunzip } from 'node:zlib';
import { type BackupHeader, backupHeader, backupTrailer } from '#contract/wire/backups.ts';
import { MIGRATIONS } from '../db/migrate.ts';
import { badRequest, type Refusal } from '../errors.ts';
import { BACKUP_FORMAT } from './backup.ts';
import type { OnProgress } from './long-work.ts';
import { BACKED_UP } from './tables.ts';

type Table = BackupHeader['tables'][number];
/** Receives a table's rows in chunks, then one `end` or `abort`. */
export type RowSink = { write(bytes: Buffer): Promise<void>; end(): Promise<void>; abort(): void };

const NEWLINE = 10;
const LINE_MAX = 1024 * 1024;

const FOREIGN = 'This file is not a Backboard backup. Nothing was changed.';
const CUT_SHORT = 'This backup is cut short: its end is missing. Nothing was changed.';
const DAMAGED = 'This backup is damaged: it does not match its checksums. Nothing was changed.';

/** Turns an error of zlib into a refusal. `ours`: whether Backboard wrote the file's header. */
function unreadable(error: unknown, ours: boolean): Error {
  const code = error instanceof Error && 'code' in error ? error.code : '';
  if (code === 'Z_BUF_ERROR') return badRequest(ours ? CUT_SHORT : FOREIGN);
  if (code === 'Z_DATA_ERROR') return badRequest(ours ? DAMAGED : FOREIGN);
  return error instanceof Error ? error : new Error(String(error));
}

function lineReader(source: AsyncIterable<Buffer>) {
  const chunks = source[Symbol.asyncIterator]();
  let rest: Buffer = Buffer.alloc(0);

  async function more(): Promise<boolean> {
    const next = await chunks.next();
    if (next.done) return false;
    rest = rest.length === 0 ? next.value : Buffer.concat([rest, next.value]);
    return true;
  }

  return {
    /** The next line; null at the end, or beyond LINE_MAX bytes. */
    async line(): Promise<string | null> {
      for (;;) {
        const at = rest.indexOf(NEWLINE);
        if (at >= 0) {
          const line = rest.subarray(0, at).toString();
          rest = rest.subarray(at + 1);
          return line;
        }
        if (rest.length > LINE_MAX || !(await more())) return null;
      }
    },
    /** Yields the next `count` rows in chunks. `rows`: how many rows end in a chunk. */
    async *rows(count: number): AsyncGenerator<{ bytes: Buffer; rows: number }> {
      for (let left = count; left > 0; ) {
        let to = 0;
        let ended = 0;
        while (ended < left) {
          const at = rest.indexOf(NEWLINE, to);
          if (at < 0) break;
          to = at + 1;
          ended += 1;
        }
        const bytes = ended === left ? rest.subarray(0, to) : rest;
        rest = rest.subarray(bytes.length);
        left -= ended;
        if (bytes.length > 0) yield { bytes, rows: ended };
        if (left > 0 && !(await more())) throw badRequest(CUT_SHORT);
      }
    },
    beginsLike: (start: string) => rest.subarray(0, start.length).toString() === start,
    async atEnd(): Promise<boolean> {
      return rest.length === 0 && !(await more());
    },
  };
}

function parseHeader(line: string | null): BackupHeader {
  let header: unknown;
  try {
    header = JSON.parse(line ?? '');
  } catch {
    throw badRequest(FOREIGN);
  }
  // Check the format before the rest of the header, because a newer format may have another header.
  const format =
    typeof header === 'object' && header !== null && 'backboard_backup' in header
      ? header.backboard_backup
      : undefined;
  if (typeof format !== 'number') throw badRequest(FOREIGN);
  if (format > BACKUP_FORMAT) throw newerVersion(`its format is ${format}`);
  const parsed = backupHeader.safeParse(header);
  if (!parsed.success) throw badRequest(DAMAGED);
  const unknown = parsed.data.migrations.filter((name) => !(name in MIGRATIONS));
  if (unknown.length > 0) throw newerVersion(`it has ${unknown.join(', ')}`);
  if (!parsed.data.tables.every(({ table }) => BACKED_UP.includes(table)))
    throw badRequest(DAMAGED);
  return parsed.data;
}

const newerVersion = (why: string): Refusal =>
  badRequest(
    `This backup was made by a newer version of Backboard (${why}). Update Backboard, then restore it. Nothing was changed.`,
  );

/**
 * Reads a backup file, verifies row counts and checksums, and returns its header. The rows go to
 * the sinks of `onTable`, if any. `onHeader` can throw to refuse the file early.
 * @throws Refusal 400 for a file that is foreign, newer, truncated or damaged.
 * @throws the errors of the sinks.
 */
export async function readBackup(
  path: string,
  onProgress: OnProgress,
  load: {
    onHeader?: (header: BackupHeader) => Promise<void>;
    onTable?: (table: Table) => Promise<RowSink>;
  } = {},
): Promise<BackupHeader> {
  const { size } = await stat(path);
  const file = createReadStream(path);
  const gunzip = createGunzip();
  file.on('error', (error) => gunzip.destroy(error));
  const reader = lineReader(file.pipe(gunzip));
  let header: BackupHeader | undefined;
  let sink: RowSink | undefined;
  try {
    header = parseHeader(await reader.line());
    await load.onHeader?.(header);
    const sums: string[] = [];
    for (const table of header.tables) {
      const sum = createHash('sha256');
      sink = await load.onTable?.(table);
      for await (const { bytes } of reader.rows(table.rows)) {
        sum.update(bytes);
        await sink?.write(bytes);
        onProgress({
          step: load.onTable ? `loading ${table.table}` : 'checking',
          done: Math.min(file.bytesRead, size - 1),
          total: size,
        });
      }
      await sink?.end();
      sink = undefined;
      sums.push(sum.digest('hex'));
    }
    const last = await reader.line();
    if (last === null) throw badRequest(CUT_SHORT);
    const trailer = parseTrailer(last);
    if (trailer.sha256.join() !== sums.join() || !(await reader.atEnd())) throw badRequest(DAMAGED);
    return header;
  } catch (error) {
    sink?.abort();
    throw unreadable(error, header !== undefined || reader.beginsLike('{"backboard_backup":'));
  } finally {
    file.destroy();
    gunzip.destroy();
  }
}

function parseTrailer(line: string) {
  try {
    return backupTrailer.parse(JSON.parse(line));
  } catch {
    throw badRequest(DAMAGED);
  }
}
