import { type Command, Option } from 'commander';
import { FIRST_N, SCORINGS, type Scoring, whatCounts } from '#contract/rules/contests.ts';
import {
  type ContestForStaff,
  type ContestListed,
  contestChanged,
  contestForStaff,
  contestListed,
  contestPoster,
  contestsListed,
} from '#contract/wire/contests.ts';
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

const windowText = ({ starts_at, ends_at, timezone }: ContestListed) =>
  `${timeAt(starts_at, timezone)} to ${timeAt(ends_at, timezone).slice(-5)}`;

const contestText = (contest: ContestListed) =>
  [
    `${inert(contest.name)} (${contest.code}) at ${inert(contest.venue)}: ${windowText(contest)}, ${contest.state}.`,
    `What counts: ${whatCounts(contest.scoring, contest.n)}.`,
    ...(contest.prizes === null
      ? []
      : [`Prizes: ${contest.prizes.split('\n').map(inert).join('\n        ')}`]),
    ...(contest.machines === null ? [] : [`Machines: ${contest.machines.map(inert).join(', ')}`]),
    ...(contest.only ? ['While it runs, the screens show nothing else.'] : []),
    `Its page: ${contest.url}`,
  ].join('\n');

function pageText(page: ContestForStaff): string {
  const waits = page.waiting.map(
    ({ machine, queued }) =>
      `It waits for ${inert(machine)}${queued ? `, which has ${count(queued, 'game')}` : ''}.`,
  );
  const held = page.held.map(
    ({ game, player, score, place }) =>
      `Held: ${inert(player ?? 'Former player')}, ${score}; released, place ${place}: ./backboard held release ${game}`,
  );
  return [
    contestText(page.contest),
    '',
    table(
      ['PLACE', 'PLAYER', 'GAMES', 'POINTS'],
      page.places.map(({ place, username, games, points }) => [
        String(place),
        inert(username ?? 'Former player'),
        String(games),
        String(points),
      ]),
      'Nobody has played.',
    ),
    ...waits,
    ...held,
    ...(page.held_more === 0
      ? []
      : [`Held: ${count(page.held_more, 'more game')}. See them all: ./backboard held list`]),
    ...page.changes.map((change) => `A new count would change: ${inert(change)}`),
    ...page.corrections.map(
      ({ version, who, reason }) => `Version ${version} by ${inert(who)}: ${inert(reason)}`,
    ),
  ].join('\n');
}

type Fields = {
  starts?: string;
  ends?: string;
  scoring?: Scoring;
  n?: number;
  prizes?: string;
  machine?: string[];
  only?: boolean;
};

/** Adds the options for making or changing a contest. */
const withFields = (command: Command) =>
  command
    .option(
      '--starts <time>',
      'when it begins: now, or a time such as "2026-11-27 19:00" at the venue',
    )
    .option('--ends <time>', 'when it ends (default: three hours after it begins)')
    .addOption(
      new Option(
        '--scoring <scoring>',
        'what counts: the best game, best three, or first N',
      ).choices([...SCORINGS]),
    )
    .option('--n <games>', `how many first games count (default: ${FIRST_N})`, whole)
    .option('--prizes <text>', 'what is won; write who may win it')
    .option('--machine <machine...>', 'the machines that take part (default: all of the venue)')
    .option('--only', 'while it runs, the screens show nothing else');

const bodyOf = ({ starts, ends, scoring, n, prizes, machine, only }: Fields) => ({
  starts,
  ends,
  scoring,
  n,
  prizes: prizes === '' ? null : prizes,
  machines: machine,
  only,
});

