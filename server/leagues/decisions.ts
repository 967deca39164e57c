import { type RawBuilder, sql } from 'kysely';
import { DECISIONS_HOURS } from '#contract/rules/inbox.ts';
import type { Ruling } from '#contract/wire/leagues.ts';
import type { Database } from '../db/database.ts';
import type { Deps } from '../deps.ts';

/** `other_id`: the team that a moved player left, or the away team of a matchup. */
export type LeagueDecision = { league_id: number } & (
  | { decision: 'moved'; player_id: number; team_id: number | null; other_id: number | null }
  | { decision: 'accepted' | 'declined'; player_id: number; team_id: number; asked_at: Date }
  | { decision: 'reopened'; player_id: number; team_id: number }
  | { decision: 'made'; team_id: number }
  | { decision: 'renamed'; team_id: number; before: string; after: string }
  | { decision: 'deleted'; before: string }
  | {
      decision: 'ruled';
      team_id: number;
      other_id: number;
      week: string;
      before: Ruling | 'none';
      after: Ruling | 'none';
      /** The reason of the previous ruling. */
      reason_before: string | null;
    }
);

/** Stores who decided what in leagues (HAND-C11). `staff_id` is null for the operator key. */
export async function storeLeagueDecisions(
  trx: Database,
  decisions: readonly LeagueDecision[],
  by: { at: Date; staff_id: number | null; who: string },
): Promise<void> {
  if (decisions.length === 0) return;
  await trx
    .insertInto('league_decisions')
    .values(decisions.map((decision) => ({ ...by, ...decision })))
    .execute();
}

/** SQL on a row of league_decisions: whether it is so new that it can be undone (STAFF-41). */
export const isNew = (now: Date) =>
  sql<boolean>`at > ${now}::timestamptz - make_interval(hours => ${DECISIONS_HOURS})`;

/** SQL: whether the last decision about a player took the player off this team, within a day. */
export const wasTakenOff =
  (teamId: number, now: Date) =>
  (player: RawBuilder<unknown>): RawBuilder<boolean> =>
    sql`coalesce((
    select decision = 'moved' and team_id is null and other_id = ${teamId} and ${isNew(now)}
    from league_decisions where player_id = ${player} order by id desc limit 1), false)`;

/**
 * Clears `asked_at` of a player's refusals. Call it when the player asks again or takes a request
 * back: staff can then no longer undo these refusals, which would make the player ask (P63).
 */
export async function settleDeclined(trx: Database, playerId: number): Promise<void> {
  await trx
    .updateTable('league_decisions')
    .set({ asked_at: null })
    .where('player_id', '=', playerId)
    .where('decision', '=', 'declined')
    .execute();
}

/** Deletes the decisions that are too old for the inbox. Returns how many. */
export async function cleanUpLeagueDecisions({
  db,
  clock,
}: Pick<Deps, 'db' | 'clock'>): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    delete from league_decisions where not ${isNew(clock.now())}`.execute(db);
  return Number(numAffectedRows);
}
