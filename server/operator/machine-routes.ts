import {
  machineBody,
  machineKeyAnswer,
  machineRef,
  machineRow,
  machinesAnswer,
} from '#contract/operator.ts';
import type { Deps } from '../deps.ts';
import type { App } from '../http/scope.ts';
import { logSecurity } from '../http/security-log.ts';
import {
  addMachine,
  listMachines,
  type MachineState,
  revokeMachine,
  rotateMachine,
} from '../machines/machines.ts';
import { suggesting } from './names.ts';
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

const row = ({
  id,
  name,
  venue,
  last_seen_at,
  games_today,
  clock_error_ms,
  revoked,
  key_due,
}: MachineState) => ({
  id: String(id),
  name,
  venue,
  last_seen_at: last_seen_at?.toISOString() ?? null,
  games_today,
  clock_error_ms,
  revoked,
  key_due,
});

/** The routes of the commands `machine …`. */
export function machineCommands(app: App, deps: Pick<Deps, 'config' | 'db' | 'clock'>): void {
  const names = async () => (await listMachines(deps)).map(({ name }) => name);

  app.get(
    '/api/operator/machines/',
    {
      schema: {
        ...operatorSchema('List the machines'),
        response: { 200: machinesAnswer, ...refusals },
      },
    },
    async () => ({ results: (await listMachines(deps)).map(row) }),
  );

  app.post(
    '/api/operator/machines/',
    {
      schema: {
        ...operatorSchema('Add a machine; only this response has its key'),
        body: machineBody,
        response: { 201: machineKeyAnswer, ...refusals },
      },
    },
    async (request, reply) => {
      const made = await addMachine(deps, request.body);
      logSecurity(request, 'machine_added', { actor: 'operator', machine: made.id });
      return reply.code(201).send(keyAnswer(made));
    },
  );

  app.post(
    '/api/operator/machines/rotate/',
    {
      schema: {
        ...operatorSchema('Rotate the key of a machine; the old one works for another hour'),
        body: machineRef,
        response: { 200: machineKeyAnswer, ...refusals },
      },
    },
    async (request) => {
      const { machine } = request.body;
      const made = await suggesting(machine, names, () => rotateMachine(deps, machine));
      logSecurity(request, 'machine_rotated', { actor: 'operator', machine: made.id });
      return keyAnswer(made);
    },
  );

  app.post(
    '/api/operator/machines/revoke/',
    {
      schema: {
        ...operatorSchema('Take a machine out of service'),
        body: machineRef,
        response: { 200: machineRow, ...refusals },
      },
    },
    async (request) => {
      const { machine } = request.body;
      const revoked = await suggesting(machine, names, () => revokeMachine(deps, machine));
      logSecurity(request, 'machine_revoked', { actor: 'operator', machine: revoked.id });
      const state = (await listMachines(deps)).find(({ id }) => id === revoked.id);
      if (state === undefined) throw new Error('a revoked machine is listed');
      return row(state);
    },
  );
}
