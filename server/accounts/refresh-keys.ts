import { createSecretKey, type KeyObject } from 'node:crypto';
import type { Config } from '../config.ts';
import type { Database } from '../db/database.ts';
import { keysFor } from '../keys.ts';
import { perConfig } from './token-caches.ts';

export type RefreshKeys = {
  /** The first seals tokens; all verify them. */
  keys: readonly [KeyObject, ...KeyObject[]];
  /**
   * Until this time, a token with an invalid seal can be genuine: earlier versions sealed with
   * SECRET_KEY, which may have changed. null: all such tokens have expired.
   */
  unsealed_until: Date | null;
};

export const RELOAD_MS = 60_000;

async function read(config: Pick<Config, 'secret_keys'>, db: Database): Promise<RefreshKeys> {
  const rows = await db
    .selectFrom('refresh_keys')
    .select(['key', 'unsealed_until'])
    .orderBy('created_at', 'desc')
    .execute();
  const [first, ...older] = rows.map(({ key }) => createSecretKey(key));
  if (first === undefined) throw new Error('The table refresh_keys has no row.');
  const until = rows.map(({ unsealed_until }) => unsealed_until?.getTime() ?? 0);
  const last = Math.max(...until);
  // Derived keys verify until their last tokens have expired.
  const derived = last > 0 ? keysFor(config, 'refresh') : [];
  return {
    keys: [first, ...older, ...derived],
    unsealed_until: last > 0 ? new Date(last) : null,
  };
}

/**
 * The keys of refresh tokens, read from the database once per process; not derived from SECRET_KEY,
 * so that a new SECRET_KEY signs nobody out (P9, P17). `reloaded` is for a seal that no cached key
 * verifies; it reads at most once in RELOAD_MS, so that made-up tokens cost no statement.
 */
export const refreshKeys = perConfig((config: Pick<Config, 'secret_keys'>) => {
  let cached: RefreshKeys | undefined;
  let readAt = 0;
  async function load(db: Database, now: Date): Promise<RefreshKeys> {
    readAt = now.getTime();
    cached = await read(config, db);
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
