import { type RawBuilder, sql } from 'kysely';
import { hoursText, parseHours, WrongHours } from '#contract/rules/opening-hours.ts';
import type { Database } from '../db/database.ts';
import { notify } from '../db/notifications.ts';
import type { Noun } from '../db/reference.ts';
import { badField, conflict } from '../errors.ts';
import { zoneNamed } from '../leagues/calendar.ts';

/** A venue (MACH-09). `parseHours` reads `hours`; null: always open. */
export type Venue = { id: number; name: string; timezone: string; hours: string | null };

/**
 * A zone in its official spelling.
 * @throws Refusal 400 for a zone that Intl or PostgreSQL does not know.
 */
async function checkZone(db: Database, typed: string): Promise<string> {
  const zone = zoneNamed(typed);
  const known = await sql`select from pg_timezone_names where name = ${zone}`.execute(db);
  if (zone === null || known.rows.length === 0)
    throw badField(
      'timezone',
      `“${typed}” is no time zone. Use a name such as Europe/Berlin or America/New_York.`,
    );
  return zone;
}

/**
 * Adds a venue.
 * @throws Refusal 409 if a venue has that name, or 400 for an unknown time zone.
 */
export async function addVenue(
  db: Database,
  { name, timezone }: { name: string; timezone: string },
): Promise<Venue> {
  const zone = await checkZone(db, timezone);
  const { rows } = await sql<Venue>`
    insert into venues (name, timezone) values (${name}, ${zone})
    on conflict (lower(name)) do nothing returning id, name, timezone, hours`.execute(db);
  const [venue] = rows;
  if (venue === undefined)
    throw conflict(`There is a venue called “${name}” already: choose another name.`);
  return venue;
}

export const VENUES: Noun<Venue> = {
  one: 'venue',
  columns: sql`v.id, v.name, v.timezone, v.hours`,
  from: sql`venues v`,
  name: 'v.name',
  id: 'v.id',
  lock: sql`for no key update`,
};

/** The venues `v` for which `where` is true, by name. */
export async function listVenues(
  db: Database,
  where: RawBuilder<boolean> = sql<boolean>`true`,
): Promise<Venue[]> {
  const { rows } = await sql<Venue>`
    select ${VENUES.columns} from ${VENUES.from} where ${where} order by lower(v.name)`.execute(db);
  return rows;
}

/**
 * The venue of this name, or a new one in `timezone`, by default UTC.
 * @throws Refusal 400 for an unknown time zone.
 */
export async function findOrAddVenue(
  db: Database,
  name: string,
  timezone?: string,
): Promise<Venue> {
  // Do not check UTC: a check takes 13 ms, because PostgreSQL reads the files of all zones.
  const zone = timezone === undefined ? 'UTC' : await checkZone(db, timezone);
  // The `do update` changes nothing, but makes PostgreSQL return the row.
  const { rows } = await sql<Venue>`
    insert into venues as v (name, timezone) values (${name}, ${zone})
    on conflict (lower(name)) do update set name = v.name
    returning id, name, timezone, hours`.execute(db);
  const [venue] = rows;
  if (venue === undefined) throw new Error('the venue was not stored');
  return venue;
}

/**
 * Changes a venue's hours (null: always open) and time zone; omitted fields stay. The caller must
 * hold the lock of the venue's row.
 * @throws Refusal 400 for hours or a zone that cannot be used.
 */
export async function changeVenue(
  db: Database,
  venue: Venue,
  { hours, timezone }: { hours?: string | null | undefined; timezone?: string | undefined },
): Promise<Venue> {
  const sameZone = timezone === undefined || timezone === venue.timezone;
  const changed = {
    ...venue,
    timezone: sameZone ? venue.timezone : await checkZone(db, timezone),
    hours: hours === undefined ? venue.hours : hours === null ? null : readHours(hours),
  };
  await sql`update venues set hours = ${changed.hours}, timezone = ${changed.timezone}
    where id = ${venue.id}`.execute(db);
  // Screens show the venue's time, and the boards of its week.
  if (changed.timezone !== venue.timezone) await notify(db, { venue: [venue.id] });
  return changed;
}

/**
 * Opening hours in their shortest text.
 * @throws Refusal 400 on `field` for text that `parseHours` cannot read.
 */
export function readHours(typed: string, field = 'hours'): string {
  try {
    return hoursText(parseHours(typed));
  } catch (error) {
    if (error instanceof WrongHours) throw badField(field, error.message);
    throw error;
  }
}
