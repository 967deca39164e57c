import { isDeepStrictEqual } from 'node:util';
import { sql } from 'kysely';
import type { Loud } from '#contract/rules/contests.ts';
import { CUP_CORRECTABLE_DAYS, type CupPlace } from '#contract/rules/cups.ts';
import { isSettled, type Status, settleEach, whyLoud } from '../contests/settled.ts';
import type { Database } from '../db/database.ts';
import { notify, notifyConsole } from '../db/notifications.ts';
import { recordset } from '../db/recordset.ts';
import { transact } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { tonightEnds } from '../venues/tonight.ts';
import { keyOf, type Node, seedsOf } from './bracket.ts';
import {
  type Count,
  type Cup,
  countedWindow,
  countPairing,
  MEMBERS,
  openPairings,
  readCups,
  readSideGames,
  readTree,
  type StoredResult,
  type Tree,
  windowOf,
  withResult,
} from './cups.ts';
import { followTable } from './seeds.ts';

/** The windows of cups: when round 1 begins, when a pairing is decided, and when a cup is final. */

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 3_600_000;
/** How long a pairing waits for late games, in cups of hours and of weeks (CUP-14, FRAME-04). */
const GRACE_MS = { hours: 15 * MINUTE_MS, weeks: DAY_MS };
const HELD_MS = 7 * DAY_MS;
const BY_ITSELF = 'Backboard';

type Place = { tree: Tree; node: Node };
type Machine = CupPlace & Status & { cup_id: number; id: number; machine: string };

const placeOf = ({ tree, node: { round, slot } }: Place) => ({
  cup_id: tree.cup.id,
  round,
  slot,
});
const PLACE = 'cup_id integer, round integer, slot integer';
const isAt = (row: CupPlace & { cup_id: number }, { tree, node }: Place) =>
  row.cup_id === tree.cup.id && row.round === node.round && row.slot === node.slot;

/** For pairings of a cup at one venue: the machines that have not been quiet since the end. */
async function readMachines(db: Database, places: readonly Place[]): Promise<Machine[]> {
  if (places.length === 0) return [];
  const { rows } = await sql<Machine>`
    select w.cup_id, w.round, w.slot, m.id, m.name as machine, s.queued,
      s.reported_at, s.playing
    from ${recordset(places.map(placeOf), PLACE)}
    join cups c on c.id = r.cup_id
    join cup_pairings w on w.cup_id = r.cup_id and w.round = r.round and w.slot = r.slot
    join machines m on m.venue_id = c.venue_id and m.revoked_at is null
      and m.repair_at is null and m.id <> all(w.quiet_machines)
    left join machine_status s on s.machine_id = m.id
    order by lower(m.name)`.execute(db);
  return rows;
}

export type Waiting = Place & {
  machines: { machine: string; queued: number | null; why: Loud }[];
  held: number;
  ends_at: Date;
  until: Date;
};

/** The open pairings of these trees whose windows are over, and what each waits for (CUP-14). */
export async function readWaiting(
  db: Database,
  trees: readonly Tree[],
  now: Date,
): Promise<Waiting[]> {
  const over = trees.flatMap((tree) =>
    openPairings(tree, now)
      .filter((node) => (windowOf(tree, node)?.ends_at ?? now) <= now)
      .map((node) => ({ tree, node })),
  );
  const machines = await readMachines(db, over);
  const held = await readSideGames(db, over, 'held');
  return over.map((place) => {
    const { tree, node } = place;
    const games = held.filter((game) => isAt(game, place)).length;
    const { heldUntil, graceMs, ends_at } = limitsOf(tree, node);
    const loud = machines.flatMap((one) => {
      const why = isAt(one, place) ? whyLoud(one, ends_at) : null;
      return why === null ? [] : { machine: one.machine, queued: one.queued, why };
    });
    return {
      ...place,
      machines: loud,
      held: games,
      ends_at,
      until: games > 0 ? heldUntil : new Date(ends_at.getTime() + graceMs),
    };
  });
}

function limitsOf(tree: Tree, node: Node) {
  const { cup } = tree;
  const ends_at = windowOf(tree, node)?.ends_at ?? new Date(0);
  const heldUntil =
    cup.windows === 'weeks'
      ? new Date(ends_at.getTime() + HELD_MS)
      : tonightEnds(ends_at, cup.timezone);
  return { ends_at, graceMs: GRACE_MS[cup.windows], heldUntil };
}

/** How often a cup takes new seeds from the table. Each update counts a whole season (CUP-02). */
const FOLLOW_MS = MINUTE_MS;

/** A cup at all venues has no machines to ask, so only the grace ends the wait (FRAME-04). */
const ANY = 1;

/**
 * Begins cups, decides their pairings and makes them final, each cup in a transaction of its own
 * (CUP-11, CUP-14). Any number of processes may call it at once: only one of them locks a cup's
 * row. Returns how many pairings it decided.
 */
