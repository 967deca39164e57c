import { sql } from 'kysely';
import type { LeaderboardAnswer } from '#contract/leagues.ts';
import type { Database } from '../db/database.ts';
import { recordset } from '../db/recordset.ts';
import type { Queryable } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { badRequest } from '../errors.ts';
import { addDays, startOf, weekOf } from '../leagues/calendar.ts';
import { teamOf } from '../leagues/leagues.ts';
import { namedFor } from '../players/visibility.ts';

/** The `venue_id` of the board that covers all venues. */
const EVERYWHERE = 0;
/** The `week` of the board that covers all weeks. */
const ALL_TIME = '-infinity';
/**
 * The time zone of the weeks on a board. A venue has no time zone of its own. Only a league's board
 * uses another one: the zone of the league.
 */
const BOARD_ZONE = 'UTC';

/** The fields of a counted game that the boards need. */
export type BoardGame = {
  player_id: number;
  venue_id: number | null;
  score: number;
  played_at: Date;
};

type Best = { venue_id: number; week: string; player_id: number; score: number };
const BEST = 'venue_id integer, week date, player_id bigint, score integer';

/**
 * Returns each player's best score on each board. A game is on the board of all venues and on that
 * of its venue, and on each of them for its week and for all time.
 */
function bestsOf(games: readonly BoardGame[]): Best[] {
  const bests = new Map<string, Best>();
  for (const { player_id, venue_id, score, played_at } of games)
    for (const venue of venue_id === null ? [EVERYWHERE] : [EVERYWHERE, venue_id])
      for (const week of [ALL_TIME, weekOf(played_at, BOARD_ZONE)]) {
        const key = `${player_id} ${venue} ${week}`;
        if ((bests.get(key)?.score ?? -1) < score)
          bests.set(key, { venue_id: venue, week, player_id, score });
      }
  return [...bests.values()];
}

/**
 * Adds new games to the boards. Most games do not beat the stored best score. The join drops those
 * games, so that they lock no row. The caller must hold the players' locks.
 */
export async function raiseBests(trx: Queryable, games: readonly BoardGame[]): Promise<void> {
  if (games.length === 0) return;
  await sql`
    insert into bests (venue_id, week, player_id, score)
    select r.venue_id, r.week, r.player_id, r.score from ${recordset(bestsOf(games), BEST)}
    left join bests b
      on b.player_id = r.player_id and b.venue_id = r.venue_id and b.week = r.week
    where b.score is null or b.score < r.score
    on conflict (player_id, venue_id, week) do update set score = excluded.score`.execute(trx);
}

/**
 * Makes the rows of these players in `bests` match `games`, which must be all their counted games.
 * Removes the rows of deleted accounts. The caller must hold the players' locks. Returns how many
 * rows changed.
 */
export async function rebuildBests(
  trx: Database,
  playerIds: readonly number[],
  games: readonly BoardGame[],
): Promise<number> {
  const { rows } = await sql<{ changed: number }>`
    with fresh as materialized (select * from ${recordset(bestsOf(games), BEST)}), gone as (
      delete from bests b
      where b.player_id = any(${playerIds}::bigint[]) and not exists (
        select 1 from fresh f
        where f.player_id = b.player_id and f.venue_id = b.venue_id and f.week = b.week)
      returning 1
    ), put as (
      insert into bests as b (venue_id, week, player_id, score)
      select f.venue_id, f.week, f.player_id, f.score
      from fresh f join players p on p.id = f.player_id
      on conflict (player_id, venue_id, week) do update set score = excluded.score
      where b.score <> excluded.score
      returning 1
    )
    select (select count(*) from gone) + (select count(*) from put) as changed`.execute(trx);
  return rows[0]?.changed ?? 0;
}

// --- Reading ----------------------------------------------------------------------------------

/** The length of a board, and the number of neighbours on each side of the caller (API-16). */
const TOP = 20;
const NEIGHBOURS = 2;

type BoardDeps = Pick<Deps, 'config' | 'db' | 'clock'>;
type Board = Pick<LeaderboardAnswer, 'results' | 'around' | 'above'>;
type LeaderboardRow = Board['results'][number];
type BoardRow = Omit<LeaderboardRow, 'place'> & { player_id: number };

/**
 * A comparator that sorts by descending score. Equal scores are sorted by descending id, so that
 * the order is stable.
 */
const inOrder = (a: BoardRow, b: BoardRow) => b.score - a.score || b.player_id - a.player_id;

