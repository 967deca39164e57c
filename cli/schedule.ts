import type { Command } from 'commander';
import {
  leaguePage,
  scheduleAnswer,
  scheduleClearedAnswer,
  standingsAnswer,
} from '#contract/wire/leagues.ts';
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
import { scheduleText } from './schedule-text.ts';
import { weekCommands } from './season-weeks.ts';
import { answer, confirm, count, inert, table } from './terminal.ts';

/** A league's weeks and standings. */
export function scheduleCommands(program: Command): void {
  const schedule = group(
    program,
    'schedule',
    'Who plays whom in which week.',
    `schedule generate "City League" --weeks 10
     schedule show "City League"`,
  );

  leaf(
    schedule,
    'generate <league>',
    'Makes a round robin: every team meets every other in turn; with an odd number of teams, one has a bye each week. Weeks that have matchups are not changed.',
    `schedule generate "City League" --weeks 10
     schedule generate "City League" --weeks 10 --preview
     schedule generate "City League" --weeks 5 --from 2027-01-04
     schedule generate "City League" --weeks 10 --leave-out 2027-02-15`,
  )
    .requiredOption('--weeks <number>', 'how many weeks', whole)
    .option(
      '--from <date>',
      'a day of the first week (default: the first week without matchups)',
      day,
    )
    .option('--leave-out <date>', 'a day of a week without matchups; may be repeated', days)
    .option('--preview', 'only show the matchups; store nothing')
    .action(
      async (
        league: string,
        {
          json,
          weeks,
          from,
          leaveOut,
          preview,
        }: Options & { weeks: number; from?: string; leaveOut?: string[]; preview?: true },
      ) => {
        if (preview) {
          const query = { league, weeks: String(weeks), from, leave_out: leaveOut?.join(',') };
          const shown = await api().get(scheduleAnswer, 'leagues/schedule/preview/', query);
          answer(
            !!json,
            shown,
            (value) => `${scheduleText(value)}\nNothing is stored: this is a preview.`,
          );
          return;
        }
        const body = { league, weeks, from, leave_out: leaveOut };
        const made = await api().post(scheduleAnswer, 'leagues/schedule/', body);
        answer(!!json, made, scheduleText);
      },
    );

  leaf(
    schedule,
    'show <league>',
    'Shows the matchups of all weeks, with the totals of those that have begun.',
    `schedule show "City League"`,
  ).action(async (name: string, { json }: Options) => {
    const found = await api().get(scheduleAnswer, 'leagues/schedule/', { league: name });
    answer(!!json, found, scheduleText);
  });

  askingLeaf(
    schedule,
    'clear <league>',
    'Deletes the matchups of all weeks that have not begun, so that they can be made again: after a team was added, or with another number of weeks. Weeks that have begun stay.',
    `schedule clear "City League"`,
  ).action(async (name: string, { json, yes }: AskingOptions) => {
    const { planning } = await api().get(leaguePage, 'leagues/page/', { league: name });
    const coming = planning?.coming ?? 0;
    const first = planning?.schedule.at(-coming);
    if (coming > 0 && first !== undefined)
      await confirm(
        !!yes,
        `Clear ${count(coming, 'week')} of “${name}”, from week ${first.week} (${first.from})?`,
      );
    const left = await api().post(scheduleClearedAnswer, 'leagues/schedule/clear/', {
      league: name,
    });
    answer(
      !!json,
      left,
      (value) =>
        `${count(value.weeks_cleared, 'week')} of ${inert(value.league)} cleared; ${count(value.schedule.length, 'week')} left. Make new ones: ./backboard schedule generate "${inert(value.league)}" --weeks 10`,
    );
  });

  weekCommands(schedule);

  leaf(
    program,
    'standings <league>',
    "Shows a league's table of its finished weeks.",
    `standings "City League"`,
  ).action(async (name: string, { json }: Options) => {
    const found = await api().get(standingsAnswer, 'leagues/standings/', { league: name });
    answer(!!json, found, ({ standings }) =>
      table(
        ['', 'TEAM', 'WON', 'DRAWN', 'LOST', 'TOTAL'],
        standings.map((row) => [row.place, row.team, row.won, row.drawn, row.lost, row.total]),
        `No teams yet. Add one: ./backboard team create "${inert(found.league)}" "First Five"`,
      ),
    );
  });
}
