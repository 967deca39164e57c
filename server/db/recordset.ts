import { type RawBuilder, sql } from 'kysely';

/**
 * Any number of rows as one JSON parameter, so that the statement's text stays the same and its
 * plan is reused. In the statement the rows are called `r`. `columns` are SQL names and types, such
 * as `player_id bigint, week date`; they must be literals in the code, never input. Dates are sent
 * as ISO text, bytes by `bytesOf`.
 */
export function recordset<R extends object>(rows: readonly R[], columns: string): RawBuilder<R> {
  return sql`json_to_recordset(${JSON.stringify(rows)}::json) as r (${sql.raw(columns)})`;
}

/** The value of a `bytea` column of a recordset, as hex text. */
export const bytesOf = (bytes: Buffer) => `\\x${bytes.toString('hex')}`;
