import { sql } from 'kysely';
import { defaultSlides, type SlideSetting } from '#contract/rules/screens.ts';
import type { Database } from '../db/database.ts';
import { findNamed } from '../db/reference.ts';
import { transact } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { pairWith, randomText, type Waiting } from '../http/pairing.ts';
import { hashOf } from '../keys.ts';
import { nameTaken, SCREENS, type Screen } from './screens.ts';

/** Gives a paired screen its token. */
export async function giveToken(trx: Database, screenId: number): Promise<string> {
  const token = `bbs_${randomText()}`;
  await trx
    .updateTable('screens')
    .set({ token_hash: hashOf(token) })
    .where('id', '=', screenId)
    .execute();
  return token;
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
 * number.
 * @throws Refusal 409 when the name is taken, or somebody else has just paired the television.
 */
export async function addScreen(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
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
        width: waiting.width ?? null,
        height: waiting.height ?? null,
        created_at: clock.now(),
      })
      .onConflict((clash) => clash.doNothing())
      .returning('id')
      .executeTakeFirst();
    if (made === undefined) throw nameTaken(wanted);
    await pairWith(trx, 'screen', waiting, made.id);
    return findNamed(trx, SCREENS, `id:${made.id}`);
  });
}
