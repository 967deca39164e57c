import { sql } from 'kysely';
import { WEEK_GAMES } from '#contract/rules/games.ts';
import { recordset } from '../db/recordset.ts';
import type { Queryable } from '../db/transaction.ts';
import { type Share, tallyWeek } from './tally.ts';

export type PlayerWeek = { player_id: number; week: string };
/** The team and week of a game that has changed; null if it counts for no team. */
export type ChangedWeek = { team_id: number | null; week: string | null };

const PLAYER_WEEK = 'player_id bigint, week date';

export type CountedGame = {
  machine_id: number;
  id: string;
  team_id: number;
  score: number;
  played_at: Date;
};

export type CountedWeek = PlayerWeek & {
  /** How many of the week's games were in `league_weeks` at the read. */
  before: number;
  /** The teams for which they counted. */
  teams_before: number[];
  games: CountedGame[];
};

/**
 * For each week of `asked`, in the same order: the league games that count, which are the player's
 * first `WEEK_GAMES`. One short index scan per week.
 */
export async function readWeeks(
  db: Queryable,
  asked: readonly PlayerWeek[],
): Promise<CountedWeek[]> {
  if (asked.length === 0) return [];
  const { rows } = await sql<
    Omit<CountedWeek, 'games'> & { at: number } & (CountedGame | { id: null })
  >`
    select r.*, b.*, g.machine_id, g.id, g.team_id, g.score, g.played_at
    from ${recordset(
      asked.map((one, at) => ({ at, ...one })),
      `at integer, ${PLAYER_WEEK}`,
    )}
    cross join lateral (
      select coalesce(sum(games_played), 0)::integer as before,
        coalesce(array_agg(team_id), '{}') as teams_before
      from league_weeks w
      where w.player_id = r.player_id and w.week = r.week
    ) b
    left join lateral (
      select * from games g
      where g.player_id = r.player_id and g.week = r.week and g.state = 'counted'
      order by g.played_at, g.id limit ${sql.lit(WEEK_GAMES)}
    ) g on true
    order by r.at`.execute(db);
  const found = asked.map(
    (one): CountedWeek => ({ ...one, before: 0, teams_before: [], games: [] }),
  );
  for (const { at, before, teams_before, player_id: _, week: __, ...game } of rows) {
    const week = found[at];
    if (week === undefined) continue;
    week.before = before;
    week.teams_before = teams_before;
    if (game.id !== null) week.games.push(game);
  }
  return found;
}

/**
 * Updates `league_weeks` from the answer of `readWeeks`. Returns the team and week of each row that
 * changed. The caller must hold the players' locks.
 */
export async function putWeeks(
  trx: Queryable,
  weeks: readonly CountedWeek[],
): Promise<{ team_id: number; week: string }[]> {
  if (weeks.length === 0) return [];
  const shares = weeks.flatMap(({ player_id, week, games }) =>
    tallyWeek(games).shares.map((share): Share & PlayerWeek => ({ player_id, week, ...share })),
  );
  const { rows } = await sql<{ team_id: number; week: string }>`
    with fresh as materialized (
      select * from ${recordset(
        shares,
        `${PLAYER_WEEK}, team_id integer, games_played integer, score_sum bigint, total bigint,
         fourth_best integer, best integer`,
      )}
    ), gone as (
      delete from league_weeks w using ${recordset(
        weeks.map(({ player_id, week }) => ({ player_id, week })),
        PLAYER_WEEK,
      )}
      where w.player_id = r.player_id and w.week = r.week and not exists (
        select 1 from fresh f
        where f.player_id = w.player_id and f.week = w.week and f.team_id = w.team_id)
      returning w.team_id, w.week
    ), put as (
      insert into league_weeks as w
        (team_id, week, player_id, games_played, score_sum, total, fourth_best, best, best_sum)
      select team_id, week, player_id, games_played, score_sum, total, fourth_best, best, score_sum
      from fresh
      on conflict (team_id, week, player_id) do update set
        games_played = excluded.games_played, score_sum = excluded.score_sum,
        total = excluded.total, fourth_best = excluded.fourth_best, best = excluded.best,
        best_sum = excluded.best_sum
      where (w.games_played, w.score_sum, w.total, w.fourth_best, w.best, w.best_sum)
        is distinct from (excluded.games_played, excluded.score_sum, excluded.total,
          excluded.fourth_best, excluded.best, excluded.best_sum)
      returning w.team_id, w.week
    )
    table gone union all table put`.execute(trx);
  return rows;
}
