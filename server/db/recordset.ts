import { type RawBuilder, sql } from 'kysely';

/**
 * Passes rows to a query as one array for each column, so that the query's text does not depend on
 * the number of rows. The query names the rows `r`. `columns`: SQL names and types of one word, such
 * as `player_id bigint, week date`, never from input. A `date` is text, a `timestamptz` a Date or
 * ISO text, a `bytea` comes from `bytesOf`; no value is an array.
 */
export function recordset<R extends object>(rows: readonly R[], columns: string): RawBuilder<R> {
  const named = columns.split(',').map((column) => column.trim().split(' '));
  const arrays = named.map(([name = '', type = '']) => {
    const key = name.replaceAll('"', '');
    const values = rows.map((row) => (row as Record<string, unknown>)[key]);
    return sql`${values}::${sql.raw(type)}[]`;
  });
  return sql`unnest(${sql.join(arrays)}) as r (${sql.raw(named.map(([name]) => name).join(', '))})`;
}

/** A `bytea` as hex, for `recordset`. */
export const bytesOf = (bytes: Buffer) => `\\x${bytes.toString('hex')}`;
