import { type Kysely, sql } from 'kysely';

export const kind = 'contract';

/**
 * How many players have each score on a board, to compute places. Removes boards of past weeks, and
 * recomputes this week's boards of venues outside UTC.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    delete from bests b where b.week > '-infinity' and (
      b.week < date_trunc('week', now() at time zone 'UTC')::date
      or exists (select from venues v where v.id = b.venue_id and v.timezone <> 'UTC'))`.execute(
    db,
  );
  await sql`
    insert into bests (venue_id, week, player_id, score)
    select v.id, date_trunc('week', g.played_at at time zone v.timezone)::date, g.player_id,
      max(g.score)
    from games g
    join machines m on m.id = g.machine_id
    join players p on p.id = g.player_id
    join venues v on v.timezone <> 'UTC' and v.id = (
      select stood.venue_id from (
        (select at, venue_id from machine_moves
          where machine_id = g.machine_id and at > g.received_at order by at limit 1)
        union all select 'infinity', m.venue_id
      ) stood order by at limit 1)
    where g.state = 'counted' and g.received_at > now() - interval '8 days'
      and date_trunc('week', g.played_at at time zone v.timezone)
        >= date_trunc('week', now() at time zone v.timezone)
    group by 1, 2, 3`.execute(db);

  // No check for `players` below 0: a wrong count must not refuse a game. A rebuild corrects it.
  await sql`
    create table best_counts (
      venue_id integer not null,
      week date not null,
      score integer not null,
      players integer not null,
      primary key (venue_id, week, score)
    ) with (fillfactor = 70)`.execute(db);
  await sql`
    insert into best_counts (venue_id, week, score, players)
    select venue_id, week, score, count(*) from bests group by 1, 2, 3 order by 1, 2, 3`.execute(
    db,
  );

  // Deleting a player deletes the rows in bests by a foreign key. Before that, this trigger lowers
  // the counts, in the lock order of server/leaderboards/boards.ts.
  await sql`
    create function uncount_bests() returns trigger language plpgsql as $$
    begin
      perform from bests b join best_counts c using (venue_id, week, score)
        where b.player_id = old.id
        order by c.venue_id, c.week, c.score for no key update of c;
      update best_counts c set players = c.players - 1
        from bests b
        where b.player_id = old.id
          and c.venue_id = b.venue_id and c.week = b.week and c.score = b.score;
      return old;
    end $$`.execute(db);
  await sql`
    create trigger uncount_bests before delete on players
    for each row execute function uncount_bests()`.execute(db);
}
