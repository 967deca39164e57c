import { sql } from 'kysely';
import { type CupPlace, pairingLabel, pairingNamed } from '#contract/rules/cups.ts';
import type { Database } from '../db/database.ts';
import { recordset } from '../db/recordset.ts';
import { badField, badRequest, notFound } from '../errors.ts';
import { isPast, readMoment } from '../venues/hours.ts';
import { feeds, keyOf, type Node, reopened, roundsOf, seedsOf } from './bracket.ts';
import {
  type Count,
  countPairing,
  lastRound,
  readSideGames,
  readTree,
  type StoredResult,
  stateOf,
  type Tree,
  windowOf,
  withResult,
} from './cups.ts';
import { finish, insertResults, isCorrectable, nextVersion, readOffers, tell } from './settle.ts';

/* What staff decide in a cup: windows, withdrawals, rulings, corrections (CUP-07, CUP-16 to 24). */

const DAY_MS = 24 * 3_600_000;
/** The longest window that staff can give, from its start or, if it has begun, from now. */
const WINDOW_DAYS_MAX = 31;

export const labelOf = (tree: Pick<Tree, 'sides'>, place: CupPlace) =>
  pairingLabel(place, roundsOf(tree.sides.length));

/** The pairing that staff name, such as `QF 2` or `0-1`. @throws Refusal 404. */
export function findPairing(tree: Tree, ref: string): Node {
  const place = pairingNamed(ref, tree.nodes, roundsOf(tree.sides.length));
  const node = tree.nodes.find((one) =>
    place === null ? `${one.round}-${one.slot}` === ref : keyOf(one) === keyOf(place),
  );
  if (node === undefined) throw notFound(`The cup has no pairing “${ref}”.`);
  return node;
}

/** The seed of the side that staff name, by its seed or name. @throws Refusal 404. */
export function findSide(tree: Tree, ref: string, nameOf: (seed: number) => string | null): number {
  const named = tree.sides.find(({ seed }) => nameOf(seed)?.toLowerCase() === ref.toLowerCase());
  const found = named ?? tree.sides.find(({ seed }) => String(seed) === ref);
  if (found === undefined) throw notFound(`The cup has no side “${ref}”.`);
  return found.seed;
}

export type WindowChange = {
  pairing: string;
  starts?: string | undefined;
  ends?: string | undefined;
};

/**
 * Moves windows (CUP-07). A start can move until it is reached, or while a side is still unknown.
 * An end can move until the pairing is decided, and lies at most 31 days after the start, or after
 * now once the window has begun: a correction can come long after it (CUP-23, CUP-24).
 * @throws Refusal 400 for an impossible window, a window that overlaps with the next round's, or a
 * decided pairing; 404 for an unknown pairing.
 */
export async function moveWindows(
  trx: Database,
  tree: Tree,
  changes: readonly WindowChange[],
  now: Date,
): Promise<Tree> {
  const { cup } = tree;
  const windows = new Map(tree.windows);
  const named = changes
    .map((change) => ({ change, node: findPairing(tree, change.pairing) }))
    .sort((one, other) => one.node.round - other.node.round);
  for (const { change, node } of named) {
    const window = windowOf(tree, node);
    const label = labelOf(tree, node);
    if (window === null || node.winner !== undefined)
      throw badField('windows', `${label} is decided.`);
    const asked = change.starts === undefined ? null : readMoment(change.starts, cup.timezone);
    const starts_at = asked ?? beginAfter(tree, node, windows);
    const ends_at =
      change.ends === undefined ? window.ends_at : readMoment(change.ends, cup.timezone);
    const isMoved = asked !== null && asked.getTime() !== window.starts_at.getTime();
    if (isMoved && isPast(asked, now))
      throw badField('windows', `${label} cannot begin in the past.`);
    // While the window runs and both sides are known, games already count.
    const runs = window.starts_at <= now && window.ends_at > now && seedsOf(node).length === 2;
    if (isMoved && runs) throw badField('windows', `${label} has begun: only its end can move.`);
    if (ends_at <= now || ends_at <= starts_at)
      throw badField('windows', `${label} must end later.`);
    const from = Math.max(starts_at.getTime(), now.getTime());
    if (ends_at.getTime() - from > WINDOW_DAYS_MAX * DAY_MS)
      throw badField('windows', `A window lasts at most ${WINDOW_DAYS_MAX} days.`);
    windows.set(keyOf(node), { ...window, starts_at, ends_at, quiet_machines: [] });
  }
  requireOrder(tree, windows);
  const moved = [...windows.values()].filter((window) => windowOf(tree, window) !== window);
  await sql`
    update cup_pairings w set starts_at = r.starts_at, ends_at = r.ends_at,
      quiet_machines = '{}', left_result = null
    from ${recordset(moved, 'round integer, slot integer, starts_at timestamptz, ends_at timestamptz')}
    where w.cup_id = ${cup.id} and w.round = r.round and w.slot = r.slot`.execute(trx);
  return { ...tree, windows };
}

