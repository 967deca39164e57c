import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../db/database.ts';

/**
 * Who gets mails about machines of some venues (MACH-15), by name: staff who have everything, or a
 * venue `v.venue_id` for which `given` is true.
 */
export async function alertStaff(
  db: Database,
  given: RawBuilder<boolean>,
): Promise<{ name: string; email: string }[]> {
  const { rows } = await sql<{ name: string; email: string }>`
    select s.name, a.email from staff_alerts a join staff s on s.id = a.staff_id
    where s.removed_at is null and (
      s.everything or exists (select from staff_venues v
        where v.staff_id = s.id and ${given})
    ) order by lower(s.name)`.execute(db);
  return rows;
}

/** The addresses for mails about a venue's machines (MACH-15); null: machines without a venue. */
export async function alertEmails(db: Database, venueId: number | null): Promise<string[]> {
  return (await alertStaff(db, sql<boolean>`v.venue_id = ${venueId}`)).map(({ email }) => email);
}

/** The staff `s` for whom `where` is true and who get mails about machines, by name. */
export async function listAlertStaff(
  db: Database,
  where: RawBuilder<boolean>,
): Promise<{ name: string; email: string }[]> {
  const { rows } = await sql<{ name: string; email: string }>`
    select s.name, a.email from staff_alerts a join staff s on s.id = a.staff_id
    where s.removed_at is null and ${where} order by lower(s.name)`.execute(db);
  return rows;
}

/** Sets a person's address for mails about machines; null removes it. */
export async function setAlertEmail(
  trx: Database,
  staffId: number,
  email: string | null,
): Promise<void> {
  await (email === null
    ? sql`delete from staff_alerts where staff_id = ${staffId}`
    : sql`insert into staff_alerts values (${staffId}, ${email})
        on conflict (staff_id) do update set email = excluded.email`
  ).execute(trx);
}
