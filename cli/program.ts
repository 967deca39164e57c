import { readFileSync } from 'node:fs';
import { Command, CommanderError, InvalidArgumentError } from 'commander';
import { alertCommands } from './alerts.ts';
import { contestCommands } from './contests.ts';
import { cupCommands } from './cups.ts';
import { gameCommands, heldCommands, reportCommands } from './games.ts';
import { leagueCommands } from './leagues.ts';
import { machineCommands } from './machines.ts';
import { playerCommands, searchCommand } from './players.ts';
import { pushCommands } from './push.ts';
import { rehearseCommand } from './rehearse.ts';
import { scheduleCommands } from './schedule.ts';
import { screenCommands } from './screens.ts';
import { seasonCommands } from './seasons.ts';
import { auditCommands, staffCommands } from './staff.ts';
import { statusCommand } from './status.ts';
import { teamCommands } from './teams.ts';
import { Failure, inert, printFailure } from './terminal.ts';
import { upkeepCommands } from './upkeep.ts';
import { venueCommands } from './venues.ts';

/** The exit codes (OPS-03). */
const REFUSED = 1;
const WRONG_USAGE = 2;

const { version } = JSON.parse(
  readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
) as { version: string };

const GUIDE = `
A MACHINE, SCREEN, VENUE, LEAGUE, SEASON or TEAM is given by its name or its id, a CONTEST by its
code.
Every command has --json, and its own --help with examples.

The commands speak to the running server:
  BACKBOARD_URL           its address (http://127.0.0.1:3000)
  BACKBOARD_OPERATOR_KEY  its operator key (else the file operator.key in DATA_DIR)

Exit codes: 0 done, 1 refused or failed, 2 wrong usage.

First steps:
  ./backboard staff add "Your Name" --role owner
  ./backboard machine add "Court 1" --venue "Hoop House"
  ./backboard league create "City League" --timezone Europe/Berlin
  ./backboard league import "City League" players.csv
  ./backboard schedule generate "City League" --weeks 10`;

/** Builds the command line. Build one for each run, because parsing changes it. */
export function program(): Command {
  const root = new Command('backboard')
    .usage('<command> [options]')
    .description(
      "The operator's commands: machines, screens, leagues, games, players, staff, backups.",
    )
    .version(version, '--version', 'prints the version of this software')
    .addHelpText('after', GUIDE)
    // Leaves `--version` to the command in `season show SEASON --version 1`.
    .enablePositionalOptions()
    .showHelpAfterError('Run it with --help for usage.')
    .exitOverride()
    .configureOutput({
      outputError: (text, write) => write(text.split('\n').map(inert).join('\n')),
    });
  venueCommands(root);
  machineCommands(root);
  screenCommands(root);
  alertCommands(root);
  leagueCommands(root);
  teamCommands(root);
  scheduleCommands(root);
  seasonCommands(root);
  contestCommands(root);
  cupCommands(root);
  heldCommands(root);
  gameCommands(root);
  reportCommands(root);
  searchCommand(root);
  playerCommands(root);
  staffCommands(root);
  auditCommands(root);
  pushCommands(root);
  upkeepCommands(root);
  rehearseCommand(root);
  statusCommand(root);
  return root;
}

/** Runs one command line. Returns its exit code. */
export async function run(args: string[]): Promise<number> {
  try {
    await program().parseAsync(args, { from: 'user' });
    return 0;
  } catch (error) {
    // Commander prints its own errors, but not those that a command throws.
    if (error instanceof InvalidArgumentError) process.stderr.write(`error: ${error.message}\n`);
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : WRONG_USAGE;
    const failure =
      error instanceof Failure
        ? error
        : new Failure(`Something went wrong: ${error instanceof Error ? error.message : error}`);
    printFailure(args.includes('--json'), failure);
    return REFUSED;
  }
}
