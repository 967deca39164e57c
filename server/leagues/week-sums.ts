import { sql } from 'kysely';
import type { Database } from '../db/database.ts';
import { transact } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { lockSeasonRows, type Season } from './seasons.ts';

/**
 * The sums of teams' weeks. They are stored each night, so that a season's page need not read the
 * weeks of all players. Those up to the season's `summed_to` are right (decision 169).
 */

/** The total and best score of a team's week. `best` is null if version 0.2 changed the week. */
export type WeekSum = { team_id: number; week: string; total: number; best: number | null };

/** SQL: the columns of a `WeekSum`, from the rows `w` of league_weeks, grouped. */
const SUM = sql`w.team_id, w.week, sum(w.total)::bigint as total,
  case when bool_and(w.best_sum is not distinct from w.score_sum) then max(w.best) end as best`;

/**
 * `stored`: from the stored sums as far as they are right. `players`: from the players' weeks, as
 * for final results, because an older version of the server may have changed a week without dropping
 * its sum.
 */
export type SumsFrom = 'stored' | 'players';

/** The sums of the weeks from `starts_on` to `last_week`, in the weeks of each team's entry. */
export async function readWeekSums(
  db: Database,
  { id, starts_on, last_week }: Pick<Season, 'id' | 'starts_on' | 'last_week'>,
  from: SumsFrom,
): Promise<WeekSum[]> {
  const stored = from === 'stored' ? sql`s.summed_to` : sql`null::date`;
  const { rows } = await sql<WeekSum>`
    with entered as (
      select e.team_id, greatest(e.from_week, ${starts_on}::date) as first,
        coalesce(least(e.to_week, ${last_week}::date), 'infinity') as last,
        coalesce(${stored}, '-infinity') as summed_to
      from season_entries e join seasons s on s.id = e.season_id where s.id = ${id}
    )
    select o.team_id, o.week, o.total, o.best
    from entered e join team_weeks o on o.team_id = e.team_id
      and o.week >= e.first and o.week <= least(e.last, e.summed_to)
    union all
    select ${SUM}
    from entered e join league_weeks w on w.team_id = e.team_id
      and w.week >= e.first and w.week > e.summed_to and w.week <= e.last
    group by w.team_id, w.week`.execute(db);
  return rows;
}

/**
 * Drops the stored sums of these seasons; there must be at least one. Call it when the time zone of
 * the league or the entry of a team changes.
 */
export async function dropWeekSums(trx: Database, seasonIds: readonly number[]): Promise<void> {
  await lockSeasonRows(trx, seasonIds);
  await trx.updateTable('seasons').set({ summed_to: null }).where('id', 'in', seasonIds).execute();
}

/**
 * Stores the sums of the finished weeks of all seasons that are not final, and of final ones that
 * have changed. Returns how many `summed_to` changed.
 */
export async function storeWeekSums({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<number> {
  const now = clock.now();
  const { rows } = await sql<{ id: number }>`
    select id from seasons
    where starts_on <= (${now}::timestamptz at time zone 'UTC')::date - 6
      and (final_at is null or touched_at is not null or summed_to is distinct from last_week)
    order by id`.execute(db);
  let changed = 0;
  for (const { id } of rows)
    changed += await transact(db, async (trx) => {
      await lockSeasonRows(trx, [id]);
      return sumWeeks(trx, id, now);
    });
  return changed;
}

/** Stores the sums of a season's finished weeks. Returns 1 if `summed_to` changed, else 0. */
async function sumWeeks(trx: Database, seasonId: number, now: Date): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    with season as (
      select s.id, s.league_id, s.starts_on, least(s.last_week,
        date_trunc('week', ${now}::timestamptz at time zone l.timezone)::date - 7) as until
      from seasons s join leagues l on l.id = s.league_id where s.id = ${seasonId}
    ), fresh as (
      select ${SUM}
      from season s join teams t on t.league_id = s.league_id
      join league_weeks w on w.team_id = t.id and w.week >= s.starts_on and w.week <= s.until
      group by w.team_id, w.week
    ), gone as (
      delete from team_weeks o using season s, teams t
      where t.league_id = s.league_id and o.team_id = t.id
        and o.week >= s.starts_on and o.week <= s.until
        and not exists (select from fresh f where f.team_id = o.team_id and f.week = o.week)
    ), put as (
      insert into team_weeks as o (team_id, week, total, best) select * from fresh
      on conflict (team_id, week) do update set total = excluded.total, best = excluded.best
      where (o.total, o.best) is distinct from (excluded.total, excluded.best)
    )
    update seasons s set summed_to = n.until from season n
    where s.id = n.id and n.until >= n.starts_on and s.summed_to is distinct from n.until`.execute(
    trx,
  );
  return Number(numAffectedRows);
}
