import { sql } from 'kysely';
import { type PlayerGame, rebuildAchievements } from '../achievements/achievements.ts';
import type { Database } from '../db/database.ts';
import { lockPatiently } from '../db/locks.ts';
import { notify } from '../db/notifications.ts';
import { recordset } from '../db/recordset.ts';
import type { Deps } from '../deps.ts';
import {
  type BoardGame,
  rebuildBests,
  rebuildCounts,
  replaceVenueWeek,
} from '../leaderboards/boards.ts';
import { type ChangedWeek, type PlayerWeek, putWeeks, readWeeks } from '../leagues/player-weeks.ts';
import { touchSeasonsOf } from '../leagues/season-end.ts';
import { lockPlayers } from '../players/players.ts';

/** How many rows of each derived table changed. */
export type Changes = {
  statistics: number;
  high_scores: number;
  league_weeks: number;
  achievements: number;
};

type RecountedGame = PlayerGame & BoardGame;

async function readCounted(trx: Database, playerIds: readonly number[]): Promise<RecountedGame[]> {
  const { rows } = await sql<RecountedGame>`
    select machine_id, venue_id, id, player_id, score, played_at, day, week from games
    where player_id = any(${playerIds}::bigint[]) and state = 'counted' order by seq`.execute(trx);
  return rows;
}

async function rebuildStatistics(
  trx: Database,
  playerIds: readonly number[],
  games: readonly RecountedGame[],
): Promise<number> {
  const fresh = [...Map.groupBy(games, ({ player_id }) => player_id)].map(([player_id, own]) => ({
    player_id,
    games_played: own.length,
    highscore: own.reduce((best, { score }) => Math.max(best, score), 0),
    score_sum: own.reduce((sum, { score }) => sum + score, 0),
  }));
  const { rows } = await sql<{ changed: number }>`
    with fresh as materialized (
      select * from ${recordset(
        fresh,
        'player_id bigint, games_played integer, highscore integer, score_sum bigint',
      )}
    ), gone as (
      delete from player_stats s
      where s.player_id = any(${playerIds}::bigint[])
        and not exists (select 1 from fresh f where f.player_id = s.player_id)
      returning 1
    ), put as (
      insert into player_stats as s (player_id, games_played, highscore, score_sum)
      select f.player_id, f.games_played, f.highscore, f.score_sum
      from fresh f join players p on p.id = f.player_id
      on conflict (player_id) do update set games_played = excluded.games_played,
        highscore = excluded.highscore, score_sum = excluded.score_sum
      where (s.games_played, s.highscore, s.score_sum) is distinct from
        (excluded.games_played, excluded.highscore, excluded.score_sum)
      returning 1
    )
    select (select count(*) from gone) + (select count(*) from put) as changed`.execute(trx);
  return rows[0]?.changed ?? 0;
}

async function readPlayerWeeks(trx: Database, playerIds: readonly number[]): Promise<PlayerWeek[]> {
  const { rows } = await sql<PlayerWeek>`
    select player_id, week from games
    where player_id = any(${playerIds}::bigint[]) and week is not null and state = 'counted'
    union
    select player_id, week from league_weeks where player_id = any(${playerIds}::bigint[])`.execute(
    trx,
  );
  return rows;
}

/**
 * Recomputes all that derives from these players' games and writes only what differs. A deleted
 * account keeps only its league weeks, which count for the team. Marks the seasons of `played`, and
 * of the weeks that differed (SEASON-25). The caller must hold `lockCorrections`.
 */
export async function recount(
  trx: Database,
  playerIds: readonly number[],
  now: Date,
  played: readonly ChangedWeek[] = [],
): Promise<Changes & { games: number }> {
  await lockPlayers(trx, playerIds);
  const games = await readCounted(trx, playerIds);
  const statistics = await rebuildStatistics(trx, playerIds, games);
  const high_scores = await rebuildBests(trx, playerIds, games, now);
  const weeks = await putWeeks(trx, await readWeeks(trx, await readPlayerWeeks(trx, playerIds)));
  const achievements = await rebuildAchievements(trx, playerIds, games);
  await touchSeasonsOf(trx, [...played, ...weeks], now);
  return {
    games: games.length,
    statistics,
    high_scores,
    league_weeks: weeks.length,
    achievements,
  };
}

