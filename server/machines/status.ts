import { sql } from 'kysely';
import { withoutUnseen } from '#contract/rules/unseen.ts';
import type { MachineStatus } from '#contract/wire/machines.ts';
import type { Database } from '../db/database.ts';
import { notifyConsole } from '../db/notifications.ts';
import { transact } from '../db/transaction.ts';

/**
 * Stores a machine's status (MACH-10). A missing field becomes null, a missing `playing` false.
 * Notifies the console of a visible change.
 */
export async function storeStatus(
  db: Database,
  machineId: number,
  status: MachineStatus,
  now: Date,
): Promise<void> {
  const {
    queued = null,
    oldest_played_at = null,
    rejected = null,
    software: typed = null,
    playing = null,
  } = status;
  // The console shows this text, so remove invisible characters.
  const software = (typed && withoutUnseen(typed).trim()) || null;
  const oldest = oldest_played_at === null ? null : new Date(oldest_played_at);
  await transact(db, async (trx) => {
    const { rows } = await sql<{ changed: boolean }>`
      with was as (
        select * from machine_status where machine_id = ${machineId}
      )
      insert into machine_status as s
        (machine_id, reported_at, queued, oldest_played_at, rejected, software, playing, rejected_at)
      values (${machineId}, ${now}, ${queued}::integer, ${oldest}::timestamptz,
        ${rejected}::integer, ${software}::text, ${playing ?? false}::boolean,
        case when ${rejected}::integer > coalesce((select rejected from was), 0) then ${now}::timestamptz end)
      on conflict (machine_id) do update set
        reported_at = excluded.reported_at, queued = excluded.queued,
        oldest_played_at = excluded.oldest_played_at, rejected = excluded.rejected,
        software = excluded.software, playing = excluded.playing,
        rejected_at = case when excluded.rejected > coalesce(s.rejected, 0) then excluded.reported_at
          else s.rejected_at end
      returning not exists (
        select from was w
        where w.queued is not distinct from s.queued
          and w.rejected is not distinct from s.rejected
          and w.software is not distinct from s.software and w.playing = s.playing
      ) as changed`.execute(trx);
    if (rows[0]?.changed) await notifyConsole(trx, ['machines']);
  });
}

/** Stores a greeting (MACH-11). Notifies the console. */
export async function storeGreeting(
  db: Database,
  machineId: number,
  playerId: number,
  now: Date,
): Promise<void> {
  await transact(db, async (trx) => {
    await sql`
      insert into machine_status (machine_id, greeted_at, greeted_player)
      values (${machineId}, ${now}, ${playerId})
      on conflict (machine_id) do update
        set greeted_at = excluded.greeted_at, greeted_player = excluded.greeted_player`.execute(
      trx,
    );
    await notifyConsole(trx, ['machines']);
  });
}

export const REFUSED_EVERY_MS = 60_000;

/**
 * Stores when a machine's key was refused, and notifies the console, at most once a minute (P31i).
 */
export async function storeRefused(db: Database, machineId: number, now: Date): Promise<void> {
  await transact(db, async (trx) => {
    const { numAffectedRows = 0n } = await sql`
      insert into machine_status as s (machine_id, refused_at) values (${machineId}, ${now})
      on conflict (machine_id) do update set refused_at = excluded.refused_at
        where s.refused_at is null
          or s.refused_at not between ${new Date(now.getTime() - REFUSED_EVERY_MS)} and ${now}`.execute(
      trx,
    );
    if (numAffectedRows > 0n) await notifyConsole(trx, ['machines']);
  });
}