/** Contests: one night, one venue, everybody who plays. */
export function contestCommands(program: Command): void {
  const contest = group(
    program,
    'contest',
    'Contests: one night at a venue; everybody who plays takes part. A CONTEST is given by its code or its id.',
    `contest create "Friday Night Hoops" --venue "Hoop House" --starts "2026-11-27 19:00"
     contest show R4T9WX`,
  );

  withFields(
    leaf(
      contest,
      'create <name>',
      'Makes a contest. It ends by itself, when the last games are in.',
      `contest create "Friday Night Hoops" --venue "Hoop House"
     contest create "First five" --venue "Hoop House" --starts "2026-11-27 19:00" --ends "2026-11-27 22:00" --scoring first_n --n 5 --prizes "1st: bar tab of 50. For adults."`,
    ).requiredOption('--venue <venue>', 'where it is'),
  ).action(
    async (name: string, { json, venue, ...fields }: Options & Fields & { venue: string }) => {
      const made = await api().post(contestListed, 'contests/', { name, venue, ...bodyOf(fields) });
      answer(!!json, made, contestText);
    },
  );

  leaf(
    contest,
    'list [venue]',
    'Lists the contests: those to come and running ones, then the last nights.',
    `contest list
     contest list "Hoop House"`,
  ).action(async (venue: string | undefined, { json }: Options) => {
    const { results } = await api().get(contestsListed, 'contests/', { venue });
    answer(!!json, results, (rows) =>
      table(
        ['CODE', 'NAME', 'VENUE', 'WHEN', 'STATE', 'PLAYERS', 'BEST'],
        rows.map((row) => [
          row.code,
          inert(row.name),
          inert(row.venue),
          windowText(row),
          row.state,
          String(row.players),
          String(row.best ?? '–'),
        ]),
        'No contests yet. Make one: ./backboard contest create "Friday Night Hoops" --venue VENUE',
      ),
    );
  });

  leaf(
    contest,
    'show <contest>',
    'Shows a contest: its places, what it waits for, and what a new count would change.',
    'contest show R4T9WX',
  ).action(async (code: string, { json }: Options) => {
    const page = await api().get(contestForStaff, 'contests/page/', { contest: code });
    answer(!!json, page, pageText);
  });

  withFields(
    leaf(
      contest,
      'change <contest>',
      'Changes a contest. While it runs, only its name, prizes, end and --only can change.',
      `contest change R4T9WX --ends "2026-11-27 23:00"
     contest change R4T9WX --prizes ""`,
    ).option('--name <name>', 'the new name'),
  )
    .option('--no-only', 'the screens show other slides too')
    .action(
      async (code: string, { json, name, ...fields }: Options & Fields & { name?: string }) => {
        const body = { contest: code, name, ...bodyOf(fields) };
        answer(!!json, await api().post(contestListed, 'contests/change/', body), contestText);
      },
    );

  leaf(contest, 'stop <contest>', 'Ends a running contest now.', 'contest stop R4T9WX').action(
    async (code: string, { json }: Options) => {
      const stopped = await api().post(contestListed, 'contests/stop/', { contest: code });
      answer(!!json, stopped, contestText);
    },
  );

  askingLeaf(
    contest,
    'cancel <contest>',
    'Cancels a contest that is not final: it was never there. Its games stay.',
    'contest cancel R4T9WX',
  ).action(async (code: string, { json, yes }: AskingOptions) => {
    const found = await api().get(contestPoster, 'contests/poster/', { contest: code });
    await confirm(!!yes, `Cancel ${inert(found.name)} at ${inert(found.venue)}?`);
    const cancelled = await api().post(contestListed, 'contests/cancel/', { contest: found.code });
    answer(!!json, cancelled, (row) => `${inert(row.name)} is cancelled.`);
  });

  leaf(
    contest,
    'again <contest>',
    'Makes the same contest a week later.',
    'contest again R4T9WX',
  ).action(async (code: string, { json }: Options) => {
    const made = await api().post(contestListed, 'contests/again/', { contest: code });
    answer(!!json, made, contestText);
  });

  leaf(
    contest,
    'code <contest>',
    'Prints the code and the address of a contest, for a poster.',
    'contest code R4T9WX',
  ).action(async (code: string, { json }: Options) => {
    const poster = await api().get(contestPoster, 'contests/poster/', { contest: code });
    answer(!!json, poster, (row) => `${inert(row.name)}: ${row.code}\n${row.url}`);
  });

  leaf(
    contest,
    'correct <contest>',
    'Counts a final contest again and stores the new places. Possible until 30 days after its end.',
    'contest correct R4T9WX --why "The third game was not his"',
  )
    .requiredOption('--why <text>', 'the reason')
    .action(async (code: string, { json, why }: Options & { why: string }) => {
      const body = { contest: code, reason: why };
      const corrected = await api().post(contestChanged, 'contests/correct/', body);
      answer(!!json, corrected, ({ changes }) => changes.map(inert).join('\n') || 'Corrected.');
    });

  leaf(
    contest,
    'leave <contest>',
    'Leaves a final contest as it is, until a game of it changes again.',
    'contest leave R4T9WX',
  ).action(async (code: string, { json }: Options) => {
    const left = await api().post(contestListed, 'contests/leave/', { contest: code });
    answer(!!json, left, (row) => `${inert(row.name)} stays as it is.`);
  });
}
