import { type Kysely, sql } from 'kysely';

export const kind = 'expand';

/** A game between two seasons belongs to no league (SEASON-05). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table games drop constraint games_outside_check,
    add constraint games_outside_check
    check (outside in ('league_mode_off', 'no_team', 'off_season')) not valid`.execute(db);
}
