import { type RawBuilder, sql } from 'kysely';
import type { Scoring } from '#contract/rules/contests.ts';
import type { ContestState } from '#contract/wire/contests.ts';
import type { Database } from '../db/database.ts';
import type { Noun } from '../db/reference.ts';
import { type ContestGame, type ContestPlayer, contestBoard } from './points.ts';

/** Contests (CONTEST-01): their rows, their states, and the games in their windows. */

export type Contest = {
  id: number;
  code: string;
  venue_id: number;
  venue: string;
  timezone: string;
  name: string;
  starts_at: Date;
  ends_at: Date;
  scoring: Scoring;
  n: number;
  prizes: string | null;
  machines: number[] | null;
  only_slide: boolean;
  cancelled_at: Date | null;
  final_at: Date | null;
  quiet_machines: number[];
  left_rows: StoredPlace[] | null;
};

/** A row of a stored result (FRAME-06). */
export type StoredPlace = { place: number; player_id: number; points: number; games: number };

export const CONTESTS: Noun<Contest> = {
  one: 'contest',
  columns: sql`c.id, c.code, c.venue_id, v.name as venue, v.timezone, c.name, c.starts_at,
    c.ends_at, c.scoring, c.n, c.prizes, c.machines, c.only_slide, c.cancelled_at, c.final_at,
    c.quiet_machines, c.left_rows`,
  from: sql`contests c join venues v on v.id = c.venue_id`,
  name: 'c.code',
  id: 'c.id',
  lock: sql`for no key update of c`,
};

/** The contests `c` for which `where` is true; `v` is the venue. */
export async function readContests(
  db: Database,
  where: RawBuilder<boolean>,
  rest: RawBuilder<unknown> = sql`order by c.starts_at, c.id`,
): Promise<Contest[]> {
  const { rows } = await sql<Contest>`
    select ${CONTESTS.columns} from ${CONTESTS.from} where ${where} ${rest}`.execute(db);
  return rows;
}

/** Reads the contest again after a change. */
export async function readAgain(db: Database, { id }: Pick<Contest, 'id'>): Promise<Contest> {
  const { rows } = await sql<Contest>`
    select ${CONTESTS.columns} from ${CONTESTS.from} where c.id = ${id}`.execute(db);
  const [contest] = rows;
  if (contest === undefined) throw new Error('the contest is gone');
  return contest;
}

/** A contest's state at `now`. Only `cancelled` and `final` are stored (FRAME-02). */
export function stateOf(
  {
    cancelled_at,
    final_at,
    starts_at,
    ends_at,
  }: Pick<Contest, 'cancelled_at' | 'final_at' | 'starts_at' | 'ends_at'>,
  now: Date,
): ContestState {
  if (cancelled_at !== null) return 'cancelled';
  if (final_at !== null) return 'final';
  if (now < starts_at) return 'planned';
  return now < ends_at ? 'running' : 'settling';
}

export type PlayedGame = ContestGame & { contest_id: number; seq: number; machine: string };

/** SQL: the machines with a game at `venue`, found by one index step for each machine. */
const machinesWithGames = (venue: RawBuilder<unknown>) => sql`(
  with recursive played as (
    select min(machine_id) as machine_id from games where venue_id = ${venue}
    union all
    select (select min(machine_id) from games
      where venue_id = ${venue} and machine_id > played.machine_id)
    from played where played.machine_id is not null
  ) select machine_id from played where machine_id is not null)`;

/**
 * The games in the windows of these contests, from machines that were at the venue when the game
 * was received (CONTEST-07).
 */
