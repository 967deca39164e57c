import { sql } from 'kysely';
import { WEEK_GAMES } from '#contract/rules/games.ts';
import type { Greeting } from '#contract/wire/machines.ts';
import type { Database } from '../db/database.ts';
import type { Deps } from '../deps.ts';
import { weekOf } from '../leagues/calendar.ts';

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
    team: string | null;
    timezone: string | null;
    starts_on: string | null;
  }>`
    select p.id, p.username, p.avatar_color, p.jersey_number, p.league_mode_enabled,
      t.name as team, l.timezone, l.starts_on
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

/** How many league games remain this week; 0 without a team, or before the league begins. */
async function gamesLeft(
  db: Database,
  { id, timezone, starts_on }: { id: number; timezone: string | null; starts_on: string | null },
  now: Date,
): Promise<number> {
  if (timezone === null || starts_on === null) return 0;
  const week = weekOf(now, timezone);
  if (week < starts_on) return 0;
  const { rows } = await sql<{ played: number }>`
    select coalesce(sum(games_played), 0) as played from league_weeks
    where player_id = ${id} and week = ${week}`.execute(db);
  return WEEK_GAMES - (rows[0]?.played ?? 0);
}
