import { sql } from 'kysely';
import { isCode, typedCode } from '#contract/rules/short-code.ts';
import type { JoinedBy, Joining, Named } from '#contract/wire/leagues.ts';
import type { JoinAnswer, JoinPage, RequestAnswer } from '#contract/wire/teams.ts';
import { changeAs } from '../accounts/sessions.ts';
import type { Database } from '../db/database.ts';
import { notify, notifyConsole } from '../db/notifications.ts';
import type { Deps } from '../deps.ts';
import { badRequest, notFound } from '../errors.ts';
import type { Caller, Session } from '../http/caller.ts';
import { giveBack, limit, limitOf, networkLimits } from '../http/limits.ts';
import { limitVisitor } from '../http/work.ts';
import { moveToTeams } from '../players/players.ts';
import { namedFor } from '../players/visibility.ts';
import { addDays, startOf, weekOf } from './calendar.ts';
import { settleDeclined } from './decisions.ts';
import type { League, Team } from './leagues.ts';
import { placeOf, readSeason, readSeasonEnd, type SeasonFacts } from './season-view.ts';
import { countsFor } from './team-page.ts';

/* Joining by a team's code (LEAGUE-12 to LEAGUE-14). requests.ts has the answers of staff. */

const teamGone = () => notFound('The team is gone.');

const NO_SUCH_CODE = 'No team has this code. It may be mistyped, or a newer one was made.';

/** The refusal while a season locks its rosters (SEASON-36). */
const ROSTERS_LOCKED = 'Teams are closed until this season is over.';

export type Guest = { player_id: number } | { visitor: Caller };

type JoinedTeam = Team & Pick<League, 'timezone' | 'starts_on'> & { joining: Joining };

const joinedTeam = sql`select t.id, t.name, t.league_id, l.name as league, l.joining,
  l.timezone, l.starts_on from teams t join leagues l on l.id = t.league_id`;

/** Sets how players join a league. Returns the previous setting (LEAGUE-12). */
export async function setJoining(
  { db }: Pick<Deps, 'db'>,
  league: Pick<League, 'id'>,
  joining: Joining,
): Promise<Joining> {
  const before = await readJoining(db, league);
  await db.updateTable('leagues').set({ joining }).where('id', '=', league.id).execute();
  return before;
}

export async function readJoining(db: Database, league: Pick<League, 'id'>): Promise<Joining> {
  const { joining } = await db
    .selectFrom('leagues')
    .select('joining')
    .where('id', '=', league.id)
    .executeTakeFirstOrThrow();
  return joining;
}

/** @throws Refusal 404 when the team is gone (LEAGUE-13). */
export async function readCode(db: Database, { id }: Pick<Team, 'id'>): Promise<string> {
  const { join_code } = await db
    .selectFrom('teams')
    .select('join_code')
    .where('id', '=', id)
    .executeTakeFirstOrThrow(teamGone);
  return join_code;
}

/** @throws Refusal 404 when the team is gone (LEAGUE-13). */
export async function replaceTeamCode(db: Database, { id }: Pick<Team, 'id'>): Promise<string> {
  const { join_code } = await db
    .updateTable('teams')
    .set({ join_code: sql`default` })
    .where('id', '=', id)
    .returning('join_code')
    .executeTakeFirstOrThrow(teamGone);
  return join_code;
}

/** Finds a team by its code. Limits wrong codes (P67) and visitors' calls (P17). */
async function findByCode(
  deps: Pick<Deps, 'config' | 'db' | 'clock' | 'log'>,
  guest: Guest,
  typed: string,
): Promise<JoinedTeam> {
  const limits =
    'player_id' in guest
      ? [limitOf('join_code', String(guest.player_id))]
      : networkLimits(guest.visitor.ip, 'join_code_network');
  if ('player_id' in guest) await limit(deps, limits);
  else {
    const pages = networkLimits(guest.visitor.ip, 'join_page_network');
    await limitVisitor(deps, guest.visitor, typed, pages, limits);
  }
  const code = typedCode(typed);
  const found = isCode(code)
    ? await sql<JoinedTeam>`${joinedTeam} where t.join_code = ${code}`.execute(deps.db)
    : undefined;
  const team = found?.rows[0];
  if (team === undefined) throw notFound(NO_SUCH_CODE);
  await giveBack(deps, limits);
  return team;
}