export async function readGames(
  db: Database,
  contests: readonly Pick<Contest, 'id'>[],
  { state = 'counted', playerId }: { state?: 'counted' | 'held'; playerId?: number } = {},
): Promise<PlayedGame[]> {
  if (contests.length === 0) return [];
  const { rows } = await sql<PlayedGame>`
    select c.id as contest_id, g.id, g.seq, g.machine_id, m.name as machine, g.player_id, g.score, g.played_at
    from contests c cross join lateral ${machinesWithGames(sql`c.venue_id`)} played
    join machines m on m.id = played.machine_id
    cross join lateral (
      select id, seq, machine_id, player_id, score, played_at from games
      where venue_id = c.venue_id and machine_id = m.id and state = ${state}
        and played_at >= c.starts_at and played_at < c.ends_at
        and ${playerId === undefined ? sql`true` : sql`player_id = ${playerId}`}
    ) g
    where c.id = any(${contests.map(({ id }) => id)}::integer[])
      and (c.machines is null or m.id = any(c.machines))`.execute(db);
  return rows;
}

export type Board = { players: ContestPlayer<PlayedGame>[]; games: number };

/** The boards of contests, counted from their games, by contest id. */
export async function readBoards(
  db: Database,
  contests: readonly Contest[],
): Promise<Map<number, Board>> {
  const games = Map.groupBy(await readGames(db, contests), ({ contest_id }) => contest_id);
  return new Map(
    contests.map(({ id, scoring, n }) => {
      const own = games.get(id) ?? [];
      return [id, { players: contestBoard(own, scoring, n), games: own.length }];
    }),
  );
}

export async function readBoard(db: Database, contest: Contest): Promise<Board> {
  return (await readBoards(db, [contest])).get(contest.id) ?? { players: [], games: 0 };
}

/** A board as it is stored. */
export const placesOf = ({ players }: Board): StoredPlace[] =>
  players.map(({ place, player_id, points, counting, below, over }) => ({
    place,
    player_id,
    points,
    games: counting.length + below.length + over.length,
  }));

/** The newest stored places of final contests, by contest id. */
export async function readStored(
  db: Database,
  ids: readonly number[],
): Promise<Map<number, StoredPlace[]>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<{ contest_id: number; rows: StoredPlace[] }>`
    select distinct on (contest_id) contest_id, rows from contest_results
    where contest_id = any(${[...ids]}::integer[]) order by contest_id, version desc`.execute(db);
  return new Map(rows.map((row) => [row.contest_id, row.rows]));
}

/** The machines of a contest that are at its venue now and can report games (FRAME-04). */
export const machinesOf = ({ venue_id, machines }: Pick<Contest, 'venue_id' | 'machines'>) => sql`
  (select m.id, m.name, s.reported_at, s.queued, s.playing
    from machines m left join machine_status s on s.machine_id = m.id
    where m.venue_id = ${venue_id} and m.revoked_at is null and m.repair_at is null
      and ${machines === null ? sql`true` : sql`m.id = any(${machines}::integer[])`})`;

/** SQL: whether game `g` of `venue` is in the window of a contest (FRAME-05). */
export const inContest = (venue: RawBuilder<unknown>) => sql<boolean>`exists (
  select from contests c where c.venue_id = ${venue} and c.cancelled_at is null
    and c.starts_at <= g.played_at and c.ends_at > g.played_at
    and (c.machines is null or g.machine_id = any(c.machines)))`;

/** A player's places in final contests, for the export. Uses an index on the stored rows. */
export async function readContestsOf(db: Database, playerId: number) {
  type Row = { contest: string; venue: string; starts_at: Date } & Omit<StoredPlace, 'player_id'>;
  const { rows } = await sql<Row>`
    select c.name as contest, v.name as venue, c.starts_at, row.place, row.points, row.games
    from contest_results r join contests c on c.id = r.contest_id join venues v on v.id = c.venue_id
    cross join jsonb_to_recordset(r.rows)
      as row (player_id bigint, place integer, points integer, games integer)
    where r.rows @> ${JSON.stringify([{ player_id: playerId }])}::jsonb and row.player_id = ${playerId}
      and not exists (select from contest_results newer
        where newer.contest_id = r.contest_id and newer.version > r.version)
    order by c.starts_at`.execute(db);
  return rows;
}