/** Whether the cup can be cancelled. A result by games or by a ruling stays for ever (CUP-17). */
export const isCancellable = ({ results }: Pick<Tree, 'results'>) => results.size === 0;

/** Deletes a cup without a trace (CUP-17). @throws Refusal 400 once a pairing is decided. */
export async function cancel(trx: Database, tree: Tree): Promise<void> {
  const { id, name } = tree.cup;
  if (!isCancellable(tree))
    throw badRequest(
      `A pairing of “${name}” is decided, so the cup stays. Withdraw sides or decide pairings instead.`,
    );
  await tell(trx, tree);
  await trx.deleteFrom('cups').where('id', '=', id).execute();
}

type Windows = Tree['windows'];

/**
 * A window's default start: its present start, or the end of the last window that feeds it,
 * whichever is later.
 */
function beginAfter(tree: Tree, node: Node, windows: Windows): Date {
  const own = windowOf(tree, node)?.starts_at.getTime() ?? 0;
  const ends = feedersOf(tree, node).map((one) => windows.get(keyOf(one))?.ends_at.getTime() ?? 0);
  return new Date(Math.max(own, ...ends));
}

/** The open pairings that decide who plays in this one. */
const feedersOf = ({ nodes }: Pick<Tree, 'nodes'>, node: Node): Node[] =>
  nodes.filter((one) => one.winner === undefined && feeds(one, node));

/** The open pairings, each with a next one that begins before it ends. */
const overlaps = (tree: Tree, windows: Windows): { node: Node; next: Node }[] =>
  tree.nodes.flatMap((next) =>
    feedersOf(tree, next).flatMap((node) => {
      const [before, after] = [windows.get(keyOf(node)), windows.get(keyOf(next))];
      return before && after && before.ends_at > after.starts_at ? { node, next } : [];
    }),
  );

const overlapWords = (tree: Tree, { node, next }: { node: Node; next: Node }): string =>
  `${labelOf(tree, next)} begins before ${labelOf(tree, node)} ends. Move ${labelOf(tree, next)} first.`;

/**
 * Checks that the windows of a side do not overlap, because a game would count in both (CUP-07).
 * @throws Refusal 400 if a moved window overlaps with that of an open pairing before or after it.
 */
function requireOrder(tree: Tree, windows: Windows): void {
  const isMoved = (node: Node) => windows.get(keyOf(node)) !== windowOf(tree, node);
  const moved = overlaps(tree, windows).find(({ node, next }) => isMoved(node) || isMoved(next));
  if (moved !== undefined) throw badField('windows', overlapWords(tree, moved));
}

/**
 * Withdraws a side, which loses all its open pairings, or undoes its withdrawal (CUP-16).
 * @throws Refusal 400 if the side has no open pairing. An undo is refused with 400 if a pairing
 * after the walkover was played, or if the undo would reopen a pairing whose window is over, or
 * ends after the next one begins.
 */
export async function withdraw(
  trx: Database,
  tree: Tree,
  seed: number,
  { undo, now }: { undo: boolean; now: Date },
): Promise<Tree> {
  const side = tree.sides.find((one) => one.seed === seed);
  if ((side?.withdrew_at !== null) !== undo)
    throw badRequest(undo ? 'This side has not withdrawn.' : 'This side has withdrawn already.');
  if (!undo && !isInPlay(tree, seed)) throw badRequest('This side has no pairing left to play.');
  await sql`update cup_sides set withdrew_at = ${undo ? null : now}
    where cup_id = ${tree.cup.id} and seed = ${seed}`.execute(trx);
  const after = await readTree(trx, tree.cup);
  const opened = undo ? reopened(tree.nodes, after.nodes) : [];
  const played = opened.find(({ automatic }) => !automatic);
  if (played !== undefined)
    throw badRequest(`${labelOf(tree, played)} was played since. Decide the pairing instead.`);
  const over = opened.find((node) => {
    const window = windowOf(tree, node);
    return window !== null && window.ends_at <= now;
  });
  if (over !== undefined)
    throw badRequest(`The window of ${labelOf(tree, over)} is over. Decide the pairing instead.`);
  const early = overlaps(after, after.windows).find(({ node }) =>
    opened.some((one) => keyOf(one) === keyOf(node)),
  );
  if (early !== undefined)
    throw badRequest(
      (windowOf(after, early.next)?.starts_at ?? now) <= now
        ? `${labelOf(after, early.next)} has begun. Decide ${labelOf(after, early.node)}, then take the withdrawal back.`
        : overlapWords(after, early),
    );
  await finish(trx, after, now);
  await tell(trx, after);
  return after;
}

