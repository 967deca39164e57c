import { type RawBuilder, sql } from 'kysely';

const ID = /^id:(\d+)$/;

/**
 * SQL: whether a row is meant by `ref`, its name (case-insensitive) or its id. `id:7` means the id
 * alone, so that nobody can take the place of another row by calling theirs "7" or "id:7" (OPS-03).
 * `name` and `id` are the columns.
 */
export function refersTo(ref: string, name: string, id: string): RawBuilder<boolean> {
  const [, only] = ID.exec(ref) ?? [];
  if (only !== undefined) return sql<boolean>`${sql.ref(id)}::text = ${only}`;
  return sql<boolean>`(lower(${sql.ref(name)}) = lower(${ref}) or ${sql.ref(id)}::text = ${ref})`;
}
