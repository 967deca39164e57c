import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../db/database.ts';

/*
 * Champions (SEASON-24): the teams in first place of a final table, or the winner of the season's
 * cup if it has one (CUP-02).
 */

/** The result of the season's cup for a team; null if the season has no cup. */
export type OfCup = 'open' | 'won' | 'lost' | null;

/** SQL that gives the `OfCup` of a team in a season. */
export const ofCup = (seasonId: RawBuilder<unknown>, teamId: RawBuilder<unknown>) => sql<OfCup>`(
  select case when c.final_at is null then 'open' when w.team_id = ${teamId} then 'won' else 'lost' end
  from cups c left join cup_sides w on w.cup_id = c.id and w.seed = c.winner_seed
  where c.season_id = ${seasonId})`;

/** Whether a team of a final season is its champion. `place`: the team's place in the table. */
export const isChampion = (cup: OfCup, place: number | null): boolean =>
  cup === null ? place === 1 : cup === 'won';

/**
 * The season's cup: the winner's name, or null until there is one, and whether the cup is over
 * without a winner (CUP-13). undefined without a cup.
 */
export async function readCupOfSeason(
  db: Database,
  seasonId: number,
): Promise<{ winner: string | null; no_winner: boolean } | undefined> {
  const { rows } = await sql<{ winner: string | null; no_winner: boolean }>`
    select w.name as winner, c.final_at is not null and w.name is null as no_winner from cups c
    left join cup_sides w on w.cup_id = c.id and w.seed = c.winner_seed and c.final_at is not null
    where c.season_id = ${seasonId}`.execute(db);
  return rows[0];
}

/** The champions of final seasons, by the season's id; none before the season's cup is decided. */
export async function readChampionsOf(
  db: Database,
  seasonIds: readonly number[],
): Promise<Map<number, string[]>> {
  const { rows } = await sql<{ id: number; champions: string[] }>`
    select s.id, case when c.season_id is null
      then array(select row ->> 'team' from jsonb_array_elements(r.rows) as row
        where row ->> 'place' = '1')
      else array(select w.name from cup_sides w
        where w.cup_id = c.id and w.seed = c.winner_seed and c.final_at is not null)
      end as champions
    from seasons s
    cross join lateral (
      select rows from season_results where season_id = s.id order by version desc limit 1) r
    left join cups c on c.season_id = s.id
    where s.id = any(${[...seasonIds]}::integer[])`.execute(db);
  return new Map(rows.map(({ id, champions }) => [id, champions]));
}
