import { sql } from 'kysely';
import { pairingName } from '#contract/rules/cups.ts';
import type { Comparison } from '#contract/wire/friends.ts';
import type { Database } from '../db/database.ts';
import { weekOf } from '../leagues/calendar.ts';
import { keyOf, roundsOf } from './bracket.ts';
import { countedWindow, MEMBERS, readCups, readTrees } from './cups.ts';
import { readOwnSides, sideIn } from './page.ts';

/** How many of the last cups a comparison covers. */
const CUPS = 5;

/**
 * The decided pairings in which two players were on opposite sides, in the last 5 cups that both
 * were in, newest first (FRIEND-09). Walkovers are left out, because they have no games.
 */
export async function readMetInCups(
  db: Database,
  playerId: number,
  otherId: number,
): Promise<Comparison['met_in_cups']> {
  const isOf = (id: number) =>
    sql<boolean>`exists (select from ${MEMBERS} m where m.cup_id = c.id and m.player_id = ${id})`;
  const cups = await readCups(
    db,
    sql<boolean>`${isOf(playerId)} and ${isOf(otherId)}`,
    sql`order by c.id desc limit ${CUPS}`,
  );
  const ids = cups.map(({ id }) => id);
  const [mine, theirs] = [
    await readOwnSides(db, playerId, ids),
    await readOwnSides(db, otherId, ids),
  ];
  return (await readTrees(db, cups))
    .flatMap((tree) =>
      tree.nodes.flatMap((node) => {
        const { id, name, timezone } = tree.cup;
        const [own, other] = [mine, theirs].map((sides) => sideIn(sides.get(id) ?? [], node)?.seed);
        const sums = tree.results.get(keyOf(node))?.sides;
        const window = countedWindow(tree, node);
        if (!node.winner || node.automatic || !own || !other || own === other || !window) return [];
        const sumOf = (side: number) => sums?.find(({ seed }) => seed === side)?.sum ?? 0;
        return {
          ends_at: window.ends_at,
          // The last instant of a window is just before its end.
          week: weekOf(new Date(window.ends_at.getTime() - 1), timezone),
          cup: name,
          pairing: pairingName(node, roundsOf(tree.sides.length)),
          own: sumOf(own),
          other: sumOf(other),
          result: node.winner === own ? ('won' as const) : ('lost' as const),
        };
      }),
    )
    .sort((one, two) => two.ends_at.getTime() - one.ends_at.getTime())
    .map(({ ends_at: _, ...pairing }) => pairing);
}
