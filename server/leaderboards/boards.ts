import { type RawBuilder, sql } from 'kysely';
import type { LeaderboardAnswer } from '#contract/wire/leaderboards.ts';
import type { Database } from '../db/database.ts';
import { recordset } from '../db/recordset.ts';
import type { Queryable } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { badRequest } from '../errors.ts';
import { addDays, startOf, weekOf } from '../leagues/calendar.ts';
import { teamOf } from '../leagues/leagues.ts';
import { namedFor } from '../players/visibility.ts';

/*
 * The leaderboards of all venues, of a venue and of a league. Only this file writes the best
 * scores, one for each player, venue and period.
 */

const EVERYWHERE = 0;
const ALL_TIME = '-infinity';
/** The board of all venues has weeks in UTC, a venue's board in its time zone. */
const EVERYWHERE_ZONE = 'UTC';
const DAY_MS = 24 * 3_600_000;

export type BoardGame = {
  player_id: number;
  venue_id: number | null;
  score: number;
  played_at: Date;
};

/** SQL: the Monday of the week of `instant` in `zone`. */
const weekAt = (instant: RawBuilder<unknown>, zone: RawBuilder<unknown>) =>
  sql<string>`date_trunc('week', ${instant} at time zone ${zone})::date`;

/**
 * A query for each player's best score on each board: of all venues and of the game's venue, for
 * all time and for the game's week, unless that week is over (API-28).
 */
function bestsOf(games: readonly BoardGame[], now: Date): RawBuilder<unknown> {
  const rows = games.map(({ player_id, venue_id, score, played_at }) => ({
    player_id,
    venue_id,
    score,
    played_at,
  }));
  const current = weekAt(sql`${now}::timestamptz`, sql`board.zone`);
  return sql`
    select r.player_id, board.venue_id, weeks.week, max(r.score) as score
    from ${recordset(
      rows,
      'player_id bigint, venue_id integer, score integer, played_at timestamptz',
    )}
    left join venues v on v.id = r.venue_id
    cross join lateral (
      values (${EVERYWHERE}::integer, ${EVERYWHERE_ZONE}), (v.id, v.timezone)
    ) board (venue_id, zone)
    cross join lateral (select ${weekAt(sql`r.played_at`, sql`board.zone`)} as week) played
    cross join lateral (
      values (${ALL_TIME}::date), (case when played.week >= ${current} then played.week end)
    ) weeks (week)
    where board.venue_id is not null and weeks.week is not null
    group by 1, 2, 3`;
}

/**
 * Adds changes to the counts. `changes`: a query for venue_id, week, score and change. Against
 * deadlocks, every transaction locks the players first, then each of these rows once, by ascending
 * key.
 */
const addCounts = (changes: RawBuilder<unknown>) => sql`
  insert into best_counts as c (venue_id, week, score, players)
  select venue_id, week, score, sum(change) from (${changes}) as changes
  group by 1, 2, 3 having sum(change) <> 0 order by 1, 2, 3
  on conflict (venue_id, week, score) do update set players = c.players + excluded.players`;

/**
 * Adds new games to the boards; games of past weeks only to the boards of all time. Most games beat
 * no best, and lock no row. The caller must hold the players' locks, and commit soon, because
 * transactions with the same scores wait.
 */
export async function raiseBests(
  trx: Queryable,
  games: readonly BoardGame[],
  now: Date,
): Promise<void> {
  if (games.length === 0) return;
  // `offset 0` makes PostgreSQL use the primary key. With old statistics it might read a whole week
  // by the index `bests_in_order`.
  await sql`
    with fresh as materialized (${bestsOf(games, now)}), known as materialized (
      select b.* from (select distinct player_id from fresh) p cross join lateral (
        select * from bests where player_id = p.player_id offset 0) b
    ), raised as materialized (
      select f.*, k.score as was from fresh f left join known k using (player_id, venue_id, week)
      where k.score is null or k.score < f.score
    ), put as (
      insert into bests (venue_id, week, player_id, score)
      select venue_id, week, player_id, score from raised
      on conflict (player_id, venue_id, week) do update set score = excluded.score
    )
    ${addCounts(sql`
      select venue_id, week, score, 1 as change from raised
      union all select venue_id, week, was, -1 from raised where was is not null`)}`.execute(trx);
}

