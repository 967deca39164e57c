import { type Kysely, sql } from 'kysely';

export const kind = 'expand';

/**
 * Duels between two players (DUEL-01). Games decide them. A row stores only what is final, or what
 * a player has been told.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table duels (
      id bigint generated always as identity primary key,
      offerer_id bigint not null references players on delete cascade,
      rival_id bigint not null references players on delete cascade,
      state text not null default 'offered' check (state in
        ('offered', 'running', 'decided', 'declined', 'taken_back', 'expired', 'ended')),
      offered_at timestamptz not null,
      accept_until timestamptz not null,
      accepted_at timestamptz,
      ends_at timestamptz,
      -- When the state changed last.
      changed_at timestamptz not null,
      -- The offerer's result as it was told, whether it was told that it has turned, and that
      -- somebody was overtaken.
      told text check (told in ('won', 'lost', 'level', 'none')),
      turned_told boolean not null default false,
      overtaken_told boolean not null default false,
      -- From then on the bests below are the result; null is no game.
      final_at timestamptz,
      best_offerer jsonb,
      best_rival jsonb,
      check (offerer_id <> rival_id),
      check (state not in ('running', 'decided') or accepted_at is not null and ends_at is not null)
    )`.execute(db);
  await sql`create unique index duels_of_a_pair
    on duels (least(offerer_id, rival_id), greatest(offerer_id, rival_id))
    where state in ('offered', 'running')`.execute(db);
  await sql`create index duels_by_offerer on duels (offerer_id, state)`.execute(db);
  await sql`create index duels_by_rival on duels (rival_id, state)`.execute(db);
  await sql`create index duels_due on duels (coalesce(ends_at, accept_until))
    where state in ('offered', 'running')`.execute(db);
  await sql`create index duels_not_final on duels (ends_at)
    where state = 'decided' and final_at is null`.execute(db);
}
