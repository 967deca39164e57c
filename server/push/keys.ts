import { createPrivateKey, generateKeyPairSync } from 'node:crypto';
import { createSigner } from 'fast-jwt';
import type { Database } from '../db/database.ts';
import { lockPatiently } from '../db/locks.ts';
import type { Deps } from '../deps.ts';
import { seal, unseal } from '../keys.ts';

/** The server's key pairs for notifications (PUSH-45, P70). */

type KeyDeps = Pick<Deps, 'config' | 'db' | 'clock' | 'log'>;

/** `private_key` is a PEM. */
type Pair = { id: number; public_key: Buffer; private_key: string };

const TOKEN_LIFE_S = 12 * 3600;
/** A token is reused until an hour before it expires. */
const TOKEN_USED_S = 11 * 3600;

function makePair(): Omit<Pair, 'id'> {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  return {
    // An uncompressed point (RFC 8292).
    public_key: Buffer.concat([Buffer.of(4), ...[x, y].map((n) => Buffer.from(n, 'base64url'))]),
    private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}

function open(config: KeyDeps['config'], sealed: string): string | null {
  const pem = unseal(config, 'push', sealed);
  if (typeof pem !== 'string') return null;
  createPrivateKey(pem);
  return pem;
}

type Stored = Omit<Pair, 'private_key'> & { sealed: string };

function openPair(config: KeyDeps['config'], stored: Stored | undefined): Pair | null {
  const private_key = stored ? open(config, stored.sealed) : null;
  return stored && private_key !== null ? { ...stored, private_key } : null;
}

async function addPair({ config, clock }: KeyDeps, trx: Database): Promise<Pair> {
  const { public_key, private_key } = makePair();
  const now = clock.now();
  await trx
    .updateTable('push_keys')
    .set({ retired_at: now })
    .where('retired_at', 'is', null)
    .execute();
  const { id } = await trx
    .insertInto('push_keys')
    .values({ public_key, sealed: seal(config, 'push', private_key), created_at: now })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { id, public_key, private_key };
}

/**
 * The key pair that browsers subscribe with. Makes one if there is none or no SECRET_KEY decrypts
 * it. Processes that start together share one pair.
 */
export async function currentPair(deps: KeyDeps): Promise<Pair> {
  const { config, db, log } = deps;
  const known = openPair(config, await readCurrent(db));
  if (known) return known;
  return db.transaction().execute(async (trx) => {
    await lockPatiently(trx, 'push');
    const found = await readCurrent(trx);
    const again = openPair(config, found);
    if (again) return again;
    if (found)
      log.error('no SECRET_KEY opens the key of notifications: devices must subscribe again');
    return addPair(deps, trx);
  });
}

/**
 * The public key that browsers subscribe with; null if there is none or no SECRET_KEY decrypts its
 * pair. Makes none, because a GET changes nothing (P36).
 */
export async function readPublicKey({
  config,
  db,
}: Pick<KeyDeps, 'config' | 'db'>): Promise<string | null> {
  const pair = openPair(config, await readCurrent(db));
  return pair?.public_key.toString('base64url') ?? null;
}

const readCurrent = (db: Database) =>
  db
    .selectFrom('push_keys')
    .select(['id', 'public_key', 'sealed'])
    .where('retired_at', 'is', null)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();

/** Makes a new key pair. Devices switch to it at their next start (PUSH-45). */
export async function rotatePair(deps: KeyDeps): Promise<void> {
  await lockPatiently(deps.db, 'push');
  await addPair(deps, deps.db);
}

/**
 * Returns a function that makes a message's `Authorization` header (RFC 8292), cached by origin.
 */
export function authorizer(deps: KeyDeps) {
  const cached = new Map<string, { text: string; until: number }>();
  const pairs = new Map<number, Pair | null>();

  async function pairOf(id: number): Promise<Pair | null> {
    const known = pairs.get(id);
    if (known !== undefined) return known;
    const row = await deps.db
      .selectFrom('push_keys')
      .select(['id', 'public_key', 'sealed'])
      .where('id', '=', id)
      .executeTakeFirst();
    const pair = openPair(deps.config, row);
    pairs.set(id, pair);
    return pair;
  }

  /** null if the pair is gone, or no SECRET_KEY decrypts it. */
  return async (keyId: number, origin: string, subject: string): Promise<string | null> => {
    const now_s = Math.floor(deps.clock.now().getTime() / 1000);
    const name = `${keyId} ${origin}`;
    const known = cached.get(name);
    if (known !== undefined && now_s < known.until) return known.text;
    const pair = await pairOf(keyId);
    if (pair === null) return null;
    const sign = createSigner({ algorithm: 'ES256', key: pair.private_key, noTimestamp: true });
    const token = sign({ aud: origin, exp: now_s + TOKEN_LIFE_S, sub: subject });
    const text = `vapid t=${token}, k=${pair.public_key.toString('base64url')}`;
    // Drop expired tokens, so that unused hosts leave the cache.
    for (const [old, { until }] of cached) if (until <= now_s) cached.delete(old);
    cached.set(name, { text, until: now_s + TOKEN_USED_S });
    return text;
  };
}
