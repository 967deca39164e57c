import { randomBytes, randomInt } from 'node:crypto';
import { sql } from 'kysely';
import { PAIRING_LIFE_MS } from '#contract/rules/screens.ts';
import { CODE_LENGTH, CODE_LETTERS, isCode, typedCode } from '#contract/rules/short-code.ts';
import type { PairAnswer } from '#contract/wire/pairing.ts';
import type { Database } from '../db/database.ts';
import { transact } from '../db/transaction.ts';
import { badField, conflict, notFound } from '../errors.ts';
import { hashOf } from '../keys.ts';
import { giveBack, type LimitDeps, limit, networkLimits } from './limits.ts';

/*
 * How televisions and machines are paired (P66, P114). A device shows a code, which staff type. It
 * also keeps a secret, with which it claims its token or key, once.
 */

export type Device = 'screen' | 'machine';

const SECRET_BYTES = 32;
const DRAWS_MAX = 5;

const tableOf = (what: Device) => sql.table(`${what}_pairings`);
const idOf = (what: Device) => sql.ref(`${what}_id`);

export const randomText = () => randomBytes(SECRET_BYTES).toString('base64url');
const drawCode = () =>
  Array.from({ length: CODE_LENGTH }, () => CODE_LETTERS[randomInt(CODE_LETTERS.length)]).join('');

/**
 * Begins a pairing. Returns a code to show and a secret to keep, both valid for 15 minutes. `more`:
 * further columns of the pairing.
 * @throws Refusal 429 after 60 codes from a network in an hour.
 */
export async function beginPairing(
  deps: LimitDeps,
  what: Device,
  ip: string,
  more: Record<string, number | null> = {},
): Promise<PairAnswer> {
  await limit(deps, networkLimits(ip, `${what}-codes`));
  const now = deps.clock.now();
  const expires_at = new Date(now.getTime() + PAIRING_LIFE_MS);
  // Once staff have typed a code, its row is kept until the token or key is claimed.
  await sql`
    delete from ${tableOf(what)} where expires_at <= ${now} and ${idOf(what)} is null`.execute(
    deps.db,
  );
  for (let draw = 0; draw < DRAWS_MAX; draw += 1) {
    const [code, secret] = [drawCode(), randomText()];
    const row = { secret_hash: hashOf(secret), code, created_at: now, expires_at, ...more };
    const { rows } = await sql`
      insert into ${tableOf(what)} (${sql.join(Object.keys(row).map((name) => sql.ref(name)))})
      values (${sql.join(Object.values(row))})
      on conflict (code) do nothing returning code`.execute(deps.db);
    if (rows.length > 0) return { code, secret, expires_at: expires_at.toISOString() };
  }
  throw new Error('no free pairing code was drawn');
}

/**
 * Returns what `give` makes for the paired row, once; null while nobody has typed the code.
 * @throws Refusal 404 when the secret is unknown, used or expired, or `give` makes nothing; 429
 *   after 10 unknown secrets from a network in an hour, or 600 calls in a minute.
 */
export async function claim(
  deps: LimitDeps,
  what: Device,
  ip: string,
  secret: string,
  give: (trx: Database, id: number) => Promise<string | null>,
): Promise<string | null> {
  await limit(deps, networkLimits(ip, `${what}-claims`));
  const found = await transact(deps.db, async (trx) => {
    const { rows } = await sql<{ id: number | null; expires_at: Date }>`
      select ${idOf(what)} as id, expires_at from ${tableOf(what)}
      where secret_hash = ${hashOf(secret)} for update`.execute(trx);
    const [pairing] = rows;
    if (pairing === undefined) return 'unknown';
    // If staff typed the code in time, the claim can come later.
    if (pairing.id === null) return pairing.expires_at > deps.clock.now() ? null : 'expired';
    const given = (await give(trx, pairing.id)) ?? 'expired';
    await sql`delete from ${tableOf(what)} where secret_hash = ${hashOf(secret)}`.execute(trx);
    return given;
  });
  if (found === 'unknown') await limit(deps, networkLimits(ip, `${what}-secret`));
  if (found === 'unknown' || found === 'expired')
    throw notFound('This secret is unknown or too old. Get a new code.');
  return found;
}

/** A device that waits to be paired. Only televisions have a size. */
export type Waiting = {
  code: string;
  width?: number | null;
  height?: number | null;
  created_at: Date;
};

/**
 * The device that shows this code, typed in any letter case, with any separators.
 * @throws Refusal 400 on `code` for a text that cannot be a code, 404 when no device shows the
 *   code, or 429 after 10 wrong codes from a network in an hour.
 */
export async function findWaiting(
  deps: LimitDeps,
  what: Device,
  ip: string,
  typed: string,
): Promise<Waiting> {
  const code = typedCode(typed);
  if (!isCode(code))
    throw badField('code', 'A code has 6 letters and digits, without 0, O, 1, I and L.');
  const tries = networkLimits(ip, `${what}-code`);
  await limit(deps, tries);
  const { rows } = await sql<Waiting>`
    select code, created_at ${what === 'screen' ? sql`, width, height` : sql``} from ${tableOf(what)}
    where code = ${code} and ${idOf(what)} is null and expires_at > ${deps.clock.now()}`.execute(
    deps.db,
  );
  const [found] = rows;
  if (found === undefined)
    throw notFound(`No ${what} shows the code ${code}. Type the code that it shows now.`);
  await giveBack(deps, tries);
  return found;
}

/**
 * Links the waiting device to its new row `id`. Call `findWaiting` first, outside a transaction,
 * because a rollback would undo the count of wrong codes.
 * @throws Refusal 409 when somebody else has just typed the code.
 */
export async function pairWith(
  trx: Database,
  what: Device,
  { code }: Waiting,
  id: number,
): Promise<void> {
  const { numAffectedRows } = await sql`
    update ${tableOf(what)} set ${idOf(what)} = ${id}
    where code = ${code} and ${idOf(what)} is null`.execute(trx);
  if (numAffectedRows !== 1n) throw conflict(`Somebody else has just paired this ${what}.`);
}
