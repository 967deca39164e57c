import { type RawBuilder, sql } from 'kysely';

const ID = /^id:(\d+)$/;

/**
 * SQL: whether `ref` is a row's name (case-insensitive) or id. `id:7` means the id alone (OPS-03).
 */
export function refersTo(ref: string, name: string, id: string): RawBuilder<boolean> {
  const [, only] = ID.exec(ref) ?? [];
  if (only !== undefined) return sql<boolean>`${sql.ref(id)}::text = ${only}`;
  return sql<boolean>`(lower(${sql.ref(name)}) = lower(${ref}) or ${sql.ref(id)}::text = ${ref})`;
}
