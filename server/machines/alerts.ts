import { sql } from 'kysely';
import type { Database } from '../db/database.ts';
import { recordset } from '../db/recordset.ts';
import type { Schema } from '../db/schema.ts';
import { transact } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { type AlertNews, alertMessage } from '../mail/messages.ts';
import { openNight } from '../venues/hours.ts';
import { KEY_DUE_MS, type MachineView, viewMachines } from './overview.ts';
import { CLOCK_MS, keylessSince } from './state.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Mails about one machine are at least this far apart (MACH-37). */
export const MAIL_EVERY_MS = HOUR_MS;
/** The alert about rejected games ends this long after the last of them. */
const REJECTED_MS = HOUR_MS;
/** The alert about held games begins with this many within an hour: a key may be stolen. */
export const HELD_MANY = 50;
/** The alert `key` begins this long before the key is a year old. */
const KEY_SOON_MS = 14 * DAY_MS;
/** The alert `key` begins this long before a replaced key that is in use expires. */
const OLD_KEY_SOON_MS = 20 * 60_000;

type Kind = Schema['machine_alerts']['kind'];
const KINDS: readonly Kind[] = ['silent', 'rejected', 'held', 'clock', 'key'];
type Alert = Schema['machine_alerts'];
/** `hold`: the alert neither begins nor ends. */
type Verdict = 'on' | 'off' | 'hold';

function judgeKey(view: MachineView, now: Date): Verdict {
  const { key_created_at, key_used_at, old_key_ends_at } = view;
  // `silent` already asks for a new key (MACH-22).
  if (keylessSince(view) !== null) return 'hold';
  if (key_created_at !== null && +now - key_created_at.getTime() >= KEY_DUE_MS - KEY_SOON_MS)
    return 'on';
  if (key_used_at !== null) return 'off';
  // A new key replaces the old one only when the machine uses it.
  const left = (old_key_ends_at?.getTime() ?? 0) - now.getTime();
  return left > 0 && left <= OLD_KEY_SOON_MS ? 'on' : 'hold';
}

function judge(view: MachineView, held: number, now: Date): Record<Kind, Verdict> {
  const on = (wrong: boolean): Verdict => (wrong ? 'on' : 'off');
  const gone = ['silent', 'refused', 'closed'].includes(view.state);
  return {
    silent: view.state === 'closed' ? 'hold' : on(gone),
    rejected: on(view.rejected_at !== null && view.rejected_at.getTime() > +now - REJECTED_MS),
    held: on(held >= HELD_MANY),
    clock: gone ? 'hold' : on(Math.abs(view.clock_error_ms ?? 0) > CLOCK_MS),
    key: judgeKey(view, now),
  };
}

/** `held`: how many of the machine's games from the last hour are held. */
export type News = { view: MachineView; held: number; alert: Alert; ended: boolean };

function next(
  view: MachineView,
  stored: readonly Alert[],
  verdicts: Record<Kind, Verdict>,
  now: Date,
  open: boolean,
): Alert[] {
  return KINDS.flatMap((kind): Alert[] => {
    const alert = stored.find((one) => one.kind === kind);
    const verdict = verdicts[kind];
    if (alert === undefined) {
      if (verdict !== 'on' || !open) return [];
      const begun_at = (kind === 'silent' ? view.since : null) ?? now;
      return [{ machine_id: view.id, kind, begun_at, ended_at: null, mailed_at: null }];
    }
    if (verdict === 'on') {
      const { mailed_at } = alert;
      // The last mail was about an earlier key: staff have made a new one since.
      const again = kind === 'key' && +(mailed_at ?? 0) < +(view.key_created_at ?? 0);
      return [{ ...alert, ended_at: null, mailed_at: again ? null : mailed_at }];
    }
    // Nobody was mailed, and staff have made a new key since.
    const isMade =
      kind === 'key' && alert.mailed_at === null && +alert.begun_at < +(view.key_created_at ?? 0);
    if (verdict === 'hold') return isMade ? [] : [alert];
    return alert.mailed_at === null ? [] : [{ ...alert, ended_at: alert.ended_at ?? now }];
  });
}

async function store(trx: Database, machineIds: readonly number[], alerts: readonly Alert[]) {
  await sql`delete from machine_alerts where machine_id = any(${machineIds}::integer[])`.execute(
    trx,
  );
  await sql`
    insert into machine_alerts
    select r.* from ${recordset(
      alerts,
      'machine_id integer, kind text, begun_at timestamptz, ended_at timestamptz, mailed_at timestamptz',
    )}`.execute(trx);
}

const timeIn = (at: Date, zone: string) =>
  new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    weekday: 'short',
    hour: '2-digit',
    minute: '2-digit',
  }).format(at);

