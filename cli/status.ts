import type { Command } from 'commander';
import { machinesAnswer } from '#contract/wire/machines.ts';
import { type SystemAnswer, systemAnswer } from '#contract/wire/system.ts';
import { api, leaf, type Options } from './command.ts';
import { answer, count, inert, localTime, sizeText } from './terminal.ts';

/** The states that need somebody's attention, in the order shown. */
const TROUBLE = { silent: 'silent', refused: 'refused', clock: 'with a wrong clock' } as const;

type Machines = { all: number; trouble: Record<keyof typeof TROUBLE, string[]> };

/** Whether the installation works, in a few lines. */
export function statusCommand(program: Command): void {
  leaf(
    program,
    'status',
    'Shows the versions, the database, the mails that wait, the last backup, and the machines that need somebody.',
    `status
     status --json`,
  ).action(async ({ json }: Options) => {
    const [system, { results }] = await Promise.all([
      api().get(systemAnswer, 'system/'),
      api().get(machinesAnswer, 'machines/'),
    ]);
    const inService = results.filter(({ revoked }) => !revoked);
    const names = (state: string) =>
      inService.filter((machine) => machine.state === state).map(({ name }) => name);
    const machines: Machines = {
      all: inService.length,
      trouble: { silent: names('silent'), refused: names('refused'), clock: names('clock') },
    };
    answer(!!json, { ...system, machines }, (all) => statusText(all, machines));
  });
}

function statusText(system: SystemAnswer, machines: Machines): string {
  const { database, disk, mail, backup } = system;
  const [oldest] = mail.waits;
  const trouble = Object.entries(TROUBLE).flatMap(([state, words]) => {
    const names = machines.trouble[state as keyof typeof TROUBLE];
    return names.length === 0 ? [] : [`${words}: ${names.map(inert).join(', ')}`];
  });
  const lines = [
    [
      'Backboard',
      `${system.version}, up since ${localTime(system.up_since)}, ${system.processes === 1 ? '1 process' : `${system.processes} processes`}, Node ${system.node}`,
    ],
    [
      'Database',
      `PostgreSQL ${inert(database.version)}, schema ${inert(database.schema)}, ${sizeText(database.bytes)}, ${database.connections} of ${database.connections_max} connections`,
    ],
    ['Disk', disk && `${sizeText(disk.free_bytes)} of ${sizeText(disk.bytes)} free`],
    [
      'Mails',
      mail.waiting === 0
        ? 'none waits'
        : `${count(mail.waiting, 'mail')} waiting${oldest ? `, the oldest since ${localTime(oldest.since)}` : ''}`,
    ],
    [
      'Backup',
      backup === null
        ? 'none yet. Make one: ./backboard backup FILE'
        : `${localTime(backup.at)}, by ${inert(backup.who)}`,
    ],
    [
      'Machines',
      [count(machines.all, 'machine'), ...(trouble.length > 0 ? trouble : ['none needs you'])].join(
        '; ',
      ),
    ],
  ] as const;
  const mends = system.warnings.map((text) => `Warning: ${inert(text)}`);
  const states = lines
    .filter(([, text]) => text !== null)
    .map(([name, text]) => `${name.padEnd(10)} ${text}`);
  return [...states, ...mends].join('\n');
}
