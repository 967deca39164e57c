import { type Kysely, sql } from 'kysely';

export const kind = 'expand';

/** Marks staff who reach everything. Until now, those without venues and leagues did. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table staff add column everything boolean not null default false`.execute(db);
  await sql`
    update staff set everything = role = 'owner' or not exists (
      select from staff_venues where staff_id = staff.id
      union all select from staff_leagues where staff_id = staff.id)`.execute(db);
  // Version 0.2 does not write the column, so owners get everything, and staff who are given a
  // venue or a league do not.
  await sql`
    create function staff_owner() returns trigger language plpgsql as $$
    begin
      new.everything := true;
      return new;
    end $$`.execute(db);
  await sql`
    create trigger staff_owner before insert or update on staff
      for each row when (new.role = 'owner' and not new.everything)
      execute function staff_owner()`.execute(db);
  await sql`
    create function staff_given() returns trigger language plpgsql as $$
    begin
      update staff set everything = false
        where id = new.staff_id and role <> 'owner' and everything;
      return null;
    end $$`.execute(db);
  for (const table of ['staff_venues', 'staff_leagues'])
    await sql`create trigger staff_given after insert on ${sql.table(table)}
      for each row execute function staff_given()`.execute(db);
}
