import { sql } from 'kysely';
import { CANNOT_TURN, NOT_ON_TEAM, NUDGED } from '#contract/rules/nudges.ts';
import { changeAs } from '../accounts/sessions.ts';
import type { Deps } from '../deps.ts';
import { badField } from '../errors.ts';
import type { Session } from '../http/caller.ts';
import { charge, enoughToday, limitOf } from '../http/limits.ts';
import { weekOf } from '../leagues/calendar.ts';
import { readLeagueStats } from '../leagues/this-week.ts';
import { planNudged } from './notices.ts';

/* Nudges: a team mate or the app tells a player that a game can still turn the week. */

const KEPT_MS = 60 * 24 * 3_600_000;

/**
 * Nudges a team mate whose button is open. The answer comes from the read that makes the button, so
 * it reveals nothing about age, switches, devices or blocks (NUDGE-05).
 * @throws Refusal 400 for the reasons of NUDGE-01, NUDGE-02 and NUDGE-04, 401 if the session has
 *   ended, or 429 after five in a day.
 */
export async function nudge(
  deps: Pick<Deps, 'config' | 'db' | 'clock' | 'log'>,
  session: Pick<Session, 'id' | 'player_id'>,
  username: string,
): Promise<{ state: 'sent' }> {
  const limit = limitOf('nudge', String(session.player_id));
  const [used] = await charge(deps, [limit]);
  if (used !== undefined) throw enoughToday(`nudge ${limit.max} times`, used);
  const { rows } = await sql<{ id: number; timezone: string }>`
    select p.id, l.timezone from players v
    join players p on p.team_id = v.team_id and p.id <> v.id
    join teams t on t.id = v.team_id join leagues l on l.id = t.league_id
    where v.id = ${session.player_id} and lower(p.username) = lower(${username})`.execute(deps.db);
  const [mate] = rows;
  return changeAs(
    deps,
    session,
    async (trx, { id: sender_id }) => {
      const [stats] = await readLeagueStats({ ...deps, db: trx }, [sender_id]);
      const shown = stats?.teammates.find(
        (one) => !one.former && one.username.toLowerCase() === username.toLowerCase(),
      );
      if (mate === undefined || shown === undefined) throw badField('username', NOT_ON_TEAM);
      if (shown.nudge === null) throw badField('username', CANNOT_TURN);
      const { id: player_id, timezone } = mate;
      const now = deps.clock.now();
      const week = weekOf(now, timezone);
      const { numInsertedOrUpdatedRows: stored = 0n } = await trx
        .insertInto('nudges')
        .values({ player_id, week, sender_id, by_mate: true, at: now })
        .onConflict((known) => known.doNothing())
        .executeTakeFirstOrThrow();
      if (stored === 0n) throw badField('username', NUDGED);
      await planNudged(trx, [{ player_id, week, timezone }], now);
      return { state: 'sent' as const };
    },
    rows.map(({ id }) => id),
  );
}

/** The player's nudges for the export. */
export async function readNudgesOf(db: Deps['db'], playerId: number) {
  const { rows } = await sql<{ week: string; at: Date; by_itself: boolean }>`
    select week, at, sender_id is null and not by_mate as by_itself from nudges
    where player_id = ${playerId} order by week`.execute(db);
  return rows;
}

/** The nightly job: deletes old nudges. Returns how many. */
export async function cleanUpNudges({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<number> {
  // As migration 092: a server of the version before it, still running, writes no `by_mate`.
  await sql`
    update nudges set by_mate = true where sender_id is not null and not by_mate`.execute(db);
  const { numDeletedRows } = await db
    .deleteFrom('nudges')
    .where('at', '<', new Date(clock.now().getTime() - KEPT_MS))
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}
