import { sql } from 'kysely';
import { canonicalEmail } from '#contract/rules/email.ts';
import { TEAM_NAME_MAX } from '#contract/rules/leagues.ts';
import { characters } from '#contract/wire/fields.ts';
import type { Database } from '../db/database.ts';
import { notify } from '../db/notifications.ts';
import { transact } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { moveToTeams } from '../players/players.ts';
import type { League } from './leagues.ts';
import { lockAccounts, obstacle } from './rosters.ts';

/** `line`: its number in the file, from 1. */
export type RosterRow = { line: number; team: string; email: string };
export type RosterProblem = { line: number; problem: string };

/** `problems` has every bad row. Nothing was imported. */
export class RosterRefused extends Error {
  readonly problems: RosterProblem[];
  constructor(problems: RosterProblem[]) {
    super(`${problems.length} rows of the roster cannot be used`);
    this.problems = problems.toSorted((a, b) => a.line - b.line);
  }
}

/** `names` has the unknown teams. Nothing was imported. */
export class NewTeams extends Error {
  readonly names: string[];
  constructor(names: string[]) {
    super(`${names.length} teams of the roster do not exist`);
    this.names = names;
  }
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
 * @param reached leagues whose teams a problem may name; null: all (STAFF-02)
 * @param unreadable the parser's problems
 * @throws RosterRefused with every bad row; NewTeams when teams are missing and `newTeams` is false
 */
export async function importRoster(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  league: League,
  rows: readonly RosterRow[],
  {
    unreadable = [],
    newTeams = true,
    reached = null,
  }: {
    unreadable?: readonly RosterProblem[];
    newTeams?: boolean;
    reached?: readonly number[] | null;
  } = {},
): Promise<Imported> {
  return transact(db, async (trx) => {
    const accounts = await lockAccounts(
      trx,
      rows.map(({ email }) => canonicalEmail(email)),
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
              reached === null || reached.includes(account.league_id)
                ? `“${account.team}” of “${account.league}”: take them off that team first.`
                : 'a team of a league that is not yours. Ask an owner.'
            }`
          : null);
      return problem === null ? [] : [{ line, problem }];
    });
    if (problems.length + unreadable.length > 0)
      throw new RosterRefused([...unreadable, ...problems]);

    if (!newTeams) await requireTeams(trx, league, rows);
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
    await moveToTeams(trx, moves, now);
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
  if (missing.length > 0) throw new NewTeams(missing.map(({ name }) => name));
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
