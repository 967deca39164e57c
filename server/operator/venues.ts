import { sql } from 'kysely';
import { badField } from '../errors.ts';
import { lockVenueGames, rebuildVenueWeek } from '../games/rebuild.ts';
import { alertStaff, listAlertStaff, setAlertEmail } from '../staff/alerts.ts';
import { hasRole, onlyAt, type Policy, requireRole } from '../staff/policy.ts';
import { countInbox, type Waiting } from '../staff-pages/inbox.ts';
import { countTonight, readTonight } from '../staff-pages/tonight.ts';
import { addVenue, changeVenue, listVenues, type Venue } from '../venues/venues.ts';
import { type Asked, change, type Noun, read } from './command.ts';

const row = ({ id, ...venue }: Venue) => ({ id: String(id), ...venue });

const NO_CASES: Waiting = {
  ...{ held: 0, reports: 0, requests: 0 },
  ...{ held_since: null, reports_since: null, requests_since: null },
};

/** The inbox's open cases; none for those who may not open it (P63). */
const casesOf = async (
  { actor, db }: Pick<Asked<never>, 'actor' | 'db'>,
  reached: Pick<Policy, 'game' | 'league'>,
): Promise<Waiting> => (hasRole(actor, 'manager') ? countInbox(db, reached) : NO_CASES);

/** The commands `venue …`, and Tonight, which is about the machines of venues (MACH-16). */
export const venues: Noun = {
  area: 'machines',
  topics: ['machines'],
  commands: [
    read('GET /api/operator/venues/', {
      summary: 'List the venues',
      role: 'floor',
      work: async ({ db, policy }) => ({
        results: (await listVenues(db, policy.venue(sql.ref('v.id')))).map(row),
      }),
    }),
    read('GET /api/operator/tonight/count/', {
      summary: 'Count the machines that need a hand, and the open cases of the inbox',
      role: 'floor',
      work: async (asked) => countTonight(asked, asked.policy, await casesOf(asked, asked.policy)),
    }),
    read('GET /api/operator/tonight/', {
      summary: 'What needs a hand, the machines, and the running opening day',
      role: 'floor',
      work: async (asked) => {
        const { db, policy, query } = asked;
        const chosen = query.venue === undefined ? null : await asked.find.venue(query.venue);
        const at = { ...policy, ...(chosen !== null && onlyAt(chosen.id)) };
        const mailed = await alertStaff(db, at.venue(sql.ref('v.venue_id')));
        return {
          ...(await readTonight(
            asked,
            at,
            await casesOf(asked, at),
            hasRole(asked.actor, 'owner'),
          )),
          mails_to: mailed.map(({ name }) => name),
        };
      },
    }),
    change('POST /api/operator/venues/', {
      summary: 'Add a venue',
      role: 'owner',
      work: async ({ db, body }) => {
        const venue = await addVenue(db, body);
        return {
          answer: row(venue),
          audit: {
            what: `Added the venue ${venue.name}`,
            venue_id: venue.id,
            after: { 'time zone': venue.timezone },
          },
        };
      },
    }),
    change('POST /api/operator/venues/change/', {
      summary: 'Change the opening hours or the time zone of a venue',
      role: 'manager',
      work: async ({ db, clock, body: { venue: named, ...wanted }, find }) => {
        const venue = await find.venue(named);
        const moved = wanted.timezone !== undefined;
        if (moved) await lockVenueGames(db, venue.id);
        const changed = await changeVenue(db, venue, wanted);
        if (moved) await rebuildVenueWeek(db, venue.id, clock.now());
        return {
          answer: row(changed),
          audit: {
            what: `Changed the hours of ${venue.name}`,
            venue_id: venue.id,
            before: { hours: venue.hours, 'time zone': venue.timezone },
            after: { hours: changed.hours, 'time zone': changed.timezone },
          },
        };
      },
    }),
  ],
};

/** The commands `alerts …`: who gets mails about machines (MACH-15). */
export const alerts: Noun = {
  area: 'machines',
  topics: ['staff', 'machines'],
  ofStaff: true,
  commands: [
    read('GET /api/operator/alerts/', {
      summary: 'List who gets mails about machines; below owners only oneself',
      role: 'floor',
      work: async ({ db, policy }) => ({
        results: await listAlertStaff(db, policy.staff(sql.ref('s.id'))),
      }),
    }),
    change('POST /api/operator/alerts/', {
      summary: 'Mail alerts about machines to somebody, or no longer',
      role: 'floor',
      work: async ({ db, actor, body, find }) => {
        const own = actor.kind === 'staff' ? [actor.name, String(actor.id)] : [];
        const { staff = own[0], email } = body;
        if (staff === undefined) throw badField('staff', 'Say whose mails these are.');
        // First check the role: otherwise a 403 or 404 would tell which names other staff have.
        if (!own.includes(staff)) requireRole(actor, 'owner');
        const { id, name } = await find.staff(staff);
        await setAlertEmail(db, id, email);
        return {
          answer: { name, email },
          audit: {
            what: `${email === null ? 'No more mails' : 'Mails'} about machines to ${name}`,
          },
        };
      },
    }),
  ],
};
