import { sql } from 'kysely';
import type { Achievement, UserAchievement } from '#contract/wire/achievements.ts';
import type { Database } from '../db/database.ts';
import type { Deps } from '../deps.ts';
import { addDays, dayOf, weekOf } from '../leagues/calendar.ts';
import { SIDES } from '../leagues/matchups.ts';
import { readWeeks } from '../leagues/player-weeks.ts';
import { inPausedWeek, inSeason } from '../leagues/seasons.ts';
import {
  BETTER_RULE,
  DAYS_RULE,
  daysRunning,
  type Figures,
  type FinishedWeek,
  GAME_RULES,
  stepsDown,
  WEEK_RULES,
} from './rules.ts';

async function readZone(db: Database, playerId: number): Promise<string> {
  const { rows } = await sql<{ timezone: string }>`
    select l.timezone from players p
    join teams t on t.id = p.team_id join leagues l on l.id = t.league_id
    where p.id = ${playerId}`.execute(db);
  return rows[0]?.timezone ?? 'UTC';
}

/** Consecutive days with a game, up to today or yesterday; otherwise 0. */
async function readRunningDays(db: Database, playerId: number, today: string): Promise<number> {
  const { rows } = await sql<{ day: string }>`
    select distinct day from games
    where player_id = ${playerId} and state = 'counted'
      and played_at > ${addDays(today, -DAYS_RULE.need - 1)}::date`.execute(db);
  const days = new Set(rows.map(({ day }) => day));
  const last = [today, addDays(today, -1)].find((day) => days.has(day));
  return last === undefined ? 0 : daysRunning(days, last);
}

async function readFigures(db: Database, playerId: number, now: Date): Promise<Figures> {
  const zone = await readZone(db, playerId);
  const { rows } = await sql<{ games_played: number; week_games: number; scores: number[] }>`
    select
      coalesce((select games_played from player_stats where player_id = ${playerId}), 0)
        as games_played,
      (select coalesce(sum(games_played), 0) from league_weeks
        where player_id = ${playerId} and week = ${weekOf(now, zone)}) as week_games,
      array(select score from games where player_id = ${playerId} and state = 'counted'
        order by played_at desc, id desc limit ${sql.lit(BETTER_RULE.need + 1)}) as scores`.execute(
    db,
  );
  const { games_played = 0, week_games = 0, scores = [] } = rows[0] ?? {};
  return {
    games_played,
    own_best_beaten: 0,
    times_better: Math.max(stepsDown(scores), 0),
    days_running: await readRunningDays(db, playerId, dayOf(now, zone)),
    week_games,
  };
}

/** All achievements. Those won in steps have the player's progress (PROD-53). */
export async function readAchievements(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  playerId: number,
): Promise<Achievement[]> {
  const figures = await readFigures(db, playerId, clock.now());
  const won = await db
    .selectFrom('player_achievements')
    .select('key')
    .where('player_id', '=', playerId)
    .execute();
  const keys = new Set(won.map(({ key }) => key));
  return [
    ...GAME_RULES.map(({ key, name, description, icon, rank, of, need }) => ({
      key,
      name,
      description,
      icon,
      rank,
      progress:
        need === 1 ? null : { have: keys.has(key) ? need : Math.min(figures[of], need), need },
    })),
    ...WEEK_RULES.map(({ won: _, ...definition }) => ({ ...definition, progress: null })),
  ];
}

/** The player's achievements, newest first (PROD-53). */
export async function readWon(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  playerId: number,
): Promise<UserAchievement[]> {
  const stored = await db
    .selectFrom('player_achievements')
    .select(['key', 'unlocked_at', 'game_id'])
    .where('player_id', '=', playerId)
    .execute();
  const inOrder = new Map([...GAME_RULES, ...WEEK_RULES].map(({ key }, at) => [key, at]));
  return (
    [...stored, ...(await readWonByWeeks(db, playerId, clock.now()))]
      // Omit keys that the code no longer has.
      .filter(({ key }) => inOrder.has(key))
      .sort(
        (a, b) =>
          b.unlocked_at.getTime() - a.unlocked_at.getTime() ||
          (inOrder.get(b.key) ?? 0) - (inOrder.get(a.key) ?? 0),
      )
      .map(({ key, unlocked_at, game_id }) => ({
        key,
        unlocked_at: unlocked_at.toISOString(),
        game: game_id,
      }))
  );
}

type WeekRow = FinishedWeek & { team_id: number; week: string; timezone: string };

/**
 * The achievements of finished season weeks, except postponed ones (SEASON-32). Each is won in the
 * first week that reaches its goal, with the player's last counted game for the team in that week.
 */
async function readWonByWeeks(db: Database, playerId: number, now: Date) {
  const { rows } = await sql<WeekRow>`
    select w.team_id, w.week, l.timezone, w.total as own_total, own.total as team_total,
      own.best as best_total, own.players,
      case when s.opponent_id is not null then coalesce(other.total, 0) end as opponent_total,
      s.ruling = case when s.home then 'home' else 'away' end as ruled
    from league_weeks w
    join teams t on t.id = w.team_id
    join leagues l on l.id = t.league_id
    cross join lateral (
      select sum(total)::bigint as total, max(total) as best, count(*) as players
      from league_weeks x where x.team_id = w.team_id and x.week = w.week
    ) own
    left join ${SIDES} s on s.team_id = w.team_id and s.week = w.week
    left join lateral (
      select sum(total)::bigint as total from league_weeks x
      where x.team_id = s.opponent_id and x.week = w.week
    ) other on true
    where ${inSeason(sql`w.team_id`, sql`w.week`)}
      and not ${inPausedWeek(sql`w.team_id`, sql`w.week`)}
      and w.player_id = ${playerId} and w.week < ${addDays(now.toISOString().slice(0, 10), 1)}
    order by w.week, w.team_id`.execute(db);
  const finished = rows.filter(({ week, timezone }) => week < weekOf(now, timezone));
  const won = WEEK_RULES.flatMap(({ key, won }) => {
    const week = finished.find((row) => won(row));
    return week === undefined ? [] : { key, week };
  });
  const games = await readWeeks(
    db,
    won.map(({ week }) => ({ player_id: playerId, week: week.week })),
  );
  return won.flatMap(({ key, week }, at) => {
    const last = games[at]?.games.findLast(({ team_id }) => team_id === week.team_id);
    return last === undefined ? [] : { key, unlocked_at: last.played_at, game_id: last.id };
  });
}
