import { sql } from 'kysely';
import type { z } from 'zod';
import {
  CONTEST_DAYS_AHEAD,
  CONTEST_HOURS,
  CONTEST_HOURS_MAX,
  CONTEST_MINUTES_MIN,
  CONTESTS_AT_ONCE,
} from '#contract/rules/contests.ts';
import type { contestBody, contestChangeBody } from '#contract/wire/contests.ts';
import type { Database } from '../db/database.ts';
import { badField, badRequest, conflict } from '../errors.ts';
import { addDays, dayOf } from '../leagues/calendar.ts';
import { instantOf, isPast, offsetMs, readBegin, readMoment } from '../venues/hours.ts';
import type { Venue } from '../venues/venues.ts';
import { type Contest, readAgain, readContests, stateOf } from './contests.ts';

/* Making and changing contests (CONTEST-01, CONTEST-07, CONTEST-08). The caller locks the venue. */

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

type Plan = Pick<
  Contest,
  | 'venue_id'
  | 'name'
  | 'starts_at'
  | 'ends_at'
  | 'scoring'
  | 'n'
  | 'prizes'
  | 'machines'
  | 'only_slide'
>;

/** The next full hour of a venue's clock. */
function nextHour(now: Date, zone: string): Date {
  const offset = offsetMs(now.getTime(), zone);
  const local = now.getTime() + offset;
  return new Date((Math.floor(local / HOUR_MS) + 1) * HOUR_MS - offset);
}

/** @throws Refusal 400 for a name or id that no machine at the venue has. */
async function machineIds(
  db: Database,
  { id, name }: { id: number; name: string },
  refs: readonly string[] | null,
): Promise<number[] | null> {
  if (refs === null) return null;
  const { rows } = await sql<{ id: number; name: string }>`
    select id, name from machines where venue_id = ${id} and revoked_at is null`.execute(db);
  const found = refs.map((ref) => {
    const machine =
      rows.find((one) => one.name.toLowerCase() === ref.toLowerCase()) ??
      rows.find((one) => String(one.id) === ref);
    if (machine === undefined) throw badField('machines', `${name} has no machine “${ref}”.`);
    return machine.id;
  });
  return [...new Set(found)].sort((a, b) => a - b);
}

/** @throws Refusal 400 for a start in the past. */
function checkBegin(starts_at: Date, now: Date): void {
  if (isPast(starts_at, now))
    throw badField('starts', 'This time is past at the venue. Choose a later one, or begin now.');
}

/** @throws Refusal 400 for a window that CONTEST-01 does not allow. */
function checkWindow({ starts_at, ends_at }: Plan, now: Date): void {
  const ms = ends_at.getTime() - starts_at.getTime();
  if (!isLongEnough(ms))
    throw badField('ends', `A contest lasts at least ${CONTEST_MINUTES_MIN} minutes.`);
  if (ms > CONTEST_HOURS_MAX * HOUR_MS)
    throw badField('ends', `A contest lasts at most ${CONTEST_HOURS_MAX} hours.`);
  if (starts_at.getTime() > now.getTime() + CONTEST_DAYS_AHEAD * DAY_MS)
    throw badField('starts', `A contest begins at most ${CONTEST_DAYS_AHEAD} days ahead.`);
}

const overlap = (a: Pick<Plan, 'starts_at' | 'ends_at'>, b: Pick<Plan, 'starts_at' | 'ends_at'>) =>
  a.starts_at < b.ends_at && b.starts_at < a.ends_at;
const share = (a: number[] | null, b: number[] | null) =>
  a === null || b === null || a.some((id) => b.includes(id));

/** @throws Refusal 409 that names an overlapping contest (CONTEST-01). */
async function checkOthers(db: Database, plan: Plan, id: number | null): Promise<void> {
  const others = (
    await readContests(
      db,
      sql<boolean>`c.venue_id = ${plan.venue_id} and c.cancelled_at is null
        and c.ends_at > ${plan.starts_at} and c.starts_at < ${plan.ends_at}`,
    )
  ).filter((other) => other.id !== id);
  const same = others.find(({ machines }) => share(machines, plan.machines));
  if (same) throw conflict(`“${same.name}” is at the same time on the same machines.`);
  const crowd = others.find(
    (one) => others.filter((other) => overlap(one, other)).length >= CONTESTS_AT_ONCE,
  );
  if (crowd)
    throw conflict(
      `“${crowd.name}” and another contest are at this time: at most ${CONTESTS_AT_ONCE} run at a venue.`,
    );
}

/**
 * Makes a contest (CONTEST-01).
 * @throws Refusal 400 for a window or machine that is not possible; 409 if another contest
 * overlaps.
 */
export async function createContest(
  trx: Database,
  venue: Venue,
  body: Omit<z.output<typeof contestBody>, 'venue'>,
  now: Date,
): Promise<Contest> {
  const { timezone } = venue;
  const { name, scoring, n, prizes, only } = body;
  const starts_at =
    body.starts === undefined ? nextHour(now, timezone) : readBegin(body.starts, timezone, now);
  const ends_at =
    body.ends === undefined
      ? new Date(starts_at.getTime() + CONTEST_HOURS * HOUR_MS)
      : readMoment(body.ends, timezone);
  checkBegin(starts_at, now);
  const machines = await machineIds(trx, venue, body.machines);
  const plan = {
    ...{ venue_id: venue.id, name, starts_at, ends_at, scoring, n, prizes, machines },
    only_slide: only,
  };
  return insert(trx, plan, now);
}

