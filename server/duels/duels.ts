import { sql } from 'kysely';
import {
  AFTER_DECLINE_DAYS,
  DUEL_BETWEEN,
  DUEL_CHANGED,
  DUEL_ENDS_ON_DAY,
  DUELS_OFF,
  DUELS_PAGE,
  DUELS_RUNNING_MAX,
  duelResult,
  NO_DUEL,
  OFFER_HOURS,
  OFFERS_FULL,
  OFFERS_OPEN_MAX,
  RUNNING_FULL,
} from '#contract/rules/duels.ts';
import type { Duel, DuelPartner, DuelsAnswer } from '#contract/wire/duels.ts';
import type { Named } from '#contract/wire/leagues.ts';
import { changeAs } from '../accounts/sessions.ts';
import type { Database } from '../db/database.ts';
import { notify } from '../db/notifications.ts';
import type { Queryable } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { badField, badRequest } from '../errors.ts';
import type { Session } from '../http/caller.ts';
import { charge, enoughToday, limitOf } from '../http/limits.ts';
import { addDays, dayOf, startOf, weekOf } from '../leagues/calendar.ts';
import { SIDES } from '../leagues/matchups.ts';
import { type AgeRule, mayBeNamed, namedFor } from '../players/visibility.ts';
import { type Best, bestOf, scoreOf } from './bests.ts';
import { planTold } from './notices.ts';
import { addResults, type Tally } from './tally.ts';
import { areNear, hasDuelsOn, isOfAge, mayBegin, mayGoOn } from './who.ts';

/* Duels: two players, and the best single game wins (DUEL-01). */

type DuelDeps = Pick<Deps, 'config' | 'db' | 'clock'>;
type Caller = Pick<Session, 'id' | 'player_id'>;

const HOUR_MS = 3_600_000;
/** How long the notice of an acceptance is worth sending (PUSH-13). */
const ACCEPTED_WORTH_MS = 24 * HOUR_MS;

type Row = Named & {
  id: number;
  state: Duel['state'];
  mine: boolean;
  offered_at: Date;
  accept_until: Date;
  accepted_at: Date | null;
  ends_at: Date | null;
  final_at: Date | null;
  own: Best | null;
  other: number | null;
};

/**
 * The player's duels that `where` selects. Leaves out open duels that the two may not continue,
 * even before the job has ended them (PUSH-21).
 */
