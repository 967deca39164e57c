import { Argument, type Command, Option } from 'commander';
import { ruling } from '#contract/wire/leagues.ts';
import { seasonChanged } from '#contract/wire/seasons.ts';
import { type AskingOptions, api, askingLeaf, day, leaf, type Options } from './command.ts';
import { changedText } from './season-text.ts';
import { answer, confirm } from './terminal.ts';

type Why = Options & { why?: string };

/** Adds `schedule postpone`, `schedule swap` and `schedule rule`. */
export function weekCommands(schedule: Command): void {
  leaf(
    schedule,
    'postpone <league>',
    'Postpones the running week or a coming one: its matchups and all later ones move by a week. Until the week is over, --undo takes that back.',
    `schedule postpone "City League" 2027-01-18 --why "A burst pipe"
     schedule postpone "City League" 2027-01-18 --undo`,
  )
    .argument('<week>', 'a day of the week', day)
    .option('--why <text>', 'the reason, which players read')
    .option('--undo', 'take it back')
    .action(
      async (league: string, week: string, options: Why & { undo?: true }, command: Command) => {
        const { json, why, undo } = options;
        if (!undo && why === undefined)
          command.error('error: say why: --why <text>', { exitCode: 2 });
        const changed = undo
          ? await api().post(seasonChanged, 'leagues/postpone/undo/', { league, week })
          : await api().post(seasonChanged, 'leagues/postpone/', {
              league,
              week,
              reason: why,
            });
        answer(!!json, changed, changedText);
      },
    );

  leaf(
    schedule,
    'swap <league>',
    'Gives a team another opponent in a coming week: the new opponent and the former one change places.',
    `schedule swap "City League" 2027-01-18 "Rim Rattlers" "Net Ninjas"`,
  )
    .argument('<week>', 'a day of the week', day)
    .argument('<team>', 'the team that keeps its place')
    .argument('<opponent>', 'whom it meets instead')
    .action(
      async (league: string, week: string, team: string, opponent: string, { json }: Options) => {
        const body = { league, week, team, opponent };
        answer(!!json, await api().post(seasonChanged, 'leagues/swap/', body), changedText);
      },
    );

  leaf(
    schedule,
    'rule <league>',
    'Decides a matchup of a begun week: home or away wins, both_lose, annulled, or none to remove the ruling. Both teams read why. The totals stay.',
    `schedule rule "City League" 2027-01-11 "Rim Rattlers" home --why "They did not come"
     schedule rule "City League" 2027-01-11 "Rim Rattlers" none`,
  )
    .argument('<week>', 'a day of the week', day)
    .argument('<team>', 'one of the two')
    .addArgument(new Argument('<ruling>').choices([...ruling.options, 'none']))
    .option('--why <text>', 'the reason, which both teams read')
    .action(
      async (league: string, week: string, team: string, decision: string, { json, why }: Why) => {
        const body = { league, week, team, ruling: decision, reason: why };
        answer(!!json, await api().post(seasonChanged, 'leagues/ruling/', body), changedText);
      },
    );
}

/** Adds `team enter` and `team withdraw`. */
export function entryCommands(team: Command): void {
  leaf(
    team,
    'enter <team>',
    'Enters a team into the season: it takes the byes of the coming weeks, or the coming weeks are made again.',
    `team enter "Late Comers"
     team enter "Late Comers" --matchups replan --from 2027-02-01`,
  )
    .addOption(
      new Option('--matchups <how>', 'whom it meets')
        .choices(['none', 'byes', 'replan'])
        .default('byes'),
    )
    .option('--from <date>', 'a day of its first week (default: the running week)', day)
    .action(async (named: string, options: Options & { matchups: string; from?: string }) => {
      const { json, matchups, from } = options;
      const body = { team: named, matchups, from };
      answer(!!json, await api().post(seasonChanged, 'teams/enter/', body), changedText);
    });

  askingLeaf(
    team,
    'withdraw <team>',
    'Withdraws a team from the season: from next Monday, from a later Monday, or with --now from the running week. If fewer than half of its matchups are played by then, all are annulled; otherwise the coming ones are forfeits. Until the first of these weeks is over, --undo takes that back. The weeks of a season that has not begun are made again for the other teams; “team enter” takes the team in again.',
    `team withdraw "Rim Rattlers" --why "Too few players"
     team withdraw "Rim Rattlers" --undo`,
  )
    .option('--why <text>', 'the reason, which players read; needed once the season has begun')
    .option('--from <date>', 'a day of the first week without it', day)
    .option('--now', 'from the running week')
    .option('--undo', 'take it back')
    .action(
      async (
        named: string,
        options: AskingOptions & Why & { from?: string; now?: true; undo?: true },
      ) => {
        const { json, yes, why, from, now, undo } = options;
        if (undo) {
          const body = { team: named };
          answer(
            !!json,
            await api().post(seasonChanged, 'teams/withdraw/undo/', body),
            changedText,
          );
          return;
        }
        await confirm(!!yes, `Withdraw “${named}” from the season?`);
        const body = { team: named, reason: why, from, now: now ?? false };
        answer(!!json, await api().post(seasonChanged, 'teams/withdraw/', body), changedText);
      },
    );
}
