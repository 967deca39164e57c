import { type Kysely, sql } from 'kysely';

export const kind = 'expand';

/** How each player's final duels ended (DUEL-13), and indexes that find duels not final yet. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table duel_tallies (
      player_id bigint primary key references players on delete cascade,
      won integer not null,
      lost integer not null,
      level integer not null
    )`.execute(db);
  await sql`
    insert into duel_tallies
    select player_id, count(*) filter (where own > other), count(*) filter (where own < other),
      count(*) filter (where own = other and own >= 0)
    from duels d cross join lateral (select coalesce((d.best_offerer->>'score')::integer, -1) as offerer,
      coalesce((d.best_rival->>'score')::integer, -1) as rival) best
    cross join lateral (values (d.offerer_id, best.offerer, best.rival),
      (d.rival_id, best.rival, best.offerer)) side (player_id, own, other)
    where d.final_at is not null group by player_id`.execute(db);
  await sql`drop index duels_by_offerer, duels_by_rival`.execute(db);
  await sql`create index duels_by_offerer on duels (offerer_id, state, final_at)`.execute(db);
  await sql`create index duels_by_rival on duels (rival_id, state, final_at)`.execute(db);
}