/** Whether a side has a pairing to play, now or later. */
export function isInPlay({ nodes }: Pick<Tree, 'nodes'>, seed: number): boolean {
  return nodes.some((node) => node.winner === undefined && seedsOf(node).includes(seed));
}

/** The pairings that a result would reopen, and those that would need a new window (CUP-23). */
export function consequences(
  tree: Tree,
  result: StoredResult,
  now: Date,
): { after: Tree; reopens: Node[]; windows: Node[] } {
  const after = withResult(tree, result);
  const reopens = reopened(tree.nodes, after.nodes);
  // A game in two windows of a side would count in both (CUP-07).
  const overlapping = new Set(overlaps(after, after.windows).map(({ node }) => keyOf(node)));
  const isOver = (node: Node) =>
    (windowOf(tree, node)?.ends_at ?? now) <= now || overlapping.has(keyOf(node));
  const over = new Set(reopens.filter(isOver).map(keyOf));
  // Pairings that follow one with a new window must begin after that window.
  const windows = after.nodes.filter((node) => {
    const moves =
      over.has(keyOf(node)) || feedersOf(after, node).some((one) => over.has(keyOf(one)));
    if (moves) over.add(keyOf(node));
    return moves && windowOf(tree, node) !== null;
  });
  return { after, reopens, windows };
}

/**
 * What would reopen if a ruling gave a decided pairing to another side (CUP-23); null if the
 * pairing is open or lacks a side.
 */
export function reversal(
  tree: Tree,
  node: Node,
  now: Date,
): Pick<ReturnType<typeof consequences>, 'reopens' | 'windows'> | null {
  if (node.winner === undefined || seedsOf(node).length < 2) return null;
  const winner = seedsOf(node).find((seed) => seed !== node.winner) ?? null;
  const count = { winner, how: 'ruling', sides: seedsOf(node).map(sideWithout) } as const;
  return consequences(tree, nextVersion(tree, node, count, { who: '', reason: null }), now);
}
const sideWithout = (seed: number) => ({ seed, sum: 0, games: [] });

/**
 * Stores a pairing's next version, reopens the later pairings that it changes, and gives them new
 * windows.
 * @throws Refusal 400 if a reopened pairing needs a new window and gets none, or if the cup can no
 * longer be corrected (CUP-24).
 */
async function replaceResult(
  trx: Database,
  tree: Tree,
  result: StoredResult,
  { windows, now }: { windows: readonly WindowChange[]; now: Date },
): Promise<{ after: Tree; reopens: Node[] }> {
  if (!isCorrectable(tree.cup, now)) throw badRequest('A cup can be corrected for 30 days.');
  const { after, reopens, windows: needed } = consequences(tree, result, now);
  const given = new Set(windows.map(({ pairing }) => keyOf(findPairing(tree, pairing))));
  const missing = needed.filter((node) => !given.has(keyOf(node)));
  if (missing.length > 0)
    throw badField(
      'windows',
      `Give a new end to ${missing.map((node) => labelOf(tree, node)).join(', ')}.`,
    );
  await insertResults(trx, tree.cup, [result], now);
  await sql`update cup_pairings set left_result = null
    where cup_id = ${tree.cup.id} and round = ${result.round} and slot = ${result.slot}`.execute(
    trx,
  );
  const moved = windows.length === 0 ? after : await moveWindows(trx, after, windows, now);
  await finish(trx, moved, now);
  await tell(trx, moved);
  return { after: moved, reopens };
}

export type Decision = { reason: string; who: string; windows: readonly WindowChange[]; now: Date };

/**
 * Decides a pairing by a ruling, which overrides any other result (CUP-16).
 * @throws Refusal 400 before round 1 begins, because seeds can change until then. Also 400 if a
 * side of the pairing is not known, or if `winner` is not one of its sides.
 */