export async function settleCups({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<number> {
  const now = clock.now();
  const { rows } = await sql<{ id: number }>`
    select c.id from cups c where c.final_at is null and (
      c.follows and coalesce(c.followed_at <= ${new Date(now.getTime() - FOLLOW_MS)}, true)
      or exists (select from cup_pairings w where w.cup_id = c.id
        and (w.ends_at <= ${now} or c.began_at is null and w.starts_at <= ${now})))
    order by c.id`.execute(db);
  return settleEach(
    rows.map(({ id }) => id),
    (id) =>
      transact(db, async (trx) => {
        const [cup] = await readCups(
          trx,
          sql<boolean>`c.id = ${id} and c.final_at is null`,
          sql`for no key update of c skip locked`,
        );
        return cup === undefined ? 0 : settleCup(trx, cup, now);
      }),
  );
}

/** Settles the due pairings of one locked cup. Returns how many it decided. */
export async function settleCup(trx: Database, found: Cup, now: Date): Promise<number> {
  const { cup, moved } = await followTable(trx, found, now);
  let tree = await begin(trx, await readTree(trx, cup), now);
  const begun = tree.cup.began_at !== cup.began_at;
  let decided = 0;
  for (;;) {
    const waiting = await readWaiting(trx, [tree], now);
    const ready = waiting.filter(({ node, machines, held }) => {
      const loud = cup.venue_id === null ? ANY : machines.length;
      return isSettled(limitsOf(tree, node), { held, loud }, now);
    });
    if (ready.length === 0) {
      await noteQuiet(trx, tree, waiting, now);
      break;
    }
    const nodes = ready.map(({ node }) => node);
    const games = await readSideGames(
      trx,
      nodes.map((node) => ({ tree, node })),
    );
    const results = nodes.map((node) =>
      nextVersion(tree, node, countPairing(tree, node, games), { who: BY_ITSELF, reason: null }),
    );
    await insertResults(trx, cup, results, now);
    for (const result of results) tree = withResult(tree, result);
    decided += results.length;
  }
  await finish(trx, tree, now);
  if (moved || begun || decided > 0) await tell(trx, tree);
  return decided;
}

/** Stores the players and names of the sides, once round 1 has begun (CUP-11). */
async function begin(trx: Database, tree: Tree, now: Date): Promise<Tree> {
  const { cup, windows } = tree;
  const starts = [...windows.values()].map(({ starts_at }) => starts_at.getTime());
  const began = new Date(Math.min(...starts));
  if (cup.began_at !== null || began > now) return tree;
  await sql`
    insert into cup_players (cup_id, player_id, seed, from_round)
    select s.cup_id, was.player_id, s.seed, 0
    from cup_sides s join (
      select distinct on (player_id) player_id, team_id from team_changes
      where at <= ${began} and player_id in (
        select player_id from team_changes where team_id in (
          select team_id from cup_sides where cup_id = ${cup.id}))
      order by player_id, at desc
    ) was on was.team_id = s.team_id
    where s.cup_id = ${cup.id}`.execute(trx);
  await storeNames(trx, cup);
  await sql`update cups set began_at = ${began} where id = ${cup.id}`.execute(trx);
  return { ...tree, cup: { ...cup, began_at: began, follows: false } };
}

/** Stores the present names of the teams: the cup keeps them from now on (CUP-04, FRAME-06). */
async function storeNames(trx: Database, { id }: Cup): Promise<void> {
  await sql`update cup_sides s set name = t.name from teams t
    where s.cup_id = ${id} and t.id = s.team_id`.execute(trx);
}

/** Stores which machines have reported an empty queue and no running game since the end. */
async function noteQuiet(
  trx: Database,
  { cup }: Tree,
  waiting: readonly Waiting[],
  now: Date,
): Promise<void> {
  if (cup.venue_id === null || waiting.length === 0) return;
  const places = waiting.map(({ node: { round, slot } }) => ({ round, slot }));
  await sql`
    update cup_pairings w set quiet_machines = w.quiet_machines || array(
      select m.id from machines m join machine_status s on s.machine_id = m.id
      where m.venue_id = ${cup.venue_id} and m.id <> all(w.quiet_machines)
        and s.reported_at >= w.ends_at and s.queued = 0 and not s.playing)
    from ${recordset(places, 'round integer, slot integer')}
    where w.cup_id = ${cup.id} and w.round = r.round and w.slot = r.slot and w.ends_at <= ${now}`.execute(
    trx,
  );
}

/** The next version of a pairing's result, counted in the same window as the current one. */
export function nextVersion(
  tree: Tree,
  node: Node,
  count: Count,
  by: { who: string; reason: string | null },
): StoredResult {
  const { round, slot } = node;
  const version = (tree.results.get(keyOf(node))?.version ?? 0) + 1;
  const { starts_at = null, ends_at = null } = countedWindow(tree, node) ?? {};
  return { round, slot, ...count, version, starts_at, ends_at, ...by };
}

export async function insertResults(
  trx: Database,
  { id }: Pick<Cup, 'id'>,
  results: readonly StoredResult[],
  at: Date,
): Promise<void> {
  await trx
    .insertInto('cup_results')
    .values(
      results.map(({ winner, sides, ...result }) => ({
        cup_id: id,
        at,
        winner_seed: winner,
        sides: JSON.stringify(sides),
        ...result,
      })),
    )
    .execute();
}

/** Makes a cup final once its final and third place are decided, or opens it again (CUP-23). */
export async function finish(trx: Database, { cup, nodes }: Tree, now: Date): Promise<void> {
  const isDone = nodes.every(({ winner }) => winner !== undefined);
  if (!isDone && cup.final_at === null) return;
  const last = Math.max(...nodes.map(({ round }) => round));
  const winner = isDone
    ? (nodes.find(({ round, third }) => round === last && !third)?.winner ?? null)
    : null;
  const final_at = isDone ? (cup.final_at ?? now) : null;
  // If sides withdraw, a cup can end before it begins, so `begin` has stored no names.
  if (cup.began_at === null && cup.final_at === null) await storeNames(trx, cup);
  await sql`update cups set final_at = ${final_at}, winner_seed = ${winner}, follows = false
    where id = ${cup.id}`.execute(trx);
}

/** Notifies the sides' players, the screens and the consoles. */
export async function tell(trx: Database, { cup }: Pick<Tree, 'cup'>): Promise<void> {
  const { rows } = await sql<{ player_id: number }>`
    select player_id from ${MEMBERS} m where cup_id = ${cup.id}`.execute(trx);
  await notify(trx, {
    cup: rows.map(({ player_id }) => player_id),
    venue: cup.venue_id === null ? [] : [cup.venue_id],
    league: cup.league_id === null ? [] : [cup.league_id],
  });
  await notifyConsole(trx, ['contests']);
}

/** Whether the cup's pairings can still be corrected (CUP-24). */
export const isCorrectable = ({ final_at }: Pick<Cup, 'final_at'>, now: Date): boolean =>
  final_at === null || now.getTime() < final_at.getTime() + CUP_CORRECTABLE_DAYS * DAY_MS;

export type Offer = Place & { before: StoredResult; after: Count };

/**
 * The players of stored results whose games a new count would lack, as `cup player`: a cup of
 * players loses a deleted account, and a team's side keeps it (P30e).
 */
async function readLost(db: Database, trees: readonly Tree[]): Promise<Set<string>> {
  const played = trees.flatMap(({ cup, results }) => {
    const games = [...results.values()].flatMap(({ sides }) => sides.flatMap((side) => side.games));
    const ids = new Set(games.map(({ player_id }) => player_id));
    return [...ids].map((player_id) => ({ cup_id: cup.id, player_id }));
  });
  if (played.length === 0) return new Set();
  const { rows } = await sql<{ lost: string }>`
    select r.cup_id || ' ' || r.player_id as lost
    from ${recordset(played, 'cup_id integer, player_id bigint')}
    where not exists (select from players p where p.id = r.player_id)
      and not exists (select from cup_players c
        where c.cup_id = r.cup_id and c.player_id = r.player_id)`.execute(db);
  return new Set(rows.map(({ lost }) => lost));
}

/** The decided pairings for which a new count differs and staff have not dismissed it (CUP-20). */
export async function readOffers(
  db: Database,
  trees: readonly Tree[],
  now: Date,
  { left = false }: { left?: boolean } = {},
): Promise<Offer[]> {
  const correctable = trees.filter(({ cup }) => isCorrectable(cup, now));
  const decided = correctable.flatMap((tree) =>
    tree.nodes
      .filter((node) => node.winner !== undefined && !node.automatic && node.how !== 'ruling')
      .map((node) => ({ tree, node })),
  );
  const games = await readSideGames(db, decided);
  const lost = await readLost(db, correctable);
  return decided.flatMap(({ tree, node }) => {
    const before = tree.results.get(keyOf(node));
    if (before === undefined || seedsOf(node).length < 2) return [];
    const isLost = (player: number) => lost.has(`${tree.cup.id} ${player}`);
    if (before.sides.some(({ games }) => games.some(({ player_id }) => isLost(player_id))))
      return [];
    const after = countPairing(tree, node, games);
    const { winner, how, sides } = before;
    const known = [{ winner, how, sides }, left ? null : windowOf(tree, node)?.left_result];
    if (known.some((count) => isDeepStrictEqual(count, after))) return [];
    return { tree, node, before, after };
  });
}