/**
 * Makes these players' `bests` match `games`, all their counted games. Removes deleted accounts'
 * rows; rows of past weeks stay for the nightly clean-up. The caller must hold `lockCorrections`
 * and the players' locks. Returns how many rows changed.
 */
export async function rebuildBests(
  trx: Database,
  playerIds: readonly number[],
  games: readonly BoardGame[],
  now: Date,
): Promise<number> {
  const current = weekAt(sql`${now}::timestamptz`, sql`coalesce(v.timezone, ${EVERYWHERE_ZONE})`);
  const { rows } = await sql<{ changed: number }>`
    with fresh as materialized (
      select f.* from (${bestsOf(games, now)}) f join players p on p.id = f.player_id
    ), old as materialized (
      select b.* from bests b left join venues v on v.id = b.venue_id
      where b.player_id = any(${playerIds}::bigint[])
        and (b.week = ${ALL_TIME} or b.week >= ${current})
    ), gone as (
      delete from bests b using old o
      where b.player_id = o.player_id and b.venue_id = o.venue_id and b.week = o.week
        and not exists (
          select 1 from fresh f
          where f.player_id = o.player_id and f.venue_id = o.venue_id and f.week = o.week)
      returning 1
    ), put as (
      insert into bests as b (venue_id, week, player_id, score)
      select venue_id, week, player_id, score from fresh
      on conflict (player_id, venue_id, week) do update set score = excluded.score
      where b.score <> excluded.score
      returning 1
    ), counted as (
      ${addCounts(sql`
        select venue_id, week, score, 1 as change from fresh
        union all select venue_id, week, score, -1 from old`)}
    )
    select (select count(*) from gone) + (select count(*) from put) as changed`.execute(trx);
  return rows[0]?.changed ?? 0;
}

/** The earliest week that some zone may still be in. */
const firstRunning = (now: Date) => weekOf(new Date(now.getTime() - DAY_MS), 'UTC');

/**
 * Makes all counts, or those of one venue, match `bests`. Adds differences, because games may be
 * recorded meanwhile. The caller must hold `lockCorrections`. Returns how many were wrong.
 */
export async function rebuildCounts(trx: Database, now: Date, venueId?: number): Promise<number> {
  const within = sql`(week = ${ALL_TIME} or week >= ${firstRunning(now)})
    and ${venueId === undefined ? sql`true` : sql`venue_id = ${venueId}`}`;
  const { numAffectedRows = 0n } = await addCounts(sql`
    select venue_id, week, score, count(*) as change from bests where ${within} group by 1, 2, 3
    union all select venue_id, week, score, -players from best_counts where ${within}`).execute(
    trx,
  );
  return Number(numAffectedRows);
}

/**
 * After a change of a venue's time zone, replaces its boards of the current week. `games` must have
 * all counted games of the venue since the week began. The caller must hold `lockVenueGames` and
 * the players' locks.
 */
export async function replaceVenueWeek(
  trx: Database,
  venueId: number,
  games: readonly BoardGame[],
  now: Date,
): Promise<void> {
  await sql`delete from bests
    where venue_id = ${venueId} and week >= ${firstRunning(now)}`.execute(trx);
  await sql`
    insert into bests (venue_id, week, player_id, score)
    select f.venue_id, f.week, f.player_id, f.score
    from (${bestsOf(games, now)}) f join players p on p.id = f.player_id
    where f.venue_id = ${venueId} and f.week <> ${ALL_TIME}`.execute(trx);
  await rebuildCounts(trx, now, venueId);
}

const BATCH = 10_000;

/**
 * Deletes the boards of weeks that were over two days ago in UTC, and so in every zone. Skips
 * locked rows. Returns the number of deleted rows of `bests`.
 */
