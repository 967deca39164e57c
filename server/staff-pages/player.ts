import { type RawBuilder, sql } from 'kysely';
import { ageOn } from '#contract/rules/birthdate.ts';
import { bandOf } from '#contract/rules/players.ts';
import type { WeekChange } from '#contract/wire/inbox.ts';
import type { PlayerPage } from '#contract/wire/players.ts';
import { listSessions } from '../accounts/sessions.ts';
import { readAchievements, readWon } from '../achievements/list.ts';
import type { Schema } from '../db/schema.ts';
import type { Deps } from '../deps.ts';
import { notFound } from '../errors.ts';
import { lastDecisions } from '../games/decisions.ts';
import { judgeGame, keyOf, readFates, SEASON_OF_GAME } from '../games/history.ts';
import { weekOf } from '../leagues/calendar.ts';
import { SIDES } from '../leagues/matchups.ts';
import { inPausedWeek, inSeason, seasonOfWeek } from '../leagues/seasons.ts';
import { maskEmail } from '../log.ts';
import { NO_ACCOUNT } from '../players/players.ts';
import { lastAbout } from '../staff/audit.ts';
import type { Policy } from '../staff/policy.ts';
import { readAccount } from './account.ts';
import { FINAL_SEASON, type TeamGame, weeksAfter } from './inbox.ts';

type GameRow = Pick<
  Schema['games'],
  | 'machine_id'
  | 'id'
  | 'seq'
  | 'player_id'
  | 'score'
  | 'played_at'
  | 'state'
  | 'outside'
  | 'week'
  | 'team_id'
> & {
  machine_number: number;
  machine: string;
  team: string | null;
  paused: boolean;
  off_season: boolean;
  number: number | null;
  timezone: string | null;
  opponent_id: number | null;
  final: WeekChange['final'];
  report: PlayerPage['games'][number]['report'];
  total: number;
};
type TeamRow = GameRow & TeamGame;

/** Whether a void or restore of the game can change a team's week. */
const changesWeek = (row: GameRow): row is TeamRow =>
  row.team_id !== null && (row.state === 'counted' || row.state === 'void');

const COUNTED_MAX = 1_000;

/**
 * The newest games within the caller's reach. Each has what it counts for (GAME-06) and what its
 * void or restore would change.
 */
async function readGames(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  playerId: number,
  limit: number,
  reached: RawBuilder<boolean>,
): Promise<Pick<PlayerPage, 'games' | 'games_total'>> {
  const { rows } = await sql<GameRow>`
    select g.machine_id, g.machine_id as machine_number, g.id, g.seq, g.player_id, g.score, g.played_at,
      g.state, g.outside, g.week, g.team_id, m.name as machine, t.name as team, ${SEASON_OF_GAME},
      n.number, ${FINAL_SEASON} as final, l.timezone,
      case when s.ruling is null then s.opponent_id end as opponent_id,
      (select json_build_object('reason', r.reason, 'state', r.state) from game_reports r
        where r.machine_id = g.machine_id and r.game_id = g.id order by r.id desc limit 1) as report,
      (select count(*) from (select from games g
        where g.player_id = ${playerId} and ${reached} limit ${COUNTED_MAX}) counted) as total
    from games g
    join machines m on m.id = g.machine_id
    left join teams t on t.id = g.team_id
    left join leagues l on l.id = t.league_id
    left join lateral ${seasonOfWeek(sql`l.id`, sql`g.week`)} n on true
    left join ${SIDES} s on s.team_id = g.team_id and s.week = g.week
    where g.player_id = ${playerId} and ${reached}
    order by g.played_at desc, g.id desc limit ${limit}`.execute(db);
  const weeks = rows.flatMap(({ state, week }) => (state === 'counted' && week ? week : []));
  const fates = await readFates(db, playerId, new Set(weeks));
  const after: Map<GameRow, WeekChange> = await weeksAfter(
    db,
    rows.filter(changesWeek),
    clock.now(),
  );
  const decisions = await lastDecisions(db, rows);
  const decided = new Map(
    decisions.map(({ at, decision, by, ...game }) => [
      keyOf(game),
      { decision, by, at: at.toISOString() },
    ]),
  );
  return {
    games: rows.map((row) => ({
      game: String(row.seq),
      machine: row.machine,
      score: row.score,
      played_at: row.played_at.toISOString(),
      state: row.state,
      counts: judgeGame(row, fates).counts,
      number: fates.get(keyOf(row))?.number ?? null,
      team: row.team,
      decided: decided.get(keyOf(row)) ?? null,
      week: after.get(row) ?? null,
      report: row.report,
    })),
    games_total: rows[0]?.total ?? 0,
  };
}

