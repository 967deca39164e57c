import { sql } from 'kysely';
import type { LeaderboardAnswer, LeaderboardQuery } from '#contract/wire/leaderboards.ts';
import type { Deps } from '../deps.ts';
import { badRequest } from '../errors.ts';
import { friendIds } from '../friends/friends.ts';
import { addDays, startOf, weekOf } from '../leagues/calendar.ts';
import { teamOf } from '../leagues/leagues.ts';
import { namedFor } from '../players/visibility.ts';
import { EVERYWHERE_ZONE, weekAt } from './boards.ts';
import { ALL_BOARD, ALL_TIME, EVERYWHERE, leagueBoard, readPlaces, venueBoard } from './places.ts';

/* The leaderboards of all venues, of a venue, of a league and of friends. */

/** A board's rows (`TOP`), and the caller's neighbours on each side (API-16). */
const TOP = 20;
const NEIGHBOURS = 2;

type BoardDeps = Pick<Deps, 'config' | 'db' | 'clock'>;
type LeaderboardRow = LeaderboardAnswer['results'][number];
type BoardRow = Omit<LeaderboardRow, 'place' | 'was'> & { player_id: number };
type Placed = BoardRow & { place: number };
type Part = { results: Placed[]; around: Placed[]; above: number };
type Board = Part & {
  /** The board whose places are kept; none for friends (HAND-96). */
  kept?: { board: string; week: string };
  /** The time zone of the board's weeks. */
  zone: string;
};

/** Equal scores by descending player id, for a stable order. */
const inOrder = (a: BoardRow, b: BoardRow) => b.score - a.score || b.player_id - a.player_id;

/**
 * `results`: the best 20, or all friends; `around`: the caller with neighbours, if on the board
 * (API-16). The cost does not grow with the number of games.
 * @throws Refusal 400 for `league` if the player has no team; for `venue` if the player has no
 *   game, or the last game was at no venue.
 */
export async function readBoard(
  deps: BoardDeps,
  playerId: number,
  scope: LeaderboardQuery['scope'],
  period: 'week' | 'all',
): Promise<LeaderboardAnswer> {
  // The rows and the end of their week must not be of different weeks.
  const now = deps.clock.now();
  const { venue_id, venue_week, venue_zone, ...has } = await readBoards(deps, playerId, now);
  const venue =
    venue_id === null
      ? null
      : { id: venue_id, week: venue_week ?? ALL_TIME, zone: venue_zone ?? EVERYWHERE_ZONE };
  const { kept, zone, ...found } = await readScope(deps, playerId, { scope, period, now }, venue);
  const rows = [...found.results, ...found.around];
  const ids = rows.map(({ player_id }) => player_id);
  const places = kept && (await readPlaces(deps.db, now, kept.board, kept.week, ids));
  // A row without a name shows no move, because the move would tell who it is.
  const withMove = ({ player_id, ...row }: Placed) => ({
    ...row,
    was: (row.username !== null && places?.get(player_id)) || null,
  });
  return {
    ...has,
    moves: !!places,
    results: found.results.map(withMove),
    around: found.around.map(withMove),
    above: found.above,
    week_closes_at:
      period === 'all' ? null : startOf(addDays(weekOf(now, zone), 7), zone).toISOString(),
  };
}

async function readScope(
  deps: BoardDeps,
  playerId: number,
  { scope, period, now }: LeaderboardQuery & { now: Date },
  venue: { id: number; week: string; zone: string } | null,
): Promise<Board> {
  if (scope === 'league') return readLeagueBoard(deps, playerId, period, now);
  const zone = EVERYWHERE_ZONE;
  const everywhere = { id: EVERYWHERE, week: weekOf(now, zone), zone };
  const where = scope === 'venue' ? venue : everywhere;
  if (where === null) throw badRequest('You have not played at a venue.');
  const week = period === 'all' ? ALL_TIME : where.week;
  if (scope === 'friends') return readFriendsBoard(deps, playerId, week);
  return {
    ...(await readBests(deps, playerId, where.id, week)),
    zone: where.zone,
    kept: { board: scope === 'venue' ? venueBoard(where.id) : ALL_BOARD, week },
  };
}

/** The caller and all friends; there are at most 100 (FRIEND-08). */
async function readFriendsBoard(deps: BoardDeps, playerId: number, week: string): Promise<Board> {
  const { rows } = await sql<BoardRow>`
    select p.id as player_id, ${namedFor(deps, { player_id: playerId })}, b.score
    from players p join bests b on b.player_id = p.id
    where b.venue_id = ${EVERYWHERE} and b.week = ${week}
      and p.id in (select ${playerId}::bigint union all ${friendIds(deps, playerId)})`.execute(
    deps.db,
  );
  return { ...boardOf(rows, playerId, rows.length), zone: EVERYWHERE_ZONE };
}

async function readBests(
  deps: BoardDeps,
  playerId: number,
  board: number,
  week: string,
): Promise<Part> {
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
): Promise<Omit<LeaderboardRow, 'was'>[]> {
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
  return ranked(rows).map(({ player_id: _, ...row }) => row);
}

/**
 * The player's league, whether there are friends, and the venue of the last counted game with that
 * venue's week; league and venue may be null.
 */
async function readBoards(deps: BoardDeps, playerId: number, now: Date) {
  const { db } = deps;
  const { rows } = await sql<{
    friends: boolean;
    league: string | null;
    venue: string | null;
    venue_id: number | null;
    venue_week: string | null;
    venue_zone: string | null;
  }>`
    select exists (${friendIds(deps, playerId)}) as friends, l.name as league, v.name as venue, v.id as venue_id,
      ${weekAt(sql`${now}::timestamptz`, sql`v.timezone`)} as venue_week,
      v.timezone as venue_zone
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
  return (
    rows[0] ?? {
      friends: false,
      league: null,
      venue: null,
      venue_id: null,
      venue_week: null,
      venue_zone: null,
    }
  );
}

/**
 * The board of the caller's league, with weeks in its zone. Leagues are small, so a week's scores
 * are read from the games.
 */
async function readLeagueBoard(
  deps: BoardDeps,
  playerId: number,
  period: 'week' | 'all',
  now: Date,
): Promise<Board> {
  const { db } = deps;
  const named = namedFor(deps, { player_id: playerId });
  const { league } = await teamOf(db, playerId);
  const week = weekOf(now, league.timezone);
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
  return {
    ...boardOf(rows, playerId, TOP),
    zone: league.timezone,
    kept: { board: leagueBoard(league.id), week: period === 'all' ? ALL_TIME : week },
  };
}

/** A board from all its rows: the best `top` of them, and the caller with neighbours. */
function boardOf(rows: BoardRow[], playerId: number, top: number): Part {
  const all = rows.sort(inOrder);
  const own = all.findIndex(({ player_id }) => player_id === playerId);
  const places = ranked(all);
  const above = Math.max(own - NEIGHBOURS, 0);
  return {
    results: places.slice(0, top),
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
function ranked(rows: readonly BoardRow[], { above, better } = { above: 0, better: 0 }): Placed[] {
  let place = better + 1;
  return rows.map(({ player_id, username, avatar_color, jersey_number, score }, at) => {
    if (at > 0 && score !== rows[at - 1]?.score) place = above + at + 1;
    return { player_id, place, username, avatar_color, jersey_number, score };
  });
}
