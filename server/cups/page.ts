import { sql } from 'kysely';
import { pairingLabel, pairingName, roundName } from '#contract/rules/cups.ts';
import type { CupPage, CupPairing, CupRound, CupSide, RunningCup } from '#contract/wire/cups.ts';
import type { Named } from '#contract/wire/leagues.ts';
import { NOBODY, readNames } from '../contests/page.ts';
import type { Database } from '../db/database.ts';
import type { Deps } from '../deps.ts';
import { notFound } from '../errors.ts';
import { dayOf } from '../leagues/calendar.ts';
import { countedGames, keyOf, type Node, roundsOf, type Side, seedOf, seedsOf } from './bracket.ts';
import { isInPlay } from './changes.ts';
import {
  type Count,
  type Cup,
  MEMBERS,
  readCups,
  readOpenCounts,
  readSideGames,
  readTree,
  readTrees,
  type Span,
  shownCount,
  stateOf,
  type Tree,
  windowOf,
} from './cups.ts';

/* A cup as players see it (CUP-30, CUP-31), and functions that other answers about cups share. */

type PageDeps = Pick<Deps, 'config' | 'db' | 'clock'>;
const NO_SUCH_CUP = 'No such cup.';

/** Returns the names that a cup shows for the side with this seed. */
export type NameOf = (seed: number) => Pick<CupSide, 'team' | keyof Named>;

/** The sides' names for a reader who may see the names in `named`. */
export function namesOf(tree: Pick<Tree, 'sides'>, named: ReadonlyMap<number, Named>): NameOf {
  const sides = new Map(tree.sides.map((side) => [side.seed, side]));
  return (seed) => {
    const side = sides.get(seed);
    const player = named.get(side?.player_id ?? 0) ?? NOBODY;
    const { username, avatar_color, jersey_number } = player;
    return { team: side?.name ?? null, username, avatar_color, jersey_number };
  };
}

const NO_NAME = { team: null, ...NOBODY };

function sideOf(tree: Tree, side: Side, nameOf: NameOf): CupSide {
  const seed = seedOf(side);
  if (seed !== null) return { seed, ...nameOf(seed), from: null };
  if (!('from' in side)) return { seed: null, ...NO_NAME, from: null };
  const label = pairingLabel(side.from, roundsOf(tree.sides.length));
  return { seed: null, ...NO_NAME, from: `${side.loser ? 'Loser' : 'Winner'} of ${label}` };
}

/** The days of a window in a cup of weeks; null for other cups. */
function daysOf({ cup }: Tree, window: Span | null): CupPairing['days'] {
  if (cup.windows === 'hours' || window === null) return null;
  const last = new Date(window.ends_at.getTime() - 1);
  return { from: dayOf(window.starts_at, cup.timezone), to: dayOf(last, cup.timezone) };
}

function pairingOf(tree: Tree, node: Node, nameOf: NameOf, count: Count | null): CupPairing {
  const window = windowOf(tree, node);
  const isBye = node.how === 'bye';
  return {
    id: `${node.round}-${node.slot}`,
    label: pairingLabel(node, roundsOf(tree.sides.length)),
    a: sideOf(tree, node.a, nameOf),
    b: sideOf(tree, node.b, nameOf),
    winner: node.winner ?? null,
    decided: node.winner !== undefined,
    how: node.how,
    sums: count?.sides.map(({ sum }) => sum) ?? null,
    games: count?.sides.map(({ games }) => games.length) ?? null,
    starts_at: isBye ? null : (window?.starts_at.toISOString() ?? null),
    ends_at: isBye ? null : (window?.ends_at.toISOString() ?? null),
    days: isBye ? null : daysOf(tree, window),
  };
}

