import { sql } from 'kysely';
import { recordset } from '../db/recordset.ts';
import type { Queryable } from '../db/transaction.ts';
import { dayOf, mondayOf } from './calendar.ts';

const NEUTRAL_ZONE = 'UTC';

/** What a game counts for: stored with the game, never changed. */
export type Attribution = {
  /** `YYYY-MM-DD` in the league's time zone, or in UTC without a team. */
  day: string;
  team_id: number | null;
  league_id: number | null;
  /** The league week's Monday; null if the game counts for no team. */
  week: string | null;
  outside: 'league_mode_off' | 'no_team' | null;
};

/**
 * What each game counts for, in the order of `plays`, by the player's team and league mode at
 * `played_at` (LEAGUE-02).
 */
export async function attribute(
  trx: Queryable,
  plays: readonly { player_id: number; played_at: Date }[],
): Promise<Attribution[]> {
  const { rows } = await sql<{
    at: number;
    team_id: number | null;
    league_id: number | null;
    timezone: string | null;
    starts_on: string | null;
    enabled: boolean;
  }>`
    select r.at, t.id as team_id, t.league_id, l.timezone, l.starts_on, coalesce(m.enabled, false) as enabled
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
    left join lateral (
      select enabled from league_mode_changes c
      where c.player_id = r.player_id and c.at <= r.played_at order by c.at desc limit 1
    ) m on true
    order by r.at`.execute(trx);
  return rows.map(({ team_id, league_id, timezone, starts_on, enabled }, at) => {
    const played_at = plays[at]?.played_at ?? new Date(Number.NaN);
    const day = dayOf(played_at, timezone ?? NEUTRAL_ZONE);
    const none = { day, team_id: null, league_id: null, week: null };
    if (team_id === null || timezone === null || starts_on === null)
      return { ...none, outside: 'no_team' };
    const week = mondayOf(day);
    if (week < starts_on) return { ...none, outside: 'no_team' };
    if (!enabled) return { ...none, outside: 'league_mode_off' };
    return { day, team_id, league_id, week, outside: null };
  });
}
