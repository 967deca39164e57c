import { type RawBuilder, sql } from 'kysely';
import type { CupRound } from '#contract/wire/cups.ts';
import type { ScreenCup } from '#contract/wire/screens.ts';
import { readNames } from '../contests/page.ts';
import { readCups, readOpenCounts, readTrees } from '../cups/cups.ts';
import { namesOf, playersOf, roundsShown } from '../cups/page.ts';
import type { Deps } from '../deps.ts';
import type { Opening } from '../venues/hours.ts';
import { inScreenOrder } from './contests.ts';
import { closingTime } from './notice.ts';

/* The cups of a venue's screens (CUP-32). */

const CUPS_MAX = 2;
/** Screens learn of a cup this long before it begins, so that they show its start on time. */
const BEFORE_MS = 12 * 3_600_000;
const AFTER_MS = 24 * 3_600_000;

type Window = Pick<CupRound, 'starts_at' | 'ends_at'>;

/** A pairing's window, if it differs from the round's, which up to 32 pairings would repeat. */
const ownWindow = ({ starts_at, ends_at }: Window, round: Window) =>
  starts_at === null ||
  ends_at === null ||
  (starts_at === round.starts_at && ends_at === round.ends_at)
    ? {}
    : { starts_at, ends_at };

/**
 * What the screens of a venue show of its cups: at most two, those with a window that runs before
 * others that have begun (`inScreenOrder`). A final one stays until the venue closes. A cup over
 * all venues is on the screens of its league's venue.
 */
export async function readScreenCups(
  deps: Pick<Deps, 'config' | 'db' | 'clock'>,
  venue: { id: number } & Opening,
): Promise<ScreenCup[]> {
  const { db, clock } = deps;
  const now = clock.now();
  const hasWindow = (where: RawBuilder<boolean>) => sql<boolean>`exists (
    select from cup_pairings w where w.cup_id = c.id and w.starts_at <= ${now} and ${where})`;
  const found = await readCups(
    db,
    sql<boolean>`(c.venue_id = ${venue.id} or c.venue_id is null and l.venue_id = ${venue.id})
      and (c.final_at is null
        or c.final_at > ${new Date(now.getTime() - AFTER_MS)} and c.winner_seed is not null)
      and exists (select from cup_pairings w where w.cup_id = c.id
        and w.starts_at <= ${new Date(now.getTime() + BEFORE_MS)})`,
    sql`order by ${inScreenOrder(sql`c.final_at`, hasWindow(sql`true`), now)},
      ${hasWindow(sql`w.ends_at > ${now}`)} desc, c.id`,
  );
  const endOf = (final_at: Date | null) =>
    final_at === null ? null : closingTime(venue, final_at);
  const cups = found.filter(({ final_at }) => (endOf(final_at) ?? now) >= now).slice(0, CUPS_MAX);
  // Most venues have no cup, and need only the statement above.
  if (cups.length === 0) return [];
  const trees = await readTrees(db, cups);
  const counts = await readOpenCounts(db, trees, now);
  const names = await readNames(deps, 'screen', playersOf(trees));
  return trees.map((tree) => {
    const { cup, nodes } = tree;
    const nameOf = namesOf(tree, names);
    const champion = cup.final_at === null ? null : cup.winner_seed;
    return {
      id: String(cup.id),
      name: cup.name,
      best: cup.best,
      of: cup.of,
      shown_until: endOf(cup.final_at)?.toISOString() ?? null,
      final_at: cup.final_at?.toISOString() ?? null,
      champion: champion === null ? null : { seed: champion, ...nameOf(champion), from: null },
      rounds: roundsShown(tree, nameOf, counts).map((round) => ({
        name: round.name,
        starts_at: round.starts_at ?? '',
        ends_at: round.ends_at ?? '',
        pairings: round.pairings.map(({ id, a, b, winner, decided, sums, games, ...window }) => ({
          a,
          b,
          winner,
          decided,
          sums,
          games,
          ...ownWindow(window, round),
          third: nodes.some((node) => node.third && `${node.round}-${node.slot}` === id),
        })),
      })),
    };
  });
}
