import { type RawBuilder, sql } from 'kysely';
import type { CupHow, CupKind, CupPlace, CupWindows } from '#contract/rules/cups.ts';
import type { CupState } from '#contract/wire/cups.ts';
import type { Database } from '../db/database.ts';
import { recordset } from '../db/recordset.ts';
import type { Noun } from '../db/reference.ts';
import {
  type CupGame,
  countedGames,
  decide,
  keyOf,
  type Node,
  type Result,
  resolve,
  roundsOf,
  seedOf,
  seedsOf,
  sumOf,
} from './bracket.ts';

/** Cups (CUP-01): their rows, their trees, and the games in their windows. */

export type Cup = {
  id: number;
  uuid: string;
  venue_id: number | null;
  venue: string | null;
  league_id: number | null;
  league: string | null;
  /** The season whose title the cup decides (CUP-02). */
  season_id: number | null;
  season: string | null;
  timezone: string;
  kind: CupKind;
  name: string;
  best: number;
  of: number;
  per_player: number | null;
  third: boolean;
  windows: CupWindows;
  follows: boolean;
  began_at: Date | null;
  final_at: Date | null;
  winner_seed: number | null;
};

export const CUPS: Noun<Cup> = {
  one: 'cup',
  columns: sql`c.id, c.uuid, c.venue_id, v.name as venue, c.league_id, l.name as league,
    c.season_id, s.name as season, coalesce(v.timezone, l.timezone) as timezone, c.kind, c.name, c.best, c."of",
    c.per_player, c.third, c.windows, c.follows, c.began_at, c.final_at, c.winner_seed`,
  from: sql`cups c left join venues v on v.id = c.venue_id left join leagues l on l.id = c.league_id
    left join seasons s on s.id = c.season_id`,
  name: 'c.name',
  id: 'c.id',
  lock: sql`for no key update of c`,
  several: (rows) =>
    `There are several cups “${rows[0]?.name}”. Use an id: ${rows.map(({ id }) => id).join(', ')}.`,
};

/** The cups `c` for which `where` is true; `v` is the venue, `l` the league, `s` the season. */
export async function readCups(
  db: Database,
  where: RawBuilder<boolean>,
  rest: RawBuilder<unknown> = sql`order by c.id`,
): Promise<Cup[]> {
  const { rows } = await sql<Cup>`
    select ${CUPS.columns} from ${CUPS.from} where ${where} ${rest}`.execute(db);
  return rows;
}

export type SideRow = {
  seed: number;
  team_id: number | null;
  player_id: number | null;
  name: string | null;
  withdrew_at: Date | null;
};
export type Window = CupPlace & {
  starts_at: Date;
  ends_at: Date;
  quiet_machines: number[];
  left_result: Count | null;
};
/** A side of a decided pairing, as stored: players by account number, without names (FRAME-06). */
export type SideCount = {
  seed: number;
  sum: number;
  games: { id: string; machine_id: number; player_id: number; score: number }[];
};
/** The result of a pairing's games. */
export type Count = { winner: number | null; how: CupHow; sides: SideCount[] };
export type Span = { starts_at: Date; ends_at: Date };
/**
 * `starts_at` and `ends_at`: the window in which it was counted; null for the pairing's own window.
 */
export type StoredResult = CupPlace &
  Count & { [Time in keyof Span]: Date | null } & {
    version: number;
    who: string;
    reason: string | null;
  };

export type Tree = {
  cup: Cup;
  sides: SideRow[];
  windows: Map<string, Window>;
  /** The newest version of each pairing, by `keyOf`. */
  results: Map<string, StoredResult>;
  nodes: Node[];
};

/**
 * Reads the trees of any number of cups in three queries. A team has its present name until round 1
 * begins or the cup is final, then the one that it had at that time.
 */
export async function readTrees(db: Database, cups: readonly Cup[]): Promise<Tree[]> {
  if (cups.length === 0) return [];
  const ids = sql`any(${cups.map(({ id }) => id)}::integer[])`;
  const { rows: sides } = await sql<SideRow & { cup_id: number }>`
    select s.cup_id, s.seed, s.team_id, s.player_id, s.withdrew_at,
      case when c.began_at is null and c.final_at is null then coalesce(t.name, s.name)
        else s.name end as name
    from cup_sides s join cups c on c.id = s.cup_id left join teams t on t.id = s.team_id
    where s.cup_id = ${ids} order by s.cup_id, s.seed`.execute(db);
  const { rows: windows } = await sql<Window & { cup_id: number }>`
    select cup_id, round, slot, starts_at, ends_at, quiet_machines, left_result from cup_pairings
    where cup_id = ${ids} order by cup_id, round, slot`.execute(db);
  const { rows: results } = await sql<StoredResult & { cup_id: number }>`
    select distinct on (cup_id, round, slot) cup_id, round, slot, version, who, reason,
      winner_seed as winner, how, sides, starts_at, ends_at
    from cup_results where cup_id = ${ids} order by cup_id, round, slot, version desc`.execute(db);
  return cups.map((cup) => {
    const own = <Row extends { cup_id: number }>(rows: readonly Row[]) =>
      rows.filter(({ cup_id }) => cup_id === cup.id);
    return treeOf(cup, own(sides), own(windows), own(results));
  });
}

