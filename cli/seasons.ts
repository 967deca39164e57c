import { type Command, Option } from 'commander';
import { tieBreak } from '#contract/wire/leagues.ts';
import {
  nextSeasonPreview,
  type SeasonEnds,
  type SeasonForStaff,
  seasonChanged,
  seasonEnds,
  seasonForStaff,
  seasonsListed,
  type TieBreak,
} from '#contract/wire/seasons.ts';
import {
  type AskingOptions,
  api,
  askingLeaf,
  day,
  days,
  group,
  leaf,
  type Options,
  whole,
} from './command.ts';
import { changedText, listText, openText, pageText, previewText } from './season-text.ts';
import { answer, confirm, count } from './terminal.ts';

type Next = Options & {
  name?: string;
  starts?: string;
  weeks?: number;
  leaveOut?: string[];
  teams?: string[];
  newTeam?: string[];
  empty?: true;
  newCodes?: true;
  atOnce?: true;
  preview?: true;
};
type Change = Options & {
  name?: string;
  ends?: SeasonEnds;
  tieBreak?: TieBreak;
  grace?: number;
  lockWeek?: string;
  starts?: string;
  atOnce?: true;
};

const several = (typed: string, former: string[] = []) => [...former, typed];
const listOf = (typed: string) => typed.split(',').map((name) => name.trim());

/** Seasons: a league's run of weeks with one final table. */
export function seasonCommands(program: Command): void {
  const season = group(
    program,
    'season',
    "A league's seasons: how they end, what they were, and the next one. A SEASON is LEAGUE/NAME or its id.",
    `season list "City League"
     season end "City League"
     season next "City League" --weeks 10`,
  );

  leaf(season, 'list <league>', "Lists a league's seasons.", `season list "City League"`).action(
    async (league: string, { json }: Options) => {
      const { results } = await api().get(seasonsListed, 'seasons/', { league });
      answer(!!json, results, listText);
    },
  );

  leaf(
    season,
    'show <season>',
    "Shows a season's table, awards and corrections, and what a new count would change. With --version it shows an earlier table.",
    `season show "City League/Season 1"
     season show "City League/Season 1" --version 1`,
  )
    .option('--version <number>', 'an earlier version of a final table', whole)
    .action(async (named: string, { json, version }: Options & { version?: number }) => {
      const query = { season: named, version: version === undefined ? version : String(version) };
      const found = await api().get(seasonForStaff, 'seasons/page/', query);
      answer(!!json, found, pageText);
    });

  nextCommand(season);
  changeCommands(season);
  endCommands(season);
}

function nextCommand(season: Command): void {
  leaf(
    season,
    'next <league>',
    'Makes the next season, once the end of the last one is set: teams, players and codes stay unless you say otherwise. Look first with --preview.',
    `season next "City League" --weeks 10 --preview
     season next "City League" --starts 2027-01-11 --leave-out 2027-02-15 --new-team "Late Comers"
     season next "City League" --empty --new-codes
     season next "City League" --starts 2027-01-04 --at-once`,
  )
    .option('--name <name>', "its name (default: 'Season 2' and so on)")
    .option('--starts <date>', 'a day of its first week', day)
    .option('--weeks <number>', 'how many weeks (default: as before; 0: later)', whole)
    .option('--leave-out <date>', 'a day of a week without matchups; may be repeated', days)
    .option('--teams <teams>', 'the teams that go on, separated by commas', listOf)
    .option('--new-team <name>', 'a new team; may be repeated', several)
    .option('--empty', 'everybody leaves the teams')
    .option('--new-codes', 'new codes for the teams')
    .option('--at-once', 'lets it begin in the running week; then it cannot be moved or dropped')
    .option('--preview', 'only show what it would be; store nothing')
    .action(async (league: string, options: Next) => {
      const { json, name, starts, weeks, leaveOut, teams, newTeam, preview } = options;
      const body = {
        league,
        name,
        starts,
        weeks,
        leave_out: leaveOut,
        teams,
        new_teams: newTeam,
        players: options.empty ? 'leave' : 'keep',
        codes: options.newCodes ? 'new' : 'keep',
        at_once: options.atOnce,
      };
      if (preview) {
        const shown = await api().post(nextSeasonPreview, 'seasons/next/preview/', body);
        answer(
          !!json,
          shown,
          (value) => `${previewText(league, value)}\nNothing is stored: this is a preview.`,
        );
        return;
      }
      answer(!!json, await api().post(seasonChanged, 'seasons/next/', body), changedText);
    });
}

