import { type RawBuilder, sql } from 'kysely';

/**
 * Many rows as one parameter, for statements that work on a whole batch at once. `columns` are SQL
 * names and types, such as `player_id bigint, week date`; they must be written in the code, never
 * come from outside. Dates travel as ISO text, bytes as `\x…`. Call it `r` in the statement.
 */
export function recordset<R extends object>(rows: readonly R[], columns: string): RawBuilder<R> {
  const bytes = (_key: string, value: unknown) =>
    isBytes(value) ? `\\x${Buffer.from(value.data).toString('hex')}` : value;
  return sql`json_to_recordset(${JSON.stringify(rows, bytes)}::json) as r (${sql.raw(columns)})`;
}

/** What JSON makes of a Buffer before a replacer sees it. */
function isBytes(value: unknown): value is { type: 'Buffer'; data: number[] } {
  return (
    typeof value === 'object' &&
    value !== null &&
    'type' in value &&
    value.type === 'Buffer' &&
    'data' in value
  );
}
