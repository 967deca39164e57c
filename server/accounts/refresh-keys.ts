import { createSecretKey, type KeyObject } from 'node:crypto';
import { sql } from 'kysely';
import type { Config } from '../config.ts';
import type { Database } from '../db/database.ts';
import { hmac, keysFor } from '../keys.ts';
import { perConfig } from './token-caches.ts';

export type RefreshKeys = {
  /** The first key seals tokens; all verify them. */
  keys: readonly [KeyObject, ...KeyObject[]];
  /**
   * Keys of earlier versions. They find the successor of a token that an older process has just
   * replaced, and verify nothing.
   */
  former: readonly KeyObject[];
  /**
   * Until this time, a token with an invalid seal can be genuine: SECRET_KEY has changed, or an
   * earlier version made it. null: all such tokens have expired.
   */
  unsealed_until: Date | null;
};

export const RELOAD_MS = 60_000;
/**
 * A session lives 30 days (P2). One day more, because a process may go on with the earlier
 * SECRET_KEY for a while.
 */
const UNSEALED_MS = 31 * 24 * 3_600_000;

/**
 * Records that the first SECRET_KEY has changed. Older tokens are then looked up until they have
 * expired, so that nobody is signed out. Returns when the last of them expires.
 */
async function noteSecret(db: Database, secret: Buffer, now: Date): Promise<Date | null> {
  const until = new Date(now.getTime() + UNSEALED_MS);
  const { rows } = await sql<{ unsealed_until: Date | null }>`
    update refresh_keys set secret = ${secret},
      unsealed_until = case when exists (select from sessions) then ${until}::timestamptz
        else unsealed_until end
    returning unsealed_until`.execute(db);
  return rows[0]?.unsealed_until ?? null;
}

async function read(
  config: Pick<Config, 'secret_keys'>,
  db: Database,
  now: Date,
): Promise<RefreshKeys> {
  const rows = await db
    .selectFrom('refresh_keys')
    .select(['key', 'unsealed_until', 'secret'])
    .orderBy('created_at', 'desc')
    .execute();
  if (rows.length === 0) throw new Error('The table refresh_keys has no row.');
  const [first, ...older] = rows.flatMap(({ key }) =>
    keysFor(config, 'refresh').map((derived) => createSecretKey(hmac(derived, key))),
  );
  if (first === undefined) throw new Error('There is no SECRET_KEY.');
  const secret = hmac(keysFor(config, 'refresh')[0], 'name');
  const changed = rows.some((row) => row.secret === null || !row.secret.equals(secret));
  const noted = changed ? await noteSecret(db, secret, now) : null;
  const until = rows.map(({ unsealed_until }) => unsealed_until?.getTime() ?? 0);
  const last = Math.max(...until, noted?.getTime() ?? 0);
  return {
    keys: [first, ...older],
    former: last > 0 ? rows.map(({ key }) => createSecretKey(key)) : [],
    unsealed_until: last > 0 ? new Date(last) : null,
  };
}

/**
 * The keys of refresh tokens, each derived from the database's key and a SECRET_KEY of the ring.
 * Neither the database nor the secret alone suffices to make a token's seal or successor (P17).
 * `known` reads once per process. Call `reloaded` for a seal that no cached key verifies. It reads
 * at most once in RELOAD_MS, so that made-up tokens cost no statement.
 */
export const refreshKeys = perConfig((config: Pick<Config, 'secret_keys'>) => {
  let cached: RefreshKeys | undefined;
  let readAt = 0;
  async function load(db: Database, now: Date): Promise<RefreshKeys> {
    readAt = now.getTime();
    cached = await read(config, db, now);
    return cached;
  }
  return {
    known: async (db: Database, now: Date) => cached ?? load(db, now),
    reloaded: async (db: Database, now: Date) =>
      cached === undefined || Math.abs(now.getTime() - readAt) >= RELOAD_MS
        ? load(db, now)
        : cached,
  };
});
