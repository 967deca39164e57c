import { type RawBuilder, sql } from 'kysely';

/**
 * Passes rows as one JSON parameter, with the alias `r`, so that the statement's text and plan do
 * not depend on the number of rows. `columns` are SQL names and types (`player_id bigint, week
 * date`), which must be literals in the code, never input. Dates are ISO text; bytes come from
 * `bytesOf`.
 */
export function recordset<R extends object>(rows: readonly R[], columns: string): RawBuilder<R> {
  return sql`json_to_recordset(${JSON.stringify(rows)}::json) as r (${sql.raw(columns)})`;
}

/** The hex text of a `bytea` value, for `recordset`. */
export const bytesOf = (bytes: Buffer) => `\\x${bytes.toString('hex')}`;
