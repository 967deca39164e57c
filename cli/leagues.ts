import { readFile } from 'node:fs/promises';
import { Argument, type Command } from 'commander';
import { decodeRoster } from '#contract/rules/roster-text.ts';
import {
  type Joining,
  joining,
  joiningAnswer,
  leagueAnswer,
  leagueRenamedAnswer,
  leagueRow,
  leaguesAnswer,
  leagueVenueAnswer,
  rosterAnswer,
} from '#contract/wire/leagues.ts';
import { api, day, group, leaf, type Options } from './command.ts';
import { inFolder } from './files.ts';
import { answer, bold, confirm, count, Failure, inert, table } from './terminal.ts';

type Zoned = { timezone?: string };
type Created = { timezone: string; starts?: string; venue?: string };

const runBy = ({ venue }: { venue: string | null }) =>
  venue === null
    ? 'Owners and staff who reach everything run it.'
    : `The staff of ${inert(venue)} run it.`;

/** How a league takes players (LEAGUE-12). */
export const JOINING: Record<Joining, string> = {
  closed: 'takes no new players by code',
  ask: 'takes players by code when you accept them',
  open: 'takes everybody with the code of a team; they see the names of players under age after a game at the venue, or when you confirm them (team accept)',
};

/** Leagues, how players join them, and the import of players. */
export function leagueCommands(program: Command): void {
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
     league create "Winter Cup" --timezone America/New_York --starts 2027-01-04 --venue "Dockside Arcade"`,
  )
    .requiredOption('--timezone <zone>', 'IANA name, such as Europe/Berlin')
    .option('--starts <date>', "a day of its first week (default: this week's)", day)
    .option('--venue <venue>', 'the venue whose staff run it')
    .action(async (name: string, { json, ...more }: Options & Created) => {
      const made = await api().post(leagueRow, 'leagues/', { name, ...more });
      answer(
        !!json,
        made,
        (row) =>
          `${inert(row.name)} (id ${row.id}) begins on Monday ${row.starts_on}, ${row.timezone} time. ${runBy(row)}`,
      );
    });

  leaf(league, 'list', 'Lists the leagues.', 'league list').action(async ({ json }: Options) => {
    const { results } = await api().get(leaguesAnswer, 'leagues/');
    answer(!!json, results, (rows) =>
      table(
        ['ID', 'NAME', 'VENUE', 'TIME ZONE', 'BEGINS', 'WEEK', 'JOINING', 'TEAMS', 'PLAYERS'],
        rows.map((row) => [
          row.id,
          row.name,
          row.venue ?? '',
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
        `${bold(inert(value.name))} (id ${value.id}), ${value.timezone}, began ${value.starts_on}, week ${value.week} of ${value.weeks}. ${runBy(value)}`,
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
    'Renames a league. Its teams, games and weeks stay. Its time zone can change until the league has a game.',
    `league rename "City Leage" "City League"
     league rename "City League" "City League" --timezone Europe/Berlin`,
  )
    .option('--timezone <zone>', 'another IANA time zone')
    .action(async (name: string, wanted: string, { json, timezone }: Options & Zoned) => {
      const body = { league: name, name: wanted, timezone };
      const renamed = await api().post(leagueRenamedAnswer, 'leagues/rename/', body);
      answer(
        !!json,
        renamed,
        (value) =>
          `The league is called ${inert(value.league)} now${timezone ? `, in the time zone ${value.timezone}` : ''}.`,
      );
    });

  leaf(
    league,
    'venue <league> [venue]',
    'Sets the venue whose staff run the league; without a venue, it belongs to no one venue.',
    `league venue "City League" "Dockside Arcade"
     league venue "City League"`,
  ).action(async (name: string, venue: string | undefined, { json }: Options) => {
    const body = { league: name, venue: venue ?? null };
    const set = await api().post(leagueVenueAnswer, 'leagues/venue/', body);
    answer(!!json, set, (value) => `${inert(value.league)}: ${runBy(value)}`);
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
    'Puts players on teams from a file of rows "team,email". Players must have an account. If any row is wrong, all wrong rows are listed and nothing is imported. Asks before it makes a team that the league does not have.',
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
 * Asks whether to create the teams that the league lacks.
 * @throws `error` if it is not about missing teams, or Failure if the answer is not yes.
 */
async function confirmNewTeams(error: unknown): Promise<void> {
  if (!(error instanceof Failure) || !Array.isArray(error.details.new_teams)) throw error;
  const names = error.details.new_teams.map((team) => `“${team}”`).join(', ');
  if (!process.stdin.isTTY || !process.stderr.isTTY)
    throw new Failure(
      `The league does not have ${names}. Nothing was imported. Correct the names, or add --new-teams to make them.`,
      error.details,
    );
  await confirm(
    false,
    `The league does not have ${names}. Make ${error.details.new_teams.length === 1 ? 'this team' : 'these teams'}?`,
  );
}

/** Adds `path:line: problem` for each bad row. */
function withRows(error: unknown, path: string): unknown {
  if (!(error instanceof Failure) || !Array.isArray(error.details.rows)) return error;
  const rows = error.details.rows.map(({ line, problem }) => `${path}:${line}: ${problem}`);
  return new Failure([...rows, error.message].join('\n'), error.details);
}
