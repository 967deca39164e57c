import type { Command } from 'commander';
import { alertRow, alertsAnswer } from '#contract/wire/machines.ts';
import { api, group, leaf, type Options } from './command.ts';
import { answer, inert, table } from './terminal.ts';

/** Who gets mails when a machine has a problem. */
export function alertCommands(program: Command): void {
  const alerts = group(
    program,
    'alerts',
    'Mails to staff when a machine of their venues is silent, its clock is wrong or its games are refused.',
    `alerts set Ines ines@example.com
     alerts list`,
  );

  leaf(alerts, 'list', 'Lists the staff who get mails about machines.', 'alerts list').action(
    async ({ json }: Options) => {
      const { results } = await api().get(alertsAnswer, 'alerts/');
      answer(!!json, results, (rows) =>
        table(
          ['NAME', 'EMAIL'],
          rows.map((row) => [row.name, row.email]),
          'Nobody gets mails about machines. Add somebody: ./backboard alerts set Ines ines@example.com',
        ),
      );
    },
  );

  leaf(
    alerts,
    'set <staff> <email>',
    'Mails alerts about the machines of a person’s venues to this address.',
    'alerts set Ines ines@example.com',
  ).action(async (staff: string, email: string, { json }: Options) => {
    const set = await api().post(alertRow, 'alerts/', { staff, email });
    answer(!!json, set, (row) => `${inert(row.name)} gets mails about machines.`);
  });

  leaf(alerts, 'off <staff>', 'Ends the mails about machines.', 'alerts off Ines').action(
    async (staff: string, { json }: Options) => {
      const off = await api().post(alertRow, 'alerts/', { staff, email: null });
      answer(!!json, off, (row) => `${inert(row.name)} gets no mails about machines.`);
    },
  );
}
