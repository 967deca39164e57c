import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../db/database.ts';
import { lockPatiently } from '../db/locks.ts';
import { notify, notifyConsole } from '../db/notifications.ts';
import { findNamed, type Noun } from '../db/reference.ts';
import { transact } from '../db/transaction.ts';
import { refuseDuplicate } from '../db/unique.ts';
import type { Deps } from '../deps.ts';
import { conflict, forbidden } from '../errors.ts';
import { pairWith, type Waiting } from '../http/pairing.ts';
import { hashOf } from '../keys.ts';
import { findOrAddVenue } from '../venues/venues.ts';
import { makeKey, NEWEST_FIRST } from './keys.ts';

export type Machine = {
  id: number;
  name: string;
  venue_id: number | null;
  venue: string | null;
};

export const MACHINES: Noun<Machine> = {
  one: 'machine',
  columns: sql`m.id, m.name, m.venue_id, v.name as venue`,
  from: sql`machines m left join venues v on v.id = m.venue_id`,
  name: 'm.name',
  id: 'm.id',
  lock: sql`for no key update of m`,
};

const here = (last: RawBuilder<unknown>) => sql`(
  (select * from games where machine_id = m.id and venue_id = m.venue_id ${last})
  union all
  (select * from games where machine_id = m.id and venue_id is null and m.venue_id is null ${last})
  ${last})`;

/** SQL: the games that machine `m` recorded at its venue (MACH-14). */
export const GAMES_HERE = here(sql``);

/**
 * SQL: the last `count` of GAMES_HERE, newest first. Reads no others: this is the order of the index
 * `games_by_venue`, also for a machine without a venue.
 */
export const lastHere = (count: number) =>
  here(sql`order by venue_id, machine_id, played_at desc limit ${sql.lit(count)}`);

/** How long the old key works after a rotation (OPS-06). */
export const ROTATION_MS = 60 * 60_000;
/** How long ended keys are kept for a machine's page (MACH-17). */
export const ENDED_KEPT_MS = 30 * 24 * 60 * 60_000;

type MachineDeps = Pick<Deps, 'db' | 'clock' | 'config'>;

const nameTaken = (name: string) =>
  conflict(`There is a machine called “${name}” already: choose another name.`);

async function insertKey(
  { clock, config }: MachineDeps,
  trx: Database,
  machineId: number,
): Promise<string> {
  const { id, key } = makeKey(config.production);
  await trx
    .insertInto('machine_keys')
    .values({ id, machine_id: machineId, hash: hashOf(key), created_at: clock.now() })
    .execute();
  return key;
}

type NewMachine = { name: string; venue?: string | undefined; timezone?: string | undefined };

async function insertMachine(
  { clock }: Pick<Deps, 'clock'>,
  trx: Database,
  { name, venue, timezone }: NewMachine,
): Promise<Machine> {
  const at = venue === undefined ? null : await findOrAddVenue(trx, venue, timezone);
  const machine = await trx
    .insertInto('machines')
    .values({ name, venue_id: at?.id ?? null, created_at: clock.now() })
    .onConflict((clash) => clash.doNothing())
    .returning(['id', 'name', 'venue_id'])
    .executeTakeFirst();
  if (machine === undefined) throw nameTaken(name);
  return { ...machine, venue: at?.name ?? null };
}

/**
 * Adds a machine and, if unknown, its venue in `timezone`. Names ignore case.
 * @throws Refusal 409 when a machine, even a revoked one, has that name; 400 for an unknown time
 * zone.
 */
export async function addMachine(
  deps: MachineDeps,
  wanted: NewMachine,
): Promise<Machine & { key: string }> {
  return transact(deps.db, async (trx) => {
    const machine = await insertMachine(deps, trx, wanted);
    return { ...machine, key: await insertKey(deps, trx, machine.id) };
  });
}

/**
 * Adds a machine like `addMachine`, but one that shows a code and claims its key itself (P114).
 * @throws Refusal as `addMachine`; also 409 when somebody else has just typed the code.
 */
export async function addWaiting(
  deps: MachineDeps,
  wanted: NewMachine,
  waiting: Waiting,
): Promise<Machine & { key: null }> {
  return transact(deps.db, async (trx) => {
    const machine = await insertMachine(deps, trx, wanted);
    await pairWith(trx, 'machine', waiting, machine.id);
    return { ...machine, key: null };
  });
}

/** Makes a paired machine's key (P114); null if the machine is revoked or already has a key. */
export const giveKey =
  (deps: MachineDeps) =>
  async (trx: Database, machineId: number): Promise<string | null> => {
    const { rows } = await sql`
      select from machines m where id = ${machineId} and revoked_at is null
        and not exists (select from machine_keys k where k.machine_id = m.id)
      for no key update`.execute(trx);
    if (rows.length === 0) return null;
    const key = await insertKey(deps, trx, machineId);
    await notifyConsole(trx, ['machines']);
    return key;
  };

/**
 * Makes a new key. The previous one works for another hour (OPS-06). Older keys stop at once: at
 * most two keys work (P31a). The first rotation that comes ENDED_KEPT_MS after a key's end deletes
 * the key. A revoked machine returns to service, but its old keys stay refused (`old_key_until` is
 * null).
 * @throws Refusal 404 for an unknown machine.
 */
