import { isDeepStrictEqual } from 'node:util';
import { sql } from 'kysely';
import { CONTEST_GRACE_MS, CORRECTABLE_DAYS, type Loud } from '#contract/rules/contests.ts';
import { ordinal } from '#contract/rules/games.ts';
import type { Database } from '../db/database.ts';
import { notify, notifyConsole } from '../db/notifications.ts';
import { transact } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { badRequest } from '../errors.ts';
import { tonightEnds } from '../venues/tonight.ts';
import {
  type Board,
  type Contest,
  machinesOf,
  placesOf,
  readBoard,
  readContests,
  readGames,
  readStored,
  type StoredPlace,
} from './contests.ts';
import { isSettled, type Status, settleEach, whyLoud } from './settled.ts';

/** The end of a contest: what it waits for, its stored places, and corrections (CONTEST-05, 06). */

const DAY_MS = 24 * 3_600_000;
const BY_ITSELF = 'Backboard';

type Machine = { machine_id: number; machine: string } & Status;
export type Waiting = Machine & { why: Loud };

/** The machines that an ended contest waits for. */
export async function readWaiting(db: Database, contest: Contest): Promise<Waiting[]> {
  const { rows } = await sql<Machine>`
    select id as machine_id, name as machine, queued, reported_at, playing from ${machinesOf(contest)} m
    where id <> all(${contest.quiet_machines}::integer[])
    order by lower(name)`.execute(db);
  return rows.flatMap((machine) => {
    const why = whyLoud(machine, contest.ends_at);
    return why === null ? [] : { ...machine, why };
  });
}

/** Stores which machines have reported an empty queue and no running game since the end. */
async function noteQuiet(trx: Database, contest: Contest): Promise<void> {
  await sql`
    update contests c set quiet_machines = c.quiet_machines || quiet.ids
    from (
      select array_agg(id) as ids from ${machinesOf(contest)} m
      where reported_at >= ${contest.ends_at} and queued = 0 and not playing
        and id <> all(${contest.quiet_machines}::integer[])
    ) quiet where c.id = ${contest.id} and quiet.ids is not null`.execute(trx);
}

/**
 * Makes contests final once they are over and settled, each in its own transaction (CONTEST-05).
 * Any number of processes may call it at once: only one of them locks a contest's row. Returns how
 * many contests became final.
 */
