import { type RawBuilder, sql } from 'kysely';
import type { KeptOpen } from '#contract/wire/tonight.ts';
import type { Database } from '../db/database.ts';
import { type Season, settlesAt } from './seasons.ts';

type Open = { held: number; complaints: number };

/** SQL: the held games and open complaints among the games of season `s`, as a lateral table. */
const OPEN = sql`(
  with entered as (
    select e.team_id, greatest(e.from_week, s.starts_on) as first,
      coalesce(least(e.to_week, s.last_week), 'infinity') as last
    from season_entries e where e.season_id = s.id
  )
  select
    (select count(*)::integer from games g join entered e on e.team_id = g.team_id
      where g.state = 'held' and g.week between e.first and e.last) as held,
    (select count(*)::integer from game_reports r
      join games g on g.machine_id = r.machine_id and g.id = r.game_id
      join entered e on e.team_id = g.team_id
      where r.state = 'open' and g.week between e.first and e.last) as complaints)`;

/** The held games and open complaints among a season's games (SEASON-21). */
export async function readOpen(db: Database, { id }: Pick<Season, 'id'>): Promise<Open> {
  const { rows } = await sql<Open>`
    select o.* from seasons s cross join lateral ${OPEN} o where s.id = ${id}`.execute(db);
  return rows[0] ?? { held: 0, complaints: 0 };
}

/** The seasons whose grace is over and that held games or complaints keep open (SEASON-21). */
export async function readKeptOpen(
  db: Database,
  reached: RawBuilder<boolean>,
  now: Date,
): Promise<KeptOpen[]> {
  type Row = Open &
    Pick<Season, 'name' | 'last_week' | 'grace_hours'> & {
      id: number;
      league: string;
      timezone: string;
    };
  const { rows } = await sql<Row>`
    select l.id, l.name as league, l.timezone, s.name, s.last_week, s.grace_hours, o.*
    from seasons s join leagues l on l.id = s.league_id cross join lateral ${OPEN} o
    where s.final_at is null and s.last_week < ${now.toISOString().slice(0, 10)}::date
      and ${reached} and o.held + o.complaints > 0
    order by l.id`.execute(db);
  return rows.flatMap(({ id, timezone, last_week, grace_hours, ...one }) => {
    const settles = settlesAt({ last_week, grace_hours }, timezone);
    return settles === null || now < settles ? [] : { ...one, league_id: String(id) };
  });
}
