import { sql } from 'kysely';
import {
  CONSOLE_TOPICS,
  type ConsoleTopic,
  LIVE_EVENTS,
  type LiveEvent,
} from '#contract/rules/live.ts';
import { recordset } from './recordset.ts';
import type { Queryable } from './transaction.ts';

export const CHANNEL = 'backboard_live';

/** A payload has at most 8000 bytes, an id with its comma at most 20. */
const IDS_MAX = 350;

/** The event for a change on a venue's screens (SCREEN-04). */
const VENUE = 'venue';
type NotifiedEvent = LiveEvent | typeof VENUE;

/** Ids of leagues for `league`, of venues for `venue`, otherwise of players. */
type Notifications = Partial<Record<NotifiedEvent, readonly number[]>>;

/** Notifies every process at the commit, with all ids in one statement. */
export async function notify(trx: Queryable, notifications: Notifications): Promise<void> {
  const rows = Object.entries(notifications).flatMap(([event, ids]) =>
    [...new Set(ids)].map((id) => ({ event, id })),
  );
  if (rows.length === 0) return;
  await sql`
    select pg_notify(${CHANNEL}, event || ' ' || string_agg(id::text, ','))
    from (
      select event, id, (row_number() over (partition by event order by id) - 1) / ${IDS_MAX} as part
      from ${recordset(rows, 'event text, id bigint')}
    ) as notification
    group by event, part`.execute(trx);
}

export type Notification = { event: LiveEvent; ids: ReadonlySet<number> };

/** Reads a payload; null if its event is unknown. */
export function readNotification(payload: string): Notification | null {
  const [word, ids = ''] = payload.split(' ');
  const event = LIVE_EVENTS.find((known) => known === word);
  return event === undefined ? null : { event, ids: new Set(ids.split(',').map(Number)) };
}

/** The venues or leagues whose screens must fetch again. */
export type ScreenNotification = { event: 'venue' | 'league'; ids: ReadonlySet<number> };

/** Reads a payload; null if it does not concern screens. */
export function readScreenNotification(payload: string): ScreenNotification | null {
  const [event, ids = ''] = payload.split(' ');
  if (event !== VENUE && event !== 'league') return null;
  return { event, ids: new Set(ids.split(',').map(Number)) };
}

/** The first word of payloads for consoles. Versions without a console ignore such payloads. */
const CONSOLE = 'console';

/**
 * Notifies all consoles at the commit (STAFF-07). `notify` with `game` or `league` already implies
 * the topics `games` and `weeks`.
 */
export async function notifyConsole(
  trx: Queryable,
  topics: readonly ConsoleTopic[],
): Promise<void> {
  if (topics.length === 0) return;
  await sql`select pg_notify(${CHANNEL}, ${`${CONSOLE} ${topics.join(',')}`})`.execute(trx);
}

export function readTopics(payload: string): ConsoleTopic[] {
  const [word, rest = ''] = payload.split(' ');
  if (word === 'game') return ['games'];
  if (word === 'league') return ['weeks'];
  if (word !== CONSOLE) return [];
  const named = rest.split(',');
  return CONSOLE_TOPICS.filter((topic) => named.includes(topic));
}