/** The tree of pairings, with sides and results as far as they are known. */
export function treeOf(
  cup: Cup,
  sides: SideRow[],
  windows: readonly Window[],
  results: readonly StoredResult[],
): Tree {
  const withdrawn = new Set(
    sides.filter(({ withdrew_at }) => withdrew_at !== null).map(({ seed }) => seed),
  );
  const facts = results.map(resultOf);
  return {
    cup,
    sides,
    windows: new Map(windows.map((window) => [keyOf(window), window])),
    results: new Map(results.map((result) => [keyOf(result), result])),
    nodes: resolve({ sides: sides.length, third: cup.third, results: facts, withdrawn }),
  };
}

const resultOf = ({ round, slot, winner, how, sides }: StoredResult): Result => ({
  round,
  slot,
  winner,
  how,
  a: sides[0]?.seed ?? 0,
  b: sides[1]?.seed ?? 0,
});

/** The tree after one more result. */
export function withResult(tree: Tree, result: StoredResult): Tree {
  const results = new Map(tree.results).set(keyOf(result), result);
  return treeOf(tree.cup, tree.sides, [...tree.windows.values()], [...results.values()]);
}

export async function readTree(db: Database, cup: Cup): Promise<Tree> {
  const [tree] = await readTrees(db, [cup]);
  if (tree === undefined) throw new Error('the cup has no tree');
  return tree;
}

export const windowOf = ({ windows }: Pick<Tree, 'windows'>, place: CupPlace) =>
  windows.get(keyOf(place)) ?? null;

/**
 * The window whose games a pairing counts. While the stored result is valid, this is the window of
 * that result, because a pairing that was reopened in between has a new window (CUP-23).
 */
export function countedWindow(tree: Tree, node: Node): Span | null {
  const result = node.winner === undefined ? undefined : tree.results.get(keyOf(node));
  const { starts_at, ends_at } = result ?? {};
  return starts_at && ends_at ? { starts_at, ends_at } : windowOf(tree, node);
}

export const lastRound = ({ sides }: Pick<Tree, 'sides'>) => roundsOf(sides.length) - 1;

/** When a cup begins and ends, by its windows. */
export function spanOf({ windows }: Pick<Tree, 'windows'>): { starts_at: Date; ends_at: Date } {
  const all = [...windows.values()];
  const at = (times: Date[], pick: (...times: number[]) => number) =>
    new Date(pick(...times.map((time) => time.getTime())));
  return {
    starts_at: at(
      all.map(({ starts_at }) => starts_at),
      Math.min,
    ),
    ends_at: at(
      all.map(({ ends_at }) => ends_at),
      Math.max,
    ),
  };
}

/** A cup's state at `now`. Only `final` is stored (FRAME-02). */
export function stateOf(tree: Tree, now: Date): CupState {
  if (tree.cup.final_at !== null) return 'final';
  return now < spanOf(tree).starts_at ? 'planned' : 'running';
}

/**
 * SQL: the players of the sides (CUP-11): until round 1 begins, the players on the team now, then
 * the stored players.
 */
export const MEMBERS = sql`(
  select cup_id, seed, player_id, 0 as from_round, null::integer as to_round
    from cup_sides where player_id is not null
  union all select cup_id, seed, player_id, from_round, to_round from cup_players
  union all select s.cup_id, s.seed, p.id, 0, null
    from cup_sides s join cups c on c.id = s.cup_id and c.began_at is null
    join players p on p.team_id = s.team_id)`;

const GAMES_OF = `cup_id integer, round integer, slot integer, seed integer,
  starts_at timestamptz, ends_at timestamptz`;

export type SideGame = CupGame & CupPlace & { cup_id: number; seed: number };

/**
 * The games of both sides in the counted windows of these pairings. Sides must be known (CUP-10).
 */
