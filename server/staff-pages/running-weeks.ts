import { type RawBuilder, sql } from 'kysely';
import { WEEK_GAMES } from '#contract/rules/games.ts';
import type { TonightLeague } from '#contract/wire/leagues.ts';
import type { Database } from '../db/database.ts';
import { recordset } from '../db/recordset.ts';
import { addDays, startOf, weekOf } from '../leagues/calendar.ts';
import { type PlayedSide, SIDES } from '../leagues/matchups.ts';
import { numberOfWeek } from '../leagues/seasons.ts';

type SideRow = Pick<PlayedSide, 'league_id' | 'team_id' | 'opponent_id' | 'home' | 'ruling'> & {
  number: number;
  weeks: number;
  team: string;
  on_team: number;
  games: number;
  total: number;
};

/** This week's matchups with live totals, of the leagues `l` for which `where` is true, by name. */
export async function readRunningWeeks(
  db: Database,
  where: RawBuilder<boolean>,
  now: Date,
): Promise<TonightLeague[]> {
  const { rows: leagues } = await sql<{
    id: number;
    name: string;
    timezone: string;
    starts_on: string;
  }>`
    select l.id, l.name, l.timezone, l.starts_on from leagues l
    where ${where}
    order by lower(l.name)`.execute(db);
  const current = leagues
    .map((league) => ({ ...league, current: weekOf(now, league.timezone) }))
    .filter(({ current, starts_on }) => current >= starts_on);
  const { rows: sides } = await sql<SideRow>`
    select ${numberOfWeek(sql`s`, sql`r.week`)} as number, ${numberOfWeek(
      sql`s`,
      sql`(select max(week) from matchup_sides x where x.season_id = s.id)`,
    )} as weeks, m.league_id, m.team_id, t.name as team, m.opponent_id, m.home, m.ruling,
      (select count(*) from players p where p.team_id = m.team_id) as on_team,
      coalesce(w.games, 0) as games, coalesce(w.total, 0) as total
    from ${recordset(
      current.map(({ id, current }) => ({ league_id: id, week: current })),
      'league_id integer, week date',
    )}
    join ${SIDES} m on m.league_id = r.league_id and m.week = r.week
    join seasons s on s.id = m.season_id
    join teams t on t.id = m.team_id
    left join lateral (
      select sum(games_played)::integer as games, sum(total)::integer as total
      from league_weeks where team_id = m.team_id and week = r.week and (m.to_week is null or week <= m.to_week)
    ) w on true
    order by lower(t.name)`.execute(db);
  const sideOf = ({ team, total, games, on_team }: SideRow) => ({
    team,
    total,
    games,
    max: on_team * WEEK_GAMES,
  });
  return current
    .map(({ id, name, timezone, current }) => {
      const own = sides.filter(({ league_id }) => league_id === id);
      return {
        id: String(id),
        name,
        week: own[0]?.number ?? 0,
        weeks: own[0]?.weeks ?? 0,
        closes_at: startOf(addDays(current, 7), timezone).toISOString(),
        matchups: own
          .filter(({ home, opponent_id }) => home || opponent_id === null)
          .map((home) => {
            const away = own.find(({ team_id }) => team_id === home.opponent_id);
            return {
              home: sideOf(home),
              away: away === undefined ? null : sideOf(away),
              ...(home.ruling && { ruling: home.ruling }),
            };
          }),
      };
    })
    .filter(({ matchups }) => matchups.length > 0);
}
