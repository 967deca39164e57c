import { type Kysely, sql } from 'kysely';

export const kind = 'expand';

/** The index also finds the games without a venue for `batch`. */
export const indexes = { games_by_venue: 'on games (venue_id, machine_id, played_at desc)' };

const GAMES = 2_000;

/** Stores with each game the venue where its machine stood when the game was received. */
export async function batch(db: Kysely<unknown>): Promise<number> {
  // In each batch, a bitmap scan would read the index entries of all games updated so far, and
  // `games_by_arrival`, which excludes none.
  await sql`set local enable_bitmapscan = off`.execute(db);
  const { numAffectedRows } = await sql`
    update games set venue_id = played.at_venue
    from (
      select g.machine_id, g.id, stays.venue_id as at_venue
      from (
        select machine_id, venue_id, at as until,
          lag(at, 1, '-infinity') over (partition by machine_id order by at) as since
        from machine_moves
        union all
        select id, venue_id, 'infinity',
          coalesce((select max(at) from machine_moves where machine_id = machines.id), '-infinity')
        from machines
      ) stays cross join lateral (
        select machine_id, id from games
        where venue_id is null and machine_id = stays.machine_id
          and received_at >= stays.since and received_at < stays.until
          -- A game is received at the earliest five minutes before its played_at. The index has no
          -- received_at, and without this bound each batch would read all games of a later stay.
          and played_at < stays.until + interval '1 day'
        limit ${sql.lit(GAMES)}
      ) g
      where stays.venue_id is not null
      limit ${sql.lit(GAMES)}
    ) played
    where games.machine_id = played.machine_id and games.id = played.id`.execute(db);
  // The next batch may be in this transaction.
  await sql`set local enable_bitmapscan to default`.execute(db);
  return Number(numAffectedRows ?? 0);
}
