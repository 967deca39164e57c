import { type RawBuilder, sql } from 'kysely';

/**
 * Passes rows to a query as one JSON parameter, so that the query's text and plan do not depend on
 * the number of rows. The query names the rows `r`. `columns`: SQL names and types, such as
 * `player_id bigint, week date`, never from input. Dates are ISO text, bytes come from `bytesOf`.
 */
export function recordset<R extends object>(rows: readonly R[], columns: string): RawBuilder<R> {
  return sql`json_to_recordset(${JSON.stringify(rows)}::json) as r (${sql.raw(columns)})`;
}

/** A `bytea` as hex, for `recordset`. */
export const bytesOf = (bytes: Buffer) => `\\x${bytes.toString('hex')}`;