/** The rounds of a cup. The pairing for third place is in the last round. */
export function roundsShown(
  tree: Tree,
  nameOf: NameOf,
  counts: ReadonlyMap<string, Count>,
): CupRound[] {
  const rounds = roundsOf(tree.sides.length);
  return Array.from({ length: rounds }, (_, round) => {
    const nodes = tree.nodes.filter((node) => node.round === round);
    const windows = nodes.flatMap((node) => windowOf(tree, node) ?? []);
    const times = (pick: 'starts_at' | 'ends_at') =>
      windows.map((window) => window[pick].getTime());
    return {
      name: roundName(round, rounds),
      starts_at: new Date(Math.min(...times('starts_at'))).toISOString(),
      ends_at: new Date(Math.max(...times('ends_at'))).toISOString(),
      pairings: nodes.map((node) => pairingOf(tree, node, nameOf, shownCount(tree, node, counts))),
    };
  });
}

/** The fields that every answer about a cup has. */
export function factsOf(tree: Tree, now: Date) {
  const { cup } = tree;
  return {
    id: String(cup.id),
    name: cup.name,
    venue: cup.venue,
    kind: cup.kind,
    sides: tree.sides.length,
    best: cup.best,
    of: cup.of,
    per_player: cup.per_player,
    state: stateOf(tree, now),
    league: cup.league,
    season: cup.season,
  };
}

/** The account numbers of sides that are players. */
export const playersOf = (trees: readonly Pick<Tree, 'sides'>[]): number[] =>
  trees.flatMap(({ sides }) => sides.flatMap(({ player_id }) => player_id ?? []));

/** The side that the player is on from `from_round` until before `to_round` (CUP-11). */
type OwnSide = { cup_id: number; seed: number; from_round: number; to_round: number | null };

/** The sides that a player is or was on, by cup, oldest first. */
export async function readOwnSides(
  db: Database,
  playerId: number,
  cupIds: readonly number[],
): Promise<Map<number, OwnSide[]>> {
  const { rows } = await sql<OwnSide>`
    select m.cup_id, m.seed, m.from_round, m.to_round from ${MEMBERS} m
    where m.player_id = ${playerId} and m.cup_id = any(${[...cupIds]}::integer[])
    order by m.from_round`.execute(db);
  return Map.groupBy(rows, ({ cup_id }) => cup_id);
}

/** The player's side in a pairing; undefined if the player is on neither. */
export const sideIn = (sides: readonly OwnSide[], node: Node): OwnSide | undefined =>
  sides.find(
    ({ seed, from_round, to_round }) =>
      seedsOf(node).includes(seed) &&
      from_round <= node.round &&
      (to_round === null || node.round < to_round),
  );

/**
 * Finds a cup that the player may see: as a member of a side or of the league, or with a counted
 * game at its venue.
 * @throws Refusal 404 for any other cup.
 */
async function findCup(db: Database, playerId: number, id: number): Promise<Cup> {
  const [cup] = await readCups(
    db,
    sql<boolean>`c.id = ${id} and (
      exists (select from ${MEMBERS} m where m.cup_id = c.id and m.player_id = ${playerId})
      or exists (select from players p join teams t on t.id = p.team_id
        where p.id = ${playerId} and t.league_id = c.league_id)
      or exists (select from bests where venue_id = c.venue_id and player_id = ${playerId}))`,
  );
  if (cup === undefined) throw notFound(NO_SUCH_CUP);
  return cup;
}

/** The player's pairing that is open, or the last one. */
function ownPairing({ nodes }: Tree, sides: readonly OwnSide[]): Node | undefined {
  const own = nodes.filter((node) => sideIn(sides, node) !== undefined);
  return own.find(({ winner }) => winner === undefined) ?? own.at(-1);
}

const hasWithdrawn = ({ sides }: Tree, seed: number | undefined): boolean =>
  sides.some((side) => side.seed === seed && side.withdrew_at !== null);

/** How many more games of the player can count for the side in a pairing (CUP-10). */
function gamesLeft(
  { per_player, of }: Cup,
  games: readonly { player_id: number }[],
  playerId: number,
): number {
  const own = games.filter(({ player_id }) => player_id === playerId).length;
  return Math.min(of - games.length, (per_player ?? of) - own);
}

/**
 * The score that a side must beat to raise its sum; 0 if any score raises it; null if the side has
 * no game left.
 */
