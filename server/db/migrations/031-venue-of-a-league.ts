import { type Kysely, sql } from 'kysely';

export const kind = 'expand';

/**
 * A league's venue. Until now a league belonged to the venues where more than half of its teams
 * with players had a counted game. It gets the venue with the most such teams. Staff who reached
 * the league only through another venue are given the league.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  // Do this first, because after the `alter table` games wait until the commit.
  await sql`
    create temp table league_manned on commit drop as
    select id as team_id, league_id, count(*) over (partition by league_id) as teams
    from teams where exists (select from players where team_id = teams.id)`.execute(db);
  await sql`
    create temp table league_played on commit drop as
    select distinct league_manned.*, stays.venue_id
    from games g
    join league_manned using (team_id)
    join (
      select machine_id, venue_id, at as until,
        lag(at, 1, '-infinity') over (partition by machine_id order by at) as since
      from machine_moves
      union all
      select id, venue_id, 'infinity',
        coalesce((select max(at) from machine_moves where machine_id = machines.id), '-infinity')
      from machines
    ) stays on stays.machine_id = g.machine_id
      and g.received_at >= stays.since and g.received_at < stays.until
    where g.state = 'counted' and stays.venue_id is not null and teams > 1`.execute(db);
  await sql`alter table leagues add column venue_id integer references venues`.execute(db);
  await sql`create index leagues_by_venue on leagues (venue_id) where venue_id is not null`.execute(
    db,
  );
  await sql`
    update leagues set venue_id = (
      select venue_id from league_played where league_id = leagues.id
      group by venue_id, teams having count(*) * 2 > teams
      order by count(*) desc, venue_id limit 1)`.execute(db);
  await sql`
    insert into staff_leagues (staff_id, league_id)
    select given.staff_id, played.league_id
    from staff_venues given join league_played played using (venue_id)
    join staff on staff.id = given.staff_id and not everything and removed_at is null
    join leagues on leagues.id = played.league_id
    where not exists (
      select from staff_venues own where own.staff_id = given.staff_id
        and own.venue_id = leagues.venue_id)
    group by given.staff_id, played.league_id, played.teams
    having count(distinct played.team_id) * 2 > played.teams
    on conflict do nothing`.execute(db);
}
