import { type RawBuilder, sql } from 'kysely';
import { pairingLabel } from '#contract/rules/cups.ts';
import type { CupForStaff, CupListed } from '#contract/wire/cups.ts';
import type { Named } from '#contract/wire/leagues.ts';
import type { CupHand } from '#contract/wire/tonight.ts';
import { NOBODY } from '../contests/page.ts';
import { keyOf, type Node, roundsOf } from '../cups/bracket.ts';
import { consequences, isCancellable, labelOf, reversal } from '../cups/changes.ts';
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
import type { Deps } from '../deps.ts';
import { mayBeNamed } from '../players/visibility.ts';
import type { Policy } from '../staff/policy.ts';

/* Cups for staff (CUP-33). They see teams, and the players whom they reach (P63). */

type PageDeps = Pick<Deps, 'config' | 'db' | 'clock'> & { policy: Pick<Policy, 'player'> };
const DELETED = 'Former player';
const UNREACHED = 'A player';
/** How many past cups a list shows. */
const OVER_MAX = 20;

export type SideNames = (seed: number) => string;

/** `on_screens`: whether the screens name the player. */
type Person = Named & { on_screens: boolean };

async function readPeople(
  { db, clock, config, policy }: PageDeps,
  ids: readonly number[],
): Promise<Map<number, Person>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<Person & { id: number; reached: boolean }>`
    select p.id, p.username, p.avatar_color, p.jersey_number,
      ${policy.player(sql.ref('p.id'))} as reached,
      ${mayBeNamed({ clock, config }, 'screen')} as on_screens
    from players p where p.id = any(${[...ids]}::bigint[])`.execute(db);
  return new Map(
    rows.map(({ id, reached, on_screens, ...person }) => [
      id,
      { ...(reached ? person : { ...NOBODY, username: UNREACHED }), on_screens },
    ]),
  );
}

const namer = (tree: Pick<Tree, 'sides'>, people: ReadonlyMap<number, Named>): SideNames => {
  const nameOf = namesOf(tree, people);
  return (seed) => {
    const { team, username } = nameOf(seed);
    return team ?? username ?? DELETED;
  };
};

/** The sides' names for staff. */
export async function readSideNames(deps: PageDeps, tree: Tree): Promise<SideNames> {
  return namer(tree, await readPeople(deps, playersOf([tree])));
}

function listedOf(tree: Tree, now: Date, nameOf: SideNames): CupListed {
  const { cup } = tree;
  const { starts_at, ends_at } = spanOf(tree);
  return {
    ...factsOf(tree, now),
    venue_id: cup.venue_id === null ? null : String(cup.venue_id),
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
async function listCups(deps: PageDeps, cups: readonly Cup[]): Promise<CupListed[]> {
  const trees = await readTrees(deps.db, cups);
  const people = await readPeople(deps, playersOf(trees));
  return trees.map((tree) => listedOf(tree, deps.clock.now(), namer(tree, people)));
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

/** Says in one sentence how a recount would change a pairing's result (CUP-20). */
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
  const [a = 0, b = 0] = after.sides.map(({ sum }) => sum);
  if (after.winner === before.winner)
    return `A new count of ${label}: ${a} to ${b}. The winner stays.`;
  if (after.winner === null) return `By a new count nobody wins ${label}.`;
  const winner = nameOf(after.winner);
  if (gone === 1 && come === 0)
    return `Without this game ${label} goes to ${winner}, ${a} to ${b}.`;
  if (come === 1 && gone === 0) return `With this game ${label} goes to ${winner}, ${a} to ${b}.`;
  return `By a new count ${label} goes to ${winner}, ${a} to ${b}.`;
}

/** A cup's page in the console. */
export async function readCupForStaff(deps: PageDeps, cup: Cup): Promise<CupForStaff> {
  const { db, clock } = deps;
  const now = clock.now();
  const tree = await readTree(db, cup);
  const people = await readPeople(deps, playersOf([tree]));
  const nameOf = namer(tree, people);
  const counts = await readOpenCounts(db, [tree], now);
  const waiting = await readWaiting(db, [tree], now);
  const offers = await readOffers(db, [tree], now);
  const members = await readMembers(deps, cup);
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
        .map(({ username }) => username ?? UNREACHED),
    })),
    unnamed: tree.sides.filter(
      ({ player_id }) => player_id !== null && !people.get(player_id)?.on_screens,
    ).length,
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
    reversals: tree.nodes.flatMap((node) => {
      const found = reversal(tree, node, now);
      if (found === null || found.reopens.length + found.windows.length === 0) return [];
      const { reopens, windows } = found;
      return { pairing: label(node), reopens: reopens.map(label), windows: windows.map(label) };
    }),
    rulings: tree.nodes.flatMap((node) => {
      const result = node.how === 'ruling' ? tree.results.get(keyOf(node)) : undefined;
      return result === undefined
        ? []
        : { pairing: label(node), reason: result.reason ?? '', who: result.who };
    }),
    cancellable: isCancellable(tree),
  };
}

/** A pairing without a result needs a hand this long after its window. */
const LATE_MS = 30 * 60_000;
/**
 * A final cup is checked here for this long. Later, only its own page says what a recount would
 * change.
 */
const FINAL_MS = 24 * 3_600_000;

/** Cups that wait for a held game or for longer than usual, or that a recount would change. */
export async function readCupHands(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  reached: RawBuilder<boolean>,
): Promise<CupHand[]> {
  const now = clock.now();
  const cups = await readCups(
    db,
    sql<boolean>`(c.final_at is null or c.final_at > ${new Date(now.getTime() - FINAL_MS)})
      and c.began_at is not null and ${reached}`,
  );
  // Most installations have no such cup, and need only the statement above.
  if (cups.length === 0) return [];
  const trees = await readTrees(db, cups);
  const waiting = await readWaiting(db, trees, now);
  const offers = await readOffers(db, trees, now);
  return trees.flatMap((tree) => {
    const own = waiting.filter((one) => one.tree === tree);
    const held = own.reduce((sum, one) => sum + one.held, 0);
    const isLate = own.some(({ ends_at }) => now.getTime() - ends_at.getTime() >= LATE_MS);
    const changed = offers.some((one) => one.tree === tree);
    const why = changed ? 'changed' : held > 0 ? 'held' : isLate ? 'late' : null;
    return why === null ? [] : { id: String(tree.cup.id), name: tree.cup.name, why, held };
  });
}

/** The players on the sides now; the username is null for players whom the staff do not reach. */
async function readMembers({ db, policy }: Pick<PageDeps, 'db' | 'policy'>, { id }: Cup) {
  const { rows } = await sql<{ seed: number; username: string | null }>`
    select m.seed, case when ${policy.player(sql.ref('p.id'))} then p.username end as username
    from ${MEMBERS} m join players p on p.id = m.player_id
    where m.cup_id = ${id} and m.to_round is null
    order by m.seed, username is null, lower(p.username)`.execute(db);
  return rows;
}
