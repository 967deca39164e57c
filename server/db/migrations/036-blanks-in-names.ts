import { type Kysely, sql } from 'kysely';

export const kind = 'expand';

/** The characters that JavaScript's `\s` matches. */
const BLANKS = '[\\s\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000\\ufeff]+';

/**
 * Replaces each run of blanks in a name by one space (OPS-30), as new names and look-ups do. Names
 * that differ only in blanks stay as they are; people refer to those rows by id.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const [table, twins] of [
    ['venues', sql`true`],
    ['machines', sql`true`],
    ['screens', sql`true`],
    ['leagues', sql`true`],
    ['teams', sql`o.league_id = t.league_id`],
    ['staff', sql`o.removed_at is null`],
  ] as const)
    await sql`
      update ${sql.table(table)} t set name = ${tidy('t.name')}
      where t.name <> ${tidy('t.name')} and ${tidy('t.name')} <> '' and not exists (
        select from ${sql.table(table)} o
        where o.id <> t.id and ${twins} and lower(${tidy('o.name')}) = lower(${tidy('t.name')}))`.execute(
      db,
    );
}

const tidy = (column: string) =>
  sql`btrim(regexp_replace(normalize(${sql.ref(column)}, nfc), ${BLANKS}, ' ', 'g'))`;