export async function settleContests({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<number> {
  const now = clock.now();
  const { rows } = await sql<{ id: number }>`
    select id from contests where final_at is null and cancelled_at is null and ends_at <= ${now}
    order by ends_at`.execute(db);
  return settleEach(
    rows.map(({ id }) => id),
    (id) => transact(db, (trx) => settle(trx, id, now)),
  );
}

async function settle(trx: Database, id: number, now: Date): Promise<number> {
  const [contest] = await readContests(
    trx,
    sql<boolean>`c.id = ${id} and c.final_at is null and c.cancelled_at is null
      and c.ends_at <= ${now}`,
    sql`for no key update of c skip locked`,
  );
  if (contest === undefined) return 0;
  const loud = await readWaiting(trx, contest);
  const held = await readGames(trx, [contest], { state: 'held' });
  const { ends_at, timezone } = contest;
  const window = { ends_at, graceMs: CONTEST_GRACE_MS, heldUntil: tonightEnds(ends_at, timezone) };
  if (isSettled(window, { held: held.length, loud: loud.length }, now)) {
    const places = placesOf(await readBoard(trx, contest));
    await store(trx, contest, places, { version: 1, at: now, who: BY_ITSELF, reason: null });
    await sql`update contests set final_at = ${now} where id = ${id}`.execute(trx);
    return 1;
  }
  await noteQuiet(trx, contest);
  return 0;
}

/** Stores a version, and notifies everybody who played, the screens and the consoles. */
async function store(
  trx: Database,
  contest: Contest,
  places: readonly StoredPlace[],
  line: { version: number; at: Date; who: string; reason: string | null },
): Promise<void> {
  await trx
    .insertInto('contest_results')
    .values({ contest_id: contest.id, ...line, rows: JSON.stringify(places) })
    .execute();
  await notify(trx, {
    contest: places.map(({ player_id }) => player_id),
    venue: [contest.venue_id],
  });
  await notifyConsole(trx, ['contests']);
}

export type ContestVersion = {
  version: number;
  at: Date;
  who: string;
  reason: string | null;
  rows: StoredPlace[];
};

/** A final contest's versions, oldest first. */
export async function readVersions(db: Database, contestId: number): Promise<ContestVersion[]> {
  const { rows } = await sql<ContestVersion>`
    select version, at, who, reason, rows from contest_results
    where contest_id = ${contestId} order by version`.execute(db);
  return rows;
}

const pointsOf = (points: number) => `${points} ${points === 1 ? 'point' : 'points'}`;

/**
 * What a new version changes, a sentence for each player (CONTEST-06). `nameOf`: the name of an
 * account.
 */
export function changesBetween(
  before: readonly StoredPlace[],
  after: readonly StoredPlace[],
  nameOf: (id: number) => string,
): string[] {
  const was = new Map(before.map((row) => [row.player_id, row]));
  const now = new Set(after.map(({ player_id }) => player_id));
  const changed = after.flatMap((row) => {
    const old = was.get(row.player_id);
    if (old === undefined)
      return `${nameOf(row.player_id)}: ${pointsOf(row.points)}, ${ordinal(row.place)}`;
    const parts = [
      ...(old.points === row.points ? [] : [`${pointsOf(row.points)}, not ${old.points}`]),
      ...(old.place === row.place ? [] : [`${ordinal(row.place)}, not ${ordinal(old.place)}`]),
    ];
    return parts.length === 0 ? [] : `${nameOf(row.player_id)}: ${parts.join(', ')}`;
  });
  const gone = before
    .filter(({ player_id }) => !now.has(player_id))
    .map(({ player_id }) => `${nameOf(player_id)}: no game counts`);
  return [...changed, ...gone];
}

/** Whether a final contest can still be corrected (CONTEST-06). */
const isCorrectable = ({ final_at }: Contest, now: Date) =>
  final_at !== null && now.getTime() < final_at.getTime() + CORRECTABLE_DAYS * DAY_MS;

/**
 * The stored places and those of a new count; null if they are equal or staff have dismissed the
 * new count (CONTEST-06). `board`: the new count, if the caller has read it.
 */
export async function readOffer(
  db: Database,
  contest: Contest,
  now: Date,
  board?: Board,
): Promise<{ before: StoredPlace[]; after: StoredPlace[] } | null> {
  if (!isCorrectable(contest, now)) return null;
  const before = (await readStored(db, [contest.id])).get(contest.id) ?? [];
  const after = placesOf(board ?? (await readBoard(db, contest)));
  const isKnown = [before, contest.left_rows].some((rows) => isDeepStrictEqual(rows, after));
  return isKnown ? null : { before, after };
}

/**
 * Counts a final contest again and stores the places as its next version (CONTEST-06).
 * @throws Refusal 400 if the contest is not final, can no longer be corrected, or a new count
 * changes nothing.
 */
export async function correctContest(
  trx: Database,
  contest: Contest,
  reason: string,
  now: Date,
  who: string,
): Promise<{ before: StoredPlace[]; after: StoredPlace[] }> {
  if (contest.final_at === null)
    throw badRequest(`“${contest.name}” is not final: its places change by themselves.`);
  if (!isCorrectable(contest, now))
    throw badRequest(`A contest can be corrected for ${CORRECTABLE_DAYS} days.`);
  const versions = await readVersions(trx, contest.id);
  const before = versions.at(-1)?.rows ?? [];
  const after = placesOf(await readBoard(trx, contest));
  if (isDeepStrictEqual(before, after)) throw badRequest('A new count changes nothing.');
  await store(trx, contest, after, { version: versions.length + 1, at: now, who, reason });
  await sql`update contests set left_rows = null where id = ${contest.id}`.execute(trx);
  return { before, after };
}

/**
 * Dismisses an offered correction until the next change (CONTEST-06).
 * @throws Refusal 400 if no correction is offered.
 */
export async function leaveContest(trx: Database, contest: Contest, now: Date): Promise<void> {
  const offer = await readOffer(trx, contest, now);
  if (offer === null) throw badRequest('A new count changes nothing.');
  await sql`update contests set left_rows = ${JSON.stringify(offer.after)}::jsonb
    where id = ${contest.id}`.execute(trx);
}
