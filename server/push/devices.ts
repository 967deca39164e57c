import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { DeviceBody } from '#contract/wire/push.ts';
import { changeAs } from '../accounts/sessions.ts';
import type { Database } from '../db/database.ts';
import type { Deps } from '../deps.ts';
import { badField, conflict } from '../errors.ts';
import type { Session } from '../http/caller.ts';
import { charge, enoughToday, limitOf } from '../http/limits.ts';
import { seal } from '../keys.ts';
import { authOf, endpointOf, pointOf } from './address.ts';
import { currentPair } from './keys.ts';
import { isZone } from './local-time.ts';
import { keepKinds } from './preferences.ts';

/* The browsers that get notifications (PUSH-35, PUSH-36). */

const DEVICES_MAX = 10;

const UNKNOWN_SERVICE = "This browser's push service is not known here.";
const BAD_KEY = 'This is not a key of a subscription.';

/** Stored sealed, because anybody who has it can write to the browser (PUSH-51). */
export type Subscription = { endpoint: string; p256dh: string; auth: string };

const hashOf = (endpoint: string) => createHash('sha256').update(endpoint).digest();

/**
 * Stores the browser of this session as a device. A push address belongs to the player who sent it
 * last; messages that wait for its former player are deleted (PUSH-35).
 * @throws Refusal 400 for an unknown address, key or zone, 401 if the session has ended, 409 if the
 *   browser registers by itself and the player has turned it off (PUSH-33), or 429 over a limit.
 */
export async function putDevice(
  deps: Pick<Deps, 'config' | 'db' | 'clock' | 'log'>,
  session: Pick<Session, 'id' | 'player_id'>,
  { endpoint, p256dh, auth, locale, zone, by_tap, former }: DeviceBody,
  client: string,
): Promise<{ id: string; added: boolean }> {
  const url = deps.config.push === null ? null : endpointOf(endpoint, deps.config.push.hosts);
  if (url === null) throw badField('endpoint', UNKNOWN_SERVICE);
  if (pointOf(p256dh) === null) throw badField('p256dh', BAD_KEY);
  if (authOf(auth) === null) throw badField('auth', BAD_KEY);
  if (!isZone(zone)) throw badField('zone', 'This time zone is not known here.');
  if (!isLocale(locale)) throw badField('locale', 'This language is not known here.');
  const limit = limitOf('push_device', String(session.player_id));
  const [used] = await charge(deps, [limit]);
  if (used !== undefined) throw enoughToday(`turn notifications on ${limit.max} times`, used);
  const { id: key_id } = await currentPair(deps);
  const endpoint_hash = hashOf(endpoint);
  return changeAs(deps, session, async (trx, player) => {
    const now = deps.clock.now();
    if (by_tap)
      await sql`
        delete from push_off
        where player_id = ${player.id} and endpoint_hash = ${endpoint_hash}`.execute(trx);
    else if (await isOff(trx, player.id, [endpoint, former ?? endpoint].map(hashOf)))
      throw conflict('Notifications were turned off for this browser.');
    await keepKinds(trx, deps, player);
    const subscription: Subscription = { endpoint, p256dh, auth };
    const row = {
      session_id: session.id,
      sealed: seal(deps.config, 'push', subscription),
      locale,
      zone,
      client,
      seen_at: now,
    };
    let device: { id: number; added: boolean } | undefined;
    // Again if another player stores the same address between the two statements.
    while (device === undefined) {
      await sql`
        delete from push_devices
        where endpoint_hash = ${endpoint_hash} and player_id <> ${player.id}
          or session_id = ${session.id} and endpoint_hash <> ${endpoint_hash}`.execute(trx);
      device = await trx
        .insertInto('push_devices')
        .values({
          ...row,
          player_id: player.id,
          endpoint_hash,
          host: url.hostname,
          key_id,
          since: now,
        })
        .onConflict((same) =>
          same
            .column('endpoint_hash')
            .doUpdateSet(row)
            .where('push_devices.player_id', '=', player.id),
        )
        .returning(['id', sql<boolean>`xmax = 0`.as('added')])
        .executeTakeFirst();
    }
    await dropOldest(trx, player.id);
    return { id: String(device.id), added: device.added };
  });
}

async function isOff(trx: Database, playerId: number, hashes: Buffer[]): Promise<boolean> {
  const off = await trx
    .selectFrom('push_off')
    .select('at')
    .where('player_id', '=', playerId)
    .where('endpoint_hash', 'in', hashes)
    .executeTakeFirst();
  return off !== undefined;
}

function isLocale(text: string): boolean {
  try {
    return Intl.getCanonicalLocales(text).length === 1;
  } catch {
    return false;
  }
}

/** Keeps the DEVICES_MAX devices that were seen last, and removes the others. */
async function dropOldest(trx: Database, playerId: number): Promise<void> {
  await sql`
    delete from push_devices where id in (
      select id from push_devices where player_id = ${playerId}
      order by seen_at desc, id desc offset ${DEVICES_MAX})`.execute(trx);
}

/**
 * Removes a device of the player, but never another player's (P72). Its browser then does not
 * register again by itself, unless only its permission has ended (PUSH-33).
 */
export async function endDevice(
  deps: Pick<Deps, 'db' | 'clock'>,
  session: Pick<Session, 'id' | 'player_id'>,
  id: string,
  why?: 'denied',
): Promise<boolean> {
  if (!/^\d{1,15}$/.test(id)) return false;
  return changeAs(deps, session, async (trx, player) => {
    const ended = await trx
      .deleteFrom('push_devices')
      .where('id', '=', Number(id))
      .where('player_id', '=', player.id)
      .returning(['player_id', 'endpoint_hash'])
      .executeTakeFirst();
    if (ended !== undefined && why !== 'denied')
      await trx
        .insertInto('push_off')
        .values({ ...ended, at: deps.clock.now() })
        .onConflict((same) =>
          same
            .columns(['player_id', 'endpoint_hash'])
            .doUpdateSet({ at: (is) => is.ref('excluded.at') }),
        )
        .execute();
    return ended !== undefined;
  });
}
