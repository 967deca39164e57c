import { sql } from 'kysely';
import type { Outside } from '#contract/wire/games.ts';
import { recordset } from '../db/recordset.ts';
import type { Queryable } from '../db/transaction.ts';
import { dayOf, mondayOf, weekOf } from './calendar.ts';
import { LAST_WEEK } from './seasons.ts';

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
 * The weeks of a season in which a team's games count, from Monday to Monday. `paused`: the Mondays
 * of postponed weeks.
 */
type Run = { season: number; from: string; to: string; paused: string[] };

/**
 * What each game counts for, in the order of `plays`, by the player's team and league mode at
 * `played_at`, and the entries of the team (LEAGUE-02, SEASON-04).
 */
export async function attribute(
  trx: Queryable,
  plays: readonly { player_id: number; played_at: Date }[],
  now: Date,
): Promise<Attribution[]> {
  const { rows } = await sql<{
    at: number;
    team_id: number | null;
    league_id: number | null;
    timezone: string | null;
    enabled: boolean;
    runs: Run[] | null;
  }>`
    select r.at, t.id as team_id, t.league_id, l.timezone,
      coalesce(m.enabled, false) as enabled, (
        select json_agg(json_build_object(
          'season', s.id,
          'from', greatest(e.from_week, s.starts_on),
          'to', coalesce(least(e.to_week, s.last_week), 'infinity'),
          'paused', array(select p.week from season_pauses p where p.season_id = s.id)))
        from season_entries e join seasons s on s.id = e.season_id
        where e.team_id = t.id and s.starts_on <= r.played_at::date + 1
          and ${LAST_WEEK} >= r.played_at::date - 8) as runs
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
  return rows.map(({ team_id, league_id, timezone, enabled, runs }, at) => {
    const played_at = plays[at]?.played_at ?? new Date(Number.NaN);
    const day = dayOf(played_at, timezone ?? NEUTRAL_ZONE);
    const none = { day, team_id: null, league_id: null, week: null, paused: false, late_for: null };
    if (team_id === null || timezone === null) return { ...none, outside: 'no_team' };
    const week = mondayOf(day);
    const run = runs?.find(({ from, to }) => from <= week && (to === 'infinity' || week <= to));
    if (run === undefined) return { ...none, outside: 'off_season' };
    if (!enabled) return { ...none, outside: 'league_mode_off' };
    const paused = run.paused.includes(week);
    const late_for =
      week < weekOf(new Date(now.getTime() + COMMIT_MS), timezone) ? run.season : null;
    return { day, team_id, league_id, week, outside: null, paused, late_for };
  });
}
