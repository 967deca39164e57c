import { type Command, Option } from 'commander';
import {
  machineAddedAnswer,
  machineKeyStoppedAnswer,
  machineRotatedAnswer,
  machineRow,
  machinesAnswer,
} from '#contract/wire/machines.ts';
import { type AskingOptions, api, askingLeaf, group, leaf, type Options } from './command.ts';
import { answer, bold, confirm, count, inert, localTime, table } from './terminal.ts';

const CLOCK_ERROR_SHOWN_MS = 1_000;

const keyText = ({ name, key }: { name: string; key: string | null }) =>
  key === null
    ? `${inert(name)} is added. It fetches its key itself, within seconds.`
    : `The key of ${inert(name)}, shown only once:\n\n  ${bold(inert(key))}\n\nEnter it in the machine, which sends it as: Authorization: Bearer <key>`;

const repairText = ({
  repair_by,
  repair_why,
}: {
  repair_by: string | null;
  repair_why: string | null;
}) =>
  `in repair, by ${inert(repair_by ?? 'nobody')}${repair_why === null ? '' : `: ${inert(repair_why)}`}`;

/** The arcade machines and their keys. */
export function machineCommands(program: Command): void {
  const machine = group(
    program,
    'machine',
    'Arcade machines: each has a name, a key to report games, and optionally a venue.',
    `machine add "Court 1" --venue "Hoop House"
     machine list`,
  );

  leaf(
    machine,
    'add <name>',
    'Adds a machine and prints its key. The key is shown only once: the server stores its hash.',
    `machine add "Court 1"
     machine add "Court 2" --venue "Hoop House"
     machine add "Court 3" --venue "Hoop House" --code H7KQ4T`,
  )
    .option('--venue <venue>', 'its venue; created if it is new')
    .option('--code <code>', 'the code that the machine shows: it then gets its key itself')
    .action(
      async (name: string, { json, ...more }: Options & { venue?: string; code?: string }) => {
        const made = await api().post(machineAddedAnswer, 'machines/', { name, ...more });
        answer(!!json, made, keyText);
      },
    );

  leaf(
    machine,
    'list',
    'Lists the machines: the state of each, when it was last seen, its games today, and how wrong its clock is.',
    `machine list
     machine list --json`,
  ).action(async ({ json }: Options) => {
    const { results } = await api().get(machinesAnswer, 'machines/');
    answer(!!json, results, (rows) =>
      table(
        ['ID', 'NAME', 'VENUE', 'STATE', 'LAST SEEN', 'GAMES TODAY', 'CLOCK', ''],
        rows.map((row) => [
          row.id,
          row.name,
          row.venue,
          row.state === 'repair' ? repairText(row) : row.state,
          row.last_seen_at === null ? 'never' : localTime(row.last_seen_at),
          row.games_today,
          clockText(row.clock_error_ms),
          row.revoked ? 'revoked' : row.key_due ? 'key over a year old: rotate it' : '',
        ]),
        'No machines yet. Add one: ./backboard machine add "Court 1"',
      ),
    );
  });

  leaf(
    machine,
    'rotate <machine>',
    'Gives a machine a new key and prints it. The old key works for one more hour, unless the machine was revoked.',
    `machine rotate "Court 1"
     machine rotate 3`,
  ).action(async (name: string, { json }: Options) => {
    const made = await api().post(machineRotatedAnswer, 'machines/rotate/', { machine: name });
    answer(!!json, made, (value) => {
      const old =
        value.old_key_until === null
          ? 'The old key does not work any more. The machine is in service as soon as it has the new one.'
          : `The old key works until ${localTime(value.old_key_until)}. Has somebody seen it? Then put the new key in and stop the old one: machine stop-old-key ${JSON.stringify(inert(value.name))}`;
      return `${keyText(value)}\n${old}`;
    });
  });

  leaf(
    machine,
    'stop-old-key <machine>',
    'Stops the old key of a machine at once, instead of an hour after its rotation: for a key that somebody has seen. The new key goes on working.',
    `machine stop-old-key "Court 1"
     machine stop-old-key 3`,
  ).action(async (name: string, { json }: Options) => {
    const done = await api().post(machineKeyStoppedAnswer, 'machines/stop-old-key/', {
      machine: name,
    });
    answer(!!json, done, (value) =>
      value.stopped === null
        ? `${inert(value.name)} has no old key that works.`
        : `The old key of ${inert(value.name)} does not work any more. The new key does.`,
    );
  });

  leaf(
    machine,
    'repair <machine>',
    'Marks a machine in repair: no more mails about it. People can still play on it. With --done it is back in service.',
    `machine repair "Court 1" --why "The left net does not count"
     machine repair "Court 1" --done`,
  )
    .option('--why <text>', 'what is wrong; staff see it until the machine is back in service')
    .addOption(new Option('--done', 'put it back in service').conflicts('why'))
    .action(async (name: string, { json, done, why }: Options & { done?: true; why?: string }) => {
      const marked = await api().post(machineRow, 'machines/repair/', {
        machine: name,
        done: !!done,
        why,
      });
      answer(
        !!json,
        marked,
        (row) => `${inert(row.name)} is ${done ? 'back in service' : repairText(row)}.`,
      );
    });

  leaf(
    machine,
    'move <machine> <venue>',
    'Moves a machine to another venue, which is created if it is new. Its games so far stay with the old one.',
    'machine move "Court 1" "Dockside Arcade"',
  ).action(async (name: string, venue: string, { json }: Options) => {
    const moved = await api().post(machineRow, 'machines/change/', { machine: name, venue });
    answer(!!json, moved, (row) => `${inert(row.name)} is in ${inert(row.venue ?? 'no venue')}.`);
  });

  leaf(
    machine,
    'rename <machine> <name>',
    'Gives a machine another name. Players see it beside their games.',
    'machine rename "Court 1" "Hoop 1"',
  ).action(async (name: string, next: string, { json }: Options) => {
    const renamed = await api().post(machineRow, 'machines/change/', { machine: name, name: next });
    answer(!!json, renamed, (row) => `It is called ${inert(row.name)} now.`);
  });

  askingLeaf(
    machine,
    'revoke <machine>',
    'Takes a machine out of service immediately: all its keys stop working. Its games stay. A new key (machine rotate) brings it back.',
    `machine revoke "Court 1"
     machine revoke 3 --yes`,
  ).action(async (name: string, { json, yes }: AskingOptions) => {
    // Read the machine first, to show it in the question and to refuse a mistyped name.
    const found = await api().get(machineRow, 'machines/show/', { machine: name });
    const seen =
      found.last_seen_at === null ? 'never seen' : `seen ${localTime(found.last_seen_at)}`;
    await confirm(
      !!yes,
      `Revoke “${found.name}”${found.venue === null ? '' : ` in “${found.venue}”`}, ${seen}, ${count(found.games_today, 'game')} today? It cannot report games any more.`,
    );
    const revoked = await api().post(machineRow, 'machines/revoke/', { machine: name });
    answer(!!json, revoked, (row) => `${inert(row.name)} is revoked.`);
  });
}

function clockText(errorMs: number | null): string | null {
  if (errorMs === null) return null;
  if (Math.abs(errorMs) < CLOCK_ERROR_SHOWN_MS) return 'right';
  const seconds = Math.round(Math.abs(errorMs) / 1000);
  const span = seconds < 120 ? `${seconds} s` : `${Math.round(seconds / 60)} min`;
  return `${span} ${errorMs > 0 ? 'fast' : 'slow'}`;
}
