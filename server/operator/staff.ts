import { Readable } from 'node:stream';
import { z } from 'zod';
import { COMMAND_LINE, LINK_HOURS, ROLE_NAMES } from '#contract/rules/staff.ts';
import { auditFilter } from '#contract/wire/audit.ts';
import type { Database } from '../db/database.ts';
import { findNamed } from '../db/reference.ts';
import { notFound } from '../errors.ts';
import type { App } from '../http/scope.ts';
import type { Actor } from '../staff/actor.ts';
import { type AuditFilter, exportAudit, listAudit } from '../staff/audit.ts';
import { makeLink, withdrawLink } from '../staff/links.ts';
import { endStaffSessions } from '../staff/sessions.ts';
import {
  addStaff,
  changeStaff,
  listStaff,
  listStaffSessions,
  readStaff,
  removePasskey,
  removeStaff,
  type StaffMember,
} from '../staff/staff.ts';
import { VENUES } from '../venues/venues.ts';
import { change, type Ground, type Noun, operatorSchema, read, refusals } from './command.ts';

const ids = (rows: { id: number; name: string }[]) =>
  rows.map(({ id, name }) => ({ id: String(id), name }));

const row = (member: StaffMember) => ({
  ...member,
  id: String(member.id),
  venues: ids(member.venues),
  leagues: ids(member.leagues),
  created_at: member.created_at.toISOString(),
  last_seen_at: member.last_seen_at?.toISOString() ?? null,
  link_until: member.link_until?.toISOString() ?? null,
  devices: member.devices.map((device) => ({
    ...device,
    created_at: device.created_at.toISOString(),
    last_used_at: device.last_used_at?.toISOString() ?? null,
  })),
});

const linkOf = (member: StaffMember, { url, valid_until }: { url: string; valid_until: Date }) => ({
  staff: row(member),
  url,
  valid_until: valid_until.toISOString(),
});

const placesOf = ({ everything, venues, leagues }: StaffMember) =>
  everything ? 'all' : [...venues, ...leagues].map(({ name }) => name).join(', ') || 'none';

const facts = (member: StaffMember) => ({
  name: member.name,
  role: ROLE_NAMES[member.role],
  venues: placesOf(member),
});

const callerName = (actor: Actor) => (actor.kind === 'key' ? COMMAND_LINE : actor.name);