export async function cleanUpBoards({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<number> {
  const kept = weekOf(new Date(clock.now().getTime() - 2 * DAY_MS), 'UTC');
  const removeFrom = async (table: 'bests' | 'best_counts') => {
    for (let all = 0; ; ) {
      const { numAffectedRows = 0n } = await sql`
        delete from ${sql.table(table)} where ctid in (
          select ctid from ${sql.table(table)} where week > ${ALL_TIME} and week < ${kept}
          limit ${BATCH} for update skip locked)`.execute(db);
      all += Number(numAffectedRows);
      if (Number(numAffectedRows) < BATCH) return all;
    }
  };
  const removed = await removeFrom('bests');
  await removeFrom('best_counts');
  return removed;
}

// --- Reading ----------------------------------------------------------------------------------

/** A board's rows (`TOP`), and the caller's neighbours on each side (API-16). */
const TOP = 20;
const NEIGHBOURS = 2;

type BoardDeps = Pick<Deps, 'config' | 'db' | 'clock'>;
type Board = Pick<LeaderboardAnswer, 'results' | 'around' | 'above'>;
type LeaderboardRow = Board['results'][number];
type BoardRow = Omit<LeaderboardRow, 'place'> & { player_id: number };

/** Equal scores by descending player id, for a stable order. */
const inOrder = (a: BoardRow, b: BoardRow) => b.score - a.score || b.player_id - a.player_id;

/**
 * `results`: the best 20; `around`: the caller with neighbours, if on the board (API-16). The cost
 * does not grow with the games.
 * @throws Refusal 400 for `league` without a team; for `venue` without a game, or if the last game
 * had no venue.
 */
export async function readBoard(
  deps: BoardDeps,
  playerId: number,
  scope: 'all' | 'league' | 'venue',
  period: 'week' | 'all',
): Promise<LeaderboardAnswer> {
  const { league, venue, venue_id, venue_week } = await readBoards(deps, playerId);
  if (scope === 'league')
    return { league, venue, ...(await readLeagueBoard(deps, playerId, period)) };
  const current =
    scope === 'all' ? weekOf(deps.clock.now(), EVERYWHERE_ZONE) : (venue_week ?? ALL_TIME);
  const board = scope === 'all' ? EVERYWHERE : venue_id;
  if (board === null) throw badRequest('You have not played at a venue.');
  const week = period === 'all' ? ALL_TIME : current;
  return { league, venue, ...(await readBests(deps, playerId, board, week)) };
}

async function readBests(
  deps: BoardDeps,
  playerId: number,
  board: number,
  week: string,
): Promise<Board> {
  const { db } = deps;
  const named = namedFor(deps, { player_id: playerId });
  const { rows: top } = await sql<BoardRow>`
    select b.player_id, ${named}, b.score
    from bests b join players p on p.id = b.player_id
    where b.venue_id = ${board} and b.week = ${week}
    order by b.score desc, b.player_id desc limit ${sql.lit(TOP)}`.execute(db);
  // Each scan compares an index with parameters or scalar subqueries, never with a table: only then
  // does PostgreSQL read in the index's order and stop at the limit. Limits are literals, because a
  // cached plan does not know parameters.
  const onBoard = sql`b.venue_id = ${board} and b.week = ${week}`;
  const own = sql`((select score from own), ${playerId}::bigint)`;
  const { rows: around } = await sql<BoardRow & Above>`
    with own as materialized (
      select score from bests b where player_id = ${playerId} and ${onBoard}
    ), near as (
      (select b.* from bests b where ${onBoard} and (b.score, b.player_id) >= ${own}
        order by b.score, b.player_id limit ${sql.lit(NEIGHBOURS + 1)})
      union
      (select b.* from bests b where ${onBoard} and (b.score, b.player_id) < ${own}
        order by b.score desc, b.player_id desc limit ${sql.lit(NEIGHBOURS)})
    ), first as materialized (
      select * from near order by score desc, player_id desc limit 1
    ), above as (
      select (
        select coalesce(sum(players), 0) from best_counts b
        where ${onBoard} and b.score > (select score from first)
      ) as better, (
        select count(*) from bests b
        where ${onBoard} and b.score = (select score from first)
          and b.player_id > (select player_id from first)
      ) as equal
    )
    select n.player_id, ${named}, n.score, better + equal as above, better
    from near n join players p on p.id = n.player_id cross join above
    order by n.score desc, n.player_id desc`.execute(db);
  return {
    results: ranked(top),
    around: ranked(around, around[0]),
    above: around[0]?.above ?? 0,
  };
}

/** A venue's best players, as its screens may show them. */
export async function readVenueTop(
  deps: BoardDeps,
  venueId: number,
  period: 'week' | 'all',
  places: number,
): Promise<LeaderboardRow[]> {
  const now = deps.clock.now();
  const week =
    period === 'all'
      ? sql`${ALL_TIME}`
      : sql`(select ${weekAt(sql`${now}::timestamptz`, sql`timezone`)} from venues
          where id = ${venueId})`;
  const { rows } = await sql<BoardRow>`
    select b.player_id, ${namedFor(deps, 'screen')}, b.score
    from bests b join players p on p.id = b.player_id
    where b.venue_id = ${venueId} and b.week = ${week}
    order by b.score desc, b.player_id desc limit ${places}`.execute(deps.db);
  return ranked(rows);
}

/**
 * The player's league, and the venue of the last counted game with that venue's week; each may be
 * null.
 */
async function readBoards({ db, clock }: BoardDeps, playerId: number) {
  const { rows } = await sql<{
    league: string | null;
    venue: string | null;
    venue_id: number | null;
    venue_week: string | null;
  }>`
    select l.name as league, v.name as venue, v.id as venue_id,
      ${weekAt(sql`${clock.now()}::timestamptz`, sql`v.timezone`)} as venue_week
    from players p
    left join teams t on t.id = p.team_id
    left join leagues l on l.id = t.league_id
    left join lateral (
      select venue_id from games
      where player_id = p.id and state = 'counted'
      order by played_at desc, id desc limit 1
    ) last on true
    left join venues v on v.id = last.venue_id
    where p.id = ${playerId}`.execute(db);
  return rows[0] ?? { league: null, venue: null, venue_id: null, venue_week: null };
}

/**
 * The board of the caller's league, with weeks in its zone. Leagues are small, so a week's scores
 * are read from the games.
 */
async function readLeagueBoard(
  deps: BoardDeps,
  playerId: number,
  period: 'week' | 'all',
): Promise<Board> {
  const { db, clock } = deps;
  const named = namedFor(deps, { player_id: playerId });
  const { league } = await teamOf(db, playerId);
  const week = weekOf(clock.now(), league.timezone);
  const best =
    period === 'all'
      ? sql`select score from bests b
          where b.player_id = p.id and b.venue_id = ${EVERYWHERE} and b.week = ${ALL_TIME}`
      : sql`select max(score) as score from games g
          where g.player_id = p.id and g.state = 'counted'
            and g.played_at >= ${startOf(week, league.timezone)}
            and g.played_at < ${startOf(addDays(week, 7), league.timezone)}`;
  const { rows } = await sql<BoardRow>`
    select p.id as player_id, ${named}, best.score
    from teams t join players p on p.team_id = t.id cross join lateral (${best}) best
    where t.league_id = ${league.id} and best.score is not null`.execute(db);
  const all = rows.sort(inOrder);
  const own = all.findIndex(({ player_id }) => player_id === playerId);
  const places = ranked(all);
  const above = Math.max(own - NEIGHBOURS, 0);
  return {
    results: places.slice(0, TOP),
    around: own === -1 ? [] : places.slice(above, own + NEIGHBOURS + 1),
    above,
  };
}

/**
 * `above`: how many rows of a board come before a part of it. `better`: how many of them have a
 * better score than the first row of the part.
 */
type Above = { above: number; better: number };

/** Adds places to sorted rows. Equal scores share one: 4, 4, 6. */
function ranked(
  rows: readonly BoardRow[],
  { above, better } = { above: 0, better: 0 },
): LeaderboardRow[] {
  let place = better + 1;
  return rows.map(({ username, avatar_color, jersey_number, score }, at) => {
    if (at > 0 && score !== rows[at - 1]?.score) place = above + at + 1;
    return { place, username, avatar_color, jersey_number, score };
  });
}
