import { createHash, randomBytes, randomInt } from 'node:crypto';
import { sql } from 'kysely';
import { defaultSlides, PAIRING_LIFE_MS, type SlideSetting } from '#contract/rules/screens.ts';
import { CODE_LENGTH, CODE_LETTERS, isCode, typedCode } from '#contract/rules/short-code.ts';
import type { PairAnswer } from '#contract/wire/screens.ts';
import type { Database } from '../db/database.ts';
import { findNamed } from '../db/reference.ts';
import { transact } from '../db/transaction.ts';
import { badField, conflict, notFound } from '../errors.ts';
import { giveBack, type LimitDeps, limit, networkLimits } from '../http/limits.ts';
import { nameTaken, SCREENS, type Screen } from './screens.ts';

const SECRET_BYTES = 32;
const DRAWS_MAX = 5;

/** 256 random bits need no slow hash (P66). */
export const hashOf = (secret: string): Buffer => createHash('sha256').update(secret).digest();
const randomText = () => randomBytes(SECRET_BYTES).toString('base64url');
const drawCode = () =>
  Array.from({ length: CODE_LENGTH }, () => CODE_LETTERS[randomInt(CODE_LETTERS.length)]).join('');

type Size = { width?: number | undefined; height?: number | undefined };

/**
 * Begins to pair a television: a code to show, a secret to keep, both valid for 15 minutes.
 * @throws Refusal 429 after 60 codes from a network in an hour.
 */
export async function beginPairing(
  deps: LimitDeps,
  ip: string,
  { width, height }: Size = {},
): Promise<PairAnswer> {
  await limit(deps, networkLimits(ip, 'screen-codes'));
  const now = deps.clock.now();
  const expires_at = new Date(now.getTime() + PAIRING_LIFE_MS);
  // A typed code is kept until the television has its token.
  await deps.db
    .deleteFrom('screen_pairings')
    .where('expires_at', '<=', now)
    .where('screen_id', 'is', null)
    .execute();
  for (let draw = 0; draw < DRAWS_MAX; draw += 1) {
    const [code, secret] = [drawCode(), randomText()];
    const made = await deps.db
      .insertInto('screen_pairings')
      .values({
        secret_hash: hashOf(secret),
        code,
        width: width ?? null,
        height: height ?? null,
        created_at: now,
        expires_at,
      })
      .onConflict((clash) => clash.column('code').doNothing())
      .returning('code')
      .executeTakeFirst();
    if (made !== undefined) return { code, secret, expires_at: expires_at.toISOString() };
  }
  throw new Error('no free pairing code was drawn');
}

/**
 * A paired screen's token, once; null while the screen is not paired.
 * @throws Refusal 404 when the secret is unknown, used or expired; 429 after 10 unknown secrets
 * from a network in an hour (P66), or 600 calls in a minute (P17).
 */
export async function claimToken(
  deps: LimitDeps,
  ip: string,
  secret: string,
): Promise<string | null> {
  await limit(deps, networkLimits(ip, 'screen-claims'));
  const found = await transact(deps.db, async (trx) => {
    const pairing = await trx
      .selectFrom('screen_pairings')
      .select(['screen_id', 'expires_at'])
      .where('secret_hash', '=', hashOf(secret))
      .forUpdate()
      .executeTakeFirst();
    if (pairing === undefined) return 'unknown';
    // If staff typed the code in time, the token can be claimed later.
    if (pairing.screen_id === null) return pairing.expires_at > deps.clock.now() ? null : 'expired';
    const token = `bbs_${randomText()}`;
    await trx
      .updateTable('screens')
      .set({ token_hash: hashOf(token) })
      .where('id', '=', pairing.screen_id)
      .execute();
    await trx.deleteFrom('screen_pairings').where('secret_hash', '=', hashOf(secret)).execute();
    return token;
  });
  if (found === 'unknown') await limit(deps, networkLimits(ip, 'screen-secret'));
  if (found === 'unknown' || found === 'expired')
    throw notFound('This secret is unknown or too old. Get a new code.');
  return found;
}

export type Waiting = {
  code: string;
  width: number | null;
  height: number | null;
  created_at: Date;
};

/**
 * The television with this code, in any letter case, with any separators.
 * @throws Refusal 400 on `code` for a text that cannot be a code; 404 when no screen shows it; 429
 * after 10 wrong codes from a network in an hour.
 */
export async function findWaiting(deps: LimitDeps, ip: string, typed: string): Promise<Waiting> {
  const code = typedCode(typed);
  if (!isCode(code))
    throw badField('code', 'A code has 6 letters and digits, without 0, O, 1, I and L.');
  const tries = networkLimits(ip, 'screen-code');
  await limit(deps, tries);
  const found = await deps.db
    .selectFrom('screen_pairings')
    .select(['code', 'width', 'height', 'created_at'])
    .where('code', '=', code)
    .where('screen_id', 'is', null)
    .where('expires_at', '>', deps.clock.now())
    .executeTakeFirst();
  if (found === undefined)
    throw notFound(`No screen shows the code ${code}. Type the code that it shows now.`);
  await giveBack(deps, tries);
  return found;
}

async function freeName(trx: Database): Promise<string> {
  const { rows } = await sql<{ name: string }>`
    select 'Screen ' || n as name from generate_series(1, (select count(*) + 1 from screens)) n
    where not exists (select from screens where lower(name) = lower('Screen ' || n))
    order by n limit 1`.execute(trx);
  return rows[0]?.name ?? 'Screen';
}

/**
 * Pairs a waiting television with a venue. Without `name` it is called “Screen” and the first free
 * number. Call `findWaiting` first, outside a transaction, because a rollback would undo the count
 * of wrong codes (P66).
 * @throws Refusal 409 when the name is taken, or somebody else has just paired the television.
 */
export async function addScreen(
  { db, clock }: Pick<LimitDeps, 'db' | 'clock'>,
  waiting: Waiting,
  venue: { id: number },
  name?: string,
): Promise<Screen> {
  return transact(db, async (trx) => {
    const wanted = name ?? (await freeName(trx));
    const made = await trx
      .insertInto('screens')
      .values({
        venue_id: venue.id,
        name: wanted,
        slides: sql<SlideSetting[]>`${JSON.stringify(defaultSlides())}::jsonb`,
        width: waiting.width,
        height: waiting.height,
        created_at: clock.now(),
      })
      .onConflict((clash) => clash.doNothing())
      .returning('id')
      .executeTakeFirst();
    if (made === undefined) throw nameTaken(wanted);
    const { numUpdatedRows } = await trx
      .updateTable('screen_pairings')
      .set({ screen_id: made.id })
      .where('code', '=', waiting.code)
      .where('screen_id', 'is', null)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) throw conflict('Somebody else has just paired this screen.');
    return findNamed(trx, SCREENS, `id:${made.id}`);
  });
}
