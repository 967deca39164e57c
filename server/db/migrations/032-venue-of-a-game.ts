import { type Kysely, sql } from 'kysely';

export const kind = 'expand';

/**
 * The venue where a game was played (MACH-14). Without a foreign key, because it would lock the
 * venue's row for each game, and nothing deletes venues.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table games add column venue_id integer`.execute(db);
  // Version 0.2 does not write the column. A restore does, and null means no venue.
  await sql`
    create function game_venue() returns trigger language plpgsql as $$
    begin
      if current_setting('backboard.replacing', true) = 'yes' then return new; end if;
      new.venue_id := (select venue_id from machines where id = new.machine_id);
      return new;
    end $$`.execute(db);
  await sql`
    create trigger game_venue before insert on games
      for each row when (new.venue_id is null) execute function game_venue()`.execute(db);
  // Version 0.2 reads machine_moves, which this version no longer writes.
  await sql`
    create function machine_moved() returns trigger language plpgsql as $$
    begin
      insert into machine_moves (machine_id, at, venue_id)
        values (old.id, now(), old.venue_id) on conflict do nothing;
      return null;
    end $$`.execute(db);
  await sql`
    create trigger machine_moved after update of venue_id on machines
      for each row when (new.venue_id is distinct from old.venue_id)
      execute function machine_moved()`.execute(db);
}
