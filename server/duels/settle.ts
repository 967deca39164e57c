import { sql } from 'kysely';
import {
  DECIDED_AFTER_MINUTES,
  type DuelResult,
  duelResult,
  FINAL_AFTER_DAYS,
} from '#contract/rules/duels.ts';
import type { Database } from '../db/database.ts';
import { notify } from '../db/notifications.ts';
import { transact } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { bestScore } from './bests.ts';
import { endDuels } from './duels.ts';
import { planTold, readKnown } from './notices.ts';
import { makeFinal } from './tally.ts';
import { mayGoOn } from './who.ts';

/* The end of duels: by a job each minute, and the nightly clean-up (DUEL-06). */

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** How long the notice of a result is worth sending (PUSH-13). */
const WORTH_MS = 48 * HOUR_MS;
/** How many days decided duels and the others are kept. */
const DECIDED_DAYS = 400;
const OTHERS_DAYS = 30;

type Ended = {
  id: number;
  offerer_id: number;
  rival_id: number;
  told: DuelResult | null;
  offerer: number | null;
  rival: number | null;
};

const SCORES = sql`d.id, d.offerer_id, d.rival_id, d.told,
  ${bestScore(sql`d.offerer_id`)} as offerer, ${bestScore(sql`d.rival_id`)} as rival`;

const playersOf = ({ offerer_id, rival_id }: Ended) => [offerer_id, rival_id];
const worthUntil = (now: Date) => new Date(now.getTime() + WORTH_MS);

/** Plans the notice of the result for these players, unless there was no game; marks the duel. */
async function tellResult(
  trx: Database,
  duel: Ended,
  to: readonly number[],
  now: Date,
): Promise<void> {
  const told = duelResult(duel.offerer, duel.rival);
  const { id } = duel;
  if (told !== 'none')
    await planTold(trx, { id, what: 'decided', to, worth_until: worthUntil(now) }, now);
  await trx
    .updateTable('duels')
    .set({ state: 'decided', told, changed_at: now })
    .where('id', '=', id)
    .execute();
}

type Stale = { player_id: number; told: DuelResult };

/**
 * Plans the notice that the result has turned, for players who were told another one. If no device
 * takes it and nobody waits for the result, the turn counts as told.
 */
async function tellTurned(
  trx: Database,
  { id }: Ended,
  stale: readonly Stale[],
  isWaitedFor: boolean,
  now: Date,
): Promise<void> {
  let planned = false;
  for (const { player_id, told } of stale) {
    const notice = { id, what: 'turned', told, to: [player_id] } as const;
    if (await planTold(trx, { ...notice, worth_until: worthUntil(now) }, now)) planned = true;
  }
  if (planned || !isWaitedFor)
    await trx.updateTable('duels').set({ turned_told: true }).where('id', '=', id).execute();
}

async function decide(trx: Database, now: Date): Promise<number> {
  const { rows } = await sql<Ended>`
    select ${SCORES} from duels d where d.state = 'running'
      and coalesce(d.ends_at, d.accept_until) <= ${new Date(now.getTime() - DECIDED_AFTER_MINUTES * MINUTE_MS)}
    order by d.id for update of d`.execute(trx);
  for (const duel of rows) await tellResult(trx, duel, playersOf(duel), now);
  await notify(trx, { duel: rows.flatMap(playersOf) });
  return rows.length;
}

/**
 * Notifies each player who was told another result: once a duel, but after `none`. Players who
 * still wait for the result are told the new one.
 */
async function turn(trx: Database, now: Date): Promise<number> {
  const { rows } = await sql<Ended>`
    select ${SCORES} from duels d
    where d.state = 'decided' and d.final_at is null and not d.turned_told
    order by d.id for update of d`.execute(trx);
  const known = await readKnown(
    trx,
    rows.map(({ id }) => id),
  );
  const turned: Ended[] = [];
  for (const duel of rows) {
    const result = duelResult(duel.offerer, duel.rival);
    if (result === 'none') continue;
    const players = playersOf(duel).map((player_id) => {
      const { isWaiting, told } = known(duel.id, player_id);
      return { player_id, isWaiting, told: told ?? duel.told ?? 'none' };
    });
    const stale = players.filter(({ isWaiting, told }) => !isWaiting && told !== result);
    if (stale.length === 0) continue;
    turned.push(duel);
    const untold = stale.filter(({ told }) => told === 'none');
    const others = stale.filter(({ told }) => told !== 'none');
    if (untold.length > 0)
      await tellResult(
        trx,
        duel,
        untold.map(({ player_id }) => player_id),
        now,
      );
    if (others.length > 0) {
      const isWaitedFor = untold.length > 0 || players.some(({ isWaiting }) => isWaiting);
      await tellTurned(trx, duel, others, isWaitedFor, now);
    }
  }
  await notify(trx, { duel: turned.flatMap(playersOf) });
  return turned.length;
}

/**
 * Ends offers that nobody accepted and duels that may not go on, decides those that are over, and
 * with `compare` notifies of results that have changed. Returns how many duels changed.
 */
export async function settleDuels(
  deps: Pick<Deps, 'config' | 'db' | 'clock'>,
  compare = deps.clock.now().getUTCMinutes() === 0,
): Promise<number> {
  const now = deps.clock.now();
  const expired = await transact(deps.db, async (trx) => {
    const { rows } = await sql<{ offerer_id: number; rival_id: number }>`
      update duels d set state = 'expired', changed_at = ${now}
      where d.state = 'offered' and coalesce(d.ends_at, d.accept_until) <= ${now}
      returning d.offerer_id, d.rival_id`.execute(trx);
    await notify(trx, { duel: rows.flatMap(({ offerer_id, rival_id }) => [offerer_id, rival_id]) });
    return rows.length;
  });
  const ended = await transact(deps.db, (trx) =>
    endDuels(
      trx,
      sql`not exists (select from players p, players v
        where p.id = d.offerer_id and v.id = d.rival_id and ${mayGoOn(deps)})`,
      now,
    ),
  );
  const decided = await transact(deps.db, (trx) => decide(trx, now));
  const turned = compare ? await transact(deps.db, (trx) => turn(trx, now)) : 0;
  return expired + ended + decided + turned;
}

/**
 * The nightly job: makes duels final whose results no longer change, and deletes old duels. Returns
 * how many became final.
 */
export async function cleanUpDuels({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<number> {
  const now = clock.now();
  const before = (days: number) => new Date(now.getTime() - days * DAY_MS);
  const final = await makeFinal(db, before(FINAL_AFTER_DAYS), now);
  await sql`
    delete from duels where state = 'decided' and ends_at < ${before(DECIDED_DAYS)}
      or state in ('declined', 'taken_back', 'expired', 'ended')
        and changed_at < ${before(OTHERS_DAYS)}`.execute(db);
  return final;
}
