import { sql } from 'kysely';
import type { ClosedWeek, LastWeekAnswer, Named } from '#contract/wire/leagues.ts';
import type { Database } from '../db/database.ts';
import type { Deps } from '../deps.ts';
import { namedFor } from '../players/visibility.ts';
import { addDays, startOf, weekOf } from './calendar.ts';
import { type League, teamOf } from './leagues.ts';
import { SIDES } from './matchups.ts';
import { readWeeks } from './player-weeks.ts';
import { readWeekNumber } from './seasons.ts';
import { readTeamWeek, teamTable } from './team-week.ts';
import { DECIDED_BY_GAMES } from './turning.ts';

/**
 * Reads the last closed week of the team that the player was on when the week closed. `last` is
 * null without team, opponent or game, and if a ruling or a withdrawal decided the week (SEASON-30).
 * @throws Refusal 400 without a team.
 */
export async function readLastWeek(
  deps: Pick<Deps, 'config' | 'db' | 'clock'>,
  playerId: number,
): Promise<LastWeekAnswer> {
  const { db, clock } = deps;
  const { league } = await teamOf(db, playerId);
  const current = weekOf(clock.now(), league.timezone);
  const week = addDays(current, -7);
  const number = await readWeekNumber(db, league.id, week);
  const team = number === null ? null : await teamOfWeek(db, playerId, league, week);
  return {
    last: team && (await readClosedWeek(deps, playerId, team, { week, number: number ?? 0 })),
    week_closes_at: startOf(addDays(current, 7), league.timezone).toISOString(),
  };
}

type TeamThen = { id: number; name: string };

/**
 * The player's team when the week closed; null if it is not in `league`, or if games did not decide
 * its week.
 */
async function teamOfWeek(
  db: Database,
  playerId: number,
  league: League,
  week: string,
): Promise<TeamThen | null> {
  const closed = startOf(addDays(week, 7), league.timezone);
  const { rows } = await sql<TeamThen>`
    select t.id, t.name from (
      select team_id from team_changes where player_id = ${playerId} and at < ${closed}
      order by at desc limit 1
    ) then_on join teams t on t.id = then_on.team_id
    join ${SIDES} m on m.team_id = t.id and m.week = ${week}::date and ${DECIDED_BY_GAMES}
    where t.league_id = ${league.id}`.execute(db);
  return rows[0] ?? null;
}

/**
 * Reads who is named in a picture that `playerId` shares. Leaves out people whom it must not show
 * (ACC-60).
 */
async function readPersons(
  deps: Pick<Deps, 'config' | 'db' | 'clock'>,
  playerId: number,
  playerIds: readonly number[],
) {
  const { rows } = await sql<{ player_id: number } & Named>`
    select p.id as player_id, ${namedFor(deps, { shared_by: playerId })}
    from players p where p.id = any(${playerIds}::bigint[])`.execute(deps.db);
  return new Map(rows.map((row) => [row.player_id, row]));
}

async function readClosedWeek(
  deps: Pick<Deps, 'config' | 'db' | 'clock'>,
  playerId: number,
  team: TeamThen,
  { week, number }: { week: string; number: number },
): Promise<ClosedWeek | null> {
  // `readPersons` checks the names.
  const asked = { team_id: team.id, week, player_id: playerId, check_names: false };
  const { members, opponent } = await readTeamWeek(deps, asked);
  const own = teamTable({ members });
  if (opponent === null || own.games_played + opponent.games_played === 0) return null;
  const played = own.ranked.filter(({ games_played }) => games_played > 0);
  const persons = await readPersons(
    deps,
    playerId,
    played.map(({ player_id }) => player_id),
  );
  // A deleted account is left out, but its games count.
  const players = played.flatMap(({ player_id, total }) => {
    const person = persons.get(player_id);
    return person === undefined ? [] : { ...person, total };
  });
  const weeks = await readWeeks(
    deps.db,
    players.map(({ player_id }) => ({ player_id, week })),
  );
  const best = weeks
    .flatMap(({ games }, at) =>
      games.map((game) => ({ ...game, by: players[at]?.username ?? null })),
    )
    .filter(({ team_id }) => team_id === team.id)
    .sort((a, b) => b.score - a.score || a.played_at.getTime() - b.played_at.getTime())[0];
  return {
    week: number,
    from: week,
    to: addDays(week, 6),
    team: team.name,
    team_total_score: own.total,
    opponent: opponent.name,
    opponent_total_score: opponent.total,
    players: players.map(({ player_id: _, total, ...player }) => ({
      ...player,
      weekly_total_score: total,
    })),
    best: best ? { username: best.by, score: best.score } : null,
  };
}