async function insert(trx: Database, plan: Plan, now: Date): Promise<Contest> {
  checkWindow(plan, now);
  await checkOthers(trx, plan, null);
  const made = await trx
    .insertInto('contests')
    .values(plan)
    .returning('id')
    .executeTakeFirstOrThrow();
  return readAgain(trx, made);
}

/**
 * Changes a contest (CONTEST-07).
 * @throws Refusal 400 for a field that can no longer change; otherwise as `createContest`.
 */
export async function changeContest(
  trx: Database,
  contest: Contest,
  wanted: Omit<z.output<typeof contestChangeBody>, 'contest'>,
  now: Date,
): Promise<Contest> {
  const state = stateOf(contest, now);
  if (state !== 'planned' && state !== 'running')
    throw badRequest(`“${contest.name}” is over or cancelled.`);
  const { timezone } = contest;
  const machines =
    wanted.machines === undefined
      ? contest.machines
      : await machineIds(trx, { id: contest.venue_id, name: contest.venue }, wanted.machines);
  const plan: Plan = {
    venue_id: contest.venue_id,
    name: wanted.name ?? contest.name,
    starts_at:
      wanted.starts === undefined ? contest.starts_at : readBegin(wanted.starts, timezone, now),
    ends_at: wanted.ends === undefined ? contest.ends_at : readMoment(wanted.ends, timezone),
    scoring: wanted.scoring ?? contest.scoring,
    n: wanted.n ?? contest.n,
    prizes: wanted.prizes === undefined ? contest.prizes : wanted.prizes,
    machines,
    only_slide: wanted.only ?? contest.only_slide,
  };
  const rules = ({ starts_at, scoring, n, machines }: Plan) =>
    JSON.stringify([starts_at, scoring, n, machines]);
  if (state === 'running' && rules(plan) !== rules(contest))
    throw badRequest(
      'It has begun: only its name, prizes, end and slide can change. Cancel it, and make another one.',
    );
  if (state === 'planned') checkBegin(plan.starts_at, now);
  if (plan.ends_at < now)
    throw badField('ends', 'This time is past at the venue. Choose a later one.');
  checkWindow(plan, now);
  await checkOthers(trx, plan, contest.id);
  await trx.updateTable('contests').set(plan).where('id', '=', contest.id).execute();
  return readAgain(trx, contest);
}

/** Ends a running contest now (CONTEST-07). @throws Refusal 400 unless it is running. */
export async function stopContest(trx: Database, contest: Contest, now: Date): Promise<Contest> {
  if (stateOf(contest, now) !== 'running') throw badRequest(`“${contest.name}” does not run.`);
  await sql`update contests set ends_at = ${now} where id = ${contest.id}`.execute(trx);
  return readAgain(trx, contest);
}

/** Cancels a contest (CONTEST-07). @throws Refusal 400 if it is final or cancelled. */
export async function cancelContest(trx: Database, contest: Contest, now: Date): Promise<Contest> {
  const state = stateOf(contest, now);
  if (state === 'final' || state === 'cancelled')
    throw badRequest(`“${contest.name}” is ${state} already.`);
  await sql`update contests set cancelled_at = ${now} where id = ${contest.id}`.execute(trx);
  return readAgain(trx, contest);
}

/** The instant `weeks` weeks later at the same local time of the venue. */
function weeksLater(instant: Date, zone: string, weeks: number): Date {
  const day = dayOf(instant, zone);
  const local = instant.getTime() + offsetMs(instant.getTime(), zone);
  return instantOf(addDays(day, 7 * weeks), (local - Date.parse(day)) / MINUTE_MS, zone);
}

/**
 * Repeats a contest a week later, or in the first coming week (CONTEST-08). Machines that are no
 * longer at the venue are left out.
 * @throws Refusal as `createContest`.
 */
export async function repeatContest(trx: Database, contest: Contest, now: Date): Promise<Contest> {
  const { timezone, starts_at, ends_at } = contest;
  let weeks = Math.max(1, Math.floor((now.getTime() - starts_at.getTime()) / (7 * DAY_MS)));
  while (weeksLater(starts_at, timezone, weeks) <= now) weeks += 1;
  const begin = weeksLater(starts_at, timezone, weeks);
  const { rows } = await sql<{ id: number }>`
    select id from machines where venue_id = ${contest.venue_id} and revoked_at is null
      and id = any(${contest.machines}::integer[]) order by id`.execute(trx);
  const { venue_id, name, scoring, n, prizes, only_slide } = contest;
  const ends = weeksLater(ends_at, timezone, weeks);
  return insert(
    trx,
    {
      ...{ venue_id, name, scoring, n, prizes, only_slide, starts_at: begin },
      ends_at: isLongEnough(+ends - +begin) ? ends : new Date(begin.getTime() + lengthOf(contest)),
      machines: contest.machines === null ? null : nonEmpty(rows.map(({ id }) => id)),
    },
    now,
  );
}

const isLongEnough = (ms: number) => ms >= CONTEST_MINUTES_MIN * MINUTE_MS;

/**
 * How long a repeated contest lasts if its moved end would be too early, because the former contest
 * was stopped early or the clock changes that night.
 */
function lengthOf({ starts_at, ends_at }: Contest): number {
  const former = ends_at.getTime() - starts_at.getTime();
  return isLongEnough(former) ? former : CONTEST_HOURS * HOUR_MS;
}

/** @throws Refusal 400 if the list is empty. */
function nonEmpty(ids: number[]): number[] {
  if (ids.length === 0) throw badRequest('None of its machines is at the venue any more.');
  return ids;
}
