import { sql } from 'kysely';
import type { Outside } from '#contract/wire/games.ts';
import { recordset } from '../db/recordset.ts';
import type { Queryable } from '../db/transaction.ts';
import { covers } from './seasons.ts';

const NEUTRAL_ZONE = 'UTC';
/** More than a report takes to commit, and more than the clocks of two processes differ. */
const COMMIT_MS = 60_000;

/** What a game counts for: stored with the game, never changed. */
export type Attribution = {
  /** `YYYY-MM-DD` in the league's time zone, or in UTC without a team. */
  day: string;
  team_id: number | null;
  league_id: number | null;
  /** The league week's Monday; null if the game counts for no team. */
  week: string | null;
  outside: Outside | null;
  /**
   * Whether the week is postponed: the game keeps its team and week, but is in no table
   * (SEASON-32).
   */
  paused: boolean;
  /**
   * The game's season if its week is over. The game may then change the final table (SEASON-25).
   */
  late_for: number | null;
};

/**
 * What each game counts for, in the order of `plays`, by the player's team and league mode at
 * `played_at`, and the entries of the team (LEAGUE-02, SEASON-04).
 */
export async function attribute(
  trx: Queryable,
  plays: readonly { player_id: number; played_at: Date }[],
  now: Date,
): Promise<Attribution[]> {
  const later = new Date(now.getTime() + COMMIT_MS);
  const { rows } = await sql<{
    team_id: number | null;
    league_id: number | null;
    enabled: boolean;
    day: string;
    week: string;
    /** The team's season in the week. */
    season: number | null;
    paused: boolean;
    is_over: boolean;
  }>`
    select t.id as team_id, t.league_id, coalesce(m.enabled, false) as enabled,
      played.day, played.week, s.id as season,
      exists (select from season_pauses where season_id = s.id and week = played.week) as paused,
      played.week < date_trunc('week', ${later}::timestamptz at time zone zone.name) as is_over
    from ${recordset(
      plays.map(({ player_id, played_at }, at) => ({ at, player_id, played_at })),
      'at integer, player_id bigint, played_at timestamptz',
    )}
    left join lateral (
      select team_id from team_changes c where c.player_id = r.player_id and c.at <= r.played_at
      order by c.at desc limit 1
    ) c on true
    left join teams t on t.id = c.team_id
    left join leagues l on l.id = t.league_id
    cross join lateral (select coalesce(l.timezone, ${NEUTRAL_ZONE}) as name) zone
    cross join lateral (
      select (r.played_at at time zone zone.name)::date as day,
        date_trunc('week', r.played_at at time zone zone.name)::date as week
    ) played
    left join lateral (
      select s.id from season_entries e join seasons s on s.id = e.season_id
      where e.team_id = t.id and ${covers(sql`played.week`)} limit 1
    ) s on true
    left join lateral (
      select enabled from league_mode_changes c
      where c.player_id = r.player_id and c.at <= r.played_at order by c.at desc limit 1
    ) m on true
    order by r.at`.execute(trx);
  return rows.map(({ team_id, league_id, day, week, season, paused, enabled, is_over }) => {
    const none = { day, team_id: null, league_id: null, week: null, paused: false, late_for: null };
    if (team_id === null) return { ...none, outside: 'no_team' };
    if (season === null) return { ...none, outside: 'off_season' };
    if (!enabled) return { ...none, outside: 'league_mode_off' };
    return {
      day,
      team_id,
      league_id,
      week,
      outside: null,
      paused,
      late_for: is_over ? season : null,
    };
  });
}
