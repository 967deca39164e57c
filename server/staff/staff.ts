import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { COMMAND_LINE, type Role } from '#contract/rules/staff.ts';
import type { Database } from '../db/database.ts';
import { findNamed, type Noun } from '../db/reference.ts';
import { refuseDuplicate } from '../db/unique.ts';
import type { Deps } from '../deps.ts';
import { badRequest, conflict, notFound } from '../errors.ts';
import { LEAGUES } from '../leagues/leagues.ts';
import { VENUES } from '../venues/venues.ts';
import { endStaffSessions, sessionIsOpen } from './sessions.ts';

const LAST_OWNER =
  'This is the last owner who can get in. Make somebody else an owner first, or nobody could manage staff.';

const LAST_PASSKEY =
  'This is the last passkey of the last owner. Set up another one first, or nobody could manage staff.';

type Named = { id: number; name: string };
export type Device = { id: string; name: string; created_at: Date; last_used_at: Date | null };
export type StaffMember = {
  id: number;
  name: string;
  role: Role;
  everything: boolean;
  venues: Named[];
  leagues: Named[];
  created_at: Date;
  last_seen_at: Date | null;
  joined: boolean;
  devices: Device[];
  link_until: Date | null;
};

export type StaffSession = {
  id: string;
  device: string;
  client: string;
  created_at: Date;
  last_used_at: Date;
  expires_at: Date;
  passkey_id: string | null;
};

type StaffRow = Omit<StaffMember, 'devices'> & { devices: (Named & Record<string, string>)[] };

/** All staff, oldest first, or only the person with the id `only`. */
export async function listStaff(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  only?: number,
): Promise<StaffMember[]> {
  const { rows } = await sql<StaffRow>`
    select p.id, p.name, p.role, p.everything, p.created_at,
      coalesce((select json_agg(json_build_object('id', v.id, 'name', v.name) order by lower(v.name))
        from staff_venues sv join venues v on v.id = sv.venue_id where sv.staff_id = p.id), '[]') as venues,
      coalesce((select json_agg(json_build_object('id', l.id, 'name', l.name) order by lower(l.name))
        from staff_leagues sl join leagues l on l.id = sl.league_id where sl.staff_id = p.id), '[]') as leagues,
      coalesce((select json_agg(json_build_object('id', k.id, 'name', k.name,
          'created_at', k.created_at, 'last_used_at', k.last_used_at) order by k.created_at)
        from staff_passkeys k where k.staff_id = p.id), '[]') as devices,
      (select max(s.last_used_at) from staff_sessions s where s.staff_id = p.id) as last_seen_at,
      p.joined_at is not null as joined,
      (select k.expires_at from staff_links k
        where k.staff_id = p.id and k.expires_at > ${clock.now()}) as link_until
    from staff p
    where p.removed_at is null and ${only === undefined ? sql`true` : sql`p.id = ${only}`}
    order by p.created_at, p.id`.execute(db);
  return rows.map(({ devices, ...row }) => ({
    ...row,
    joined: row.joined || row.last_seen_at !== null || devices.length > 0,
    devices: devices.map(({ id, name, created_at, last_used_at }) => ({
      id: String(id),
      name,
      created_at: new Date(created_at ?? 0),
      last_used_at: last_used_at ? new Date(last_used_at) : null,
    })),
  }));
}

/** @throws Refusal 404 if the person was removed. */
export async function readStaff(
  deps: Pick<Deps, 'db' | 'clock'>,
  id: number,
): Promise<StaffMember> {
  const [member] = await listStaff(deps, id);
  if (member === undefined) throw notFound('There is no such member of staff.');
  return member;
}

export type FoundStaff = {
  id: number;
  name: string;
  role: Role;
  everything: boolean;
  handle: Buffer;
};

export const STAFF: Noun<FoundStaff> = {
  one: 'member of staff',
  columns: sql`p.id, p.name, p.role, p.everything, p.handle`,
  from: sql`staff p`,
  only: sql`p.removed_at is null`,
  name: 'p.name',
  id: 'p.id',
  lock: sql`for update of p`,
};

async function findEach<Row extends Named>(
  trx: Database,
  noun: Noun<Row>,
  refs: readonly string[],
): Promise<Named[]> {
  const rows: Named[] = [];
  for (const ref of refs) rows.push(await findNamed(trx, noun, ref));
  return rows;
}