function wordsOf({ view, held, alert, ended }: News, now: Date): AlertNews {
  const { name, venue, opening } = view;
  const [from, to, rejected] = [
    alert.begun_at,
    alert.ended_at ?? now,
    view.rejected_at ?? alert.begun_at,
  ].map((at) => timeIn(at, opening.timezone));
  const about = { machine: name, venue };
  const minutes = Math.round(Math.abs(view.clock_error_ms ?? 0) / 60_000);
  const error = `${minutes} min ${(view.clock_error_ms ?? 0) > 0 ? 'fast' : 'slow'}`;
  const set = view.rejected === 1 ? '1 game' : `${view.rejected ?? 0} games`;
  switch (alert.kind) {
    case 'silent':
      if (ended) return { ...about, title: `${name} is back`, text: `Away from ${from} to ${to}.` };
      if (keylessSince(view) !== null)
        return {
          ...about,
          title: `${name} has no working key`,
          text: `Since ${from}. It keeps its games. Put its new key in, or make another.`,
        };
      return view.state === 'refused'
        ? {
            ...about,
            title: `The key of ${name} is refused`,
            text: `Since ${from}. It keeps its games. Give it a new key.`,
          }
        : {
            ...about,
            title: `${name} is silent`,
            text: `Nothing was heard since ${from}. It keeps its games.`,
          };
    case 'rejected':
      return ended
        ? {
            ...about,
            title: `${name}: games are recorded again`,
            text: `No game was rejected since ${rejected}. ${set} lie on its disk.`,
          }
        : {
            ...about,
            title: `${name}: games are rejected`,
            text: `${set} lie on its disk with the reasons.`,
          };
    case 'held':
      return ended
        ? {
            ...about,
            title: `${name}: few games are held now`,
            text: `Fewer than ${HELD_MANY} within the last hour.`,
          }
        : {
            ...about,
            title: `${name}: ${held.toLocaleString('en')} held games within the hour`,
            text: 'They count nowhere. If somebody has stolen its key, give it a new one, stop the old one, and discard the games on its page.',
          };
    case 'clock':
      return ended
        ? {
            ...about,
            title: `${name}: its clock is right again`,
            text: `It was wrong from ${from} to ${to}.`,
          }
        : {
            ...about,
            title: `${name}: its clock is ${error}`,
            text: 'Its games may be refused or count for the wrong week.',
          };
    case 'key':
      return ended
        ? { ...about, title: `${name} uses its new key`, text: 'There is nothing to do.' }
        : {
            ...about,
            title: `${name} needs a new key`,
            text: 'Its key ends soon, or is almost a year old.',
          };
  }
}

/** How many games received within the last hour are held, by machine. */
async function readHeld(db: Database, now: Date): Promise<Map<number, number>> {
  const { rows } = await sql<{ machine_id: number; held: number }>`
    select machine_id, count(*)::integer as held from games
    where state = 'held' and received_at > ${new Date(now.getTime() - HOUR_MS)}
    group by 1`.execute(db);
  return new Map(rows.map(({ machine_id, held }) => [machine_id, held]));
}

/** Who gets mails about a venue's machines; `venueId` null: machines without a venue. */
export type Recipients = (db: Database, venueId: number | null) => Promise<string[]>;

/**
 * Begins and ends all machines' alerts, and mails each change (MACH-37). Returns how many alerts
 * are stored and how many mails were written. Only one process may run it at a time.
 */
export async function checkAlerts(
  { db, clock, mail, config }: Pick<Deps, 'db' | 'clock' | 'mail' | 'config'>,
  recipients: Recipients,
): Promise<{ alerts: number; mails: number }> {
  return transact(db, async (trx) => {
    const now = clock.now();
    const views = await viewMachines({ db: trx, clock });
    const stored = Map.groupBy(
      await trx.selectFrom('machine_alerts').selectAll().execute(),
      ({ machine_id }) => machine_id,
    );
    const holding = await readHeld(trx, now);
    const news: News[] = [];
    const kept: Alert[] = [];
    for (const view of views) {
      // Staff already know about these machines.
      if (view.state === 'repair' || view.revoked_at !== null) continue;
      const open = openNight(view.opening, now) !== null;
      const held = holding.get(view.id) ?? 0;
      const alerts = next(view, stored.get(view.id) ?? [], judge(view, held, now), now, open);
      const mailedAt = view.mailed_at?.getTime() ?? Number.NEGATIVE_INFINITY;
      // If the clock was wrong at the last mail, that time can be in the future. A mail is then due
      // (REL-15).
      const due = open && Math.abs(now.getTime() - mailedAt) >= MAIL_EVERY_MS;
      for (const alert of alerts) {
        const ended = alert.ended_at !== null;
        if (!due || (!ended && alert.mailed_at !== null)) kept.push(alert);
        else {
          news.push({ view, held, alert, ended });
          if (!ended) kept.push({ ...alert, mailed_at: now });
        }
      }
    }
    let mails = 0;
    for (const [venueId, part] of Map.groupBy(news, ({ view }) => view.venue_id)) {
      for (const to of await recipients(trx, venueId)) {
        await mail.enqueue(
          trx,
          alertMessage(config, { to, news: part.map((one) => wordsOf(one, now)) }),
        );
        mails += 1;
      }
    }
    await store(
      trx,
      views.map(({ id }) => id),
      kept,
    );
    const told = [...new Set(news.map(({ view }) => view.id))];
    await sql`
      insert into machine_status (machine_id, mailed_at)
      select unnest(${told}::integer[]), ${now}
      on conflict (machine_id) do update set mailed_at = excluded.mailed_at`.execute(trx);
    return { alerts: kept.length, mails };
  });
}
