import { sql } from 'kysely';
import { COMMAND_LINE } from '#contract/rules/staff.ts';
import type { Input } from '#contract/wire/calls.ts';
import type { Node } from '../cups/bracket.ts';
import {
  changePlayers,
  correct,
  findPairing,
  findSide,
  labelOf,
  leave,
  moveWindows,
  rule,
  withdraw,
} from '../cups/changes.ts';
import { type Cup, readTree, spanOf, type Tree } from '../cups/cups.ts';
import { namesOf, roundsShown } from '../cups/page.ts';
import { changeSeeds, createCup, planCup, readAgain, requirePlanned } from '../cups/plan.ts';
import { drawn, findPlayers, seedsByHand } from '../cups/seeds.ts';
import { tell } from '../cups/settle.ts';
import { onlyAt } from '../staff/policy.ts';
import { listedCup, readCupForStaff, readListedCups, readSideNames } from '../staff-pages/cups.ts';
import { type Asked, change, type Noun, read } from './command.ts';

type New = 'POST /api/operator/cups/' | 'POST /api/operator/cups/preview/';

/** The players whom staff reach, in rows of `players` (P63). */
const reachedBy = ({ policy }: Pick<Asked<New>, 'policy'>) => policy.player(sql.ref('players.id'));

/** What a new cup names, found. */
async function found({
  find,
  policy,
  body,
}: Pick<Asked<New>, 'find' | 'policy'> & { body: Input<New, 'body'> }) {
  const { venue, league, season, contest, ...rest } = body;
  return {
    ...rest,
    venue: venue === undefined ? null : await find.venue(venue),
    league: league === undefined ? null : await find.league(league),
    season: season === undefined ? null : await find.season(season),
    contest: contest === undefined ? null : await find.contest(contest),
    reached: reachedBy({ policy }),
  };
}

const at = ({ venue_id }: Pick<Cup, 'venue_id'>) => (venue_id === null ? {} : { venue_id });
const whoOf = ({ actor }: Pick<Asked<New>, 'actor'>) =>
  actor.kind === 'key' ? COMMAND_LINE : actor.name;
const spanFacts = (tree: Tree) => {
  const { starts_at, ends_at } = spanOf(tree);
  return { begins: starts_at.toISOString(), ends: ends_at.toISOString() };
};
const reopenedText = (tree: Tree, reopens: readonly Node[]) =>
  reopens.map((node) => `${labelOf(tree, node)} is open again.`);

type Ground = Pick<Asked<never>, 'db' | 'clock' | 'config'>;
async function changed(asked: Ground, cup: Cup) {
  const again = await readAgain(asked.db, cup);
  await tell(asked.db, { cup: again });
  return listedCup(asked, again);
}

