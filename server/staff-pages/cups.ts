import { type RawBuilder, sql } from 'kysely';
import { pairingLabel } from '#contract/rules/cups.ts';
import type { CupForStaff, CupListed } from '#contract/wire/cups.ts';
import type { Named } from '#contract/wire/leagues.ts';
import { keyOf, type Node, roundsOf } from '../cups/bracket.ts';
import { consequences, labelOf } from '../cups/changes.ts';
import {
  type Cup,
  MEMBERS,
  readCups,
  readOpenCounts,
  readTree,
  readTrees,
  spanOf,
  type Tree,
} from '../cups/cups.ts';
import { factsOf, namesOf, playersOf, roundsShown } from '../cups/page.ts';
import { nextVersion, type Offer, readOffers, readWaiting } from '../cups/settle.ts';
import type { Database } from '../db/database.ts';
import type { Deps } from '../deps.ts';

/* Cups for staff, who see everybody (CUP-33). */

type PageDeps = Pick<Deps, 'config' | 'db' | 'clock'>;
const DELETED = 'Former player';
/** Cups that are over, in a list. */
const OVER_MAX = 20;

export type SideNames = (seed: number) => string;

async function readPeople(db: Database, ids: readonly number[]): Promise<Map<number, Named>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<Named & { id: number }>`
    select id, username, avatar_color, jersey_number from players
    where id = any(${[...ids]}::bigint[])`.execute(db);
  return new Map(rows.map(({ id, ...person }) => [id, person]));
}

const namer = (tree: Pick<Tree, 'sides'>, people: ReadonlyMap<number, Named>): SideNames => {
  const nameOf = namesOf(tree, people);
  return (seed) => {
    const { team, username } = nameOf(seed);
    return team ?? username ?? DELETED;
  };
};

/** The sides' names for staff. */
export async function readSideNames(db: Database, tree: Tree): Promise<SideNames> {
  return namer(tree, await readPeople(db, playersOf([tree])));
}

function listedOf(tree: Tree, now: Date, nameOf: SideNames): CupListed {
  const { cup } = tree;
  const { starts_at, ends_at } = spanOf(tree);
  return {
    ...factsOf(tree, now),
    venue_id: cup.venue_id === null ? null : String(cup.venue_id),
    league: cup.league,
    league_id: cup.league_id === null ? null : String(cup.league_id),
    season_id: cup.season_id === null ? null : String(cup.season_id),
    timezone: cup.timezone,
    third: cup.third,
    windows: cup.windows,
    follows: cup.follows,
    starts_at: starts_at.toISOString(),
    ends_at: ends_at.toISOString(),
    winner: cup.winner_seed === null ? null : nameOf(cup.winner_seed),
  };
}

/** Cups as lists show them: four queries for any number. */
async function listCups({ db, clock }: PageDeps, cups: readonly Cup[]): Promise<CupListed[]> {
  const trees = await readTrees(db, cups);
  const people = await readPeople(db, playersOf(trees));
  return trees.map((tree) => listedOf(tree, clock.now(), namer(tree, people)));
}

/** The cups that `where` allows: open ones, then the newest final ones. */
export async function readListedCups(
  deps: PageDeps,
  where: RawBuilder<boolean>,
): Promise<CupListed[]> {
  const open = await readCups(deps.db, sql<boolean>`c.final_at is null and ${where}`);
  const over = await readCups(
    deps.db,
    sql<boolean>`c.final_at is not null and ${where}`,
    sql`order by c.final_at desc limit ${OVER_MAX}`,
  );
  return listCups(deps, [...open, ...over]);
}

export async function listedCup(deps: PageDeps, cup: Cup): Promise<CupListed> {
  const [listed] = await listCups(deps, [cup]);
  if (listed === undefined) throw new Error('the cup is not listed');
  return listed;
}

/** Says in one sentence how a new count would change a pairing's result (CUP-20). */
export function wordsOf(
  tree: Tree,
  offer: Pick<Offer, 'node' | 'before' | 'after'>,
  nameOf: SideNames,
): string {
  const { node, before, after } = offer;
  const label = labelOf(tree, node);
  const games = (count: Offer['after']) =>
    new Set(
      count.sides.flatMap((side) => side.games.map(({ id, machine_id }) => `${machine_id} ${id}`)),
    );
  const [was, is] = [games(before), games(after)];
  const gone = [...was].filter((game) => !is.has(game)).length;
  const come = [...is].filter((game) => !was.has(game)).length;
  const sums = after.sides.map(({ sum }) => sum).join(' to ');
  if (after.winner === before.winner) return `A new count of ${label}: ${sums}. The winner stays.`;
  if (after.winner === null) return `By a new count nobody wins ${label}.`;
  const winner = nameOf(after.winner);
  if (gone === 1 && come === 0) return `Without this game ${winner} win ${label}, ${sums}.`;
  if (come === 1 && gone === 0) return `With this game ${winner} win ${label}, ${sums}.`;
  return `By a new count ${winner} win ${label}, ${sums}.`;
}

/** A cup's page in the console. */
export async function readCupForStaff(deps: PageDeps, cup: Cup): Promise<CupForStaff> {
  const { db, clock } = deps;
  const now = clock.now();
  const tree = await readTree(db, cup);
  const people = await readPeople(db, playersOf([tree]));
  const nameOf = namer(tree, people);
  const counts = await readOpenCounts(db, [tree], now);
  const waiting = await readWaiting(db, tree, now);
  const offers = await readOffers(db, tree, now);
  const members = await readMembers(db, cup);
  const rounds = roundsOf(tree.sides.length);
  const label = (node: Node) => pairingLabel(node, rounds);
  return {
    cup: listedOf(tree, now, nameOf),
    now: now.toISOString(),
    rounds: roundsShown(tree, namesOf(tree, people), counts),
    side_list: tree.sides.map(({ seed, withdrew_at }) => ({
      seed,
      name: nameOf(seed),
      withdrew: withdrew_at !== null,
      players: members
        .filter((member) => member.seed === seed)
        .map(({ player_id, username }) => ({ account: String(player_id), username })),
    })),
    waiting: waiting.map(({ node, machines, held, until }) => ({
      pairing: label(node),
      machines,
      held,
      until: until.toISOString(),
    })),
    offers: offers.map((offer) => {
      const result = nextVersion(tree, offer.node, offer.after, { who: '', reason: null });
      const { reopens, windows } = consequences(tree, result, now);
      return {
        pairing: label(offer.node),
        text: wordsOf(tree, offer, nameOf),
        reopens: reopens.map(label),
        windows: windows.map(label),
      };
    }),
    rulings: tree.nodes.flatMap((node) => {
      const result = node.how === 'ruling' ? tree.results.get(keyOf(node)) : undefined;
      return result === undefined
        ? []
        : { pairing: label(node), reason: result.reason ?? '', who: result.who };
    }),
  };
}

async function readMembers(db: Database, { id }: Cup) {
  const { rows } = await sql<{ seed: number; player_id: number; username: string | null }>`
    select m.seed, m.player_id, p.username from ${MEMBERS} m join players p on p.id = m.player_id
    where m.cup_id = ${id} and m.to_round is null order by m.seed, lower(p.username)`.execute(db);
  return rows;
}
