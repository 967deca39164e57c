import { sql } from 'kysely';
import { WEEK_GAMES } from '#contract/rules/games.ts';
import type { Greeting } from '#contract/wire/machines.ts';
import type { Database } from '../db/database.ts';
import type { Deps } from '../deps.ts';
import { weekOf } from '../leagues/calendar.ts';
import { inPausedWeek, inSeason } from '../leagues/seasons.ts';

/**
 * The player's greeting (MACH-02), without the address (P30f); null for a player who is unknown or
 * has no username or birth date.
 */
export async function greet(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  uuid: string,
): Promise<{ player_id: number; greeting: Omit<Greeting, 'server_time'> } | null> {
  const { rows } = await sql<{
    id: number;
    username: string;
    avatar_color: string;
    jersey_number: string;
    league_mode_enabled: boolean;
    team_id: number | null;
    team: string | null;
    timezone: string | null;
  }>`
    select p.id, p.username, p.avatar_color, p.jersey_number, p.league_mode_enabled,
      t.id as team_id, t.name as team, l.timezone
    from players p left join teams t on t.id = p.team_id left join leagues l on l.id = t.league_id
    where p.uuid = ${uuid} and p.username is not null and p.date_of_birth is not null`.execute(db);
  const player = rows[0];
  if (player === undefined) return null;
  const { username, avatar_color, jersey_number, league_mode_enabled, team } = player;
  return {
    player_id: player.id,
    greeting: {
      username,
      avatar_color,
      jersey_number,
      team: team === null ? null : { name: team },
      league_mode_enabled,
      league_games_left: await gamesLeft(db, player, clock.now()),
    },
  };
}

/**
 * How many league games remain this week; 0 unless the week counts for the team (SEASON-05,
 * SEASON-32).
 */
async function gamesLeft(
  db: Database,
  { id, team_id, timezone }: { id: number; team_id: number | null; timezone: string | null },
  now: Date,
): Promise<number> {
  if (team_id === null || timezone === null) return 0;
  const [team, week] = [sql`${team_id}::integer`, sql`${weekOf(now, timezone)}::date`];
  const { rows } = await sql<{ counts: boolean; played: number }>`
    select ${inSeason(team, week)} and not ${inPausedWeek(team, week)} as counts, (
      select coalesce(sum(games_played), 0) from league_weeks
      where player_id = ${id} and week = ${week}) as played`.execute(db);
  const [one] = rows;
  return one?.counts ? WEEK_GAMES - one.played : 0;
}
