import type { Command } from 'commander';
import {
  decidedAnswer,
  requestsAnswer,
  teamAddedAnswer,
  teamChangedAnswer,
  teamCodeAnswer,
  teamDeletedAnswer,
  teamRow,
  teamsAnswer,
} from '#contract/wire/teams.ts';
import {
  type AskingOptions,
  api,
  askingLeaf,
  group,
  leaf,
  type Options,
  rowNamed,
} from './command.ts';
import { JOINING } from './leagues.ts';
import { entryCommands } from './season-weeks.ts';
import { answer, bold, confirm, count, inert, localTime, table } from './terminal.ts';

/** Leagues' teams, their players, and requests to join. */
export function teamCommands(program: Command): void {
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
    const found = rowNamed(results, team);
    const label = found ? `“${found.name}” of “${found.league}”` : `“${team}”`;
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
  entryCommands(team);
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
    'Accepts a request: the player is on the team from now on, with league mode on, and gets a mail. Also confirms a player who joined by the code and has not played at the venue yet: that player then sees the names of players under age.',
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

  leaf(
    team,
    'reopen <team> <email>',
    'Undoes an answer to a request: the player is off the team, and waits again. Within a minute of the answer, the player hears nothing of it.',
    `team reopen "Rim Rattlers" ana@example.com`,
  ).action(async (name: string, email: string, { json }: Options) => {
    const done = await api().post(decidedAnswer, 'teams/reopen/', { team: name, email });
    answer(
      !!json,
      done,
      (value) =>
        `${inert(value.username ?? value.email)} waits for an answer from ${inert(value.team)} again.`,
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
