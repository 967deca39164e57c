import { Readable } from 'node:stream';
import { z } from 'zod';
import { COMMAND_LINE, LINK_HOURS, ROLE_NAMES } from '#contract/rules/staff.ts';
import { auditAnswer, auditFilter, auditQuery } from '#contract/wire/audit.ts';
import {
  deviceRef,
  linkAnswer,
  staffAnswer,
  staffBody,
  staffChangeBody,
  staffRef,
  staffRemovedAnswer,
  staffRow,
  staffSessionsAnswer,
  staffSignedOutAnswer,
  staffSignOutBody,
} from '#contract/wire/staff.ts';
import { notifyConsole } from '../db/notifications.ts';
import type { Deps } from '../deps.ts';
import { notFound } from '../errors.ts';
import type { App } from '../http/scope.ts';
import { logSecurity } from '../http/security-log.ts';
import { type Actor, actorOf, asLogged } from '../staff/actor.ts';
import { type AuditFilter, audited, exportAudit, listAudit } from '../staff/audit.ts';
import { makeLink, withdrawLink } from '../staff/links.ts';
import { endStaffSessions } from '../staff/sessions.ts';
import {
  addStaff,
  changeStaff,
  type FoundStaff,
  listStaff,
  listStaffSessions,
  readStaff,
  removePasskey,
  removeStaff,
  type StaffMember,
} from '../staff/staff.ts';
import { findVenue } from '../venues/venues.ts';
import { staffByName } from './by-name.ts';
import { operatorSchema, refusals } from './schema.ts';

const owner = (summary: string) => operatorSchema(summary, { role: 'owner' });

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

const placesOf = ({ everything, venues, leagues }: StaffMember) =>
  everything ? 'all' : [...venues, ...leagues].map(({ name }) => name).join(', ') || 'none';
const callerName = (actor: Actor) => (actor.kind === 'key' ? COMMAND_LINE : actor.name);