function changeCommands(season: Command): void {
  leaf(
    season,
    'change <season>',
    "Changes a season until it is over: its name, how it ends, its tie-break, its grace, and when its teams close. Only a planned season's first week can change.",
    `season change "City League/Season 1" --ends schedule
     season change "City League/Season 1" --tie-break head_to_head --grace 24
     season change "City League/Season 2" --starts 2027-01-11`,
  )
    .option('--name <name>', 'another name')
    .addOption(new Option('--ends <how>', 'with its schedule, or open').choices(seasonEnds.options))
    .addOption(
      new Option('--tie-break <rule>', 'what decides between teams that are level on wins').choices(
        tieBreak.options,
      ),
    )
    .option('--grace <hours>', 'for how long late games count', whole)
    .option(
      '--lock-week <date>',
      "a day of the first week in which teams are closed; 'none': they stay open",
      (typed) => (typed === 'none' ? typed : day(typed)),
    )
    .option('--starts <date>', 'a day of its first week', day)
    .option('--at-once', 'lets it begin in the running week; then it cannot be moved or dropped')
    .action(async (named: string, options: Change, command: Command) => {
      const { json, name, ends, tieBreak: tie_break, grace, lockWeek, starts, atOnce } = options;
      if (Object.keys(options).filter((key) => key !== 'json').length === 0)
        command.error(
          'error: say what changes: --name, --ends, --tie-break, --grace, --lock-week or --starts',
          { exitCode: 2 },
        );
      const body = {
        season: named,
        name,
        ends,
        tie_break,
        grace_hours: grace,
        rosters_lock_week: lockWeek === 'none' ? null : lockWeek,
        starts,
        at_once: atOnce,
      };
      answer(!!json, await api().post(seasonChanged, 'seasons/change/', body), changedText);
    });

  askingLeaf(
    season,
    'drop <season>',
    'Drops a season that has not begun, with its matchups.',
    `season drop "City League/Season 2"`,
  ).action(async (named: string, { json, yes }: AskingOptions) => {
    const { season: found, schedule } = await readPage(named);
    await confirm(
      !!yes,
      `Drop “${found.name}” of “${found.league}” with its ${count(schedule.length, 'week')}?`,
    );
    const left = await api().post(seasonsListed, 'seasons/drop/', { season: named });
    answer(!!json, left.results, listText);
  });
}

function endCommands(season: Command): void {
  askingLeaf(
    season,
    'end <league>',
    'Ends the running season after its last finished week, or after this week. Late games count until its grace is over. In grace, or with --now, its table is final at once.',
    `season end "City League"
     season end "City League" --after running
     season end "City League" --now`,
  )
    .addOption(
      new Option('--after <week>', 'the last week that counts')
        .choices(['finished', 'running'])
        .default('finished'),
    )
    .option('--now', 'without waiting for late games')
    .action(async (league: string, options: AskingOptions & { after: string; now?: true }) => {
      const { json, yes, after, now } = options;
      const ending = await readEnding(league, !!now);
      if (ending !== undefined) {
        const open = openText(ending);
        await confirm(
          !!yes,
          `${open === '' ? '' : `${open} `}Make the table of “${ending.season.name}” final now? Later only a correction changes it.`,
        );
      }
      const body = { league, after, now: ending !== undefined };
      answer(!!json, await api().post(seasonChanged, 'seasons/end/', body), changedText);
    });

  leaf(
    season,
    'correct <season>',
    'Stores a new count of a final season as its next version. Players read the reason.',
    `season correct "City League/Season 1" --why "A game was played by somebody else"`,
  )
    .requiredOption('--why <text>', 'the reason, which players read')
    .action(async (named: string, { json, why }: Options & { why: string }) => {
      const body = { season: named, reason: why };
      answer(!!json, await api().post(seasonChanged, 'seasons/correct/', body), changedText);
    });

  leaf(
    season,
    'leave <season>',
    'Leaves a final season as it is, although a new count would change it.',
    `season leave "City League/Season 1"`,
  ).action(async (named: string, { json }: Options) => {
    const body = { season: named };
    answer(!!json, await api().post(seasonChanged, 'seasons/leave/', body), changedText);
  });
}

const readPage = (season: string) => api().get(seasonForStaff, 'seasons/page/', { season });

/** The season whose table `season end` makes final; undefined if its grace period comes first. */
async function readEnding(league: string, now: boolean): Promise<SeasonForStaff | undefined> {
  const { results } = await api().get(seasonsListed, 'seasons/', { league });
  const running = results.find(({ state }) => state === 'running');
  const inGrace = results.find(({ state }) => state === 'grace');
  const ending = running === undefined || now ? (inGrace ?? running) : undefined;
  return ending && readPage(`id:${ending.id}`);
}
