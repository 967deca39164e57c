import { type RawBuilder, sql } from 'kysely';
import type { KeptOpen } from '#contract/wire/tonight.ts';
import type { Database } from '../db/database.ts';
import { type Season, settlesAt } from './seasons.ts';

type Open = { held: number; complaints: number };

/**
 * SQL: a lateral table that counts the held games and open complaints of season `s`. `held_here`
 * and `complaints_here` count only those whose game `g` is `here`.
 */
const openOf = (here: RawBuilder<boolean>) => sql`(
  with entered as (
    select e.team_id, greatest(e.from_week, s.starts_on) as first,
      coalesce(least(e.to_week, s.last_week), 'infinity') as last
    from season_entries e where e.season_id = s.id
  )
  select h.held, h.held_here, c.complaints, c.complaints_here
  from (
    select count(*)::integer as held, count(*) filter (where ${here})::integer as held_here
    from games g join entered e on e.team_id = g.team_id
    where g.state = 'held' and g.week between e.first and e.last) h,
  (
    select count(*)::integer as complaints,
      count(*) filter (where ${here})::integer as complaints_here
    from game_reports r
    join games g on g.machine_id = r.machine_id and g.id = r.game_id
    join entered e on e.team_id = g.team_id
    where r.state = 'open' and g.week between e.first and e.last) c)`;

/** The held games and open complaints among a season's games (SEASON-21). */
export async function readOpen(db: Database, { id }: Pick<Season, 'id'>): Promise<Open> {
  const { rows } = await sql<Open>`
    select o.held, o.complaints from seasons s cross join lateral ${openOf(sql`true`)} o
    where s.id = ${id}`.execute(db);
  return rows[0] ?? { held: 0, complaints: 0 };
}

/**
 * The seasons of `reached` leagues `l` whose grace is over and that held games or complaints keep
 * open (SEASON-21). Cases whose game `g` is `here` are counted separately too.
 */
export async function readKeptOpen(
  db: Database,
  { reached, here }: { reached: RawBuilder<boolean>; here: RawBuilder<boolean> },
  now: Date,
): Promise<KeptOpen[]> {
  type Row = Open &
    Pick<Season, 'id' | 'name' | 'last_week' | 'grace_hours'> & {
      league_id: number;
      league: string;
      timezone: string;
      held_here: number;
      complaints_here: number;
    };
  const { rows } = await sql<Row>`
    select s.id, l.id as league_id, l.name as league, l.timezone, s.name, s.last_week,
      s.grace_hours, o.*
    from seasons s join leagues l on l.id = s.league_id cross join lateral ${openOf(here)} o
    where s.final_at is null and s.last_week < ${now.toISOString().slice(0, 10)}::date
      and ${reached} and o.held + o.complaints > 0
    order by l.id, s.id`.execute(db);
  return rows.flatMap(
    ({ id, league_id, league, name, held, held_here, complaints, complaints_here, ...ends }) => {
      const settles = settlesAt(ends, ends.timezone);
      if (settles === null || now < settles) return [];
      return {
        id: String(id),
        league_id: String(league_id),
        league,
        name,
        held,
        complaints,
        here: { held: held_here, complaints: complaints_here },
      };
    },
  );
}