/** Members whom the guest may not see come last, unnamed (P68). Visitors see no names. */
async function readMembers(
  { db, clock, config }: Pick<Deps, 'db' | 'clock' | 'config'>,
  team: Pick<Team, 'id'>,
  guest: Guest,
): Promise<Named[]> {
  const columns =
    'player_id' in guest
      ? namedFor({ clock, config }, guest)
      : sql`null as username, null as avatar_color, null as jersey_number`;
  const { rows } = await sql<Named>`
    select ${columns} from players p where p.team_id = ${team.id}`.execute(db);
  const key = ({ username }: Named) => (username === null ? '~' : username.toLowerCase());
  return rows.sort((a, b) => (key(a) < key(b) ? -1 : 1));
}

async function readMembership(db: Database, playerId: number) {
  const { rows } = await sql<{
    team_id: number | null;
    team: string | null;
    asked_id: number | null;
    asked: string | null;
    asked_at: Date | null;
  }>`
    select p.team_id, t.name as team, r.team_id as asked_id, a.name as asked, r.asked_at
    from players p left join teams t on t.id = p.team_id
    left join join_requests r on r.player_id = p.id left join teams a on a.id = r.team_id
    where p.id = ${playerId}`.execute(db);
  return rows[0];
}

/** From when games count for the team (LEAGUE-14); null if they count in `week`, the running one. */
function countsFrom(facts: SeasonFacts, teamId: number, week: string): JoinPage['counts_from'] {
  if (countsFor(facts, teamId, week)) return null;
  const { season, teams, pauses } = facts;
  const entry = teams.get(teamId);
  if (entry === undefined || season.starts_on > week) return 'next_season';
  const next = addDays(week, 7);
  let first = next;
  while (first < entry.from_week || pauses.has(first)) first = addDays(first, 7);
  if (!countsFor(facts, teamId, first)) return 'next_season';
  return first === next ? 'next_week' : 'this_season';
}

/**
 * A code's join page (PROD-94).
 * @throws Refusal 404 for an unknown code; 429 after too many wrong ones (P67).
 */
export async function readJoinPage(
  deps: Pick<Deps, 'config' | 'db' | 'clock' | 'log'>,
  guest: Guest,
  code: string,
): Promise<JoinPage> {
  const { db, clock, config } = deps;
  const { id, name, league_id, league, joining, timezone, starts_on } = await findByCode(
    deps,
    guest,
    code,
  );
  const now = clock.now();
  const members = await readMembers(deps, { id }, guest);
  const season = await readSeason(db, { id: league_id, name: league, timezone, starts_on }, now);
  const own = 'player_id' in guest ? await readMembership(db, guest.player_id) : undefined;
  const member = own?.team_id === id;
  const asked = !member && own?.asked_id === id;
  const locked = await areRostersLocked(db, { league_id, timezone }, now);
  const running = weekOf(now, timezone);
  return {
    team: name,
    league,
    joining: locked ? 'closed' : joining,
    members,
    size: members.length,
    max: config.team_max,
    mine: member ? 'member' : asked ? 'asked' : 'none',
    asked_at: asked ? (own?.asked_at?.toISOString() ?? null) : null,
    other_team: member ? null : (own?.team ?? null),
    other_request: asked ? null : (own?.asked ?? null),
    week: season.week,
    weeks: season.weeks,
    place: placeOf(season, { name }),
    // The lock outlasts the season's last day (SEASON-36).
    season_ends_on: locked ? null : await readSeasonEnd(db, { id: league_id, timezone }, now),
    counts_from: countsFrom(season.facts, id, running),
    week_closes_at: startOf(addDays(running, 7), timezone).toISOString(),
  };
}

/**
 * Locks a team and its league's `joining`. Otherwise two players could both take the last free
 * place, or the league could close meanwhile. Returns undefined if the team is gone. The caller
 * must hold the player's lock.
 */
export async function lockTeam(
  trx: Database,
  teamId: number,
): Promise<(JoinedTeam & { players: number }) | undefined> {
  const { rows } = await sql<JoinedTeam>`
    ${joinedTeam} where t.id = ${teamId} for no key update of t for share of l`.execute(trx);
  const team = rows[0];
  if (team === undefined) return undefined;
  // The first statement does not see players who joined while it waited.
  const { rows: counted } = await sql<{ players: number }>`
    select count(*) as players from players where team_id = ${teamId}`.execute(trx);
  return { ...team, players: counted[0]?.players ?? 0 };
}

