import { sql } from 'kysely';
import { COMMAND_LINE } from '#contract/rules/staff.ts';
import { forbidden } from '../errors.ts';
import { findWaiting } from '../http/pairing.ts';
import {
  addMachine,
  addWaiting,
  changeMachine,
  type Machine,
  markRepair,
  revokeMachine,
  rotateMachine,
  stopOldKey,
} from '../machines/machines.ts';
import { listMachines, type MachineState } from '../machines/overview.ts';
import { alertStaff } from '../staff/alerts.ts';
import { hasRole, isLimited } from '../staff/policy.ts';
import { countHeld, readMachinePage } from '../staff-pages/machine.ts';
import { type Asked, change, type Ground, type Noun, read } from './command.ts';

const keyAnswer = <Key>({ id, name, venue, key }: Machine & { key: Key }) => ({
  id: String(id),
  name,
  venue,
  key,
});

const row = ({ id, name, venue, heard_at, ...state }: MachineState) => ({
  id: String(id),
  name,
  venue,
  last_seen_at: heard_at?.toISOString() ?? null,
  games_today: state.games_today,
  clock_error_ms: state.clock_error_ms,
  revoked: state.revoked,
  key_due: state.key_due,
  state: state.state,
  repair_by: state.repair_by,
  repair_why: state.repair_why,
});

/** One machine as it is now, for an answer. */
async function machineNow(deps: Pick<Ground, 'db' | 'clock'>, { id }: Pick<Machine, 'id'>) {
  const [state] = await listMachines(deps, sql<boolean>`m.id = ${id}`);
  if (state === undefined) throw new Error(`machine ${id} is gone, although none is ever deleted`);
  return row(state);
}

/**
 * An owner may name a venue that does not exist yet, to add it. Others must name a venue that they
 * reach.
 * @throws Refusal 404 for a venue that does not exist; 403 out of reach (P63).
 */
async function requirePlace(
  { actor, find }: Pick<Asked<never>, 'actor' | 'find'>,
  venue: string | undefined,
): Promise<void> {
  if (venue !== undefined && !hasRole(actor, 'owner')) await find.venue(venue);
}

async function requirePlaceOfNew(asked: Asked<'POST /api/operator/machines/'>): Promise<void> {
  const { venue } = asked.body;
  if (venue === undefined && isLimited(asked.actor))
    throw forbidden('Name one of your venues: a machine without a venue is for owners.');
  await requirePlace(asked, venue);
}

/** The commands `machine …`. */
export const machines: Noun = {
  area: 'machines',
  topics: ['machines'],
  commands: [
    read('GET /api/operator/machines/', {
      summary: 'List the machines',
      role: 'floor',
      work: async (asked) => {
        const found = await listMachines(asked, asked.policy.venue(sql.ref('m.venue_id')));
        return { results: found.map(row) };
      },
    }),
    read('GET /api/operator/machines/show/', {
      summary: 'Show a machine',
      role: 'floor',
      work: async (asked) => machineNow(asked, await asked.find.machine(asked.query.machine)),
    }),
    read('GET /api/operator/machines/page/', {
      summary: 'Show a machine, with its last games, times away and keys',
      role: 'floor',
      work: async (asked) => {
        const { id, venue_id } = await asked.find.machine(asked.query.machine);
        const mailed = await alertStaff(asked.db, sql<boolean>`v.venue_id = ${venue_id}`);
        return {
          ...(await readMachinePage(asked, id)),
          mails_to: mailed.map(({ name }) => name),
          held: await countHeld(asked.db, id, asked.policy.game),
        };
      },
    }),
    change('POST /api/operator/machines/', {
      summary:
        'Add a machine; only this response has its key. One with a code claims its key itself',
      role: 'manager',
      first: async (asked) => {
        const { code } = asked.body;
        await requirePlaceOfNew(asked);
        return code === undefined ? undefined : findWaiting(asked, 'machine', asked.ip, code);
      },
      work: async (asked, waiting) => {
        await requirePlaceOfNew(asked);
        const machine = waiting
          ? await addWaiting(asked, asked.body, waiting)
          : await addMachine(asked, asked.body);
        return {
          answer: keyAnswer(machine),
          audit: {
            what: `Added ${machine.name}`,
            venue_id: machine.venue_id,
            after: { venue: machine.venue },
          },
          log: ['machine_added', { machine: machine.id }],
        };
      },
    }),
    change('POST /api/operator/machines/rotate/', {
      summary: 'Rotate the key of a machine; the old one works for another hour',
      role: 'manager',
      work: async (asked) => {
        const { id, name, venue_id } = await asked.find.machine(asked.body.machine);
        const { old_key_until, ...made } = await rotateMachine(asked, `id:${id}`);
        return {
          answer: { ...keyAnswer(made), old_key_until: old_key_until?.toISOString() ?? null },
          audit: { what: `New key for ${name}`, venue_id },
          log: ['machine_rotated', { machine: id }],
        };
      },
    }),
    change('POST /api/operator/machines/stop-old-key/', {
      summary: 'Stop the old key of a machine before its hour is over',
      role: 'manager',
      work: async (asked) => {
        const { id, name, venue_id } = await asked.find.machine(asked.body.machine);
        const { stopped } = await stopOldKey(asked, `id:${id}`, asked.body.key);
        return {
          answer: { id: String(id), name, stopped },
          ...(stopped !== null && {
            audit: { what: `Stopped the old key of ${name}`, venue_id },
            log: ['machine_key_stopped', { machine: id }] as const,
          }),
        };
      },
    }),
    change('POST /api/operator/machines/revoke/', {
      summary: 'Take a machine out of service',
      role: 'manager',
      work: async (asked) => {
        const { id, name, venue_id } = await asked.find.machine(asked.body.machine);
        await revokeMachine(asked, `id:${id}`);
        return {
          answer: await machineNow(asked, { id }),
          audit: {
            what: `Revoked ${name}`,
            venue_id,
            before: { 'in service': true },
            after: { 'in service': false },
          },
          log: ['machine_revoked', { machine: id }],
        };
      },
    }),
    change('POST /api/operator/machines/repair/', {
      summary: 'Mark a machine in repair, or put it back in service',
      role: 'floor',
      work: async (asked) => {
        const { machine, done, why } = asked.body;
        const { id, name, venue_id } = await asked.find.machine(machine);
        const by = asked.actor.kind === 'staff' ? asked.actor.name : COMMAND_LINE;
        const found = await markRepair(asked, `id:${id}`, done ? null : by, why);
        const { before, after } = found.why;
        const marked = found.marked || before === after;
        return {
          answer: await machineNow(asked, { id }),
          audit: {
            what: done
              ? `${name} is back in service`
              : marked
                ? `${name} is in repair`
                : `Changed what is wrong with ${name}`,
            venue_id,
            ...(before !== after && {
              before: { 'what is wrong': before },
              after: { 'what is wrong': after },
            }),
          },
        };
      },
    }),
    change('POST /api/operator/machines/change/', {
      summary: 'Rename a machine, or move it to another venue',
      role: 'manager',
      work: async (asked) => {
        const { machine: named, ...wanted } = asked.body;
        const machine = await asked.find.machine(named);
        await requirePlace(asked, wanted.venue);
        const { name, venue, venue_id } = await changeMachine(asked, machine, wanted);
        return {
          answer: await machineNow(asked, machine),
          audit: {
            what: `Changed ${machine.name}`,
            venue_id,
            before: { name: machine.name, venue: machine.venue },
            after: { name, venue },
          },
        };
      },
    }),
  ],
};
