import { readFileSync } from 'node:fs';
import { type Command, Option } from 'commander';
import {
  type CupForStaff,
  type CupListed,
  cupChanged,
  cupForStaff,
  cupListed,
  cupPreview,
  cupsListed,
} from '#contract/wire/cups.ts';
import {
  type AskingOptions,
  api,
  askingLeaf,
  group,
  leaf,
  type Options,
  whole,
} from './command.ts';
import { answer, confirm, count, inert, table, timeAt } from './terminal.ts';

const cupText = (cup: CupListed) =>
  [
    `${inert(cup.name)} (id ${cup.id}) at ${inert(cup.venue ?? 'all venues')}: ${count(cup.sides, 'side')}, from ${timeAt(cup.starts_at, cup.timezone)}, ${cup.state}.`,
    `Best ${cup.best} of a side's first ${cup.of} games.`,
    ...(cup.season === null
      ? []
      : [`It decides the title of ${inert(cup.season)} of ${inert(cup.league ?? '')}.`]),
    ...(cup.winner === null ? [] : [`Winner: ${inert(cup.winner)}`]),
  ].join('\n');

type Round = CupForStaff['rounds'][number];
type Side = Round['pairings'][number]['a'];
const sideText = ({ seed, team, username, from }: Side) =>
  inert(team ?? username ?? from ?? (seed === null ? '–' : `seed ${seed}`));

function treeText(rounds: readonly Round[]): string {
  return table(
    ['PAIRING', 'SIDE', 'SIDE', 'SUMS', 'WINNER', 'HOW'],
    rounds.flatMap(({ pairings }) =>
      pairings.map(({ label, a, b, sums, winner, how }) => [
        label,
        sideText(a),
        sideText(b),
        sums === null ? '–' : sums.join(' to '),
        winner === null ? '–' : sideText(winner === a.seed ? a : b),
        how ?? 'open',
      ]),
    ),
    'No pairings.',
  );
}

const pageText = (page: CupForStaff) =>
  [
    cupText(page.cup),
    '',
    treeText(page.rounds),
    ...page.waiting.flatMap(({ pairing, machines, held }) => [
      ...machines.map(({ machine }) => `${pairing} waits for ${inert(machine)}.`),
      ...(held === 0 ? [] : [`${pairing} waits for ${count(held, 'held game')}.`]),
    ]),
    ...page.offers.map(({ text }) => inert(text)),
  ].join('\n');

type Windows = { window?: string[] };
/** `QF 2=2026-11-27 22:15` */
const windowsOf = ({ window = [] }: Windows) =>
  window.map((text) => {
    const [pairing = '', ends = ''] = text.split('=');
    return { pairing: pairing.trim(), ends: ends.trim() };
  });
const withWindows = (command: Command) =>
  command.option(
    '--window <pairing=end...>',
    'a new end for a pairing that is reopened, such as "Final=2026-11-27 23:00"',
  );

/** Asks for confirmation before pairings are opened again (CUP-23). */
async function confirmReopening(yes: boolean, { reopens }: { reopens: string[] }) {
  if (reopens.length > 0) await confirm(yes, `This opens ${reopens.join(', ')} again. Go on?`);
}

type Page = Pick<CupForStaff, 'rounds'>;
/** The pairing that staff name by its label or id, such as `QF 2` or `0-1`. */
const pairingOf = ({ rounds }: Page, ref: string) =>
  rounds
    .flatMap(({ pairings }) => pairings)
    .find(({ id, label }) => id === ref || label.toLowerCase() === ref.trim().toLowerCase());

/** The entry about the pairing that staff name. */
function about<Row extends { pairing: string }>(page: Page, rows: readonly Row[], ref: string) {
  const label = pairingOf(page, ref)?.label;
  return rows.find(({ pairing }) => pairing === label);
}

/** Whether the side that staff name has won the pairing already. */
function hasWon(page: Page, ref: string, side: string): boolean {
  const pairing = pairingOf(page, ref);
  const won = pairing && [pairing.a, pairing.b].find(({ seed }) => seed === pairing.winner);
  const names = [won?.team, won?.username, String(won?.seed)];
  return won !== undefined && names.some((name) => name?.toLowerCase() === side.toLowerCase());
}

type Listed = Parameters<typeof cupText>[0];
/** Prints a cup after a change. */
const print = (json: true | undefined, cup: Listed) => answer(!!json, cup, cupText);

type New = {
  from: string;
  of?: number;
  best?: number;
  perPlayer?: number;
  venue?: string;
  league?: string;
  size?: number;
  starts?: string;
  minutes?: number;
  pause?: number;
  weeks?: boolean;
  third?: boolean;
  draw?: boolean;
  champion?: boolean;
  preview?: boolean;
};