/** Whether a season locks the teams of the league (SEASON-36). */
async function areRostersLocked(
  db: Database,
  { league_id, timezone }: Pick<JoinedTeam, 'league_id' | 'timezone'>,
  now: Date,
): Promise<boolean> {
  const { rows } = await sql`
    select from seasons where league_id = ${league_id} and final_at is null
      and rosters_lock_week <= ${weekOf(now, timezone)}::date limit 1`.execute(db);
  return rows.length > 0;
}

const fullText = (players: number, max: number) =>
  `${players} of ${max} players. Ask the captain, or the venue, for a place. The code works again when one is free.`;

/** Puts a player on the team (LEAGUE-14). The caller must hold the player's lock. */
export async function putOnTeam(
  trx: Database,
  player: { id: number },
  team: Pick<Team, 'id' | 'league_id'>,
  { at, how }: { at: Date; how: JoinedBy },
): Promise<void> {
  await moveToTeams(trx, [{ player_id: player.id, team_id: team.id }], at, how);
  await notify(trx, { profile: [player.id], league: [team.league_id] });
}

/**
 * Puts the player on the team with this code, or stores a request if staff decide (LEAGUE-12).
 * Idempotent.
 * @throws Refusal 400 when the league is closed, the team is full, or the player is on another team
 * or has not completed the profile; 404 and 429 as `readJoinPage`; 401 when the session has ended
 * (P4).
 */
export async function joinTeam(
  deps: Pick<Deps, 'config' | 'db' | 'clock' | 'log'>,
  session: Pick<Session, 'id' | 'player_id'>,
  code: string,
): Promise<JoinAnswer> {
  const { id } = await findByCode(deps, session, code);
  return changeAs(deps, session, async (trx, player) => {
    const playerId = player.id;
    const team = await lockTeam(trx, id);
    if (team === undefined) throw notFound(NO_SUCH_CODE);
    if (player.team_id === id) return { state: 'joined' };
    const own = await readMembership(trx, playerId);
    if (player.team_id !== null)
      throw badRequest(`You are on ${own?.team}. The venue moves players between teams.`);
    if (player.username === null || player.date_of_birth === null)
      throw badRequest('Finish your profile first.');
    if (await areRostersLocked(trx, team, deps.clock.now())) throw badRequest(ROSTERS_LOCKED);
    if (team.joining === 'closed') throw badRequest(`${team.league} takes no new players.`);
    if (team.joining === 'ask' && own?.asked_id === id) return { state: 'asked' };
    if (team.players >= deps.config.team_max)
      throw badRequest(fullText(team.players, deps.config.team_max));
    const now = deps.clock.now();
    if (team.joining === 'open') {
      await putOnTeam(trx, player, team, { at: now, how: 'code' });
      return { state: 'joined' };
    }
    await settleDeclined(trx, playerId);
    await sql`
      insert into join_requests (player_id, team_id, asked_at) values (${playerId}, ${id}, ${now})
      on conflict (player_id) do update set team_id = excluded.team_id, asked_at = excluded.asked_at`.execute(
      trx,
    );
    await notify(trx, { profile: [playerId] });
    await notifyConsole(trx, ['weeks']);
    return { state: 'asked' };
  });
}

export async function readRequest(db: Database, playerId: number): Promise<RequestAnswer> {
  const { rows } = await sql<{ team: string; league: string; asked_at: Date }>`
    select t.name as team, l.name as league, r.asked_at from join_requests r
    join teams t on t.id = r.team_id join leagues l on l.id = t.league_id
    where r.player_id = ${playerId}`.execute(db);
  const request = rows[0];
  return { request: request ? { ...request, asked_at: request.asked_at.toISOString() } : null };
}

/**
 * Withdraws the player's request, if any.
 * @throws Refusal 401 when the session has ended (P4).
 */
export async function withdrawRequest(
  deps: Pick<Deps, 'db' | 'clock'>,
  session: Pick<Session, 'id' | 'player_id'>,
): Promise<void> {
  await changeAs(deps, session, async (trx, { id: playerId }) => {
    await trx.deleteFrom('join_requests').where('player_id', '=', playerId).execute();
    await settleDeclined(trx, playerId);
    await notify(trx, { profile: [playerId] });
    await notifyConsole(trx, ['weeks']);
  });
}
