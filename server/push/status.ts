import { sql } from 'kysely';
import type { PushStatus } from '#contract/wire/push.ts';
import type { Deps } from '../deps.ts';

/* Notifications as the operator sees them: figures and hosts, but no texts, names or addresses. */

const DAY_MS = 24 * 3_600_000;

type Host = {
  host: string;
  devices: number;
  waiting: number;
  failed_at: Date | null;
  failed_status: number | null;
};

/**
 * Whether notifications reach devices: counts waiting and sent, and the state of each push service.
 */
export async function readPushStatus({
  config,
  db,
  clock,
}: Pick<Deps, 'config' | 'db' | 'clock'>): Promise<PushStatus> {
  const { rows: hosts } = await sql<Host>`
    select d.host, count(*)::integer as devices,
      (select count(*)::integer from push_sends s where s.host = d.host) as waiting,
      max(d.failed_at) as failed_at,
      (array_agg(d.failed_status order by d.failed_at desc nulls last))[1] as failed_status
    from push_devices d group by d.host order by d.host`.execute(db);
  const { rows } = await sql<{
    notices: number;
    messages: number;
    sent: number;
    key_since: Date | null;
    old_devices: number;
  }>`
    select (select count(*)::integer from push_notices where state = 'waiting') as notices,
      (select count(*)::integer from push_sends) as messages,
      (select count(*)::integer from push_notices
        where state = 'sent' and planned_at > ${new Date(clock.now().getTime() - DAY_MS)}) as sent,
      (select max(created_at) from push_keys where retired_at is null) as key_since,
      (select count(*)::integer from push_devices d join push_keys k on k.id = d.key_id
        where k.retired_at is not null) as old_devices`.execute(db);
  const { notices = 0, messages = 0, sent = 0, key_since = null, old_devices = 0 } = rows[0] ?? {};
  return {
    on: config.push !== null,
    waiting: { notices, messages },
    sent,
    key: key_since && { since: key_since.toISOString(), old_devices },
    hosts: hosts.map(({ host, devices, waiting, failed_at, failed_status }) => ({
      host,
      devices,
      waiting,
      last_error: failed_at && { at: failed_at.toISOString(), status: failed_status },
    })),
  };
}