async function readRows(
  rule: AgeRule,
  on: Queryable,
  playerId: number,
  where = sql<boolean>`d.state in ('offered', 'running', 'decided')`,
  limit = sql``,
): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select d.id, d.state, d.offerer_id = ${playerId} as mine, d.offered_at, d.accept_until,
      d.accepted_at, d.ends_at, d.final_at, ${namedFor(rule, { player_id: playerId })},
      ${bestOf('v')} as own,
      ${scoreOf('p')} as other
    from duels d join players v on v.id = ${playerId}
    join players p on p.id = d.offerer_id + d.rival_id - v.id
    where (d.offerer_id = ${playerId} or d.rival_id = ${playerId}) and ${where}
      and (d.state <> 'offered' or d.accept_until > ${rule.clock.now()})
      and (d.state = 'decided' or ${mayGoOn(rule)})
    order by coalesce(d.ends_at, d.accept_until) desc, d.id desc ${limit}`.execute(on);
  return rows;
}

function answerOf(row: Row): Duel {
  const { id, state, mine, username, avatar_color, jersey_number, own, other } = row;
  return {
    id: String(id),
    state,
    offered_by_me: mine,
    rival: { username, avatar_color, jersey_number },
    offered_at: row.offered_at.toISOString(),
    accept_until: row.accept_until.toISOString(),
    accepted_at: row.accepted_at?.toISOString() ?? null,
    ends_at: row.ends_at?.toISOString() ?? null,
    best: own && { ...own, played_at: new Date(own.played_at).toISOString() },
    rival_best: other,
    result: state === 'decided' ? duelResult(own?.score ?? null, other) : null,
    final: row.final_at !== null,
  };
}

/** Final duels after `cursor`, newest first: one more than a page. */
function readFinal(deps: DuelDeps, playerId: number, cursor: string | undefined): Promise<Row[]> {
  const own = sql`${playerId} in (d.offerer_id, d.rival_id)`;
  const last = cursor !== undefined && /^\d{1,15}$/.test(cursor) ? cursor : null;
  return readRows(
    deps,
    deps.db,
    playerId,
    sql`d.final_at is not null and coalesce((d.ends_at, d.id) < (
      select d.ends_at, d.id from duels d where d.id = ${last} and ${own}), true)`,
    sql`limit ${DUELS_PAGE + 1}`,
  );
}

/** The player's switch, and the tally of their final duels. */
async function readCounts(deps: DuelDeps, playerId: number): Promise<Tally & { on: boolean }> {
  const { rows } = await sql<Tally & { on: boolean }>`
    select ${hasDuelsOn(deps)} as on, coalesce(t.won, 0) as won, coalesce(t.lost, 0) as lost,
      coalesce(t.level, 0) as level
    from players v left join duel_tallies t on t.player_id = v.id where v.id = ${playerId}`.execute(
    deps.db,
  );
  return rows[0] ?? { on: false, won: 0, lost: 0, level: 0 };
}

/**
 * The player's duels: offers, running ones by their ends, and a page of the decided ones. Decided
 * duels that are not final come first, because they are the newest. They are few (DUEL-06).
 * @param cursor the `next` of the previous page
 */
export async function listDuels(
  deps: DuelDeps,
  playerId: number,
  cursor?: string,
): Promise<DuelsAnswer> {
  const changing = await readRows(
    deps,
    deps.db,
    playerId,
    sql`d.state in ('offered', 'running', 'decided') and d.final_at is null`,
  );
  const of = (state: Duel['state']) => changing.filter((row) => row.state === state).map(answerOf);
  const recent = of('decided');
  const at = recent.findIndex(({ id }) => id === cursor);
  const rest = cursor === undefined || at >= 0 ? recent.slice(at + 1) : [];
  // A duel may have become final between the two reads.
  const finals = (await readFinal(deps, playerId, cursor)).map(answerOf);
  const decided = [...rest, ...finals.filter(({ id }) => rest.every((one) => one.id !== id))];
  const results = decided.slice(0, DUELS_PAGE);
  const { on, ...final } = await readCounts(deps, playerId);
  return {
    on,
    ...addResults(
      final,
      recent.map(({ result }) => result),
    ),
    offers: of('offered').reverse(),
    running: of('running').reverse(),
    results,
    next: decided.length > DUELS_PAGE ? (results.at(-1)?.id ?? null) : null,
  };
}

/**
 * The players to whom the player may offer a duel, by name; team mates and the week's opponent
 * first (DUEL-11).
 */
export async function listPartners(deps: DuelDeps, playerId: number): Promise<DuelPartner[]> {
  const { rows: own } = await sql<{ team_id: number; timezone: string }>`
    select t.id as team_id, l.timezone from players p join teams t on t.id = p.team_id
    join leagues l on l.id = t.league_id where p.id = ${playerId}`.execute(deps.db);
  const week = weekOf(deps.clock.now(), own[0]?.timezone ?? 'UTC');
  const { rows } = await sql<DuelPartner>`
    select p.username, p.avatar_color, p.jersey_number, near.team, near.relation
    from players v join players p on p.id <> v.id and p.username is not null
    left join teams t on t.id = p.team_id left join teams vt on vt.id = v.team_id
    cross join lateral (select
      case when t.league_id = vt.league_id then t.name end as team,
      case when t.id = vt.id then 'team'
        when exists (select from ${SIDES} m
          where m.team_id = vt.id and m.week = ${week} and m.opponent_id = t.id) then 'opponent'
        when t.league_id = vt.league_id then 'league' else 'friend' end as relation) near
    where v.id = ${playerId} and ${areNear(deps)} and ${mayBeNamed(deps, { player_id: playerId })}
      and (${isOfAge(deps)} or near.relation = 'team')
    order by array_position(array['team', 'opponent', 'friend', 'league'], near.relation),
      lower(p.username) limit 200`.execute(deps.db);
  return rows;
}

/**
 * Refuses a new duel if the caller has duels switched off, or has too many of them. The answer may
 * name these reasons, because they concern only the caller.
 */
async function checkOwn(rule: AgeRule, trx: Database, playerId: number): Promise<void> {
  const { rows } = await sql<{ on: boolean; offered: number; running: number }>`
    select ${hasDuelsOn(rule)} as on,
      (select count(*) from duels d where d.offerer_id = v.id and d.state = 'offered'
        and d.accept_until > ${rule.clock.now()}) as offered,
      (select count(*) from duels d where (d.offerer_id = v.id or d.rival_id = v.id)
        and d.state = 'running') as running
    from players v where v.id = ${playerId}`.execute(trx);
  const [own] = rows;
  if (!own?.on) throw badRequest(DUELS_OFF);
  if (own.offered >= OFFERS_OPEN_MAX) throw badRequest(OFFERS_FULL);
  if (own.running >= DUELS_RUNNING_MAX) throw badRequest(RUNNING_FULL);
}

const runningOf = (player: 'p' | 'v') => sql<number>`(
  select count(*) from duels r where ${sql.ref(`${player}.id`)} in (r.offerer_id, r.rival_id)
    and r.state = 'running')`;

/**
 * Offers a duel. One query checks everything about the rival (P75).
 * @throws Refusal 400 for the reasons of DUEL-07 and DUEL-11, 401 if the session has ended, or 429
 *   after ten offers in a day.
 */
export async function offerDuel(
  deps: DuelDeps & Pick<Deps, 'log'>,
  session: Caller,
  username: string,
): Promise<Duel> {
  const limit = limitOf('duel_offer', String(session.player_id));
  const [used] = await charge(deps, [limit]);
  if (used !== undefined) throw enoughToday(`offer ${limit.max} duels`, used);
  const { rows: named } = await sql<{ id: number }>`
    select id from players where lower(username) = lower(${username})`.execute(deps.db);
  const rivals = named.map(({ id }) => id);
  return changeAs(
    deps,
    session,
    async (trx, { id: playerId }) => {
      const now = deps.clock.now();
      await checkOwn(deps, trx, playerId);
      const { rows } = await sql<{ id: number; open: boolean }>`
        select p.id, exists (select from duels o where o.state in ('offered', 'running')
            and o.offerer_id in (p.id, v.id) and o.rival_id in (p.id, v.id)
            and (o.state = 'running' or o.accept_until > ${now})) as open
        from players p join players v on v.id = ${playerId}
        where p.id = any(${rivals}::bigint[]) and ${mayBegin(deps)}
          and ${mayBeNamed(deps, { player_id: playerId })}
          and ${runningOf('p')} < ${DUELS_RUNNING_MAX}
          and not exists (select from duels o where o.offerer_id = v.id and o.rival_id = p.id
            and o.state = 'declined'
            and o.changed_at > ${new Date(now.getTime() - AFTER_DECLINE_DAYS * 24 * HOUR_MS)})`.execute(
        trx,
      );
      const [rival] = rows;
      if (rival === undefined) throw badField('username', NO_DUEL);
      if (rival.open) throw badField('username', DUEL_BETWEEN);
      // The job may not have ended an expired offer yet.
      await sql`update duels set state = 'expired', changed_at = ${now} where state = 'offered'
        and offerer_id in (${playerId}, ${rival.id}) and rival_id in (${playerId}, ${rival.id})`.execute(
        trx,
      );
      const accept_until = new Date(now.getTime() + OFFER_HOURS * HOUR_MS);
      const { id } = await trx
        .insertInto('duels')
        .values({
          offerer_id: playerId,
          rival_id: rival.id,
          offered_at: now,
          accept_until,
          changed_at: now,
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      await planTold(trx, { id, what: 'offered', to: [rival.id], worth_until: accept_until }, now);
      await notify(trx, { duel: [playerId, rival.id] });
      return readOne(deps, trx, playerId, id);
    },
    rivals,
  );
}

async function readOne(rule: AgeRule, trx: Database, playerId: number, id: number): Promise<Duel> {
  const [row] = await readRows(rule, trx, playerId, sql`d.id = ${id}`);
  if (row === undefined) throw badRequest(DUEL_CHANGED);
  return answerOf(row);
}

type Pair = { id: number; offerer_id: number; rival_id: number };

/** A duel of the player by its number; undefined if it is unknown or not the player's. */
async function findPair(
  { db }: Pick<Deps, 'db'>,
  playerId: number,
  id: string,
): Promise<Pair | undefined> {
  if (!/^\d{1,15}$/.test(id)) return undefined;
  const { rows } = await sql<Pair>`
    select id, offerer_id, rival_id from duels
    where id = ${id} and ${playerId} in (offerer_id, rival_id)`.execute(db);
  return rows[0];
}

/** The rival in a duel of the player; undefined if the duel is unknown or not the player's. */
export async function rivalIn(
  deps: Pick<Deps, 'db'>,
  playerId: number,
  id: string,
): Promise<number | undefined> {
  const pair = await findPair(deps, playerId, id);
  return pair && pair.offerer_id + pair.rival_id - playerId;
}

/**
 * Runs `work` with the duel under both players' locks. `work` gets undefined unless the caller is
 * on `side` of a duel with this number.
 */
async function withPair<T>(
  deps: Pick<Deps, 'db' | 'clock'>,
  session: Caller,
  id: string,
  side: 'offerer_id' | 'rival_id',
  work: (trx: Database, pair: Pair | undefined) => Promise<T>,
): Promise<T> {
  const found = await findPair(deps, session.player_id, id);
  const pair = found?.[side] === session.player_id ? found : undefined;
  return changeAs(
    deps,
    session,
    (trx) => work(trx, pair),
    pair && [pair.offerer_id, pair.rival_id],
  );
}

/** The end of a duel accepted at `accepted`, in the zone of its league (DUEL-03). */
export const endOf = (accepted: Date, zone: string): Date =>
  startOf(addDays(dayOf(accepted, zone), DUEL_ENDS_ON_DAY), zone);

/**
 * Accepts an offer.
 * @returns the running duel
 * @throws Refusal 400 if the offer is no longer open to the caller or either player has too many
 *   duels, or 401 if the session has ended.
 */
export async function acceptDuel(deps: DuelDeps, session: Caller, id: string): Promise<Duel> {
  const accepted = await withPair(deps, session, id, 'rival_id', async (trx, pair) => {
    if (pair === undefined) throw badRequest(DUEL_CHANGED);
    const now = deps.clock.now();
    const { rows } = await sql<{ may: boolean; zone: string; mine: number; theirs: number }>`
      select ${mayBegin(deps)} as may, ${runningOf('v')} as mine, ${runningOf('p')} as theirs,
        coalesce(pl.timezone, vl.timezone, 'UTC') as zone
      from duels d join players v on v.id = d.rival_id join players p on p.id = d.offerer_id
      left join teams pt on pt.id = p.team_id left join leagues pl on pl.id = pt.league_id
      left join teams vt on vt.id = v.team_id left join leagues vl on vl.id = vt.league_id
      where d.id = ${pair.id} and d.state = 'offered' and d.accept_until > ${now}`.execute(trx);
    const [found] = rows;
    if (found === undefined) throw badRequest(DUEL_CHANGED);
    if (!found.may) {
      await endDuels(trx, sql`d.id = ${pair.id}`, now);
      return null;
    }
    if (found.mine >= DUELS_RUNNING_MAX) throw badRequest(RUNNING_FULL);
    if (found.theirs >= DUELS_RUNNING_MAX) throw badRequest(NO_DUEL);
    const ends_at = endOf(now, found.zone);
    const { numUpdatedRows } = await trx
      .updateTable('duels')
      .set({ state: 'running', accepted_at: now, changed_at: now, ends_at })
      .where('id', '=', pair.id)
      .where('state', '=', 'offered')
      .executeTakeFirstOrThrow();
    // The job, which takes no player's lock, has ended the offer meanwhile.
    if (numUpdatedRows === 0n) throw badRequest(DUEL_CHANGED);
    const worth_until = new Date(now.getTime() + ACCEPTED_WORTH_MS);
    await planTold(trx, { id: pair.id, what: 'accepted', to: [pair.offerer_id], worth_until }, now);
    await notify(trx, { duel: [pair.offerer_id, pair.rival_id] });
    return readOne(deps, trx, pair.rival_id, pair.id);
  });
  // Refuse only after the commit, so that the end of the offer is stored.
  if (accepted === null) throw badRequest(DUEL_CHANGED);
  return accepted;
}

/** Ends an open offer as `state`. Returns whether there was one. */
async function endOffer(
  trx: Database,
  pair: Pair | undefined,
  state: 'declined' | 'taken_back',
  now: Date,
): Promise<boolean> {
  if (pair === undefined) return false;
  const { numAffectedRows = 0n } = await sql`
    update duels set state = ${state}, changed_at = ${now}
    where id = ${pair.id} and state = 'offered' and accept_until > ${now}`.execute(trx);
  if (numAffectedRows === 0n) return false;
  await notify(trx, { duel: [pair.offerer_id, pair.rival_id] });
  return true;
}

/**
 * Declines an offer. The other player is not told.
 * @throws Refusal 400 if the offer is no longer open to the caller, or 401 if the session has
 *   ended.
 */
export function declineDuel(
  deps: Pick<Deps, 'db' | 'clock'>,
  session: Caller,
  id: string,
): Promise<void> {
  return withPair(deps, session, id, 'rival_id', async (trx, pair) => {
    if (!(await endOffer(trx, pair, 'declined', deps.clock.now()))) throw badRequest(DUEL_CHANGED);
  });
}

/**
 * Takes an offer back. Idempotent.
 * @throws Refusal 400 once the offer was accepted, or 401 if the session has ended.
 */
export function takeBackDuel(
  deps: Pick<Deps, 'db' | 'clock'>,
  session: Caller,
  id: string,
): Promise<void> {
  return withPair(deps, session, id, 'offerer_id', async (trx, pair) => {
    if (await endOffer(trx, pair, 'taken_back', deps.clock.now())) return;
    const { rows } = await sql`
      select from duels where id = ${pair?.id ?? null} and state = 'running'`.execute(trx);
    if (rows.length > 0) throw badRequest(DUEL_CHANGED);
  });
}

/** Ends open duels `d`, silently (DUEL-10, PUSH-21). Returns how many. */
export async function endDuels(
  trx: Database,
  where: ReturnType<typeof sql>,
  now: Date,
): Promise<number> {
  const { rows } = await sql<Pair>`
    update duels d set state = 'ended', changed_at = ${now}
    where d.state in ('offered', 'running') and ${where}
    returning d.id, d.offerer_id, d.rival_id`.execute(trx);
  await notify(trx, { duel: rows.flatMap(({ offerer_id, rival_id }) => [offerer_id, rival_id]) });
  return rows.length;
}

/** Ends every open duel between two players. The caller holds the lock of one of them. */
export const endBetween = (trx: Database, one: number, other: number, now: Date) =>
  endDuels(trx, sql`d.offerer_id in (${one}, ${other}) and d.rival_id in (${one}, ${other})`, now);

/** The player's duels for the export, with the rivals' names that the player may see. */
export async function readDuelsOf(deps: DuelDeps, playerId: number) {
  const rows = await readRows(deps, deps.db, playerId);
  return rows.map(answerOf).map(({ rival, best, id: _, ...duel }) => ({
    ...duel,
    rival: rival.username,
    best: best?.score ?? null,
  }));
}