export async function readSideGames(
  db: Database,
  wanted: readonly { tree: Tree; node: Node }[],
  state: 'counted' | 'held' = 'counted',
): Promise<SideGame[]> {
  const rows = wanted.flatMap(({ tree, node }) => {
    const window = countedWindow(tree, node);
    if (window === null) return [];
    const { starts_at, ends_at } = window;
    const { round, slot } = node;
    return seedsOf(node).map((seed) => {
      return { cup_id: tree.cup.id, round, slot, seed, starts_at, ends_at };
    });
  });
  if (rows.length === 0) return [];
  // Read the members first, then each one's games by an index: without statistics, PostgreSQL would
  // read all games for each pairing and member.
  const { rows: games } = await sql<SideGame>`
    with members as materialized (
      select r.*, m.player_id, c.venue_id
      from ${recordset(rows, GAMES_OF)} join cups c on c.id = r.cup_id
      join ${MEMBERS} m on m.cup_id = r.cup_id and m.seed = r.seed
        and m.from_round <= r.round and (m.to_round is null or m.to_round > r.round)
    )
    select m.cup_id, m.round, m.slot, m.seed, g.id, g.machine_id, g.player_id, g.score, g.played_at
    from members m cross join lateral (
      select id, machine_id, player_id, score, played_at from games
      where player_id = m.player_id and state = ${state}
        and played_at >= m.starts_at and played_at < m.ends_at
        and (m.venue_id is null or venue_id = m.venue_id)
      offset 0
    ) g`.execute(db);
  return games;
}

/** Counts the games of a pairing (CUP-10, CUP-12). Its sides must be known. */
export function countPairing(
  { cup }: Pick<Tree, 'cup'>,
  node: Node,
  games: readonly SideGame[],
): Count {
  const [a, b] = [node.a, node.b].map((side) => {
    const seed = seedOf(side) ?? 0;
    const own = games.filter(
      (game) =>
        game.cup_id === cup.id &&
        game.round === node.round &&
        game.slot === node.slot &&
        game.seed === seed,
    );
    const counted = countedGames(own, cup);
    return { seed, counted, scores: counted.map(({ score }) => score) };
  }) as [Scored, Scored];
  return {
    ...decide(a, b, cup.best),
    sides: [a, b].map(({ seed, counted, scores }) => ({
      seed,
      sum: sumOf({ scores }, cup.best),
      games: counted.map(({ id, machine_id, player_id, score }) => {
        return { id, machine_id, player_id, score };
      }),
    })),
  };
}
type Scored = { seed: number; counted: SideGame[]; scores: number[] };

/** Pairings that are open, with both sides known, and whose window has begun at `now`. */
export const openPairings = (tree: Tree, now: Date): Node[] =>
  tree.nodes.filter((node) => {
    const window = windowOf(tree, node);
    return (
      node.winner === undefined &&
      seedOf(node.a) !== null &&
      seedOf(node.b) !== null &&
      window !== null &&
      window.starts_at <= now
    );
  });

/** Reads the counts of these trees' open pairings in one query, by the cup's id and `keyOf`. */
export async function readOpenCounts(
  db: Database,
  trees: readonly Tree[],
  now: Date,
): Promise<Map<string, Count>> {
  const open = trees.flatMap((tree) => openPairings(tree, now).map((node) => ({ tree, node })));
  const games = await readSideGames(db, open);
  return new Map(
    open.map(({ tree, node }) => [
      `${tree.cup.id} ${keyOf(node)}`,
      countPairing(tree, node, games),
    ]),
  );
}

/** The count that a pairing shows: the stored result while it is valid, else the running count. */
export function shownCount(
  tree: Tree,
  node: Node,
  counts: ReadonlyMap<string, Count>,
): Count | null {
  if (node.automatic) return null;
  if (node.winner !== undefined) return tree.results.get(keyOf(node)) ?? null;
  return counts.get(`${tree.cup.id} ${keyOf(node)}`) ?? null;
}

/**
 * SQL: whether game `g` of `venue` is in the window of a pairing that its player plays (CUP-31).
 */
export const inCup = (venue: RawBuilder<unknown>) => sql<boolean>`exists (
  select from ${MEMBERS} m join cups c on c.id = m.cup_id
  join cup_pairings w on w.cup_id = c.id
  where m.player_id = g.player_id and (c.venue_id is null or c.venue_id = ${venue})
    and w.starts_at <= g.played_at and w.ends_at > g.played_at
    and m.from_round <= w.round and (m.to_round is null or m.to_round > w.round))`;

/** Locks a cup's row, so that changes to the cup run one at a time. */
export async function lockCup(trx: Database, id: number): Promise<void> {
  await sql`select from cups where id = ${id} for no key update`.execute(trx);
}