function toGain({ best, of }: Cup, count: Count | null, seed: number): number | null {
  const games = count?.sides.find((side) => side.seed === seed)?.games ?? [];
  if (games.length >= of) return null;
  return games.length < best ? 0 : (games[best - 1]?.score ?? 0);
}

/** A cup's page (CUP-30). @throws Refusal 404 for somebody who may not see it. */
export async function readCupPage(deps: PageDeps, playerId: number, id: number): Promise<CupPage> {
  const { db, clock } = deps;
  const now = clock.now();
  const cup = await findCup(db, playerId, id);
  const tree = await readTree(db, cup);
  const counts = await readOpenCounts(db, [tree], now);
  const sides = (await readOwnSides(db, playerId, [id])).get(id) ?? [];
  const named = await readNames(deps, { player_id: playerId }, playersOf([tree]));
  const nameOf = namesOf(tree, named);
  const node = ownPairing(tree, sides);
  const seed = (node && sideIn(sides, node)?.seed) ?? sides.at(-1)?.seed;
  const count = node === undefined ? null : shownCount(tree, node, counts);
  const own = count?.sides.find((side) => side.seed === seed)?.games ?? [];
  const isOpen = node !== undefined && node.winner === undefined;
  return {
    ...factsOf(tree, now),
    now: now.toISOString(),
    rounds: roundsShown(tree, nameOf, counts),
    champion:
      cup.final_at === null || cup.winner_seed === null
        ? null
        : { seed: cup.winner_seed, ...nameOf(cup.winner_seed), from: null },
    mine:
      seed === undefined
        ? null
        : {
            seed,
            pairing: node === undefined ? null : `${node.round}-${node.slot}`,
            to_gain: isOpen ? toGain(cup, count, seed) : null,
            games_left: isOpen ? cup.of - own.length : 0,
            own_games: own.filter(({ player_id }) => player_id === playerId).length,
            own_max: cup.per_player ?? cup.of,
            withdrew: hasWithdrawn(tree, seed),
            can_leave: canLeave(tree, seed),
          },
  };
}

const canLeave = (tree: Tree, seed: number) =>
  tree.cup.kind === 'players' && !hasWithdrawn(tree, seed) && isInPlay(tree, seed);

/**
 * Finds the seed of the player's own side in a cup; null if that side may not leave it (CUP-34).
 * @throws Refusal 404 for a cup that the player may not see.
 */
export async function findOwnSide(
  db: Database,
  playerId: number,
  id: number,
): Promise<{ tree: Tree; seed: number | null }> {
  const tree = await readTree(db, await findCup(db, playerId, id));
  const seed = tree.sides.find(({ player_id }) => player_id === playerId)?.seed ?? null;
  return { tree, seed: seed !== null && canLeave(tree, seed) ? seed : null };
}

/** The profile shows a window from this long before its start. */
const STRIP_BEFORE_MS = 14 * 24 * 3_600_000;

/** Whether a game of the player can still count for the pairing, now or later. */
const canCount = ({ games_left, ends_at, now }: RunningCup): boolean =>
  games_left > 0 && now < ends_at;

/**
 * The pairing that the player's profile shows (CUP-31): one that is open and near, of a side that
 * has not left the cup; or null. One that is over or has no game left gives way to one that runs.
 */
