import { type RawBuilder, sql } from 'kysely';
import type { NoticeKind } from '#contract/rules/push.ts';
import { recordset } from '../db/recordset.ts';
import type { Queryable } from '../db/transaction.ts';

/**
 * A notice for a player. `subject` says what it is about, such as a game: a newer notice of the
 * same kind and subject replaces a waiting one (PUSH-14). `data` has ids and figures, no names.
 */
export type Notice = {
  player_id: number;
  kind: NoticeKind;
  subject: string;
  data: Record<string, unknown>;
  worth_until: Date;
};

/** SQL: whether a player has a device. Nobody without one gets notices. */
export const hasDevice = (player: RawBuilder<unknown>): RawBuilder<boolean> => sql`exists (
  select from push_devices v where v.player_id = ${player})`;

/**
 * Writes notices in the transaction of their cause: no commit, no notice (PUSH-47). Only players
 * with a device get one. If the waiting notice has a list `games`, the new games are added to it.
 * @param dueAt the earliest time to send the notice; by default now
 * @returns the subjects of the notices that were written
 */
export async function plan(
  on: Queryable,
  notices: readonly Notice[],
  now: Date,
  dueAt: Date = now,
): Promise<Set<string>> {
  if (notices.length === 0) return new Set();
  const { rows } = await sql<{ subject: string }>`
    insert into push_notices as n (player_id, kind, subject, data, caused_at, worth_until, due_at)
    select distinct on (r.player_id, r.kind, r.subject)
      r.player_id, r.kind, r.subject, r.data, ${now}::timestamptz, r.worth_until, ${dueAt}::timestamptz
    from ${recordset(
      notices.map((notice) => ({ ...notice })),
      'player_id bigint, kind text, subject text, data jsonb, worth_until timestamptz',
    )} join player_push p on p.player_id = r.player_id
    where ${hasDevice(sql`r.player_id`)}
    on conflict (player_id, kind, subject) where state = 'waiting' do update set
      data = case when n.data ? 'games' then
        jsonb_set(excluded.data, '{games}', (n.data->'games') || (excluded.data->'games'))
        else excluded.data end,
      caused_at = excluded.caused_at, worth_until = excluded.worth_until,
      due_at = excluded.due_at
    returning subject`.execute(on);
  return new Set(rows.map(({ subject }) => subject));
}

/** Puts a notice in place of the waiting one of the same player, kind and subject, if one waits. */
export async function replaceWaiting(
  on: Queryable,
  { player_id, kind, subject, data, worth_until }: Notice,
  now: Date,
): Promise<void> {
  await sql`
    update push_notices set data = ${JSON.stringify(data)}::jsonb, caused_at = ${now},
      worth_until = ${worth_until}, due_at = ${now}
    where player_id = ${player_id} and kind = ${kind} and subject = ${subject}
      and state = 'waiting'`.execute(on);
}

/**
 * The data of the notice that was sent last to this player, of this kind and subject, as long as it
 * is kept; null if none was.
 */
export async function readSent(
  on: Queryable,
  { player_id, kind, subject }: Pick<Notice, 'player_id' | 'kind' | 'subject'>,
): Promise<unknown> {
  const { rows } = await sql<{ data: unknown }>`
    select data from push_notices
    where player_id = ${player_id} and kind = ${kind} and subject = ${subject} and state = 'sent'
    order by planned_at desc limit 1`.execute(on);
  return rows[0]?.data ?? null;
}

/** Which players have a waiting notice about one of these subjects. */
export async function readWaiting(
  on: Queryable,
  kind: NoticeKind,
  subjects: readonly string[],
): Promise<{ player_id: number; subject: string }[]> {
  const { rows } = await sql<{ player_id: number; subject: string }>`
    select player_id, subject from push_notices
    where state = 'waiting' and kind = ${kind} and subject = any(${subjects}::text[])`.execute(on);
  return rows;
}

/** Stores the result that a notice tells its player, such as that of a duel. */
export async function storeResult(
  on: Queryable,
  noticeId: string,
  result: string | number,
): Promise<void> {
  await sql`
    update push_notices set data = data || ${JSON.stringify({ result })}::jsonb
    where id = ${noticeId}`.execute(on);
}

/**
 * By subject and player: the result that the player was told last (`storeResult`), as long as the
 * notice is kept.
 */
export async function readResults<T extends string | number>(
  on: Queryable,
  kind: NoticeKind,
  subjects: readonly string[],
): Promise<Map<string, Map<number, T>>> {
  const { rows } = await sql<{ player_id: number; subject: string; result: T }>`
    select player_id, subject, data->'result' as result from push_notices
    where state = 'sent' and kind = ${kind} and data ? 'result'
      and subject = any(${subjects}::text[])
    order by planned_at`.execute(on);
  const results = new Map<string, Map<number, T>>();
  for (const { player_id, subject, result } of rows) {
    const bySubject = results.get(subject) ?? new Map<number, T>();
    results.set(subject, bySubject.set(player_id, result));
  }
  return results;
}
