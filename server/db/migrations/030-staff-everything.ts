import { type Kysely, sql } from 'kysely';

/** Staff who reach everything say so: until now it was staff without venues and leagues. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table staff add column everything boolean not null default false`.execute(db);
  await sql`
    update staff set everything = role = 'owner' or not exists (
      select from staff_venues where staff_id = staff.id
      union all select from staff_leagues where staff_id = staff.id)`.execute(db);
  await sql`alter table staff add constraint staff_owner check (role <> 'owner' or everything)`.execute(
    db,
  );
}