/** Parses `week`, `season:NAME`, `contest:CODE`, or the path of a file with one side per line. */
function sourceOf(from: string) {
  const [kind = '', ...rest] = from.split(':');
  const name = rest.join(':');
  if (from === 'week') return { from: 'week' as const };
  if (kind === 'season') return { from: 'season' as const, season: name };
  if (kind === 'contest') return { from: 'contest' as const, contest: name };
  const sides = readFileSync(from, 'utf8')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  return { from: 'sides' as const, sides };
}

/** Cups: a knockout of teams or players. */
export function cupCommands(program: Command): void {
  const cup = group(
    program,
    'cup',
    'Cups: a knockout of teams or players. A CUP is given by its name or its id.',
    `cup create "Finals night" --from "season:Dockside League/Autumn" --venue "Hoop House"
     cup show "Finals night"`,
  );

  leaf(
    cup,
    'create <name>',
    'Makes a cup. Games decide its pairings.',
    `cup create "Finals night" --from week --size 8 --venue "Hoop House"
     cup create "Finals night" --from sides.txt --league "Dockside League" --weeks`,
  )
    .requiredOption(
      '--from <source>',
      'season:SEASON, contest:CONTEST, week, or a file with one side a line, the best seed first',
    )
    .option('--venue <venue>', 'where it is played (teams: default all venues)')
    .option(
      '--league <league>',
      'the league of the teams in the file; without it, the file names players',
    )
    .option('--size <sides>', 'how many from the top', whole)
    .option('--best <games>', 'how many games are summed', whole)
    .option('--of <games>', 'how many first games of a side count', whole)
    .option('--per-player <games>', 'how many games of one player count', whole)
    .option('--starts <time>', 'when it begins: now, or a time such as "2026-11-27 19:00"')
    .option('--minutes <minutes>', 'how long a window is (default: 75)', whole)
    .option('--pause <minutes>', 'between rounds (default: 15)', whole)
    .addOption(new Option('--weeks', 'a week for each round, Monday to Monday'))
    .option('--no-third', 'without a pairing for third place')
    .option('--draw', 'draws the seeds')
    .option('--champion', 'its winner is the champion of the season (default: the table decides)')
    .option('--preview', 'shows the tree, and makes nothing')
    .action(async (name: string, { json, from, weeks, third, preview, ...rest }: Options & New) => {
      const { perPlayer, ...fields } = rest;
      const body = {
        name,
        ...sourceOf(from),
        ...fields,
        per_player: perPlayer,
        windows: weeks ? 'weeks' : 'hours',
        ...(third === false && { third }),
      };
      if (preview) {
        const shown = await api().post(cupPreview, 'cups/preview/', body);
        answer(!!json, shown, ({ rounds }) => treeText(rounds));
        return;
      }
      print(json, await api().post(cupListed, 'cups/', body));
    });

  leaf(cup, 'list [venue]', 'Lists the cups, open ones first.', 'cup list').action(
    async (venue: string | undefined, { json }: Options) => {
      const { results } = await api().get(cupsListed, 'cups/', { venue });
      answer(!!json, results, (rows) =>
        table(
          ['ID', 'NAME', 'VENUE', 'BEGINS', 'SIDES', 'STATE', 'WINNER'],
          rows.map((row) => [
            row.id,
            inert(row.name),
            inert(row.venue ?? 'all venues'),
            timeAt(row.starts_at, row.timezone),
            String(row.sides),
            row.state,
            inert(row.winner ?? '–'),
          ]),
          'No cups yet. Make one: ./backboard cup create "Finals night" --from week --venue VENUE',
        ),
      );
    },
  );

  leaf(cup, 'show <cup>', 'Shows a cup: its tree, and what it waits for.', 'cup show 3').action(
    async (name: string, { json }: Options) => {
      answer(!!json, await api().get(cupForStaff, 'cups/page/', { cup: name }), pageText);
    },
  );

  leaf(
    cup,
    'seeds <cup> <side...>',
    'Sets the seeds, the best side first. Works until the first round begins.',
    'cup seeds "Finals night" "Net Profits" "Rim Reapers"',
  ).action(async (name: string, sides: string[], { json }: Options) => {
    print(json, await api().post(cupListed, 'cups/seeds/', { cup: name, sides }));
  });

  leaf(
    cup,
    'draw <cup>',
    'Draws the seeds until the first round begins.',
    'cup draw "Finals night"',
  ).action(async (name: string, { json }: Options) => {
    print(json, await api().post(cupListed, 'cups/draw/', { cup: name }));
  });

  leaf(
    cup,
    'sides <cup> <side>',
    "Adds players to a team's side, or takes them off; it counts from the next window.",
    'cup sides "Finals night" "Net Profits" --add ace --remove jo',
  )
    .option('--add <player...>', 'usernames')
    .option('--remove <player...>', 'usernames')
    .action(
      async (
        name: string,
        side: string,
        { json, add, remove }: Options & { add?: string[]; remove?: string[] },
      ) => {
        print(json, await api().post(cupListed, 'cups/sides/', { cup: name, side, add, remove }));
      },
    );

  leaf(
    cup,
    'windows <cup> <pairing>',
    'Moves the window of a pairing.',
    'cup windows "Finals night" "SF 1" --ends "2026-11-27 22:15"',
  )
    .option('--starts <time>', 'a new start; possible until the window begins')
    .option('--ends <time>', 'a new end; possible until the pairing is decided')
    .action(
      async (
        name: string,
        pairing: string,
        { json, starts, ends }: Options & { starts?: string; ends?: string },
      ) => {
        print(
          json,
          await api().post(cupListed, 'cups/windows/', {
            cup: name,
            windows: [{ pairing, starts, ends }],
          }),
        );
      },
    );

  leaf(
    cup,
    'withdraw <cup> <side>',
    'Withdraws a side: it loses all its open pairings.',
    'cup withdraw "Finals night" "Net Profits"',
  )
    .option('--undo', 'lets the side back in, unless its window is over or somebody has played on')
    .action(async (name: string, side: string, { json, undo }: Options & { undo?: boolean }) => {
      print(json, await api().post(cupListed, 'cups/withdraw/', { cup: name, side, undo: !!undo }));
    });

  withWindows(
    askingLeaf(
      cup,
      'decide <cup> <pairing>',
      'Decides a pairing by a ruling.',
      'cup decide "Finals night" "QF 2" --winner "Net Profits" --why "The machine broke"',
    )
      .requiredOption('--winner <side>', 'who goes on')
      .requiredOption('--why <text>', 'the reason'),
  ).action(
    async (
      name: string,
      pairing: string,
      {
        json,
        yes,
        winner,
        why,
        ...rest
      }: AskingOptions & Windows & { winner: string; why: string },
    ) => {
      const page = await api().get(cupForStaff, 'cups/page/', { cup: name });
      const reversal = about(page, page.reversals, pairing);
      if (reversal !== undefined && !hasWon(page, pairing, winner))
        await confirmReopening(!!yes, reversal);
      const body = { cup: name, pairing, winner, reason: why, windows: windowsOf(rest) };
      const decided = await api().post(cupChanged, 'cups/decide/', body);
      answer(!!json, decided, ({ changes }) => changes.map(inert).join('\n'));
    },
  );

  withWindows(
    askingLeaf(
      cup,
      'correct <cup> <pairing>',
      'Counts a decided pairing again and stores the result. Possible until 30 days after the cup’s end.',
      'cup correct "Finals night" "QF 3" --why "Another player threw" --window "SF 2=2026-11-27 22:15"',
    ).requiredOption('--why <text>', 'the reason'),
  ).action(
    async (
      name: string,
      pairing: string,
      { json, yes, why, ...rest }: AskingOptions & Windows & { why: string },
    ) => {
      const page = await api().get(cupForStaff, 'cups/page/', { cup: name });
      const offer = about(page, page.offers, pairing);
      if (offer !== undefined) await confirmReopening(!!yes, offer);
      const body = { cup: name, pairing, reason: why, windows: windowsOf(rest) };
      const corrected = await api().post(cupChanged, 'cups/correct/', body);
      answer(!!json, corrected, ({ changes }) => changes.map(inert).join('\n'));
    },
  );

  leaf(
    cup,
    'leave <cup> <pairing>',
    'Leaves a decided pairing as it is, until a game of it changes again.',
    'cup leave "Finals night" "QF 3"',
  ).action(async (name: string, pairing: string, { json }: Options) => {
    const left = await api().post(cupListed, 'cups/leave/', { cup: name, pairing });
    answer(!!json, left, (row) => `${inert(row.name)} stays as it is.`);
  });

  askingLeaf(
    cup,
    'cancel <cup>',
    'Cancels a cup before any pairing is decided by games or a ruling. Its games stay.',
    'cup cancel "Finals night"',
  ).action(async (name: string, { json, yes }: AskingOptions) => {
    const { cup: found } = await api().get(cupForStaff, 'cups/page/', { cup: name });
    const title =
      found.season === null ? '' : ` The table decides the title of ${inert(found.season)} again.`;
    await confirm(!!yes, `Cancel ${inert(found.name)} and its pairings?${title}`);
    const cancelled = await api().post(cupListed, 'cups/cancel/', { cup: `id:${found.id}` });
    answer(!!json, cancelled, (row) => `${inert(row.name)} is cancelled.`);
  });
}
