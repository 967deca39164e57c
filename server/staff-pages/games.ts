import { type RawBuilder, sql } from 'kysely';
import { GAMES_COUNT_MAX } from '#contract/rules/games.ts';
import type { ReportReason } from '#contract/wire/games.ts';
import type { Database } from '../db/database.ts';
import { GAME_COLUMNS, type GameState } from '../games/corrections.ts';
import type { Policy } from '../staff/policy.ts';

/* Lists of games for staff. `reached` is a condition on rows `g` of games. */

/** The oldest held games, at most `limit`, and how many there are. */
export async function listHeld(
  db: Database,
  limit: number,
  reached: RawBuilder<boolean> = sql<boolean>`true`,
): Promise<{ games: GameState[]; total: number }> {
  const { rows: games } = await sql<GameState>`
    select ${GAME_COLUMNS} from games g
    join machines m on m.id = g.machine_id
    left join players p on p.id = g.player_id
    where g.state = 'held' and ${reached} order by g.received_at, g.id limit ${limit}`.execute(db);
  const { rows } = await sql<{ total: number }>`
    select count(*) as total from games g where g.state = 'held' and ${reached}`.execute(db);
  return { games, total: rows[0]?.total ?? 0 };
}

export type GameFilter = { player_id?: number; machine_id?: number; since?: Date; id?: string };

/**
 * The newest games that match a filter, at most `limit`, and how many match, counted up to
 * GAMES_COUNT_MAX (OPS-13). Reads a bounded number of each machine's games, or one player's.
 */
export async function listGames(
  db: Database,
  { player_id, machine_id, since, id }: GameFilter,
  limit: number,
  reached: Pick<Policy, 'game' | 'plays'>,
): Promise<{ games: GameState[]; total: number }> {
  const fits = sql.join(
    [
      reached.game,
      ...(player_id === undefined ? [] : [sql`g.player_id = ${player_id}`]),
      ...(since === undefined ? [] : [sql`g.played_at >= ${since}`]),
      ...(id === undefined ? [] : [sql`g.id = ${id}::uuid`]),
    ],
    sql` and `,
  );
  const machines = sql`(select * from machines
    where ${machine_id === undefined ? sql`true` : sql`id = ${machine_id}`} and ${reached.plays(sql.ref('machines.id'))})`;
  // The limit is a literal, because PostgreSQL chooses the index by it. A cached plan would not
  // know a parameter.
  const newest = (most: number) =>
    player_id === undefined
      ? sql`${machines} m cross join lateral (
          select * from games g where g.machine_id = m.id and ${fits}
          order by g.played_at desc limit ${sql.lit(most)}) g`
      : sql`games g join ${machines} m on m.id = g.machine_id and ${fits}`;
  const { rows: games } = await sql<GameState>`
    select ${GAME_COLUMNS} from ${newest(limit)} left join players p on p.id = g.player_id
    order by g.played_at desc, g.id limit ${limit}`.execute(db);
  const { rows } = await sql<{ total: number }>`
    select count(*) as total from (
      select from ${newest(GAMES_COUNT_MAX)} limit ${GAMES_COUNT_MAX}) counted`.execute(db);
  return { games, total: rows[0]?.total ?? 0 };
}

export type OpenReport = GameState & {
  venue: string | null;
  reason: ReportReason;
  text: string | null;
  reported_at: Date;
};

/** The oldest open reports, at most `limit`, and how many there are. */
export async function listReports(
  db: Database,
  limit: number,
  reached: RawBuilder<boolean> = sql<boolean>`true`,
): Promise<{ reports: OpenReport[]; total: number }> {
  const { rows: reports } = await sql<OpenReport>`
    select ${GAME_COLUMNS}, v.name as venue, r.reason, r.text, r.reported_at
    from game_reports r
    join games g on g.machine_id = r.machine_id and g.id = r.game_id
    join machines m on m.id = g.machine_id
    left join venues v on v.id = g.venue_id
    left join players p on p.id = g.player_id
    where r.state = 'open' and ${reached} order by r.reported_at, r.id limit ${limit}`.execute(db);
  const { rows } = await sql<{ total: number }>`
    select count(*) as total from game_reports r
    join games g on g.machine_id = r.machine_id and g.id = r.game_id
    where r.state = 'open' and ${reached}`.execute(db);
  return { reports, total: rows[0]?.total ?? 0 };
}
