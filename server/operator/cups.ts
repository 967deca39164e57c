import { sql } from 'kysely';
import type { Input } from '#contract/wire/calls.ts';
import type { CupListed } from '#contract/wire/cups.ts';
import type { Node } from '../cups/bracket.ts';
import {
  cancel,
  changePlayers,
  correct,
  type Decision,
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
import { changeSeeds, createCup, planCup, readAgain } from '../cups/plan.ts';
import { drawn, findPlayers, seedsByHand } from '../cups/seeds.ts';
import { tell } from '../cups/settle.ts';
import { authorOf, type Entry } from '../staff/audit.ts';
import { onlyAt } from '../staff/policy.ts';
import {
  listedCup,
  readCupForStaff,
  readListedCups,
  readSideNames,
  type SideNames,
} from '../staff-pages/cups.ts';
import { type Asked, change, type Noun, read } from './command.ts';

type New = 'POST /api/operator/cups/' | 'POST /api/operator/cups/preview/';

/** SQL on a row of `players`: whether staff reach the player (P63). */
const reachedBy = ({ policy }: Pick<Asked<New>, 'policy'>) => policy.player(sql.ref('players.id'));

/** The body of a new cup, with the rows that it names. */
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
const spanFacts = (tree: Tree) => {
  const { starts_at, ends_at } = spanOf(tree);
  return { begins: starts_at.toISOString(), ends: ends_at.toISOString() };
};

type Ground = Pick<Asked<New>, 'db' | 'clock' | 'config' | 'policy'>;
async function changed(asked: Ground, cup: Cup) {
  const again = await readAgain(asked.db, cup);
  await tell(asked.db, { cup: again });
  return listedCup(asked, again);
}

type Named = Ground & Pick<Asked<New>, 'find' | 'actor'> & { body: { cup: string } };
type Line = Omit<Entry, 'area'>;

async function foundTree(asked: Named) {
  const tree = await readTree(asked.db, await asked.find.cup(asked.body.cup));
  return { tree, nameOf: await readSideNames(asked, tree) };
}

/** Changes the cup that staff name. Answers with the cup as it is afterwards. */
async function changing(
  asked: Named,
  work: (tree: Tree, nameOf: SideNames) => Promise<Line>,
): Promise<{ answer: CupListed; audit: Line }> {
  const { tree, nameOf } = await foundTree(asked);
  const audit = await work(tree, nameOf);
  return { answer: await changed(asked, tree.cup), audit: { ...at(tree.cup), ...audit } };
}

type Deciding = Named & {
  body: { pairing: string; reason: string; windows: Decision['windows'] };
};

/** Stores a pairing's next result. Answers with what that changes, in words. */
async function deciding(
  asked: Deciding,
  verb: 'Decided' | 'Corrected',
  store: (
    tree: Tree,
    node: Node,
    decision: Decision,
    nameOf: SideNames,
  ) => Promise<{ after: Tree; reopens: Node[] }>,
) {
  const { clock, actor, body } = asked;
  const { tree, nameOf } = await foundTree(asked);
  const node = findPairing(tree, body.pairing);
  const { reason, windows } = body;
  const decision = { reason, windows, who: authorOf(actor).who, now: clock.now() };
  const { after, reopens } = await store(tree, node, decision, nameOf);
  const won = findPairing(after, body.pairing).winner ?? null;
  const label = labelOf(tree, node);
  const winnerOf = (seed: number | null | undefined) => (seed == null ? null : nameOf(seed));
  const reopened = reopens.map((one) => `${labelOf(tree, one)} is open again.`);
  return {
    answer: {
      cup: await changed(asked, tree.cup),
      changes: [
        won === null ? `${label} has no winner.` : `${label} goes to ${nameOf(won)}.`,
        ...reopened,
      ],
    },
    audit: {
      what: `${verb} ${label} of the cup ${tree.cup.name}`,
      ...at(tree.cup),
      before: { winner: winnerOf(node.winner) },
      after: { winner: winnerOf(won), reason, reopened: reopens.length },
    },
  };
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
            : sql<boolean>`(${onlyAt(venue.id).venue(sql.ref('c.venue_id'))}
                or c.venue_id is null and ${policy.league(sql.ref('c.league_id'))})`;
        const now = asked.clock.now().toISOString();
        return { now, results: await readListedCups(asked, reached) };
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
        const nameOf = await readSideNames(asked, tree);
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
              'decides the title of': cup.season,
              ...spanFacts(tree),
            },
          },
        };
      },
    }),
    change('POST /api/operator/cups/seeds/', {
      summary: 'Set the seeds of a cup that has not begun',
      role: 'manager',
      work: (asked) =>
        changing(asked, async (tree) => {
          const { db, clock, body } = asked;
          const { name, league_id, league } = tree.cup;
          const of = league_id === null ? null : { id: league_id, name: league ?? '' };
          const sides = await seedsByHand(db, of, body.sides, reachedBy(asked));
          await changeSeeds(db, tree, sides, clock.now());
          return {
            what: `Set the seeds of the cup ${name}`,
            after: { sides: body.sides.length },
          };
        }),
    }),
    change('POST /api/operator/cups/draw/', {
      summary: 'Draw the seeds of a cup that has not begun',
      role: 'manager',
      work: (asked) =>
        changing(asked, async (tree) => {
          const sides = tree.sides.map(({ team_id, player_id, name }) => ({
            team_id,
            player_id,
            name,
          }));
          await changeSeeds(asked.db, tree, drawn(sides), asked.clock.now());
          return { what: `Drew the seeds of the cup ${tree.cup.name}` };
        }),
    }),
    change('POST /api/operator/cups/sides/', {
      summary: "Add players to a team's side of a cup, or take them off",
      role: 'manager',
      work: (asked) =>
        changing(asked, async (tree, nameOf) => {
          const { db, clock, body } = asked;
          const seed = findSide(tree, body.side, nameOf);
          const found = (names: readonly string[], field: string) =>
            findPlayers(db, names, reachedBy(asked), field);
          const [add, remove] = [await found(body.add, 'add'), await found(body.remove, 'remove')];
          const ids = (players: typeof add) => players.map(({ id }) => id);
          const names = (players: typeof add) =>
            players.map(({ username }) => username).join(', ') || null;
          await changePlayers(db, tree, seed, {
            add: ids(add),
            remove: ids(remove),
            now: clock.now(),
          });
          return {
            what: `Changed the players of ${nameOf(seed)} in the cup ${tree.cup.name}`,
            after: { added: names(add), 'taken off': names(remove) },
          };
        }),
    }),
    change('POST /api/operator/cups/windows/', {
      summary: 'Move windows of a cup',
      role: 'manager',
      work: (asked) =>
        changing(asked, async (tree) => {
          const { db, clock, body } = asked;
          const after = await moveWindows(db, tree, body.windows, clock.now());
          return {
            what: `Moved windows of the cup ${tree.cup.name}`,
            before: spanFacts(tree),
            after: { ...spanFacts(after), windows: body.windows.length },
          };
        }),
    }),
    change('POST /api/operator/cups/withdraw/', {
      summary: 'Withdraw a side from a cup: its opponent goes on',
      role: 'manager',
      work: (asked) =>
        changing(asked, async (tree, nameOf) => {
          const { undo } = asked.body;
          const seed = findSide(tree, asked.body.side, nameOf);
          await withdraw(asked.db, tree, seed, { undo, now: asked.clock.now() });
          const [side, cup] = [nameOf(seed), tree.cup.name];
          const player_id = tree.sides.find((one) => one.seed === seed)?.player_id ?? null;
          return {
            what: undo
              ? `Took ${side} back into the cup ${cup}`
              : `Withdrew ${side} from the cup ${cup}`,
            ...(player_id !== null && { player_id }),
            before: { withdrew: undo },
            after: { withdrew: !undo },
          };
        }),
    }),
    change('POST /api/operator/cups/decide/', {
      summary: 'Decide a pairing of a cup by a ruling',
      role: 'manager',
      work: (asked) =>
        deciding(asked, 'Decided', (tree, node, decision, nameOf) =>
          rule(asked.db, tree, node, findSide(tree, asked.body.winner, nameOf), decision),
        ),
    }),
    change('POST /api/operator/cups/correct/', {
      summary: 'Correct a decided pairing of a cup by a new count',
      role: 'manager',
      work: (asked) =>
        deciding(asked, 'Corrected', (tree, node, decision) =>
          correct(asked.db, tree, node, decision),
        ),
    }),
    change('POST /api/operator/cups/leave/', {
      summary: 'Leave a decided pairing of a cup as it is',
      role: 'manager',
      work: (asked) =>
        changing(asked, async (tree) => {
          const node = findPairing(tree, asked.body.pairing);
          await leave(asked.db, tree, node, asked.clock.now());
          return { what: `Left ${labelOf(tree, node)} of the cup ${tree.cup.name} as it is` };
        }),
    }),
    change('POST /api/operator/cups/cancel/', {
      summary: 'Cancel a cup of which no pairing is decided by games or a ruling',
      role: 'manager',
      work: async (asked) => {
        const { tree } = await foundTree(asked);
        const { cup, sides } = tree;
        const answer = await listedCup(asked, cup);
        await cancel(asked.db, tree);
        return {
          answer,
          audit: {
            what: `Cancelled the cup ${cup.name}`,
            ...at(cup),
            before: {
              sides: sides.length,
              'decides the title of': cup.season,
              ...spanFacts(tree),
            },
          },
        };
      },
    }),
  ],
};
