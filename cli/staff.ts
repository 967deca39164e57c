import { type Command, Option } from 'commander';
import encodeQr from 'qr';
import { AUDIT_AREAS, ROLE_NAMES, ROLES, type Role } from '#contract/console.ts';
import {
  auditAnswer,
  type LinkAnswer,
  linkAnswer,
  staffAnswer,
  staffRemovedAnswer,
} from '#contract/staff.ts';
import {
  type AskingOptions,
  api,
  askingLeaf,
  day,
  group,
  leaf,
  type Options,
  whole,
} from './command.ts';
import { exists, inFolder, saveStream } from './files.ts';
import { answer, bold, confirm, count, inert, localTime, table } from './terminal.ts';

const many = (value: string, before: string[] = []) => [...before, value];

function linkText({ staff, url, valid_until }: LinkAnswer): string {
  const qr = process.stdout.isTTY ? `\n${encodeQr(url, 'term', { border: 2 })}` : '';
  return `A link for ${inert(staff.name)} (${ROLE_NAMES[staff.role]}), shown only once. It sets up one device, until ${localTime(valid_until)}:\n\n  ${bold(inert(url))}\n${qr}\nWhoever opens it first is ${inert(staff.name)}.`;
}

/** The people who may open the console. */
export function staffCommands(program: Command): void {
  const staff = group(
    program,
    'staff',
    'The people who may open the console, their roles and their one-time links.',
    `staff add "Ines Duarte" --role owner
     staff list`,
  );

  leaf(
    staff,
    'add <name>',
    'Adds somebody, and prints a one-time link that sets up a passkey on one device, for 24 hours.',
    `staff add "Ines Duarte" --role owner
     staff add "Sam Okafor" --role floor --venue "Dockside Arcade"`,
  )
    .addOption(
      new Option('--role <role>', 'the rights of the person')
        .choices([...ROLES])
        .makeOptionMandatory(),
    )
    .option(
      '--venue <venue>',
      'a venue that the person may reach; may be repeated (default: all)',
      many,
    )
    .option('--league <league>', 'a league that the person may reach; may be repeated', many)
    .action(
      async (
        name: string,
        {
          json,
          role,
          venue: venues,
          league: leagues,
        }: Options & { role: Role; venue?: string[]; league?: string[] },
      ) => {
        const made = await api().post(linkAnswer, 'staff/', { name, role, venues, leagues });
        answer(!!json, made, linkText);
      },
    );

  leaf(
    staff,
    'list',
    'Lists the staff: role, venues, devices, and when each was last here.',
    `staff list
     staff list --json`,
  ).action(async ({ json }: Options) => {
    const { results } = await api().get(staffAnswer, 'staff/');
    answer(!!json, results, (rows) =>
      table(
        ['ID', 'NAME', 'ROLE', 'VENUES AND LEAGUES', 'DEVICES', 'LAST HERE', ''],
        rows.map(({ id, name, role, venues, leagues, devices, last_seen_at, link_until }) => [
          id,
          name,
          role,
          [...venues, ...leagues].map((place) => place.name).join(', ') || 'all',
          devices.length,
          last_seen_at === null ? 'never' : localTime(last_seen_at),
          link_until === null ? '' : `a link works until ${localTime(link_until)}`,
        ]),
        'No staff yet. Add an owner: ./backboard staff add "Your Name" --role owner',
      ),
    );
  });

  leaf(
    staff,
    'link <staff>',
    'Prints a new one-time link for somebody with a new or a lost device. An older link stops working.',
    `staff link "Ines Duarte"
     staff link 3`,
  ).action(async (name: string, { json }: Options) => {
    const made = await api().post(linkAnswer, 'staff/link/', { staff: name });
    answer(!!json, made, linkText);
  });

  askingLeaf(
    staff,
    'remove <staff>',
    'Removes somebody immediately: their sessions end, and their devices and link stop working. The audit stays.',
    `staff remove "Sam Okafor"
     staff remove 3 --yes`,
  ).action(async (name: string, { json, yes }: AskingOptions) => {
    await confirm(!!yes, `Remove ${name}? Their sessions end immediately.`);
    const removed = await api().post(staffRemovedAnswer, 'staff/remove/', { staff: name });
    answer(
      !!json,
      removed,
      (done) => `${inert(done.name)} is removed; ${count(done.sessions_ended, 'session')} ended.`,
    );
  });
}

type Filter = { who?: string; area?: string; venue?: string; from?: string; to?: string };

const filtered = (command: Command) =>
  command
    .option('--who <name>', 'only lines of one person, or of "Command line"')
    .addOption(new Option('--area <area>', 'only lines about this area').choices([...AUDIT_AREAS]))
    .option('--venue <venue>', 'only lines of a venue')
    .option('--from <date>', 'from this day on (UTC)', day)
    .option('--to <date>', 'to this day (UTC)', day);

const inWords = (facts: Record<string, unknown>) =>
  Object.entries(facts)
    .map(([key, value]) => `${key} ${value ?? 'none'}`)
    .join(', ');

/** `audit …`: who changed what, and when. */
export function auditCommands(program: Command): void {
  const audit = group(
    program,
    'audit',
    'Who changed what, and when: by staff, or by the command line. Kept for 400 days.',
    `audit list
     audit export audit.csv`,
  );

  filtered(
    leaf(
      audit,
      'list',
      'Lists changes, newest first.',
      `audit list --area staff
       audit list --who "Ines Duarte" --from 2026-11-01`,
    ),
  )
    .option('--limit <count>', 'how many lines, at most 500', whole, 50)
    .action(async ({ json, limit, ...filter }: Options & Filter & { limit: number }) => {
      const found = await api().get(auditAnswer, 'audit/', { ...filter, limit: String(limit) });
      answer(!!json, found.results, (rows) =>
        table(
          ['WHEN', 'WHO', 'WHAT', 'VENUE', 'BEFORE', 'AFTER'],
          rows.map(({ at, who, what, venue, before, after }) => [
            localTime(at),
            who,
            what,
            venue ?? '',
            inWords(before),
            inWords(after),
          ]),
          'No changes match.',
        ),
      );
    });

  filtered(
    askingLeaf(
      audit,
      'export <file>',
      'Saves all matching changes as a CSV file.',
      `audit export audit.csv
       audit export staff.csv --area staff`,
    ),
  ).action(async (typed: string, { json, yes, ...filter }: AskingOptions & Filter) => {
    const given = Object.entries(filter).filter(([, value]) => value !== undefined);
    const query = given.length === 0 ? '' : `?${new URLSearchParams(given as [string, string][])}`;
    const path = inFolder(typed);
    if (await exists(path)) await confirm(!!yes, `Replace the file ${typed}?`);
    const bytes = await saveStream(() => api().download(`audit/export/${query}`), path);
    answer(!!json, { file: path, bytes }, () => `Saved the audit in ${inert(typed)}.`);
  });
}
