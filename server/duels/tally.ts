import { sql } from 'kysely';
import type { DuelResult } from '#contract/rules/duels.ts';
import type { Database } from '../db/database.ts';
import { bestFromGames } from './bests.ts';

/*
 * How many duels a player has won, lost and drawn (DUEL-13). A duel enters the stored tally as it
 * becomes final.
 */

export type Tally = { won: number; lost: number; level: number };

/** The tally of a player's final duels. */
export async function readTally(db: Database, playerId: number): Promise<Tally> {
  const tally = await db
    .selectFrom('duel_tallies')
    .select(['won', 'lost', 'level'])
    .where('player_id', '=', playerId)
    .executeTakeFirst();
  return tally ?? { won: 0, lost: 0, level: 0 };
}

/** The tally with the results of duels that are not final yet. */
export function addResults(tally: Tally, results: readonly (DuelResult | null)[]): Tally {
  const count = (result: DuelResult) => results.filter((one) => one === result).length;
  return {
    won: tally.won + count('won'),
    lost: tally.lost + count('lost'),
    level: tally.level + count('level'),
  };
}

/**
 * Makes the duels that ended by `until` final (DUEL-06): stores their bests, and adds their results
 * to the tallies of both players. Returns how many.
 */
export async function makeFinal(db: Database, until: Date, now: Date): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    with due as (
      -- Players first, against deadlocks with the deletion of an account.
      select d.id from duels d join players p on p.id in (d.offerer_id, d.rival_id)
      where d.state = 'decided' and d.final_at is null and d.ends_at <= ${until}
      order by p.id for key share of p
    ), final as (
      update duels d set final_at = ${now}, best_offerer = ${bestFromGames(sql`d.offerer_id`)},
        best_rival = ${bestFromGames(sql`d.rival_id`)}
      where d.id in (select id from due) and d.final_at is null
      returning d.*
    ), tallied as (
      insert into duel_tallies as t (player_id, won, lost, level)
      select player_id, count(*) filter (where own > other),
        count(*) filter (where own < other), count(*) filter (where own = other and own >= 0)
      from final
      cross join lateral (select coalesce((best_offerer->>'score')::integer, -1) as offerer,
        coalesce((best_rival->>'score')::integer, -1) as rival) best
      cross join lateral (values (offerer_id, best.offerer, best.rival),
        (rival_id, best.rival, best.offerer)) side (player_id, own, other)
      group by player_id order by player_id
      on conflict (player_id) do update set won = t.won + excluded.won,
        lost = t.lost + excluded.lost, level = t.level + excluded.level
    )
    select count(*) from final`.execute(db);
  return rows[0]?.count ?? 0;
}
