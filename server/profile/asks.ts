import { sql } from 'kysely';
import type { Asks, User, WallAnswer } from '#contract/wire/profile.ts';
import { changeAs } from '../accounts/sessions.ts';
import { notify } from '../db/notifications.ts';
import type { Deps } from '../deps.ts';
import type { UserSession } from '../http/caller.ts';
import { type Player, readUser, updatePlayer } from '../players/players.ts';
import { chosenVisibility, venuesShowing, WALL_ASKED, wallAsked } from '../players/visibility.ts';

/** The newest game and the venue's screen must be younger than this (HAND-50). */
const RECENT_MS = 24 * 3_600_000;

/**
 * Whether to ask the player about showing the name on a venue's screens (HAND-50): never under age,
 * only while everybody with an account sees the name, and not after an answer. Runs the same query
 * for every player (P113).
 */
export async function readAsks(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  { player_id, user }: UserSession,
): Promise<Asks> {
  const since = new Date(clock.now().getTime() - RECENT_MS);
  const { rows } = await sql<{ venue: string }>`
    select v.name as venue
    from players p cross join lateral (
      select state, venue_id, landed_at, received_at from games where player_id = p.id
      order by played_at desc, id desc limit 1
    ) g join venues v on v.id = g.venue_id
    where p.id = ${player_id} and p.wall_asked < ${WALL_ASKED} and g.state = 'counted'
      and coalesce(g.landed_at, g.received_at) > ${since}
      and exists (select from screens where venue_id = v.id and last_seen_at > ${since})`.execute(
    db,
  );
  const open =
    user.visibility === 'players' && user.visibility_max === 'venue' && !user.visibility_question;
  return { wall: open ? (rows[0] ?? null) : null };
}

const columnsOf = (
  rule: Pick<Deps, 'config' | 'clock'>,
  { date_of_birth, wall_asked }: Player,
  answer: WallAnswer,
) => {
  if (answer === 'yes')
    return { ...chosenVisibility(rule, date_of_birth, 'venue'), wall_asked: WALL_ASKED };
  return { wall_asked: answer === 'no' ? WALL_ASKED : wallAsked(wall_asked) };
};

/**
 * Stores the answer (HAND-50). `later` counts the visit, and on the last visit it means no.
 * @throws Refusal 400 if a player under age answers `yes`, or 401 if the session has ended.
 */
export function answerAsks(
  deps: Pick<Deps, 'config' | 'db' | 'clock'>,
  session: UserSession,
  { wall }: { wall: WallAnswer },
): Promise<User> {
  return changeAs(deps, session, async (trx, player) => {
    await updatePlayer(trx, player.id, columnsOf(deps, player, wall));
    if (wall === 'yes')
      await notify(trx, { profile: [player.id], venue: await venuesShowing(trx, player.id) });
    return readUser({ ...deps, db: trx }, player.id);
  });
}
