import type { z } from 'zod';
import type { exportAnswer } from '#contract/wire/profile.ts';
import { readWon } from '../achievements/list.ts';
import { readContestsOf } from '../contests/contests.ts';
import { readCupsOf } from '../cups/page.ts';
import type { Deps } from '../deps.ts';
import { readDuelsOf } from '../duels/duels.ts';
import { readTally } from '../duels/tally.ts';
import { forbidden } from '../errors.ts';
import { listBlocked } from '../friends/blocks.ts';
import { readFriendNames } from '../friends/friends.ts';
import type { Session } from '../http/caller.ts';
import { charge, enoughToday, giveBack, limitOf } from '../http/limits.ts';
import { readOwnSeasons } from '../leagues/season-archive.ts';
import { readNudgesOf } from '../nudges/nudges.ts';
import { readUser } from '../players/players.ts';

const SESSION_AGE_MAX_MS = 60 * 60_000;
export const SIGN_IN_AGAIN = 'Sign in again to download your data.';

function written<Row extends object>(rows: Row[]) {
  return rows.map(
    (row) =>
      Object.fromEntries(
        Object.entries(row).map(([name, value]) => [
          name,
          value instanceof Date ? value.toISOString() : value,
        ]),
      ) as {
        [Name in keyof Row]: Row[Name] extends Date
          ? string
          : Row[Name] extends Date | null
            ? string | null
            : Row[Name];
      },
  );
}

/**
 * The caller's data in one snapshot, without hashes of secrets (P30d). A failed read uses up none of
 * the day's downloads.
 * @throws Refusal 403 if the sign-in is older than an hour, 429 after three downloads or ten tries
 *   in a day.
 */
export async function exportPlayer(
  deps: Pick<Deps, 'config' | 'db' | 'clock' | 'log'>,
  session: Session,
): Promise<z.input<typeof exportAnswer>> {
  const now = deps.clock.now();
  const id = session.player_id;
  if (now.getTime() - session.created_at.getTime() > SESSION_AGE_MAX_MS)
    throw forbidden(SIGN_IN_AGAIN);
  const exports = limitOf('export', String(id));
  const tries = limitOf('export_try', String(id));
  const [used] = await charge(deps, [tries], [exports]);
  if (used?.name === tries.name)
    throw enoughToday(`try to download your data ${tries.max} times`, used);
  if (used !== undefined) throw enoughToday(`download your data ${exports.max} times`, used);
  try {
    return await readAll(deps, id, now);
  } catch (error) {
    await giveBack(deps, [exports]).catch(() => undefined);
    throw error;
  }
}

function readAll(
  deps: Pick<Deps, 'config' | 'db' | 'clock' | 'log'>,
  id: number,
  now: Date,
): Promise<z.input<typeof exportAnswer>> {
  const { db, clock } = deps;
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (trx) => {
      const player = await trx
        .selectFrom('players')
        .select(['created_at', 'email_verified_at', 'birthdate_refused_until'])
        .where('id', '=', id)
        .executeTakeFirstOrThrow();
      return {
        exported_at: now.toISOString(),
        user: await readUser({ ...deps, db: trx }, id),
        account: {
          created_at: player.created_at.toISOString(),
          email_verified_at: player.email_verified_at?.toISOString() ?? null,
          birthdate_refused_until: player.birthdate_refused_until?.toISOString() ?? null,
        },
        identities: written(
          await trx
            .selectFrom('identities')
            .select(['issuer', 'subject', 'authoritative', 'created_at'])
            .where('player_id', '=', id)
            .execute(),
        ),
        sessions: written(
          await trx
            .selectFrom('sessions')
            .select(['created_at', 'last_used_at', 'expires_at', 'client'])
            .where('player_id', '=', id)
            .orderBy('created_at')
            .execute(),
        ),
        team_changes: written(
          await trx
            .selectFrom('team_changes')
            .leftJoin('teams', 'teams.id', 'team_changes.team_id')
            .select(['team_changes.at', 'teams.name as team'])
            .where('player_id', '=', id)
            .orderBy('at')
            .execute(),
        ),
        league_mode_changes: written(
          await trx
            .selectFrom('league_mode_changes')
            .select(['at', 'enabled'])
            .where('player_id', '=', id)
            .orderBy('at')
            .execute(),
        ),
        games: written(
          await trx
            .selectFrom('games')
            .innerJoin('machines', 'machines.id', 'games.machine_id')
            .leftJoin('venues', 'venues.id', 'games.venue_id')
            .leftJoin('teams', 'teams.id', 'games.team_id')
            .select([
              'games.id',
              'machines.name as machine',
              'venues.name as venue',
              'games.score',
              'games.played_at',
              'games.received_at',
              'games.duration_s',
              'games.shots_made',
              'games.shots_attempted',
              'games.state',
              'games.held_reason',
              'teams.name as team',
              'games.week',
              'games.outside',
            ])
            .where('games.player_id', '=', id)
            .orderBy('games.played_at')
            .execute(),
        ),
        seasons: await readOwnSeasons({ db: trx, clock }, { player_id: id }),
        game_reports: written(
          await trx
            .selectFrom('game_reports')
            .select(['game_id as game', 'reason', 'text', 'reported_at', 'state', 'settled_at'])
            .where('player_id', '=', id)
            .orderBy('id')
            .execute(),
        ),
        notifications: {
          switches:
            (await trx
              .selectFrom('player_push')
              .select(['my_game', 'my_week', 'nudge', 'duel', 'passed'])
              .where('player_id', '=', id)
              .executeTakeFirst()) ?? null,
          devices: written(
            await trx
              .selectFrom('push_devices')
              .select(['client', 'host', 'since', 'seen_at'])
              .where('player_id', '=', id)
              .orderBy('since')
              .execute(),
          ),
        },
        friends: await readFriendNames({ ...deps, db: trx }, id),
        blocked: (await listBlocked({ ...deps, db: trx }, id)).results.map(
          ({ username }) => username,
        ),
        duels: await readDuelsOf({ ...deps, db: trx }, id),
        final_duels: await readTally(trx, id),
        nudges: written(await readNudgesOf(trx, id)),
        nudges_sent: written(
          await trx
            .selectFrom('nudges')
            .select(['week', 'at'])
            .where('sender_id', '=', id)
            .orderBy('at')
            .execute(),
        ),
        contests: written(await readContestsOf(trx, id)),
        cups: written(await readCupsOf(trx, id)),
        join_request:
          written(
            await trx
              .selectFrom('join_requests')
              .innerJoin('teams', 'teams.id', 'join_requests.team_id')
              .select(['teams.name as team', 'join_requests.asked_at'])
              .where('player_id', '=', id)
              .execute(),
          )[0] ?? null,
        achievements: await readWon({ db: trx, clock }, id),
      };
    });
}
