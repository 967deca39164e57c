import { changeAs } from '../accounts/sessions.ts';
import type { Deps } from '../deps.ts';
import { badRequest } from '../errors.ts';
import type { Session } from '../http/caller.ts';
import { limit, limitOf } from '../http/limits.ts';
import { plan } from './notices.ts';

const WORTH_MS = 5 * 60_000;

/**
 * Plans a test notice for all devices of the player (PUSH-06).
 * @throws Refusal 400 without a device, 401 if the session has ended, or 429 after five in an hour.
 */
export async function sendTest(
  deps: Pick<Deps, 'config' | 'db' | 'clock' | 'log'>,
  session: Pick<Session, 'id' | 'player_id'>,
): Promise<void> {
  await limit(deps, [limitOf('push_test', String(session.player_id))]);
  await changeAs(deps, session, async (trx, { id: player_id }) => {
    const device = await trx
      .selectFrom('push_devices')
      .select('id')
      .where('player_id', '=', player_id)
      .limit(1)
      .executeTakeFirst();
    if (device === undefined) throw badRequest('No device is on.');
    const now = deps.clock.now();
    const worth_until = new Date(now.getTime() + WORTH_MS);
    await plan(trx, [{ player_id, kind: 'test', subject: 'test', data: {}, worth_until }], now);
  });
}