/**
 * Makes corrections run one after another. Locks on players are not enough: a deleted account has
 * games that count, but no row.
 */
export const lockCorrections = (trx: Database) => lockPatiently(trx, 'corrections');

/** A transaction locks this many players. Reports with their games wait for it. */
const CHUNK = 25;
const WEEK_MAX_MS = 8 * 24 * 3_600_000;

/**
 * Recomputes all that derives from games (GAME-03); nothing changes in a consistent database. Each
 * chunk is a transaction: games can be recorded in between, and an interrupted rebuild can run
 * again. `onProgress` counts players.
 */
export async function rebuild(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  onProgress: (done: number, total: number) => void = () => undefined,
): Promise<{ players: number; games: number; changed: Changes }> {
  const ids = await readPlayerIds(db);
  const changed: Changes = { statistics: 0, high_scores: 0, league_weeks: 0, achievements: 0 };
  let games = 0;
  for (let done = 0; done < ids.length; done += CHUNK) {
    const chunk = ids.slice(done, done + CHUNK);
    const found = await db.transaction().execute(async (trx) => {
      await lockCorrections(trx);
      const found = await recount(trx, chunk, clock.now());
      const { statistics, high_scores, league_weeks, achievements } = found;
      if (statistics + high_scores + league_weeks + achievements > 0)
        await notify(trx, { game: chunk });
      return found;
    });
    games += found.games;
    changed.statistics += found.statistics;
    changed.high_scores += found.high_scores;
    changed.league_weeks += found.league_weeks;
    changed.achievements += found.achievements;
    onProgress(Math.min(done + CHUNK, ids.length), ids.length);
  }
  changed.high_scores += await db.transaction().execute(async (trx) => {
    await lockCorrections(trx);
    return rebuildCounts(trx, clock.now());
  });
  return { players: ids.length, games, changed };
}

/**
 * Blocks reports and corrections of the venue's games until the transaction ends. Call it before
 * changing the venue's time zone.
 */
export async function lockVenueGames(trx: Database, venueId: number): Promise<void> {
  await lockCorrections(trx);
  const machines = await trx
    .selectFrom('machines')
    .select('id')
    .where('venue_id', '=', venueId)
    .execute();
  await lockPatiently(
    trx,
    'machine',
    machines.map(({ id }) => id),
  );
}

/**
 * After a change of a venue's time zone, recomputes its boards of the current week. The caller must
 * hold `lockVenueGames`.
 */
export async function rebuildVenueWeek(trx: Database, venueId: number, now: Date): Promise<void> {
  // WEEK_MAX_MS exceeds a week, because a game may arrive five minutes before its `played_at`.
  const { rows } = await sql<BoardGame>`
    select player_id, venue_id, score, played_at from games
    where received_at > ${new Date(now.getTime() - WEEK_MAX_MS)} and state = 'counted'
      and venue_id = ${venueId}`.execute(trx);
  await lockPlayers(trx, [...new Set(rows.map(({ player_id }) => player_id))]);
  await replaceVenueWeek(trx, venueId, rows, now);
}

async function readPlayerIds(db: Database): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    with recursive players_of_games as (
      (select player_id as id from games order by player_id limit 1)
      union all
      select (select player_id from games where player_id > p.id order by player_id limit 1)
      from players_of_games p where p.id is not null
    )
    select id from players_of_games where id is not null
    union select player_id from player_stats
    union select player_id from league_weeks
    union select player_id from bests
    union select player_id from player_achievements
    order by id`.execute(db);
  return rows.map(({ id }) => id);
}