/** The commands `staff …` and `audit …`, and the console's pages Staff and Audit (STAFF-05). */
export function staffCommands(app: App, deps: Pick<Deps, 'config' | 'db' | 'clock'>): void {
  const { db } = deps;
  const named = staffByName(deps);

  /** Changes the person that `ref` names, whose row is locked. */
  const changing = <T>(
    actor: Actor,
    ref: string,
    work: (person: FoundStaff, ...args: Parameters<Parameters<typeof audited<T>>[2]>) => Promise<T>,
  ): Promise<T> =>
    audited(deps, actor, async (trx, write) => {
      const result = await work(await named(ref, trx), trx, write);
      await notifyConsole(trx, ['staff']);
      return result;
    });

  app.get(
    '/api/operator/staff/',
    { schema: { ...owner('List the staff'), response: { 200: staffAnswer, ...refusals } } },
    async () => ({ results: (await listStaff(deps)).map(row) }),
  );

  app.post(
    '/api/operator/staff/',
    {
      schema: {
        ...owner('Add a member of staff; only this response has their link'),
        body: staffBody,
        response: { 201: linkAnswer, ...refusals },
      },
    },
    async (request, reply) => {
      const actor = actorOf(request);
      const answer = await audited(deps, actor, async (trx, write) => {
        const { id, name } = await addStaff(deps, trx, request.body);
        const link = await makeLink(deps, trx, id, callerName(actor));
        const member = await readStaff({ ...deps, db: trx }, id);
        await write({
          area: 'staff',
          what: `Invited ${name}`,
          after: { role: ROLE_NAMES[member.role], venues: placesOf(member) },
        });
        await notifyConsole(trx, ['staff']);
        return linkOf(member, link);
      });
      logSecurity(request, 'staff_added', {
        ...asLogged(actorOf(request)),
        added: answer.staff.id,
      });
      return reply.code(201).send(answer);
    },
  );

  const linkOf = (
    member: StaffMember,
    { url, valid_until }: { url: string; valid_until: Date },
  ) => ({
    staff: row(member),
    url,
    valid_until: valid_until.toISOString(),
  });

  app.post(
    '/api/operator/staff/link/',
    {
      schema: {
        ...owner('Make a new link, which replaces the last one'),
        body: staffRef,
        response: { 200: linkAnswer, ...refusals },
      },
    },
    async (request) => {
      const actor = actorOf(request);
      return changing(actor, request.body.staff, async ({ id, name }, trx, write) => {
        const link = await makeLink(deps, trx, id, callerName(actor));
        await write({
          area: 'staff',
          what: `New link for ${name}`,
          after: { 'works for': `${LINK_HOURS} h` },
        });
        return linkOf(await readStaff({ ...deps, db: trx }, id), link);
      });
    },
  );

  app.post(
    '/api/operator/staff/unlink/',
    {
      schema: {
        ...owner('Take the open link of a member of staff back'),
        body: staffRef,
        response: { 200: staffRow, ...refusals },
      },
    },
    async (request) =>
      changing(actorOf(request), request.body.staff, async ({ id, name }, trx, write) => {
        if (!(await withdrawLink(trx, id))) throw notFound(`${name} has no open link.`);
        await write({ area: 'staff', what: `Took the link of ${name} back` });
        return row(await readStaff({ ...deps, db: trx }, id));
      }),
  );

  app.post(
    '/api/operator/staff/change/',
    {
      schema: {
        ...owner('Change the name, role, venues or leagues of a member of staff'),
        body: staffChangeBody,
        response: { 200: staffRow, ...refusals },
      },
    },
    async (request) =>
      changing(actorOf(request), request.body.staff, async ({ id }, trx, write) => {
        const { staff: _, ...change } = request.body;
        const before = await readStaff({ ...deps, db: trx }, id);
        await changeStaff(deps, trx, `id:${id}`, change);
        const after = await readStaff({ ...deps, db: trx }, id);
        const facts = (member: StaffMember) => ({
          name: member.name,
          role: ROLE_NAMES[member.role],
          venues: placesOf(member),
        });
        await write({
          area: 'staff',
          what: `Changed ${before.name}`,
          before: facts(before),
          after: facts(after),
        });
        return row(after);
      }),
  );

  app.post(
    '/api/operator/staff/remove/',
    {
      schema: {
        ...owner('Remove a member of staff; their sessions end at once'),
        body: staffRef,
        response: { 200: staffRemovedAnswer, ...refusals },
      },
    },
    async (request) => {
      const { id, name, sessions_ended } = await changing(
        actorOf(request),
        request.body.staff,
        async (person, trx, write) => {
          const removed = await removeStaff(deps, trx, `id:${person.id}`);
          await write({
            area: 'staff',
            what: `Removed ${removed.name}`,
            before: { role: ROLE_NAMES[removed.role] },
            after: { role: null },
          });
          return removed;
        },
      );
      logSecurity(request, 'staff_removed', { ...asLogged(actorOf(request)), removed: id });
      return { name, sessions_ended };
    },
  );

  app.get(
    '/api/operator/staff/sessions/',
    {
      schema: {
        ...owner('List the open sessions of a member of staff'),
        querystring: staffRef,
        response: { 200: staffSessionsAnswer, ...refusals },
      },
    },
    async (request) => {
      const actor = actorOf(request);
      const { id } = await named(request.query.staff);
      const sessions = await listStaffSessions(deps, id);
      return {
        results: sessions.map(({ created_at, last_used_at, ...session }) => ({
          ...session,
          created_at: created_at.toISOString(),
          last_used_at: last_used_at.toISOString(),
          current: actor.kind === 'staff' && session.id === actor.session_id,
        })),
      };
    },
  );

  app.post(
    '/api/operator/staff/sign-out/',
    {
      schema: {
        ...owner('End one session of a member of staff, or all of them'),
        body: staffSignOutBody,
        response: { 200: staffSignedOutAnswer, ...refusals },
      },
    },
    async (request) =>
      changing(actorOf(request), request.body.staff, async ({ id, name }, trx, write) => {
        const sessions_ended = await endStaffSessions(trx, id, request.body.session);
        await write({
          area: 'staff',
          what: `Signed out ${name}`,
          after: { 'sessions ended': sessions_ended },
        });
        return { name, sessions_ended };
      }),
  );

  app.post(
    '/api/operator/staff/remove-device/',
    {
      schema: {
        ...owner('Remove one passkey of a member of staff; its sessions end at once'),
        body: deviceRef,
        response: { 200: staffRow, ...refusals },
      },
    },
    async (request) =>
      changing(actorOf(request), request.body.staff, async ({ id, name }, trx, write) => {
        const device = await removePasskey(deps, trx, id, request.body.device);
        if (device === undefined) throw notFound(`${name} has no such device.`);
        await write({ area: 'staff', what: `Removed a device of ${name}`, before: { device } });
        return row(await readStaff({ ...deps, db: trx }, id));
      }),
  );

  /**
   * The filter with the venue's id in place of its name.
   * @throws Refusal 404 for an unknown venue
   */
  async function filterOf({
    venue,
    player,
    ...rest
  }: z.infer<typeof auditFilter>): Promise<AuditFilter> {
    const filter = { ...rest, ...(player === undefined ? {} : { player_id: Number(player) }) };
    return venue === undefined ? filter : { ...filter, venue_id: (await findVenue(db, venue)).id };
  }

  app.get(
    '/api/operator/audit/',
    {
      schema: {
        ...owner('List the audit, newest first'),
        querystring: auditQuery,
        response: { 200: auditAnswer, ...refusals },
      },
    },
    async (request) => {
      const { before, limit, ...filter } = request.query;
      const { lines, total, people } = await listAudit(db, await filterOf(filter), {
        before,
        limit,
      });
      return {
        results: lines.map((line) => ({ ...line, id: String(line.id), at: line.at.toISOString() })),
        total,
        people,
      };
    },
  );

  app.get(
    '/api/operator/audit/export/',
    {
      exposeHeadRoute: false,
      schema: {
        ...owner('Export the audit as CSV, newest first'),
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
      const lines = await exportAudit(db, await filterOf(request.query));
      return reply
        .headers({
          'content-type': 'text/csv; charset=utf-8',
          'content-disposition': 'attachment; filename="backboard-audit.csv"',
        })
        .send(Readable.from(lines));
    },
  );
}
