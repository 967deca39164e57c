import { type Command, Option } from 'commander';
import { correction, generate, mode } from 'lean-qr';
import { AUDIT_AREAS, ROLE_NAMES, ROLES, type Role } from '#contract/rules/staff.ts';
import { auditAnswer } from '#contract/wire/audit.ts';
import {
  type LinkAnswer,
  linkAnswer,
  type StaffRow,
  staffAnswer,
  staffRemovedAnswer,
  staffRow,
  staffSessionsAnswer,
  staffSignedOutAnswer,
} from '#contract/wire/staff.ts';
import {
  type AskingOptions,
  api,
  askingLeaf,
  day,
  group,
  leaf,
  type Options,
  rowNamed,
  whole,
} from './command.ts';
import { exists, inFolder, saveStream } from './files.ts';
import { answer, bold, confirm, count, Failure, inert, localTime, table } from './terminal.ts';

const many = (value: string, before: string[] = []) => [...before, value];

/** Black and white squares, whatever the terminal's own colours. */
const IN_TERMINAL = {
  on: '\x1b[40m  \x1b[0m',
  off: '\x1b[1;47m  \x1b[0m',
  pad: 2,
};

function linkText({ staff, url, valid_until }: LinkAnswer): string {
  const drawn = () => generate(mode.ascii(url), { minCorrectionLevel: correction.M });
  const qr = process.stdout.isTTY ? `\n${drawn().toString(IN_TERMINAL)}` : '';
  return `A link for ${inert(staff.name)} (${ROLE_NAMES[staff.role]}), shown only once. It sets up one device, until ${localTime(valid_until)}:\n\n  ${bold(inert(url))}\n${qr}\nWhoever opens it first is ${inert(staff.name)}.${nothingYet(staff)}`;
}

const placesOf = ({ everything, venues, leagues }: StaffRow) =>
  everything ? 'all' : [...venues, ...leagues].map(({ name }) => name).join(', ') || 'nothing yet';

/** A hint if the person reaches no venue and no league yet; otherwise empty. */
function nothingYet(row: StaffRow): string {
  if (row.everything || row.venues.length + row.leagues.length > 0) return '';
  return ` ${inert(row.name)} reaches no venue or league yet: ./backboard staff change ${row.id} --venue VENUE (or --everywhere)`;
}

const everywhere = () =>
  new Option('--everywhere', 'let the person reach all venues and leagues').conflicts([
    'venue',
    'league',
  ]);

type Places = { venue?: string[]; league?: string[]; everywhere?: true };
type Added = Options & Places & { role: Role };
type Change = Partial<Pick<StaffRow, 'name' | 'role'>> & Places;

/**
 * The id of a device, by its name or id.
 * @throws Failure unless exactly one device has it.
 */