/** The commands `staff …`, and the console's page Staff (STAFF-05). */
export const staff: Noun = {
  area: 'staff',
  topics: ['staff'],
  ofStaff: true,
  commands: [
    read('GET /api/operator/staff/', {
      summary: 'List the staff',
      role: 'owner',
      work: async (asked) => ({ results: (await listStaff(asked)).map(row) }),
    }),
    change('POST /api/operator/staff/', {
      summary: 'Add a member of staff; only this response has their link',
      role: 'owner',
      work: async (asked) => {
        const { id, name } = await addStaff(asked, asked.db, asked.body);
        const link = await makeLink(asked, asked.db, id, callerName(asked.actor));
        const member = await readStaff(asked, id);
        return {
          answer: linkOf(member, link),
          audit: {
            what: `Invited ${name}`,
            after: { role: ROLE_NAMES[member.role], venues: placesOf(member) },
          },
          log: ['staff_added', { added: String(id) }],
        };
      },
    }),
    change('POST /api/operator/staff/link/', {
      summary: 'Make a new link, which replaces the last one',
      role: 'owner',
      work: async (asked) => {
        const { id, name } = await asked.find.staff(asked.body.staff);
        const link = await makeLink(asked, asked.db, id, callerName(asked.actor));
        return {
          answer: linkOf(await readStaff(asked, id), link),
          audit: { what: `New link for ${name}`, after: { 'works for': `${LINK_HOURS} h` } },
        };
      },
    }),
    change('POST /api/operator/staff/unlink/', {
      summary: 'Take the open link of a member of staff back',
      role: 'owner',
      work: async (asked) => {
        const { id, name } = await asked.find.staff(asked.body.staff);
        if (!(await withdrawLink(asked.db, id))) throw notFound(`${name} has no open link.`);
        return {
          answer: row(await readStaff(asked, id)),
          audit: { what: `Took the link of ${name} back` },
        };
      },
    }),
    change('POST /api/operator/staff/change/', {
      summary: 'Change the name, role, venues or leagues of a member of staff',
      role: 'owner',
      work: async (asked) => {
        const { staff: named, ...wanted } = asked.body;
        const { id } = await asked.find.staff(named);
        const before = await readStaff(asked, id);
        await changeStaff(asked, asked.db, `id:${id}`, wanted);
        const after = await readStaff(asked, id);
        return {
          answer: row(after),
          audit: { what: `Changed ${before.name}`, before: facts(before), after: facts(after) },
        };
      },
    }),
    change('POST /api/operator/staff/remove/', {
      summary: 'Remove a member of staff; their sessions end at once',
      role: 'owner',
      work: async (asked) => {
        const { id, name, role } = await asked.find.staff(asked.body.staff);
        const { sessions_ended } = await removeStaff(asked, asked.db, `id:${id}`);
        return {
          answer: { name, sessions_ended },
          audit: {
            what: `Removed ${name}`,
            before: { role: ROLE_NAMES[role] },
            after: { role: null },
          },
          log: ['staff_removed', { removed: id }],
        };
      },
    }),
    read('GET /api/operator/staff/sessions/', {
      summary: 'List the open sessions of a member of staff',
      role: 'owner',
      work: async (asked) => {
        const { actor } = asked;
        const { id } = await asked.find.staff(asked.query.staff);
        const sessions = await listStaffSessions(asked, id);
        return {
          results: sessions.map(({ created_at, last_used_at, ...session }) => ({
            ...session,
            created_at: created_at.toISOString(),
            last_used_at: last_used_at.toISOString(),
            current: actor.kind === 'staff' && session.id === actor.session_id,
          })),
        };
      },
    }),
    change('POST /api/operator/staff/sign-out/', {
      summary: 'End one session of a member of staff, or all of them',
      role: 'owner',
      work: async ({ db, find, body }) => {
        const { id, name } = await find.staff(body.staff);
        const sessions_ended = await endStaffSessions(db, id, body.session);
        return {
          answer: { name, sessions_ended },
          audit: { what: `Signed out ${name}`, after: { 'sessions ended': sessions_ended } },
        };
      },
    }),
    change('POST /api/operator/staff/remove-device/', {
      summary: 'Remove one passkey of a member of staff; its sessions end at once',
      role: 'owner',
      work: async (asked) => {
        const { id, name } = await asked.find.staff(asked.body.staff);
        const device = await removePasskey(asked, asked.db, id, asked.body.device);
        if (device === undefined) throw notFound(`${name} has no such device.`);
        return {
          answer: row(await readStaff(asked, id)),
          audit: { what: `Removed a device of ${name}`, before: { device } },
        };
      },
    }),
  ],
};

/**
 * The filter with the venue's id in place of its name.
 * @throws Refusal 404 for an unknown venue
 */
async function filterOf(
  db: Database,
  { venue, player, ...rest }: z.infer<typeof auditFilter>,
): Promise<AuditFilter> {
  return {
    ...rest,
    ...(player !== undefined && { player_id: Number(player) }),
    ...(venue !== undefined && { venue_id: (await findNamed(db, VENUES, venue)).id }),
  };
}

/** The commands `audit …`, and the console's page Audit (STAFF-06). */
export const auditLines: Noun = {
  area: 'staff',
  topics: [],
  commands: [
    read('GET /api/operator/audit/', {
      summary: 'List the audit, newest first',
      role: 'owner',
      work: async ({ db, query: { before, limit, ...filter } }) => {
        const found = await listAudit(db, await filterOf(db, filter), { before, limit });
        const results = found.lines.map((line) => ({
          ...line,
          id: String(line.id),
          at: line.at.toISOString(),
        }));
        return { results, total: found.total, people: found.people };
      },
    }),
    exportOfAudit,
  ],
};

function exportOfAudit(app: App, { db }: Pick<Ground, 'db'>): void {
  app.get(
    '/api/operator/audit/export/',
    {
      exposeHeadRoute: false,
      schema: {
        ...operatorSchema('Export the audit as CSV, newest first', { role: 'owner' }),
        querystring: auditFilter,
        response: {
          ...refusals,
          200: {
            description: 'One line for each change.',
            content: { 'text/csv': { schema: z.unknown() } },
          },
        },
      },
    },
    async (request, reply) => {
      const lines = await exportAudit(db, await filterOf(db, request.query));
      return reply
        .headers({
          'content-type': 'text/csv; charset=utf-8',
          'content-disposition': 'attachment; filename="backboard-audit.csv"',
        })
        .send(Readable.from(lines));
    },
  );
}
