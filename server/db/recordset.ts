import { type RawBuilder, sql } from 'kysely';

/**
 * Passes any number of rows as one JSON parameter named `r`, so that the text and plan of the
 * statement stay the same. `columns` are SQL names and types (`player_id bigint, week date`); they
 * must be literals in the code, never input. Dates are ISO text; bytes come from `bytesOf`.
 */
export function recordset<R extends object>(rows: readonly R[], columns: string): RawBuilder<R> {
  return sql`json_to_recordset(${JSON.stringify(rows)}::json) as r (${sql.raw(columns)})`;
}

/** A `bytea` value of a recordset, as hex. */
export const bytesOf = (bytes: Buffer) => `\\x${bytes.toString('hex')}`;