export async function readRunningCup(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  playerId: number,
): Promise<RunningCup | null> {
  const now = clock.now();
  const soon = new Date(now.getTime() + STRIP_BEFORE_MS);
  // If the player is in no cup, this is the only statement.
  const cups = await readCups(
    db,
    sql<boolean>`c.final_at is null
      and c.id in (select m.cup_id from ${MEMBERS} m where m.player_id = ${playerId})
      and exists (select from cup_pairings w where w.cup_id = c.id and w.starts_at <= ${soon})`,
  );
  if (cups.length === 0) return null;
  const trees = await readTrees(db, cups);
  const sides = await readOwnSides(
    db,
    playerId,
    cups.map(({ id }) => id),
  );
  const counts = await readOpenCounts(db, trees, now);
  const open = trees.flatMap((tree) => {
    const own = sides.get(tree.cup.id) ?? [];
    const node = ownPairing(tree, own);
    if (node === undefined || node.winner !== undefined) return [];
    const window = windowOf(tree, node);
    if (window === null || window.starts_at > soon) return [];
    const seed = sideIn(own, node)?.seed;
    return hasWithdrawn(tree, seed) ? [] : { tree, node, window, seed };
  });
  // Games count from the start of the window, even before the opponent is known (CUP-15).
  const alone = open.filter(
    ({ node, window }) => seedsOf(node).length < 2 && window.starts_at <= now,
  );
  const early = await readSideGames(db, alone);
  const found = open.map(({ tree, node, window, seed }) => {
    const sums = counts.get(`${tree.cup.id} ${keyOf(node)}`)?.sides ?? [];
    const sumOf = (own: boolean) => sums.find((side) => (side.seed === seed) === own)?.sum ?? 0;
    const games =
      sums.find((side) => side.seed === seed)?.games ??
      countedGames(
        early.filter((game) => game.cup_id === tree.cup.id),
        tree.cup,
      );
    return {
      id: String(tree.cup.id),
      name: tree.cup.name,
      pairing: pairingName(node, roundsOf(tree.sides.length)),
      now: now.toISOString(),
      starts_at: window.starts_at.toISOString(),
      ends_at: window.ends_at.toISOString(),
      ahead: sumOf(true) - sumOf(false),
      games_left: gamesLeft(tree.cup, games, playerId),
      known: seedsOf(node).length === 2,
      kind: tree.cup.kind,
    };
  });
  const [first, ...others] = found.sort((a, b) => (a.ends_at < b.ends_at ? -1 : 1));
  if (first === undefined || canCount(first)) return first ?? null;
  return others.find((one) => canCount(one) && one.starts_at <= one.now) ?? first;
}

/** A player's cups, for the export. */
export async function readCupsOf(db: Database, playerId: number) {
  const { rows } = await sql<{
    cup: string;
    venue: string | null;
    team: string | null;
    seed: number;
  }>`
    select distinct on (c.id) c.name as cup, v.name as venue, s.name as team, m.seed
    from ${MEMBERS} m join cups c on c.id = m.cup_id left join venues v on v.id = c.venue_id
    join cup_sides s on s.cup_id = c.id and s.seed = m.seed
    where m.player_id = ${playerId} order by c.id`.execute(db);
  return rows;
}

/**
 * The games in a window of one of the player's cup sides (CUP-31), as `machine_id id`. Those of a
 * side that has left count only where a result has them.
 */
export async function readCupGames(
  db: Database,
  playerId: number,
  games: readonly { played_at: Date; id: string; machine_id: number; venue_id: number | null }[],
): Promise<Set<string>> {
  if (games.length === 0) return new Set();
  const times = games.map(({ played_at }) => played_at.getTime());
  // Read only cups of that time, because a player's cups grow with the years.
  const cups = await readCups(
    db,
    sql<boolean>`c.id in (select m.cup_id from ${MEMBERS} m where m.player_id = ${playerId})
      and exists (select from cup_pairings w where w.cup_id = c.id
        and w.starts_at <= ${new Date(Math.max(...times))}
        and w.ends_at > ${new Date(Math.min(...times))})`,
  );
  const trees = await readTrees(db, cups);
  const sides = await readOwnSides(
    db,
    playerId,
    cups.map(({ id }) => id),
  );
  return new Set(
    games.flatMap((game) => {
      const counts = trees.some((tree) => {
        const { cup } = tree;
        if (cup.venue_id !== null && cup.venue_id !== game.venue_id) return false;
        return tree.nodes.some((node) => {
          const window = windowOf(tree, node);
          const side = sideIn(sides.get(cup.id) ?? [], node);
          const isPlayed = node.winner !== undefined && !node.automatic;
          return (
            window !== null &&
            side !== undefined &&
            (isPlayed || !hasWithdrawn(tree, side.seed)) &&
            window.starts_at <= game.played_at &&
            game.played_at < window.ends_at
          );
        });
      });
      return counts ? `${game.machine_id} ${game.id}` : [];
    }),
  );
}
