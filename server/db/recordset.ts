import { type RawBuilder, sql } from 'kysely';

/**
 * Passes rows to a query as one JSON parameter; the query names them `r`. So its text and its plan
 * do not depend on the number of rows. `columns`: SQL names and types (`player_id bigint, week date`) as literals,
 * never input. Dates are ISO text, bytes come from `bytesOf`.
 */
export function recordset<R extends object>(rows: readonly R[], columns: string): RawBuilder<R> {
  return sql`json_to_recordset(${JSON.stringify(rows)}::json) as r (${sql.raw(columns)})`;
}

/** A `bytea` as hex, for `recordset`. */
export const bytesOf = (bytes: Buffer) => `\\x${bytes.toString('hex')}`;