/** The commands `cup …`. */
export const cups: Noun = {
  area: 'contests',
  topics: ['contests'],
  commands: [
    read('GET /api/operator/cups/', {
      summary: 'List the cups, open ones first',
      role: 'floor',
      work: async (asked) => {
        const { policy, query, find } = asked;
        const venue = query.venue === undefined ? null : await find.venue(query.venue);
        const reached =
          venue === null
            ? sql<boolean>`(${policy.venue(sql.ref('c.venue_id'))}
                or ${policy.league(sql.ref('c.league_id'))})`
            : onlyAt(venue.id).venue(sql.ref('c.venue_id'));
        return { results: await readListedCups(asked, reached) };
      },
    }),
    read('GET /api/operator/cups/page/', {
      summary: 'Show a cup with its tree, and what it waits for',
      role: 'manager',
      work: async (asked) => readCupForStaff(asked, await asked.find.cup(asked.query.cup)),
    }),
    read('POST /api/operator/cups/preview/', {
      summary: 'Show the sides and the windows that a cup would have',
      role: 'manager',
      work: async (asked) => {
        const { tree } = await planCup(asked.db, await found(asked), asked.clock.now());
        const nameOf = await readSideNames(asked.db, tree);
        const shown = tree.sides.map((side) => ({ ...side, name: nameOf(side.seed) }));
        return {
          sides: shown.map(({ name }) => name),
          rounds: roundsShown(tree, namesOf({ sides: shown }, new Map()), new Map()),
        };
      },
    }),
    change('POST /api/operator/cups/', {
      summary: 'Make a cup',
      role: 'manager',
      work: async (asked) => {
        const cup = await createCup(asked.db, await found(asked), asked.clock.now());
        const tree = await readTree(asked.db, cup);
        const { name, best, of } = cup;
        return {
          answer: await changed(asked, cup),
          audit: {
            what: `Made the cup ${name}`,
            ...at(cup),
            after: {
              name,
              best,
              of,
              sides: tree.sides.length,
              drawn: asked.body.draw,
              ...spanFacts(tree),
            },
          },
        };
      },
    }),
    change('POST /api/operator/cups/seeds/', {
      summary: 'Set the seeds of a cup that has not begun',
      role: 'manager',
      work: async (asked) => {
        const { db, clock, find, body } = asked;
        const cup = await find.cup(body.cup);
        const tree = await readTree(db, cup);
        const league =
          cup.league_id === null ? null : { id: cup.league_id, name: cup.league ?? '' };
        const sides = await seedsByHand(db, league, body.sides, reachedBy(asked));
        await changeSeeds(db, tree, sides, clock.now());
        return {
          answer: await changed(asked, cup),
          audit: {
            what: `Set the seeds of the cup ${cup.name}`,
            ...at(cup),
            after: { sides: body.sides.length },
          },
        };
      },
    }),
    change('POST /api/operator/cups/draw/', {
      summary: 'Draw the seeds of a cup that has not begun',
      role: 'manager',
      work: async (asked) => {
        const { db, clock, find, body } = asked;
        const cup = await find.cup(body.cup);
        const tree = await readTree(db, cup);
        const sides = drawn(
          tree.sides.map(({ team_id, player_id, name }) => ({ team_id, player_id, name })),
        );
        await changeSeeds(db, tree, sides, clock.now());
        return {
          answer: await changed(asked, cup),
          audit: { what: `Drew the seeds of the cup ${cup.name}`, ...at(cup) },
        };
      },
    }),
    change('POST /api/operator/cups/sides/', {
      summary: "Add players to a team's side of a cup, or take them off",
      role: 'manager',
      work: async (asked) => {
        const { db, clock, find, body } = asked;
        const cup = await find.cup(body.cup);
        const tree = await readTree(db, cup);
        const nameOf = await readSideNames(db, tree);
        const seed = findSide(tree, body.side, nameOf);
        const ids = async (names: readonly string[], field: string) =>
          (await findPlayers(db, names, reachedBy(asked), field)).map(({ id }) => id);
        await changePlayers(db, tree, seed, {
          add: await ids(body.add, 'add'),
          remove: await ids(body.remove, 'remove'),
          now: clock.now(),
        });
        return {
          answer: await changed(asked, cup),
          audit: {
            what: `Changed the players of ${nameOf(seed)} in the cup ${cup.name}`,
            ...at(cup),
            after: { added: body.add.length, 'taken off': body.remove.length },
          },
        };
      },
    }),
    change('POST /api/operator/cups/windows/', {
      summary: 'Move windows of a cup',
      role: 'manager',
      work: async (asked) => {
        const { db, clock, find, body } = asked;
        const cup = await find.cup(body.cup);
        const tree = await readTree(db, cup);
        const after = await moveWindows(db, tree, body.windows, clock.now());
        return {
          answer: await changed(asked, cup),
          audit: {
            what: `Moved windows of the cup ${cup.name}`,
            ...at(cup),
            before: spanFacts(tree),
            after: { ...spanFacts(after), windows: body.windows.length },
          },
        };
      },
    }),
    change('POST /api/operator/cups/withdraw/', {
      summary: 'Withdraw a side from a cup: its opponent goes on',
      role: 'manager',
      work: async (asked) => {
        const { db, clock, find, body } = asked;
        const cup = await find.cup(body.cup);
        const tree = await readTree(db, cup);
        const nameOf = await readSideNames(db, tree);
        const seed = findSide(tree, body.side, nameOf);
        await withdraw(db, tree, seed, { undo: body.undo, now: clock.now() });
        const name = nameOf(seed);
        return {
          answer: await changed(asked, cup),
          audit: {
            what: body.undo
              ? `Took ${name} back into the cup ${cup.name}`
              : `Withdrew ${name} from the cup ${cup.name}`,
            ...at(cup),
            before: { withdrew: body.undo },
            after: { withdrew: !body.undo },
          },
        };
      },
    }),
    change('POST /api/operator/cups/decide/', {
      summary: 'Decide a pairing of a cup by a ruling',
      role: 'manager',
      work: async (asked) => {
        const { db, clock, find, body } = asked;
        const cup = await find.cup(body.cup);
        const tree = await readTree(db, cup);
        const nameOf = await readSideNames(db, tree);
        const node = findPairing(tree, body.pairing);
        const winner = findSide(tree, body.winner, nameOf);
        const { reason, windows } = body;
        const decision = { reason, windows, who: whoOf(asked), now: clock.now() };
        const { reopens } = await rule(db, tree, node, winner, decision);
        return {
          answer: {
            cup: await changed(asked, cup),
            changes: [
              `${nameOf(winner)} win ${labelOf(tree, node)}.`,
              ...reopenedText(tree, reopens),
            ],
          },
          audit: {
            what: `Decided ${labelOf(tree, node)} of the cup ${cup.name}`,
            ...at(cup),
            before: { winner: typeof node.winner === 'number' ? nameOf(node.winner) : null },
            after: { winner: nameOf(winner), reason, reopened: reopens.length },
          },
        };
      },
    }),
    change('POST /api/operator/cups/correct/', {
      summary: 'Correct a decided pairing of a cup by a new count',
      role: 'manager',
      work: async (asked) => {
        const { db, clock, find, body } = asked;
        const cup = await find.cup(body.cup);
        const tree = await readTree(db, cup);
        const nameOf = await readSideNames(db, tree);
        const node = findPairing(tree, body.pairing);
        const { reason, windows } = body;
        const decision = { reason, windows, who: whoOf(asked), now: clock.now() };
        const { after, reopens } = await correct(db, tree, node, decision);
        const won = findPairing(after, body.pairing).winner ?? null;
        const label = labelOf(tree, node);
        return {
          answer: {
            cup: await changed(asked, cup),
            changes: [
              won === null ? `Nobody wins ${label}.` : `${nameOf(won)} win ${label}.`,
              ...reopenedText(tree, reopens),
            ],
          },
          audit: {
            what: `Corrected ${label} of the cup ${cup.name}`,
            ...at(cup),
            before: { winner: typeof node.winner === 'number' ? nameOf(node.winner) : null },
            after: {
              winner: won === null ? null : nameOf(won),
              reason,
              reopened: reopens.length,
            },
          },
        };
      },
    }),
    change('POST /api/operator/cups/leave/', {
      summary: 'Leave a decided pairing of a cup as it is',
      role: 'manager',
      work: async (asked) => {
        const { db, clock, find, body } = asked;
        const cup = await find.cup(body.cup);
        const tree = await readTree(db, cup);
        const node = findPairing(tree, body.pairing);
        await leave(db, tree, node, clock.now());
        return {
          answer: await listedCup(asked, cup),
          audit: {
            what: `Left ${labelOf(tree, node)} of the cup ${cup.name} as it is`,
            ...at(cup),
          },
        };
      },
    }),
    change('POST /api/operator/cups/drop/', {
      summary: 'Drop a cup that has not begun',
      role: 'manager',
      work: async (asked) => {
        const { db, clock, find, body } = asked;
        const cup = await find.cup(body.cup);
        const tree = await readTree(db, cup);
        requirePlanned(tree, clock.now(), `“${cup.name}” has begun.`);
        const answer = await listedCup(asked, cup);
        await tell(db, tree);
        await db.deleteFrom('cups').where('id', '=', cup.id).execute();
        return {
          answer,
          audit: { what: `Dropped the cup ${cup.name}`, ...at(cup), before: spanFacts(tree) },
        };
      },
    }),
  ],
};