function deviceId({ name, devices }: StaffRow, typed: string): string {
  const device = rowNamed(devices, typed);
  if (device) return device.id;
  if (devices.length === 0) throw new Failure(`${name} has no device.`);
  const known = devices.map(({ id, name }) => `“${name}” (${id})`).join(', ');
  throw new Failure(
    `“${typed}” does not name one device of ${name}. Give a name or an id of: ${known}.`,
  );
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
     staff add "Sam Okafor" --role floor --venue "Dockside Arcade"
     staff add "Ada Lind" --role manager --everywhere`,
  )
    .addOption(
      new Option('--role <role>', 'the rights of the person')
        .choices([...ROLES])
        .makeOptionMandatory(),
    )
    .option('--venue <venue>', 'a venue that the person may reach; may be repeated', many)
    .option('--league <league>', 'a league that the person may reach; may be repeated', many)
    .addOption(everywhere())
    .action(
      async (
        name: string,
        { json, role, venue: venues, league: leagues, everywhere: everything }: Added,
      ) => {
        const made = await api().post(linkAnswer, 'staff/', {
          name,
          role,
          everything,
          venues,
          leagues,
        });
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
        rows.map((row) => [
          row.id,
          row.name,
          row.role,
          placesOf(row),
          row.devices.length,
          row.last_seen_at === null ? 'never' : localTime(row.last_seen_at),
          row.link_until === null ? '' : `a link works until ${localTime(row.link_until)}`,
        ]),
        'No staff yet. Add an owner: ./backboard staff add "Your Name" --role owner',
      ),
    );
  });

  leaf(
    staff,
    'change <staff>',
    'Changes the name, the role, or the venues and leagues of somebody. Venues and leagues that you give replace all earlier ones. Everything but a new name ends their sessions.',
    `staff change "Sam Okafor" --role manager --venue "Dockside Arcade" --league "City League"
     staff change "Sam Okafor" --everywhere
     staff change 3 --name "Sam Okafor-Lee"`,
  )
    .option('--name <name>', 'the new name')
    .addOption(new Option('--role <role>', 'the new rights').choices([...ROLES]))
    .option('--venue <venue>', 'a venue that the person may reach; may be repeated', many)
    .option('--league <league>', 'a league that the person may reach; may be repeated', many)
    .addOption(everywhere())
    .action(
      async (
        ref: string,
        { json, name, role, venue, league, everywhere }: Options & Change,
        command: Command,
      ) => {
        const places = venue ?? league ?? everywhere;
        if ((name ?? role ?? places) === undefined)
          command.error(
            'error: say what changes: --name, --role, --venue, --league or --everywhere',
            { exitCode: 2 },
          );
        const changed = await api().post(staffRow, 'staff/change/', {
          staff: ref,
          name,
          role,
          ...(places === undefined
            ? {}
            : everywhere
              ? { everything: true }
              : { venues: venue ?? [], leagues: league ?? [] }),
        });
        answer(
          !!json,
          changed,
          (row) => `${inert(row.name)} (${ROLE_NAMES[row.role]}) reaches: ${inert(placesOf(row))}.`,
        );
      },
    );

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

  leaf(
    staff,
    'unlink <staff>',
    "Cancels a person's open link, for example because it reached somebody else.",
    `staff unlink "Ines Duarte"
     staff unlink 3`,
  ).action(async (name: string, { json }: Options) => {
    const changed = await api().post(staffRow, 'staff/unlink/', { staff: name });
    answer(!!json, changed, (row) => `The link of ${inert(row.name)} does not work any more.`);
  });

  leaf(
    staff,
    'sessions <staff>',
    'Lists where somebody is signed in now, the last used first.',
    `staff sessions "Ines Duarte"
     staff sessions 3 --json`,
  ).action(async (name: string, { json }: Options) => {
    const { results } = await api().get(staffSessionsAnswer, 'staff/sessions/', { staff: name });
    answer(!!json, results, (rows) =>
      table(
        ['ID', 'DEVICE', 'BROWSER', 'SINCE', 'LAST HERE'],
        rows.map(({ id, device, client, created_at, last_used_at }) => [
          id,
          device,
          client,
          localTime(created_at),
          localTime(last_used_at),
        ]),
        'No session is open.',
      ),
    );
  });

  leaf(
    staff,
    'sign-out <staff>',
    'Ends the sessions of somebody, or one of them. Their devices can sign in again.',
    `staff sign-out "Ines Duarte"
     staff sign-out 3 --session 0190c3f2-7d1a-7c55-9f00-2f6f5a8c1b11`,
  )
    .option('--session <id>', 'only this session; staff sessions lists their ids')
    .action(async (name: string, { json, session }: Options & { session?: string }) => {
      const ended = await api().post(staffSignedOutAnswer, 'staff/sign-out/', {
        staff: name,
        session,
      });
      answer(
        !!json,
        ended,
        (done) => `${count(done.sessions_ended, 'session')} of ${inert(done.name)} ended.`,
      );
    });

  askingLeaf(
    staff,
    'remove-device <staff> <device>',
    "Removes one of a person's devices, such as a lost phone, by its name or id. Its sessions end immediately, and it cannot sign in again.",
    `staff remove-device "Ines Duarte" "Phone"
     staff remove-device 3 "Old laptop" --yes`,
  ).action(async (name: string, typed: string, { json, yes }: AskingOptions) => {
    const { results } = await api().get(staffAnswer, 'staff/');
    const found = rowNamed(results, name);
    // The server refuses an unknown name, and suggests similar ones.
    const device = found ? deviceId(found, typed) : typed;
    const label = found?.devices.find(({ id }) => id === device)?.name ?? typed;
    await confirm(
      !!yes,
      `Remove “${label}” of “${found?.name ?? name}”? It is signed out immediately, and cannot sign in again.`,
    );
    const changed = await api().post(staffRow, 'staff/remove-device/', { staff: name, device });
    answer(
      !!json,
      changed,
      (row) =>
        `“${inert(label)}” is removed; ${inert(row.name)} has ${count(row.devices.length, 'device')} left.`,
    );
  });

  askingLeaf(
    staff,
    'remove <staff>',
    'Removes somebody immediately: their sessions end, and their devices and link stop working. The audit stays.',
    `staff remove "Sam Okafor"
     staff remove 3 --yes`,
  ).action(async (name: string, { json, yes }: AskingOptions) => {
    const { results } = await api().get(staffAnswer, 'staff/');
    const found = rowNamed(results, name);
    const who = found
      ? `“${found.name}” (${ROLE_NAMES[found.role]}, ${count(found.devices.length, 'device')})`
      : `“${name}”`;
    await confirm(!!yes, `Remove ${who}? Their sessions end immediately.`);
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