/** What a person may reach (STAFF-02). Omitted fields do not change; an owner has everything. */
type Given = {
  everything?: boolean | undefined;
  venues?: readonly string[] | undefined;
  leagues?: readonly string[] | undefined;
};

/** Whether the person has everything after a change, as an owner does. */
function everythingAfter(
  before: Pick<FoundStaff, 'role' | 'everything'>,
  role: Role,
  given: Given,
) {
  if (role === 'owner') return true;
  if (given.everything !== undefined) return given.everything;
  const kept = given.venues === undefined && given.leagues === undefined;
  return kept && before.role !== 'owner' && before.everything;
}

async function give(
  trx: Database,
  staffId: number,
  { everything, ...given }: Given & { everything: boolean },
): Promise<void> {
  const { venues, leagues } = everything ? { venues: [], leagues: [] } : given;
  if (venues !== undefined) {
    const found = await findEach(trx, VENUES, venues);
    await trx.deleteFrom('staff_venues').where('staff_id', '=', staffId).execute();
    for (const venue of found)
      await trx
        .insertInto('staff_venues')
        .values({ staff_id: staffId, venue_id: venue.id })
        .onConflict((clash) => clash.doNothing())
        .execute();
  }
  if (leagues !== undefined) {
    const found = await findEach(trx, LEAGUES, leagues);
    await trx.deleteFrom('staff_leagues').where('staff_id', '=', staffId).execute();
    for (const league of found)
      await trx
        .insertInto('staff_leagues')
        .values({ staff_id: staffId, league_id: league.id })
        .onConflict((clash) => clash.doNothing())
        .execute();
  }
}

function requireClear(role: Role, { everything, venues = [], leagues = [] }: Given): void {
  const some = venues.length + leagues.length > 0;
  if (role === 'owner' && (some || everything === false))
    throw badRequest('An owner has all venues and leagues. Leave them out.');
  if (everything === true && some)
    throw badRequest('Give everything, or some venues and leagues, not both.');
}

const nameTaken = (name: string) =>
  conflict(`There is a member of staff called “${name}”: choose another name.`);

/** @throws Refusal 409 for the audit's name for the command line. */
function requireOwnName(name: string): void {
  if (name.toLowerCase() === COMMAND_LINE.toLowerCase())
    throw conflict(`The audit calls the command line “${COMMAND_LINE}”: choose another name.`);
}

/**
 * Adds a person, who signs in by a link (P61).
 * @throws Refusal 400 for venues or leagues beside everything; 404 for an unknown venue or league;
 * 409 if the name is taken.
 */
export async function addStaff(
  { clock }: Pick<Deps, 'clock'>,
  trx: Database,
  { name, role, ...given }: { name: string; role: Role } & Given,
): Promise<FoundStaff> {
  requireClear(role, given);
  requireOwnName(name);
  const everything = role === 'owner' || given.everything === true;
  const row = { name, role, everything, handle: randomBytes(32), created_at: clock.now() };
  const made = await trx
    .insertInto('staff')
    .values({ ...row, removed_at: null })
    .onConflict((clash) => clash.doNothing())
    .returning(['id', 'name', 'role', 'everything', 'handle'])
    .executeTakeFirst();
  if (made === undefined) throw nameTaken(name);
  await give(trx, made.id, { ...given, everything });
  return made;
}

/**
 * Locks all owners if the person is an owner.
 * @throws Refusal 409 with the sentence `refusal` if no other owner has a passkey, a session or a
 * link (P60).
 */
async function requireAnotherOwner(
  { clock }: Pick<Deps, 'clock'>,
  trx: Database,
  { id, role }: FoundStaff,
  refusal = LAST_OWNER,
): Promise<void> {
  if (role !== 'owner') return;
  const now = clock.now();
  await sql`select id from staff where role = 'owner' and removed_at is null
    order by id for update`.execute(trx);
  // A second statement, because the first does not see changes made while it waits.
  const { rows } = await sql`select id from staff p
    where role = 'owner' and removed_at is null and id <> ${id} and (
      exists (select from staff_passkeys where staff_id = p.id)
      or exists (select from staff_sessions s where staff_id = p.id and ${sessionIsOpen(now)})
      or exists (select from staff_links where staff_id = p.id and expires_at > ${now}))`.execute(
    trx,
  );
  if (rows.length === 0) throw conflict(refusal);
}

