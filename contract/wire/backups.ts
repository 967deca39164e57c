import { z } from 'zod';
import { rebuildResult, stream } from './system.ts';

/* The operator's long commands, and the format of a backup file. */

/** An upload's parts are so small that no request exceeds its time limit (P38). */
export const PART_BYTES = 4 * 1024 * 1024;

export const uploadAnswer = z.object({ id: z.string() });
export const uploadParams = z.object({ id: z.guid() });
export const partParams = z.object({ id: z.guid(), part: z.coerce.number().int().min(0) });
export const partAnswer = z.object({ bytes: z.number().int() });
export const checkResult = z.object({
  made_at: z.string(),
  rows: z.number().int(),
  tables: z.array(z.object({ table: z.string(), rows: z.number().int() })),
});
export const checkLine = stream(checkResult);
export const restoreResult = checkResult.extend({
  /** Accounts deleted since the backup, which stay deleted (P30e). */
  deleted_again: z.number().int(),
});
export const restoreLine = stream(restoreResult);

/** What an upgrade would do to a backup's database (OPS-21). */
export const rehearsalResult = z.object({
  made_at: z.string(),
  /** The backup's newest migration, or null. `to`: the newest migration of this version. */
  from: z.string().nullable(),
  to: z.string(),
  migrations: z.array(
    z.object({
      name: z.string(),
      ms: z.number().int(),
      /** What other transactions could not read or write during the migration. */
      blocked: z.array(z.object({ table: z.string(), for: z.enum(['reads', 'writes']) })),
      /** How much the database grew before the commit, which may free some of it. */
      grown_bytes: z.number().int(),
      /** Write-ahead log that the migration wrote; a replica gets it. */
      wal_bytes: z.number().int(),
    }),
  ),
  tables: z.array(
    z.object({
      table: z.string(),
      /** Rows before and after; null while the table does not exist. */
      before: z.number().int().nullable(),
      after: z.number().int().nullable(),
    }),
  ),
  /** The teams' places that the upgrade changes; null if leagues had seasons before. */
  places: z
    .object({
      leagues: z.number().int(),
      changed: z.array(
        z.object({
          league: z.string(),
          team: z.string(),
          before: z.number().int(),
          after: z.number().int().nullable(),
        }),
      ),
    })
    .nullable(),
  /** What a rebuild corrected after the migrations. */
  figures: rebuildResult,
  disk: z.object({
    before: z.number().int(),
    after: z.number().int(),
    /** Also needed during the upgrade: the largest size minus `before`, plus all migrations' WAL. */
    needed: z.number().int(),
  }),
  /** How long the new version took to be ready, without migrations. */
  start_ms: z.number().int(),
  /**
   * How to go back. `open`: start the earlier version on the upgraded database. `backup`: restore
   * this backup, because the earlier version refuses that database.
   */
  way_back: z.enum(['open', 'backup']),
});
export const rehearsalLine = stream(rehearsalResult);

/** A backup file's first line (P44). */
export const backupHeader = z.object({
  backboard_backup: z.number().int(),
  made_at: z.string(),
  migrations: z.array(z.string()),
  tables: z.array(
    z.object({
      table: z.string(),
      columns: z.array(z.string()),
      rows: z.number().int().min(0),
      /** The last value of the table's identity sequence, or null. */
      last_id: z.number().int().nullable(),
    }),
  ),
});

/** The last line: one SHA-256 per table, in order. Without it, the file is truncated. */
export const backupTrailer = z.object({
  end: z.literal(true),
  rows: z.number().int(),
  sha256: z.array(z.string()),
});

export const backupCalls = {
  'POST /api/operator/restores/': { answer: uploadAnswer },
  'PUT /api/operator/restores/:id/parts/:part/': { params: partParams, answer: partAnswer },
  'POST /api/operator/restores/:id/check/': { params: uploadParams, lines: checkLine },
  'POST /api/operator/restores/:id/run/': { params: uploadParams, lines: restoreLine },
  'DELETE /api/operator/restores/:id/': { params: uploadParams },
};

export type Rehearsal = z.infer<typeof rehearsalResult>;
export type BackupHeader = z.infer<typeof backupHeader>;
export type BackupTrailer = z.infer<typeof backupTrailer>;
