import { type RawBuilder, sql } from 'kysely';

/** Types whose text never needs quotes in an array. */
const PLAIN = new Set(['bigint', 'boolean', 'date', 'integer', 'real', 'timestamptz', 'uuid']);

const textOf = (value: unknown) =>
  value instanceof Date ? value.toISOString() : (value ?? 'NULL');

/**
 * Passes rows to a query as one array per column, so that the query's text is the same for any
 * number of rows. The query calls the rows `r`. `columns` lists SQL names and types of one word, such
 * as `player_id bigint, week date`, and never contains input. Pass a `date` as text, a `timestamptz`
 * as a Date or ISO text, and a `bytea` through `bytesOf`. A value cannot be an array, and must be a
 * valid one of its type: only text and `bytea` are escaped.
 */
export function recordset<R extends object>(rows: readonly R[], columns: string): RawBuilder<R> {
  const named = columns.split(',').map((column) => column.trim().split(' '));
  const arrays = named.map(([name = '', type = '']) => {
    const key = name.replaceAll('"', '');
    const values = rows.map((row) => (row as Record<string, unknown>)[key]);
    const array = PLAIN.has(type) ? `{${values.map(textOf).join()}}` : values;
    return sql`${array}::${sql.raw(type)}[]`;
  });
  return sql`unnest(${sql.join(arrays)}) as r (${sql.raw(named.map(([name]) => name).join(', '))})`;
}

/** A `bytea` as hex, for `recordset`. */
export const bytesOf = (bytes: Buffer) => `\\x${bytes.toString('hex')}`;
