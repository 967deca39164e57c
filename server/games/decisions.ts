import { sql } from 'kysely';
import type { Decision } from '#contract/wire/inbox.ts';
import type { Database } from '../db/database.ts';
import { recordset } from '../db/recordset.ts';

type DecidedGame = { machine_id: number; id: string };
/** `staff_id` is null for the operator key. */
export type Author = { staff_id: number | null; who: string };

/** Stores who decided about a game, and what (GAME-13). */
export async function storeDecision(
  trx: Database,
  { machine_id, id }: DecidedGame,
  { decision, at, ...author }: Author & { decision: Decision; at: Date },
): Promise<void> {
  await trx
    .insertInto('game_decisions')
    .values({ machine_id, game_id: id, at, decision, ...author })
    .execute();
}

/** The latest decision about each game that has one. */
export async function lastDecisions(
  db: Database,
  games: readonly DecidedGame[],
): Promise<(DecidedGame & { decision: Decision; by: string; at: Date })[]> {
  const { rows } = await sql<DecidedGame & { decision: Decision; by: string; at: Date }>`
    select r.machine_id, r.id, d.decision, d.who as by, d.at
    from ${recordset(
      games.map(({ machine_id, id }) => ({ machine_id, id })),
      'machine_id integer, id uuid',
    )} cross join lateral (
      select * from game_decisions where machine_id = r.machine_id and game_id = r.id
      order by id desc limit 1) d`.execute(db);
  return rows;
}