async function readAchieved(deps: Pick<Deps, 'db' | 'clock'>, playerId: number) {
  const all = await readAchievements(deps, playerId);
  const names = new Map(all.map(({ key, name }) => [key, name]));
  const won = await readWon(deps, playerId);
  return won.map(({ key, unlocked_at }) => ({
    name: names.get(key) ?? key,
    won_at: unlocked_at,
  }));
}

/**
 * The player's league games of the running week within the caller's reach (LEAGUE-03). `own` and
 * `total` are about the present team. Without a league, the week is UTC's.
 */
async function readWeek(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  player: { id: number; team_id: number | null; timezone: string | null },
  reached: Policy,
): Promise<PlayerPage['week']> {
  const week = weekOf(clock.now(), player.timezone ?? 'UTC');
  const [team, monday] = [sql`${player.team_id}::integer`, sql`${week}::date`];
  const own = sql`w.team_id = ${team}`;
  const { rows } = await sql<PlayerPage['week']>`
    select coalesce(sum(w.games_played), 0)::integer as games,
      coalesce(sum(w.games_played) filter (where ${own}), 0)::integer as own,
      coalesce(sum(w.total) filter (where ${own}), 0)::integer as total,
      ${inSeason(team, monday)} and not ${inPausedWeek(team, monday)} as counts
    from league_weeks w join teams t on t.id = w.team_id
    where w.player_id = ${player.id} and w.week = ${monday}
      and ${inSeason(sql`w.team_id`, monday)} and not ${inPausedWeek(sql`w.team_id`, monday)}
      and ${reached.league(sql.ref('t.league_id'))}`.execute(db);
  return rows[0] ?? { games: 0, own: 0, total: 0, counts: false };
}

async function readDevices(deps: Pick<Deps, 'db' | 'clock'>, playerId: number) {
  const sessions = await listSessions(deps, playerId, '');
  return sessions.map(({ client, last_used_at }) => ({ client, last_used_at }));
}

/**
 * An account's page, with at most `games` of the newest games within the caller's reach. Shows a
 * masked address and an age band, so opening it needs no audit line (OPS-18). For a player out of
 * reach, `team` is null, and age and devices are left out. `looked` is the last audit line within
 * reach, or null (STAFF-40).
 * @throws Refusal 404 when there is no such account.
 */
export async function readPlayerPage(
  deps: Pick<Deps, 'config' | 'db' | 'clock'> & { policy: Policy },
  id: number,
  games: number,
): Promise<PlayerPage> {
  const { db, clock, policy } = deps;
  const own = await db
    .selectFrom('players')
    .leftJoin('teams', 'teams.id', 'players.team_id')
    .leftJoin('leagues', 'leagues.id', 'teams.league_id')
    .select(['avatar_color', 'jersey_number', 'date_of_birth', 'team_id', 'league_id', 'timezone'])
    .select(policy.player(sql.ref('players.id')).as('reached'))
    .where('players.id', '=', id)
    .executeTakeFirst();
  if (own === undefined) throw notFound(NO_ACCOUNT);
  const { date_of_birth, team_id, league_id, timezone, reached, ...jersey } = own;
  const { email, team, ...account } = await readAccount(deps, id);
  const last = await lastAbout(db, id, policy.venue(sql.ref('venue_id')));
  return {
    ...account,
    ...jersey,
    ...(await readGames(deps, id, games, policy.game)),
    id: String(id),
    address: maskEmail(email),
    reached,
    age: date_of_birth === null || !reached ? 'unknown' : bandOf(ageOn(date_of_birth, clock.now())),
    adult_age: deps.config.adult_age,
    team: team === null ? null : { id: String(team_id), league_id: String(league_id), ...team },
    other_team: team === null && team_id !== null,
    week: await readWeek(deps, { id, team_id, timezone }, policy),
    sessions: reached ? await readDevices(deps, id) : [],
    achievements: await readAchieved(deps, id),
    looked:
      last === undefined ? null : { who: last.who, what: last.what, at: last.at.toISOString() },
  };
}
