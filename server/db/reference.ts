import { type RawBuilder, sql } from 'kysely';
import { conflict, notFound } from '../errors.ts';
import type { Database } from './database.ts';

const ID = /^id:(\d+)$/;

/**
 * SQL: whether `ref` is a row's name (case-insensitive) or id. `id:7` means the id alone (OPS-03).
 */
export function refersTo(ref: string, name: string, id: string): RawBuilder<boolean> {
  const [, only] = ID.exec(ref) ?? [];
  if (only !== undefined) return sql<boolean>`${sql.ref(id)}::text = ${only}`;
  return sql<boolean>`(lower(${sql.ref(name)}) = lower(${ref}) or ${sql.ref(id)}::text = ${ref})`;
}

/** A kind of row that people name (OPS-03). `name` and `id` are columns of `from`. */
export type Noun<Row> = {
  /** The word for one row in errors, such as `machine`. */
  one: string;
  columns: RawBuilder<Row>;
  from: RawBuilder<unknown>;
  name: string;
  id: string;
  /** The clause that locks the row. Without it, the row is never locked. */
  lock?: RawBuilder<unknown>;
  /** A condition on the row. Other rows are not found at all. */
  only?: RawBuilder<unknown>;
  /** The error for several rows with one name. Without it, names are unique. */
  several?: (rows: readonly Row[]) => string;
};

/** `reached`: a condition on the row. The result says whether the row meets it. */
export type Look = { lock?: boolean; reached?: RawBuilder<boolean> };

/**
 * The row with this name, otherwise with this id. Prefers a row for which `reached` is true.
 * @throws Refusal 404 if no row has this name or id, or 409 if several rows with this name are
 *   reached.
 */
export async function lookUp<Row extends object>(
  db: Database,
  { one, columns, from, name, id, lock, only = sql`true`, several }: Noun<Row>,
  ref: string,
  { lock: locked = false, reached = sql<boolean>`true` }: Look = {},
): Promise<{ row: Row; reached: boolean }> {
  type Found = Row & { named: boolean; reached: boolean };
  const { rows } = await sql<Found>`
    select ${columns}, lower(${sql.ref(name)}) = lower(${ref}) as named, ${reached} as reached
    from ${from} where ${only} and ${refersTo(ref, name, id)}
    order by named desc, reached desc, ${sql.ref(id)}
    ${locked && lock ? lock : sql``}`.execute(db);
  const found = rows.map(({ named, reached, ...row }) => ({
    row: row as unknown as Row,
    named,
    reached,
  }));
  const [first] = found;
  if (first === undefined) throw notFound(`There is no ${one} “${ref}”.`);
  const same = found.filter((other) => other.named && other.reached);
  if (several && same.length > 1) throw conflict(several(same.map(({ row }) => row)));
  return first;
}

/** The names of all rows for which `reached` is true. */
export async function namesOf(
  db: Database,
  { from, name, only = sql`true` }: Pick<Noun<unknown>, 'from' | 'name' | 'only'>,
  reached: RawBuilder<boolean>,
): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select ${sql.ref(name)} as name from ${from} where ${only} and ${reached}`.execute(db);
  return rows.map((row) => row.name);
}

/**
 * The row with this name, otherwise with this id.
 * @throws Refusal as `lookUp`.
 */
export const findNamed = async <Row extends object>(
  db: Database,
  noun: Noun<Row>,
  ref: string,
  lock = false,
): Promise<Row> => (await lookUp(db, noun, ref, { lock })).row;