/**
 * The answer of GET leaderboards. `results` has the best 20. `around` has the caller with
 * neighbours; it is empty when the caller is not on the board. Equal scores share a place (API-16).
 * The cost does not grow with the number of games.
 * @throws Refusal 400 for the scope `league` when the caller has no team. 400 for the scope `venue`
 *   when the caller has no game, or when the last game was not at a venue.
 */
export async function readBoard(
  deps: BoardDeps,
  playerId: number,
  scope: 'all' | 'league' | 'venue',
  period: 'week' | 'all',
): Promise<LeaderboardAnswer> {
  const { db } = deps;
  const { league, venue, venue_id } = await readBoards(db, playerId);
  if (scope === 'league')
    return { league, venue, ...(await readLeagueBoard(deps, playerId, period)) };
  const board = scope === 'all' ? EVERYWHERE : venue_id;
  if (board === null) throw badRequest('You have not played at a venue.');
  return { league, venue, ...(await readBests(deps, playerId, board, period)) };
}

async function readBests(
  deps: BoardDeps,
  playerId: number,
  board: number,
  period: 'week' | 'all',
): Promise<Board> {
  const { db, clock } = deps;
  const named = namedFor(deps, { player_id: playerId });
  const week = period === 'all' ? ALL_TIME : weekOf(clock.now(), BOARD_ZONE);
  const { rows: top } = await sql<BoardRow>`
    select b.player_id, ${named}, b.score
    from bests b join players p on p.id = b.player_id
    where b.venue_id = ${board} and b.week = ${week}
    order by b.score desc, b.player_id desc limit ${TOP}`.execute(db);
  const { rows: around } = await sql<BoardRow & Above>`
    with own as (
      select * from bests where player_id = ${playerId} and venue_id = ${board} and week = ${week}
    ), near as (
      (select b.* from own, bests b
        where b.venue_id = own.venue_id and b.week = own.week
          and (b.score, b.player_id) >= (own.score, own.player_id)
        order by b.score, b.player_id limit ${NEIGHBOURS + 1})
      union
      (select b.* from own, bests b
        where b.venue_id = own.venue_id and b.week = own.week
          and (b.score, b.player_id) < (own.score, own.player_id)
        order by b.score desc, b.player_id desc limit ${NEIGHBOURS})
    ), first as (
      select * from near order by score desc, player_id desc limit 1
    ), above as (
      select count(*) as above, count(*) filter (where b.score > first.score) as better
      from first join bests b on b.venue_id = first.venue_id and b.week = first.week
        and (b.score, b.player_id) > (first.score, first.player_id)
    )
    select n.player_id, ${named}, n.score, above, better
    from near n join players p on p.id = n.player_id cross join above
    order by n.score desc, n.player_id desc`.execute(db);
  return {
    results: ranked(top),
    around: ranked(around, around[0]),
    above: around[0]?.above ?? 0,
  };
}

/** The best rows of a venue's board, as everybody in front of its screens may see them. */
export async function readVenueTop(
  deps: BoardDeps,
  venueId: number,
  period: 'week' | 'all',
  places: number,
): Promise<LeaderboardRow[]> {
  const week = period === 'all' ? ALL_TIME : weekOf(deps.clock.now(), BOARD_ZONE);
  const { rows } = await sql<BoardRow>`
    select b.player_id, ${namedFor(deps, 'screen')}, b.score
    from bests b join players p on p.id = b.player_id
    where b.venue_id = ${venueId} and b.week = ${week}
    order by b.score desc, b.player_id desc limit ${places}`.execute(deps.db);
  return ranked(rows);
}

/**
 * Returns the league of a player's team and the venue of their last game. Each is null when there
 * is none.
 */
async function readBoards(db: Database, playerId: number) {
  const { rows } = await sql<{
    league: string | null;
    venue: string | null;
    venue_id: number | null;
  }>`
    select l.name as league, v.name as venue, v.id as venue_id
    from players p
    left join teams t on t.id = p.team_id
    left join leagues l on l.id = t.league_id
    left join lateral (
      select m.venue_id from games g join machines m on m.id = g.machine_id
      where g.player_id = p.id and g.state = 'counted'
      order by g.played_at desc, g.id desc limit 1
    ) last on true
    left join venues v on v.id = last.venue_id
    where p.id = ${playerId}`.execute(db);
  return rows[0] ?? { league: null, venue: null, venue_id: null };
}

/**
 * Returns the board of the caller's league. It has the players on the league's teams, and its weeks
 * are in the league's time zone. Leagues are small, so the scores of a week are read from the
 * games.
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
 * Where a part of a board begins: how many rows are above its first row, and how many of these have
 * a better score than its first row.
 */
type Above = { above: number; better: number };

/**
 * Adds places to sorted rows. Equal scores share a place: after two rows on place 4 comes place 6.
 */
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