/**
 * Changes a person's name, role, venues or leagues. Every change except a new name ends the
 * person's sessions, so that no session keeps old rights (P62).
 * @throws Refusal 400 for an owner with venues or leagues; 404 for an unknown person, venue or
 * league; 409 if the name is taken, or the last owner would get a lower role (P60).
 */
export async function changeStaff(
  deps: Pick<Deps, 'clock'>,
  trx: Database,
  nameOrId: string,
  { name, role, ...given }: { name?: string | undefined; role?: Role | undefined } & Given,
): Promise<FoundStaff & { sessions_ended: number }> {
  const staff = await findNamed(trx, STAFF, nameOrId, true);
  const nextRole = role ?? staff.role;
  const next = {
    name: name ?? staff.name,
    role: nextRole,
    everything: everythingAfter(staff, nextRole, given),
  };
  if (next.role !== 'owner') await requireAnotherOwner(deps, trx, staff);
  requireClear(next.role, given);
  requireOwnName(next.name);
  await trx
    .updateTable('staff')
    .set(next)
    .where('id', '=', staff.id)
    .execute()
    .catch(refuseDuplicate('staff_name', nameTaken(next.name)));
  await give(trx, staff.id, { ...given, everything: next.everything });
  const rights = [role, given.everything, given.venues, given.leagues];
  return {
    ...staff,
    ...next,
    sessions_ended: rights.every((right) => right === undefined)
      ? 0
      : await endStaffSessions(trx, staff.id),
  };
}

/**
 * Removes a person (P62) with sessions, link, passkeys and mail address. The row stays for the
 * audit.
 * @throws Refusal 404 for an unknown person; 409 for the last owner (P60).
 */
export async function removeStaff(
  deps: Pick<Deps, 'clock'>,
  trx: Database,
  nameOrId: string,
): Promise<FoundStaff & { sessions_ended: number }> {
  const staff = await findNamed(trx, STAFF, nameOrId, true);
  await requireAnotherOwner(deps, trx, staff);
  const sessions_ended = await endStaffSessions(trx, staff.id);
  await trx.deleteFrom('staff_links').where('staff_id', '=', staff.id).execute();
  await trx.deleteFrom('staff_passkeys').where('staff_id', '=', staff.id).execute();
  await trx.deleteFrom('staff_alerts').where('staff_id', '=', staff.id).execute();
  await trx
    .updateTable('staff')
    .set({ removed_at: deps.clock.now() })
    .where('id', '=', staff.id)
    .execute();
  return { ...staff, sessions_ended };
}

/**
 * Deletes a passkey and ends its sessions. Returns its name, or undefined if unknown.
 * @throws Refusal 409 for the last passkey of the last owner (P60).
 */
export async function removePasskey(
  deps: Pick<Deps, 'clock'>,
  trx: Database,
  staffId: number,
  passkeyId: string,
): Promise<string | undefined> {
  const staff = await findNamed(trx, STAFF, `id:${staffId}`, true);
  const removed = await trx
    .deleteFrom('staff_passkeys')
    .where('staff_id', '=', staffId)
    .where('id', '=', passkeyId)
    .returning('name')
    .executeTakeFirst();
  if (removed === undefined) return undefined;
  const left = await trx
    .selectFrom('staff_passkeys')
    .select('id')
    .where('staff_id', '=', staffId)
    .executeTakeFirst();
  if (left === undefined) await requireAnotherOwner(deps, trx, staff, LAST_PASSKEY);
  return removed.name;
}

/** The owners, whom other staff ask for more rights. */
export async function ownerNames(db: Database): Promise<string[]> {
  const rows = await db
    .selectFrom('staff')
    .select('name')
    .where('role', '=', 'owner')
    .where('removed_at', 'is', null)
    .orderBy('created_at')
    .execute();
  return rows.map(({ name }) => name);
}

/** A person's open sessions, the last used first. */
export async function listStaffSessions(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  staffId: number,
): Promise<StaffSession[]> {
  const { rows } = await sql<StaffSession>`
    select s.id, s.device, s.client, s.created_at, s.last_used_at, s.expires_at, s.passkey_id
    from staff_sessions s join staff p on p.id = s.staff_id
    where p.id = ${staffId} and ${sessionIsOpen(clock.now())} order by s.last_used_at desc`.execute(
    db,
  );
  return rows;
}
