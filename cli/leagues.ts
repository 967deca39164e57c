import { readFile } from 'node:fs/promises';
import { Argument, type Command } from 'commander';
import {
  decidedAnswer,
  joiningAnswer,
  leagueAnswer,
  leagueRenamedAnswer,
  leagueRow,
  leaguesAnswer,
  requestsAnswer,
  rosterAnswer,
  scheduleAnswer,
  scheduleClearedAnswer,
  standingsAnswer,
  teamAddedAnswer,
  teamChangedAnswer,
  teamCodeAnswer,
  teamDeletedAnswer,
  teamRow,
  teamsAnswer,
} from '#contract/operator.ts';
import { decodeRoster } from '#contract/roster-text.ts';
import { type Joining, joining } from '#contract/teams.ts';
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
import { inFolder } from './files.ts';
import { answer, bold, confirm, count, Failure, inert, localTime, table } from './terminal.ts';

/* The commands `league …`, `team …` and `schedule …`, and `standings`: their options, their
   questions and their output. The server does the work. */

/** `league …`, `team …`, `schedule …` and `standings`. */
export function leagueCommands(program: Command): void {
  league(program);
  team(program);
  schedule(program);

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

function league(program: Command): void {
  const league = group(
    program,
    'league',
    'Leagues: a time zone, teams, and a schedule of weekly matchups.',
    `league create "City League" --timezone Europe/Berlin
     league import "City League" players.csv`,
  );

  leaf(
    league,
    'create <name>',
    'Creates a league. Its weeks run from Monday 00:00 to Monday 00:00 in its time zone.',
    `league create "City League" --timezone Europe/Berlin
     league create "Winter Cup" --timezone America/New_York --starts 2027-01-04`,
  )
    .requiredOption('--timezone <zone>', 'IANA name, such as Europe/Berlin')
    .option('--starts <date>', "a day of its first week (default: this week's)", day)
    .action(async (name: string, options: Options & { timezone: string; starts?: string }) => {
      const { json, timezone, starts } = options;
      const made = await api().post(leagueRow, 'leagues/', { name, timezone, starts });
      answer(
        !!json,
        made,
        (row) =>
          `${inert(row.name)} (id ${row.id}) begins on Monday ${row.starts_on}, ${row.timezone} time.`,
      );
    });

  leaf(league, 'list', 'Lists the leagues.', 'league list').action(async ({ json }: Options) => {
    const { results } = await api().get(leaguesAnswer, 'leagues/');
    answer(!!json, results, (rows) =>
      table(
        ['ID', 'NAME', 'TIME ZONE', 'BEGINS', 'WEEK', 'JOINING', 'TEAMS', 'PLAYERS'],
        rows.map((row) => [
          row.id,
          row.name,
          row.timezone,
          row.starts_on,
          row.weeks === 0 ? 'no schedule' : `${row.week} of ${row.weeks}`,
          row.joining,
          row.teams,
          row.players,
        ]),
        'No leagues yet. Create one: ./backboard league create "City League" --timezone Europe/Berlin',
      ),
    );
  });

  leaf(
    league,
    'show <league>',
    'Shows a league with its teams and their players.',
    `league show "City League"`,
  ).action(async (name: string, { json }: Options) => {
    const found = await api().get(leagueAnswer, 'leagues/show/', { league: name });
    answer(!!json, found, (value) =>
      [
        `${bold(inert(value.name))} (id ${value.id}), ${value.timezone}, began ${value.starts_on}, week ${value.week} of ${value.weeks}`,
        ...value.teams.map(({ id, name, players }) =>
          [
            `\n${bold(inert(name))} (id ${id}), ${count(players.length, 'player')}`,
            ...players.map(
              (player) =>
                `  ${inert(player.username ?? '(not set up)')}  ${inert(player.email)}${player.league_mode_enabled ? '' : '  league mode off'}`,
            ),
          ].join('\n'),
        ),
      ].join('\n'),
    );
  });

  leaf(
    league,
    'rename <league> <name>',
    'Renames a league. Its teams, games and weeks stay.',
    `league rename "City Leage" "City League"`,
  ).action(async (name: string, wanted: string, { json }: Options) => {
    const body = { league: name, name: wanted };
    const renamed = await api().post(leagueRenamedAnswer, 'leagues/rename/', body);
    answer(!!json, renamed, (value) => `The league is called ${inert(value.league)} now.`);
  });

  leaf(
    league,
    'joining <league>',
    "Sets how players join the league's teams by a code: not at all, when you accept them, or at once.",
    `league joining "City League" ask
     team code "Rim Rattlers"`,
  )
    .addArgument(new Argument('<how>').choices(joining.options))
    .action(async (name: string, how: Joining, { json }: Options) => {
      const body = { league: name, joining: how };
      const set = await api().post(joiningAnswer, 'leagues/joining/', body);
      answer(!!json, set, (value) => `${inert(value.league)} ${JOINING[value.joining]}.`);
    });

  leaf(
    league,
    'import <league> <file.csv>',
    'Puts players on teams from a file of rows "team,email". Players must have an account. If any row is wrong, all wrong rows are listed and nothing is imported. Before it makes a team that the league does not have, it asks.',
    `league import "City League" players.csv
     league import "City League" players.csv --new-teams`,
  )
    .option('--new-teams', 'make the missing teams without asking')
    .action(async (name: string, path: string, options: Options & { newTeams?: true }) => {
      const bytes = await readFile(inFolder(path)).catch(() => {
        throw new Failure(`Cannot read ${path}. Check the path.`);
      });
      const csv = decodeRoster(bytes);
      const send = (new_teams: boolean) =>
        api()
          .post(rosterAnswer, 'leagues/import/', { league: name, csv, new_teams })
          .catch((error: Failure) => {
            throw withRows(error, path);
          });
      const imported = await send(!!options.newTeams).catch(async (error: unknown) => {
        await confirmNewTeams(error);
        return send(true);
      });
      answer(
        !!options.json,
        imported,
        (value) =>
          `${inert(value.league)}: ${count(value.players_added, 'player')} added, ${value.players_moved} moved, ${value.unchanged} unchanged; ${count(value.teams_created, 'new team')}.`,
      );
    });
}

/**
 * After an import was refused because of missing teams, asks whether to create them.
 * @throws the refusal unless the answer is yes; without a terminal, a Failure that names
 * --new-teams.
 */
async function confirmNewTeams(error: unknown): Promise<void> {
  if (!(error instanceof Failure) || !Array.isArray(error.details.new_teams)) throw error;
  const names = error.details.new_teams.map((team) => `“${team}”`).join(', ');
  if (!process.stdin.isTTY || !process.stderr.isTTY)
    throw new Failure(
      `The league does not have ${names}. Nothing was imported. Mend the names, or add --new-teams to make them.`,
      error.details,
    );
  await confirm(
    false,
    `The league does not have ${names}. Make ${error.details.new_teams.length === 1 ? 'this team' : 'these teams'}?`,
  );
}

/** How a league takes players, in words (LEAGUE-12). */
const JOINING: Record<Joining, string> = {
  closed: 'takes no new players by code',
  ask: 'takes players by code when you accept them',
  open: 'takes everybody with the code of a team',
};

/** Adds a line `path:line: problem` to the message for each bad row of a file. */
function withRows(error: unknown, path: string): unknown {
  if (!(error instanceof Failure) || !Array.isArray(error.details.rows)) return error;
  const rows = error.details.rows.map(({ line, problem }) => `${path}:${line}: ${problem}`);
  return new Failure([...rows, error.message].join('\n'), error.details);
}

function team(program: Command): void {
  const team = group(
    program,
    'team',
    'Teams and their players. A player is on at most one team.',
    `team create "City League" "Rim Rattlers"
     team add "Rim Rattlers" ana@example.com ben@example.com`,
  );

  leaf(
    team,
    'create <league> <name>',
    'Creates a team in a league.',
    `team create "City League" "Rim Rattlers"`,
  ).action(async (league: string, name: string, { json }: Options) => {
    const made = await api().post(teamRow, 'teams/', { league, name });
    answer(
      !!json,
      made,
      (row) => `${inert(row.name)} (id ${row.id}) plays in ${inert(row.league)}.`,
    );
  });

  leaf(
    team,
    'rename <team> <name>',
    'Renames a team. Its players, games and matchups stay.',
    `team rename "Rim Ratlers" "Rim Rattlers"`,
  ).action(async (team: string, name: string, { json }: Options) => {
    const renamed = await api().post(teamChangedAnswer, 'teams/rename/', { team, name });
    answer(
      !!json,
      renamed,
      (value) =>
        `The team is called ${inert(value.team)} now, with ${count(value.players.length, 'player')}.`,
    );
  });

  askingLeaf(
    team,
    'delete <team>',
    'Deletes a team that has no players, no games and no matchups, such as a mistyped one.',
    `team delete "Rim Ratlers"`,
  ).action(async (team: string, { json, yes }: AskingOptions) => {
    const { results } = await api().get(teamsAnswer, 'teams/');
    const known = results.filter(
      ({ id, name }) => id === team || name.toLowerCase() === team.toLowerCase(),
    );
    // The server decides which team a name means, and refuses an unknown one.
    const [one] = known;
    const label = one && known.length === 1 ? `“${one.name}” of “${one.league}”` : `“${team}”`;
    await confirm(!!yes, `Delete the team ${label}? This cannot be undone.`);
    const gone = await api().post(teamDeletedAnswer, 'teams/delete/', { team });
    answer(!!json, gone, (value) => `${inert(value.team)} of ${inert(value.league)} is deleted.`);
  });

  leaf(
    team,
    'list [league]',
    'Lists the teams of one league or of all.',
    `team list
     team list "City League"`,
  ).action(async (league: string | undefined, { json }: Options) => {
    const { results } = await api().get(teamsAnswer, 'teams/', { league });
    answer(!!json, results, (rows) =>
      table(
        ['ID', 'TEAM', 'LEAGUE', 'PLAYERS'],
        rows.map((row) => [row.id, row.name, row.league, row.players]),
        'No teams yet. Create one: ./backboard team create LEAGUE TEAM',
      ),
    );
  });

  leaf(
    team,
    'add <team> <email...>',
    'Adds players to a team from now on. A player of another team moves; games stay with the team they were played for.',
    `team add "Rim Rattlers" ana@example.com ben@example.com`,
  ).action(async (team: string, emails: string[], { json }: Options) => {
    const changed = await api().post(teamAddedAnswer, 'teams/add/', { team, emails });
    answer(!!json, changed, (value) =>
      [
        rosterText(value),
        ...value.moved.map(
          ({ email, moved_from }) => `${inert(email)} has left “${inert(moved_from)}”.`,
        ),
      ].join('\n'),
    );
  });

  leaf(
    team,
    'remove <team> <email>',
    'Removes a player from a team from now on. Games played for the team stay with it.',
    `team remove "Rim Rattlers" ana@example.com`,
  ).action(async (team: string, email: string, { json }: Options) => {
    const changed = await api().post(teamChangedAnswer, 'teams/remove/', { team, email });
    answer(!!json, changed, rosterText);
  });

  joiningTeams(team);
}

function joiningTeams(team: Command): void {
  leaf(
    team,
    'code <team>',
    'Shows the code by which players join a team, and the address to share. With --new the old code stops working.',
    `team code "Rim Rattlers"
     team code "Rim Rattlers" --new`,
  )
    .option('--new', 'replace the code')
    .action(async (name: string, options: Options & { new?: true }) => {
      const body = { team: name, new: options.new ?? false };
      const found = await api().post(teamCodeAnswer, 'teams/code/', body);
      answer(!!options.json, found, (value) =>
        [
          `${bold(value.code)}  ${value.url}`,
          `${inert(value.league)} ${JOINING[value.joining]}.`,
          ...(value.joining === 'closed'
            ? [`Change it: ./backboard league joining "${inert(value.league)}" open`]
            : []),
        ].join('\n'),
      );
    });

  leaf(
    team,
    'requests [league]',
    'Lists the players who ask to join a team, oldest first.',
    `team requests
     team requests "City League"`,
  ).action(async (league: string | undefined, { json }: Options) => {
    const { results } = await api().get(requestsAnswer, 'teams/requests/', { league });
    answer(!!json, results, (rows) =>
      table(
        ['TEAM', 'LEAGUE', 'PLAYER', 'EMAIL', 'ASKED'],
        rows.map((row) => [
          row.team,
          row.league,
          row.username ?? '(not set up)',
          row.email,
          localTime(row.asked_at),
        ]),
        'Nobody asks to join a team.',
      ),
    );
  });

  leaf(
    team,
    'accept <team> <email>',
    'Accepts a request: the player is on the team from now on, with league mode on, and gets a mail.',
    `team accept "Rim Rattlers" ana@example.com`,
  ).action(async (name: string, email: string, { json }: Options) => {
    const done = await api().post(decidedAnswer, 'teams/accept/', { team: name, email });
    answer(
      !!json,
      done,
      (value) => `${inert(value.username ?? value.email)} is on ${inert(value.team)} now.`,
    );
  });

  leaf(
    team,
    'decline <team> <email>',
    'Declines a request. The player gets a mail and may ask again.',
    `team decline "Rim Rattlers" ana@example.com`,
  ).action(async (name: string, email: string, { json }: Options) => {
    const done = await api().post(decidedAnswer, 'teams/decline/', { team: name, email });
    answer(
      !!json,
      done,
      (value) =>
        `${inert(value.username ?? value.email)} is not on ${inert(value.team)}, and hears of it by mail.`,
    );
  });
}

function rosterText(value: {
  team: string;
  players: { email: string; username: string | null }[];
}): string {
  return table(
    [inert(value.team).toUpperCase(), ''],
    value.players.map((player) => [player.username ?? '(not set up)', player.email]),
    `${inert(value.team)} has no players now.`,
  );
}

function schedule(program: Command): void {
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
     schedule generate "City League" --weeks 5 --from 2027-01-04`,
  )
    .requiredOption('--weeks <number>', 'how many weeks', whole)
    .option(
      '--from <date>',
      'a day of the first week (default: the first week without matchups)',
      day,
    )
    .action(async (name: string, options: Options & { weeks: number; from?: string }) => {
      const body = { league: name, weeks: options.weeks, from: options.from };
      const made = await api().post(scheduleAnswer, 'leagues/schedule/', body);
      answer(!!options.json, made, scheduleText);
    });

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
    const coming = comingWeeks(
      await api().get(scheduleAnswer, 'leagues/schedule/', { league: name }),
    );
    const [first] = coming;
    if (first !== undefined)
      await confirm(
        !!yes,
        `Clear ${count(coming.length, 'week')} of “${name}”, from week ${first.week} (${first.from})?`,
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
}

type Schedule = (typeof scheduleAnswer)['_output'];

/** The weeks that have not begun. Their matchups have no totals yet. */
const comingWeeks = ({ schedule }: Schedule) =>
  schedule.filter(({ matchups }) => matchups.every(({ home_total }) => home_total === null));

function scheduleText({ league, schedule }: Schedule): string {
  if (schedule.length === 0)
    return `Nothing is scheduled yet. Make a season: ./backboard schedule generate "${inert(league)}" --weeks 10`;
  return schedule
    .map(({ week, from, to, matchups, bye }) => {
      const rows = matchups.map(({ home, away, home_total, away_total }) => {
        const totals = home_total === null ? '' : `  ${home_total} : ${away_total ?? 0}`;
        return `  ${inert(home)} – ${inert(away)}${totals}`;
      });
      const rest = bye === null ? [] : [`  ${inert(bye)} has a bye`];
      return [bold(`Week ${week}, ${from} to ${to}`), ...rows, ...rest].join('\n');
    })
    .join('\n');
}
