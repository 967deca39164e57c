import {
  machineBody,
  machineKeyAnswer,
  machineKeyRef,
  machineKeyStoppedAnswer,
  machineRef,
  machineRotatedAnswer,
  machineRow,
  machinesAnswer,
} from '#contract/wire/machines.ts';
import { notifyConsole } from '../db/notifications.ts';
import type { Deps } from '../deps.ts';
import type { App } from '../http/scope.ts';
import { logSecurity } from '../http/security-log.ts';
import { addMachine, revokeMachine, rotateMachine, stopOldKey } from '../machines/machines.ts';
import { listMachines, type MachineState } from '../machines/overview.ts';
import { actorOf, asLogged, reachesVenue, requireVenue } from '../staff/actor.ts';
import { audited } from '../staff/audit.ts';
import { machinesByName } from './by-name.ts';
import { operatorSchema, refusals } from './schema.ts';

const keyAnswer = ({
  id,
  name,
  venue,
  key,
}: {
  id: number;
  name: string;
  venue: string | null;
  key: string;
}) => ({
  id: String(id),
  name,
  venue,
  key,
});

/** A machine, as the routes return it. */
const machineAnswerOf = ({
  id,
  name,
  venue,
  heard_at,
  games_today,
  clock_error_ms,
  revoked,
  key_due,
  state,
  repair_by,
  repair_why,
}: MachineState) => ({
  id: String(id),
  name,
  venue,
  last_seen_at: heard_at?.toISOString() ?? null,
  games_today,
  clock_error_ms,
  revoked,
  key_due,
  state,
  repair_by,
  repair_why,
});

/** The answer about one machine, as it stands now. */
export async function machineNow(deps: Pick<Deps, 'db' | 'clock'>, id: number) {
  const [state] = await listMachines(deps, [id]);
  if (state === undefined) throw new Error(`machine ${id} is gone, although none is ever deleted`);
  return machineAnswerOf(state);
}

/** The commands `machine …`. */
export function machineCommands(app: App, deps: Pick<Deps, 'config' | 'db' | 'clock'>): void {
  const named = machinesByName(deps);

  app.get(
    '/api/operator/machines/',
    {
      schema: {
        ...operatorSchema('List the machines', { role: 'floor' }),
        response: { 200: machinesAnswer, ...refusals },
      },
    },
    async (request) => {
      const actor = actorOf(request);
      const machines = await listMachines(deps);
      return {
        results: machines
          .filter(({ venue_id }) => reachesVenue(actor, venue_id))
          .map(machineAnswerOf),
      };
    },
  );

  app.get(
    '/api/operator/machines/show/',
    {
      schema: {
        ...operatorSchema('Show a machine', { role: 'floor' }),
        querystring: machineRef,
        response: { 200: machineRow, ...refusals },
      },
    },
    async (request) => {
      const { id } = await named(request.query.machine, actorOf(request));
      return machineNow(deps, id);
    },
  );

  app.post(
    '/api/operator/machines/',
    {
      schema: {
        ...operatorSchema('Add a machine; only this response has its key', { role: 'manager' }),
        body: machineBody,
        response: { 201: machineKeyAnswer, ...refusals },
      },
    },
    async (request, reply) => {
      const actor = actorOf(request);
      const made = await audited(deps, actor, async (trx, write) => {
        const machine = await addMachine({ ...deps, db: trx }, request.body);
        requireVenue(actor, machine.venue_id);
        await write({
          area: 'machines',
          what: `Added ${machine.name}`,
          venue_id: machine.venue_id,
          after: { venue: machine.venue },
        });
        await notifyConsole(trx, ['machines']);
        return machine;
      });
      logSecurity(request, 'machine_added', { ...asLogged(actorOf(request)), machine: made.id });
      return reply.code(201).send(keyAnswer(made));
    },
  );

  app.post(
    '/api/operator/machines/rotate/',
    {
      schema: {
        ...operatorSchema('Rotate the key of a machine; the old one works for another hour', {
          role: 'manager',
        }),
        body: machineRef,
        response: { 200: machineRotatedAnswer, ...refusals },
      },
    },
    async (request) => {
      const actor = actorOf(request);
      const made = await audited(deps, actor, async (trx, write) => {
        const { id, name, venue_id } = await named(request.body.machine, actor, trx);
        const rotated = await rotateMachine({ ...deps, db: trx }, `id:${id}`);
        await write({ area: 'machines', what: `New key for ${name}`, venue_id });
        await notifyConsole(trx, ['machines']);
        return rotated;
      });
      logSecurity(request, 'machine_rotated', { ...asLogged(actorOf(request)), machine: made.id });
      return { ...keyAnswer(made), old_key_until: made.old_key_until?.toISOString() ?? null };
    },
  );

  app.post(
    '/api/operator/machines/stop-old-key/',
    {
      schema: {
        ...operatorSchema('Stop the old key of a machine before its hour is over', {
          role: 'manager',
        }),
        body: machineKeyRef,
        response: { 200: machineKeyStoppedAnswer, ...refusals },
      },
    },
    async (request) => {
      const { machine, key } = request.body;
      const actor = actorOf(request);
      const { id, name, stopped } = await audited(deps, actor, async (trx, write) => {
        // First check the venue: a 409 must not tell about other venues' machines (P63).
        const { id, name, venue_id } = await named(machine, actor, trx);
        const found = await stopOldKey({ ...deps, db: trx }, `id:${id}`, key);
        if (found.stopped === null) return found;
        await write({ area: 'machines', what: `Stopped the old key of ${name}`, venue_id });
        await notifyConsole(trx, ['machines']);
        return found;
      });
      if (stopped !== null)
        logSecurity(request, 'machine_key_stopped', { ...asLogged(actor), machine: id });
      return { id: String(id), name, stopped };
    },
  );

  app.post(
    '/api/operator/machines/revoke/',
    {
      schema: {
        ...operatorSchema('Take a machine out of service', { role: 'manager' }),
        body: machineRef,
        response: { 200: machineRow, ...refusals },
      },
    },
    async (request) => {
      const actor = actorOf(request);
      const { id } = await audited(deps, actor, async (trx, write) => {
        const machine = await named(request.body.machine, actor, trx);
        await revokeMachine({ ...deps, db: trx }, `id:${machine.id}`);
        await write({
          area: 'machines',
          what: `Revoked ${machine.name}`,
          venue_id: machine.venue_id,
          before: { 'in service': true },
          after: { 'in service': false },
        });
        await notifyConsole(trx, ['machines']);
        return machine;
      });
      logSecurity(request, 'machine_revoked', { ...asLogged(actor), machine: id });
      return machineNow(deps, id);
    },
  );
}
