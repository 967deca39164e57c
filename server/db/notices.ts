import { sql } from 'kysely';
import { LIVE_EVENTS, type LiveEvent } from '#contract/live.ts';
import { recordset } from './recordset.ts';
import type { Queryable } from './transaction.ts';

/** Every process listens here, as long as it serves. */
export const CHANNEL = 'backboard_live';

/** PostgreSQL takes less than 8000 bytes; an id with its comma has at most 20. */
const IDS_IN_ONE = 350;

/** What has changed: players for `game` and `profile`, leagues for `league`; by their ids. */
type Notices = Partial<Record<LiveEvent, readonly number[]>>;

/**
 * Tells every process, at commit and only then, whose figures have changed: one statement, whatever
 * the number of ids.
 */
export async function notify(trx: Queryable, notices: Notices): Promise<void> {
  const rows = Object.entries(notices).flatMap(([event, ids]) =>
    [...new Set(ids)].map((id) => ({ event, id })),
  );
  if (rows.length === 0) return;
  await sql`
    select pg_notify(${CHANNEL}, event || ' ' || string_agg(id::text, ','))
    from (
      select event, id, (row_number() over (partition by event order by id) - 1) / ${IDS_IN_ONE} as part
      from ${recordset(rows, 'event text, id bigint')}
    ) as told
    group by event, part`.execute(trx);
}

/** What was told: an event, and whom it is for. */
export type Notice = { event: LiveEvent; ids: ReadonlySet<number> };

/** What a payload on the channel says; null for one that this version does not know. */
export function readNotice(payload: string): Notice | null {
  const [word, ids = ''] = payload.split(' ');
  const event = LIVE_EVENTS.find((known) => known === word);
  return event === undefined ? null : { event, ids: new Set(ids.split(',').map(Number)) };
}
