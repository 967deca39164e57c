import { sql } from 'kysely';
import { canonicalEmail } from '#contract/rules/email.ts';
import { TEAM_NAME_MAX } from '#contract/rules/leagues.ts';
import { characters } from '#contract/wire/fields.ts';
import type { Database } from '../db/database.ts';
import { notify } from '../db/notifications.ts';
import { transact } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { Refusal } from '../errors.ts';
import { moveToTeams } from '../players/players.ts';
import type { League } from './leagues.ts';
import { lockAccounts, obstacle, type Reached } from './rosters.ts';

/** `line`: its number in the file, from 1. */
export type RosterRow = { line: number; team: string; email: string };
export type RosterProblem = { line: number; problem: string };

/** Nothing was imported. `problems` has every bad row. */
export class RosterRefused extends Refusal {
  readonly problems: RosterProblem[];
  constructor(problems: RosterProblem[]) {
    const rows = problems.toSorted((a, b) => a.line - b.line);
    const wrong = rows.length === 1 ? 'One row is' : `${rows.length} rows are`;
    const body = { detail: `${wrong} wrong: nothing was imported.`, rows };
    super(400, body);
    this.problems = rows;
  }
}

/** A refusal with the names of the unknown teams. Nothing was imported. */
function newTeams(league: League, names: readonly string[]): Refusal {
  const list = names.map((name) => `“${name}”`).join(', ');
  const detail = `The file names teams that “${league.name}” does not have: ${list}. Nothing was imported. Mend their names, or import with new_teams to create them.`;
  const body = { detail, new_teams: names };
  return new Refusal(400, body);
}

export type Imported = {
  teams_created: number;
  players_added: number;
  players_moved: number;
  unchanged: number;
};

/**
 * Imports a roster into a league, all rows or none (OPS-05). A player of another team of this
 * league moves; one of another league is a problem, probably a mistake. Players who are not in the
 * file stay.
 * @param newTeams create missing teams
 * @param reached the leagues whose teams a problem may name
 * @param unreadable the parser's problems
 * @throws RosterRefused with every bad row; Refusal 400 when teams are missing without `newTeams`
 */
export async function importRoster(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  league: League,
  rows: readonly RosterRow[],
  {
    unreadable = [],
    newTeams: withNewTeams = true,
    reached,
  }: {
    unreadable?: readonly RosterProblem[];
    newTeams?: boolean;
    reached?: Reached;
  } = {},
): Promise<Imported> {
  return transact(db, async (trx) => {
    const accounts = await lockAccounts(
      trx,
      rows.map(({ email }) => canonicalEmail(email)),
      reached,
    );
    // Concurrent imports must not create the same teams. Lock the league after the players, as
    // everywhere, against deadlocks with a player who joins.
    await sql`select id from leagues where id = ${league.id} for update`.execute(trx);
    // Read the clock under the accounts' locks, as `moveToTeams` requires.
    const now = clock.now();
    const lines = new Map<string, number>();
    const problems = rows.flatMap(({ line, team, email: typed }): RosterProblem[] => {
      const email = canonicalEmail(typed);
      const account = accounts.get(email);
      const before = lines.get(email);
      lines.set(email, before ?? line);
      const problem =
        teamNameProblem(team) ??
        (before === undefined ? null : `${email} is in line ${before} too.`) ??
        obstacle(email, account) ??
        (account?.league_id != null && account.league_id !== league.id
          ? `${email} is on ${
              account.reached
                ? `“${account.team}” of “${account.league}”: take them off that team first.`
                : 'a team of a league that is not yours. Ask an owner.'
            }`
          : null);
      return problem === null ? [] : [{ line, problem }];
    });
    if (problems.length + unreadable.length > 0)
      throw new RosterRefused([...unreadable, ...problems]);

    if (!withNewTeams) await requireTeams(trx, league, rows);
    const { teams, created } = await findOrCreateTeams(
      trx,
      league,
      rows.map(({ team }) => team.trim()),
      now,
    );
    const moves = rows.flatMap(({ team, email }) => {
      const account = accounts.get(canonicalEmail(email));
      const team_id = teams.get(team.trim());
      return account === undefined || team_id === undefined
        ? []
        : { player_id: account.id, team_id, from: account.team_id };
    });
    await moveToTeams(trx, moves, now, 'staff');
    await notify(trx, {
      profile: moves.map(({ player_id }) => player_id),
      league: [league.id],
    });
    const count = (is: (one: (typeof moves)[number]) => boolean) => moves.filter(is).length;
    return {
      teams_created: created,
      players_added: count(({ from }) => from === null),
      players_moved: count(({ from, team_id }) => from !== null && from !== team_id),
      unchanged: count(({ from, team_id }) => from === team_id),
    };
  });
}

function teamNameProblem(team: string): string | null {
  const length = characters(team.trim());
  if (length === 0) return 'The team has no name.';
  if (length > TEAM_NAME_MAX) return `A team's name has at most ${TEAM_NAME_MAX} characters.`;
  return null;
}

async function requireTeams(
  trx: Database,
  league: League,
  rows: readonly RosterRow[],
): Promise<void> {
  const { rows: missing } = await sql<{ name: string }>`
    select distinct on (lower(name)) name from unnest(${rows.map(({ team }) => team.trim())}::text[])
      with ordinality as w (name, at)
    where not exists (
      select from teams t where t.league_id = ${league.id} and lower(t.name) = lower(w.name))
    order by lower(name), at`.execute(trx);
  if (missing.length > 0)
    throw newTeams(
      league,
      missing.map(({ name }) => name),
    );
}

async function findOrCreateTeams(trx: Database, league: League, given: string[], now: Date) {
  const names = [...new Set(given)];
  const { rows: created } = await sql`
    insert into teams (league_id, name, created_at)
    select distinct on (lower(name)) ${league.id}::integer, name, ${now}::timestamptz
    from unnest(${names}::text[]) as w (name)
    on conflict (league_id, lower(name)) do nothing returning id`.execute(trx);
  const { rows } = await sql<{ id: number; given: string }>`
    select t.id, w.name as given
    from unnest(${names}::text[]) as w (name) join teams t on lower(t.name) = lower(w.name)
    where t.league_id = ${league.id}`.execute(trx);
  return { teams: new Map(rows.map(({ id, given }) => [given, id])), created: created.length };
}