export async function rule(
  trx: Database,
  tree: Tree,
  node: Node,
  winner: number,
  { reason, who, windows, now }: Decision,
): Promise<{ after: Tree; reopens: Node[] }> {
  if (stateOf(tree, now) === 'planned' && tree.cup.began_at === null)
    throw badRequest('Until the first round begins, withdraw a side instead.');
  const seeds = seedsOf(node);
  if (seeds.length < 2) throw badRequest(`${labelOf(tree, node)} has not got both sides yet.`);
  if (!seeds.includes(winner))
    throw badField('winner', `This side does not play in ${labelOf(tree, node)}.`);
  const { sides } = await recount(trx, tree, node);
  const result = nextVersion(tree, node, { winner, how: 'ruling', sides }, { who, reason });
  return replaceResult(trx, tree, result, { windows, now });
}

const recount = async (db: Database, tree: Tree, node: Node): Promise<Count> =>
  countPairing(tree, node, await readSideGames(db, [{ tree, node }]));

/**
 * Counts a decided pairing again and stores the new result (CUP-21 to CUP-23).
 * @throws Refusal 400 if a new count changes nothing, or the pairing is not decided by games.
 */
export async function correct(
  trx: Database,
  tree: Tree,
  node: Node,
  { reason, who, windows, now }: Decision,
): Promise<{ after: Tree; reopens: Node[] }> {
  const offer = await findOffer(trx, tree, node, now, true);
  const result = nextVersion(tree, node, offer.after, { who, reason });
  return replaceResult(trx, tree, result, { windows, now });
}

async function findOffer(db: Database, tree: Tree, node: Node, now: Date, left: boolean) {
  if (!isCorrectable(tree.cup, now)) throw badRequest('A cup can be corrected for 30 days.');
  const offers = await readOffers(db, [tree], now, { left });
  const offer = offers.find((one) => keyOf(one.node) === keyOf(node));
  if (offer === undefined) throw badRequest('A new count changes nothing.');
  return offer;
}

/**
 * Dismisses an offered correction until the next change (CUP-20).
 * @throws Refusal 400 if no correction is offered.
 */
export async function leave(trx: Database, tree: Tree, node: Node, now: Date): Promise<void> {
  const { after } = await findOffer(trx, tree, node, now, false);
  await sql`update cup_pairings set left_result = ${JSON.stringify(after)}::jsonb
    where cup_id = ${tree.cup.id} and round = ${node.round} and slot = ${node.slot}`.execute(trx);
}

/**
 * Adds players to a team's side and takes players off it (CUP-11). This takes effect in the next
 * window that begins.
 * @throws Refusal 400 for a cup of players, before round 1 begins, once the last round has begun, or
 * for a player of another side.
 */
export async function changePlayers(
  trx: Database,
  tree: Tree,
  seed: number,
  { add, remove, now }: { add: readonly number[]; remove: readonly number[]; now: Date },
): Promise<void> {
  const { cup, windows } = tree;
  if (cup.kind === 'players') throw badRequest('Each side of this cup is one player.');
  if (cup.began_at === null)
    throw badRequest('Until the first round begins, whoever is on the team is on its side.');
  const begun = [...windows.values()].filter(({ starts_at }) => starts_at <= now);
  const from = Math.max(-1, ...begun.map(({ round }) => round)) + 1;
  if (from > lastRound(tree)) throw badRequest('The last round has begun: its sides stay.');
  const { rows } = await sql<{ player_id: number; seed: number }>`
    select player_id, seed from cup_players where cup_id = ${cup.id} and to_round is null`.execute(
    trx,
  );
  const sideOf = new Map(rows.map((row) => [row.player_id, row.seed]));
  if (add.some((id) => sideOf.has(id)))
    throw badField('add', 'A player is on one side only: take the player off the other one first.');
  if (remove.some((id) => sideOf.get(id) !== seed))
    throw badField('remove', 'This player is not on this side.');
  await sql`update cup_players set to_round = greatest(from_round, ${from})
    where cup_id = ${cup.id} and to_round is null and player_id = any(${[...remove]}::bigint[])`.execute(
    trx,
  );
  await sql`insert into cup_players (cup_id, player_id, seed, from_round)
    select distinct ${cup.id}::integer, id, ${seed}::integer, ${from}::integer from unnest(${[...add]}::bigint[]) as added (id)
    on conflict (cup_id, player_id, from_round)
      do update set seed = excluded.seed, to_round = null`.execute(trx);
}
