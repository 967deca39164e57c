import { type RawBuilder, sql } from 'kysely';

/**
 * Many rows as one parameter, for statements that work on a whole batch at once. `columns` are SQL
 * names and types, such as `player_id bigint, week date`; they must be written in the code, never
 * come from outside. Dates travel as ISO text, bytes as `bytesOf` writes them. Call it `r` in the
 * statement.
 */
export function recordset<R extends object>(rows: readonly R[], columns: string): RawBuilder<R> {
  return sql`json_to_recordset(${JSON.stringify(rows)}::json) as r (${sql.raw(columns)})`;
}

/** A `bytea` in a recordset. */
export const bytesOf = (bytes: Buffer) => `\\x${bytes.toString('hex')}`;