export async function rotateMachine(
  deps: MachineDeps,
  nameOrId: string,
): Promise<Machine & { key: string; old_key_until: Date | null }> {
  return transact(deps.db, async (trx) => {
    const machine = await findNamed(trx, MACHINES, nameOrId, true);
    const now = deps.clock.now();
    await trx
      .deleteFrom('machine_keys')
      .where('machine_id', '=', machine.id)
      .where('expires_at', '<', new Date(now.getTime() - ENDED_KEPT_MS))
      .execute();
    // The newest key never expires, even if the clock was set back (REL-15).
    const { rows } = await sql<{ expires_at: Date }>`
      with keys as (
        select id, row_number() over (order by ${NEWEST_FIRST}) as place
        from machine_keys where machine_id = ${machine.id}
      )
      update machine_keys k
      set expires_at = least(k.expires_at, case keys.place
        when 1 then ${new Date(now.getTime() + ROTATION_MS)}::timestamptz
        else ${now}::timestamptz end)
      from keys where keys.id = k.id
      returning k.expires_at`.execute(trx);
    const old = rows.find(({ expires_at }) => expires_at > now);
    await trx
      .updateTable('machines')
      .set({ revoked_at: null })
      .where('id', '=', machine.id)
      .execute();
    return {
      ...machine,
      key: await insertKey(deps, trx, machine.id),
      old_key_until: old?.expires_at ?? null,
    };
  });
}

/**
 * Revokes a machine. Its games still count. Idempotent.
 * @throws Refusal 404 for an unknown machine
 */
export async function revokeMachine(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  nameOrId: string,
): Promise<Machine> {
  return transact(db, async (trx) => {
    const machine = await findNamed(trx, MACHINES, nameOrId, true);
    const now = clock.now();
    await sql`update machines set revoked_at = coalesce(revoked_at, ${now})
      where id = ${machine.id}`.execute(trx);
    await sql`update machine_keys set expires_at = least(expires_at, ${now})
      where machine_id = ${machine.id}`.execute(trx);
    return machine;
  });
}

/**
 * Stops an old key before its end (MACH-21). `key` is the old key's id, by default that of the last
 * replaced key. `stopped` is the id of the key that this call stopped; null if there was nothing to
 * stop.
 * @throws Refusal 404 for an unknown machine; 409 for the newest key of a machine in service.
 */
export async function stopOldKey(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  nameOrId: string,
  key?: string,
): Promise<Machine & { stopped: string | null }> {
  return transact(db, async (trx) => {
    const machine = await findNamed(trx, MACHINES, nameOrId, true);
    const now = clock.now();
    // While a machine is in service, its newest key never expires, and at most one other key works.
    const keys = await trx
      .selectFrom('machine_keys')
      .select(['id', 'expires_at'])
      .where('machine_id', '=', machine.id)
      .execute();
    if (keys.some(({ id, expires_at }) => id === key && expires_at === null))
      throw conflict(
        `This is the newest key of “${machine.name}”. Make a new key first, or revoke the machine.`,
      );
    const old = keys.find(
      ({ id, expires_at }) =>
        expires_at !== null && expires_at > now && (key === undefined || id === key),
    );
    if (old === undefined) return { ...machine, stopped: null };
    await trx
      .updateTable('machine_keys')
      .set({ expires_at: now })
      .where('id', '=', old.id)
      .execute();
    return { ...machine, stopped: old.id };
  });
}

/** The refusal of a revoked machine (P31a). */
export const outOfService = () =>
  forbidden('This machine was taken out of service by the operator.');

type Why = { before: string | null; after: string | null };

/**
 * Puts a machine into repair (MACH-12); with `by` null, back in service. `why`: what is wrong; null
 * removes it, undefined keeps it.
 * @throws Refusal 404 for an unknown machine.
 */
export async function markRepair(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  nameOrId: string,
  by: string | null,
  why?: string | null,
): Promise<Machine & { marked: boolean; why: Why }> {
  return transact(db, async (trx) => {
    const machine = await findNamed(trx, MACHINES, nameOrId, true);
    const before = await trx
      .selectFrom('machines')
      .select(['repair_at', 'repair_by', 'repair_why'])
      .where('id', '=', machine.id)
      .executeTakeFirstOrThrow();
    const after =
      by === null
        ? { repair_at: null, repair_by: null, repair_why: null }
        : {
            repair_at: before.repair_at ?? clock.now(),
            repair_by: before.repair_by ?? by,
            repair_why: why === undefined ? before.repair_why : why,
          };
    await trx.updateTable('machines').set(after).where('id', '=', machine.id).execute();
    return {
      ...machine,
      marked: (before.repair_at === null) !== (after.repair_at === null),
      why: { before: before.repair_why, after: after.repair_why },
    };
  });
}

/**
 * Changes a machine's name and venue. Adds an unknown venue. Past games keep their venue. If a
 * report arrives during the change, all its games get the same venue.
 * @throws Refusal 409 when another machine has the name.
 */
export async function changeMachine(
  { db }: Pick<Deps, 'db'>,
  machine: Machine,
  { name, venue }: { name?: string | undefined; venue?: string | undefined },
): Promise<Machine> {
  return transact(db, async (trx) => {
    const at = venue === undefined ? null : await findOrAddVenue(trx, venue);
    if (at !== null) await lockPatiently(trx, 'machine', [machine.id]);
    const changed = {
      ...machine,
      name: name ?? machine.name,
      ...(at === null ? {} : { venue_id: at.id, venue: at.name }),
    };
    await trx
      .updateTable('machines')
      .set({ name: changed.name, venue_id: changed.venue_id })
      .where('id', '=', machine.id)
      .execute()
      .catch(refuseDuplicate('machines_name', nameTaken(changed.name)));
    // The screens of both venues change.
    await notify(trx, {
      venue: [machine.venue_id, changed.venue_id].filter((id) => id !== null),
    });
    return changed;
  });
}
