import { type RawBuilder, sql } from 'kysely';

/**
 * Any number of rows as one JSON parameter named `r`, so that the statement's text and plan stay
 * the same. `columns` are SQL names and types (`player_id bigint, week date`): literals in the
 * code, never input. Dates are ISO text; bytes come from `bytesOf`.
 */
export function recordset<R extends object>(rows: readonly R[], columns: string): RawBuilder<R> {
  return sql`json_to_recordset(${JSON.stringify(rows)}::json) as r (${sql.raw(columns)})`;
}

/** A `bytea` value of a recordset, as hex. */
export const bytesOf = (bytes: Buffer) => `\\x${bytes.toString('hex')}`;
