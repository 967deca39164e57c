import { alertBody, alertRow, alertsAnswer } from '#contract/wire/machines.ts';
import { notifyConsole } from '../db/notifications.ts';
import type { Deps } from '../deps.ts';
import { badField } from '../errors.ts';
import type { App } from '../http/scope.ts';
import { actorOf, requireRole } from '../staff/actor.ts';
import { listAlertStaff, setAlertEmail } from '../staff/alerts.ts';
import { audited } from '../staff/audit.ts';
import { staffByName } from './by-name.ts';
import { operatorSchema, refusals } from './schema.ts';

/** The commands `alerts …`: who gets mails about machines (MACH-15). */
export function alertCommands(app: App, deps: Pick<Deps, 'db' | 'clock'>): void {
  const named = staffByName(deps);

  app.get(
    '/api/operator/alerts/',
    {
      schema: {
        ...operatorSchema('List who gets mails about machines; below owners only oneself', {
          role: 'floor',
        }),
        response: { 200: alertsAnswer, ...refusals },
      },
    },
    async (request) => {
      const actor = actorOf(request);
      const all = await listAlertStaff(deps.db);
      const own = actor.kind === 'staff' && actor.role !== 'owner' ? actor.name : null;
      return { results: all.filter(({ name }) => own === null || name === own) };
    },
  );

  app.post(
    '/api/operator/alerts/',
    {
      schema: {
        ...operatorSchema('Mail alerts about machines to somebody, or no longer', {
          role: 'floor',
        }),
        body: alertBody,
        response: { 200: alertRow, ...refusals },
      },
    },
    async (request) => {
      const actor = actorOf(request);
      const { staff = actor.kind === 'staff' ? actor.name : undefined, email } = request.body;
      if (staff === undefined) throw badField('staff', 'Say whose mails these are.');
      // First check the role: the 404 suggests other staff's names.
      if (actor.kind === 'staff' && ![actor.name, String(actor.id)].includes(staff))
        requireRole(actor, 'owner');
      return audited(deps, actor, async (trx, write) => {
        const member = await named(staff, trx);
        if (actor.kind === 'staff' && actor.id !== member.id) requireRole(actor, 'owner');
        await setAlertEmail(trx, member.id, email);
        await write({
          area: 'machines',
          what: `${email === null ? 'No more mails' : 'Mails'} about machines to ${member.name}`,
        });
        await notifyConsole(trx, ['staff', 'machines']);
        return { name: member.name, email };
      });
    },
  );
}
