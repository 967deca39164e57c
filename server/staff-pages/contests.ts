import { type RawBuilder, sql } from 'kysely';
import { CONTEST_GRACE_MS } from '#contract/rules/contests.ts';
import { INBOX_MAX } from '#contract/rules/inbox.ts';
import type {
  ContestForStaff,
  ContestListed,
  ContestPoster,
  StaffPlace,
} from '#contract/wire/contests.ts';
import type { Named } from '#contract/wire/leagues.ts';
import {
  type Board,
  type Contest,
  placesOf,
  readBoard,
  readBoards,
  readContests,
  readGames,
  readStored,
  type StoredPlace,
  stateOf,
} from '../contests/contests.ts';
import { changesBetween, readOffer, readVersions, readWaiting } from '../contests/final.ts';
import { factsOf, NOBODY } from '../contests/page.ts';
import { contestBoard, levelBy } from '../contests/points.ts';
import type { Database } from '../db/database.ts';
import type { Deps } from '../deps.ts';
import { mayBeNamed } from '../players/visibility.ts';
import { tonightEnds } from '../venues/tonight.ts';

/* Contests for staff, who see everybody (CONTEST-11). */

type PageDeps = Pick<Deps, 'config' | 'db' | 'clock'>;

const WINNERS = 3;
/** How many past contests a list shows. */
const OVER_MAX = 20;
const DELETED = 'Former player';

export const urlOf = ({ config }: Pick<Deps, 'config'>, { code }: Pick<Contest, 'code'>) =>
  `${config.public_url}/contest/${code}`;

type Person = Named & { on_screens: boolean };

async function readPeople(
  { db, clock, config }: PageDeps,
  ids: readonly number[],
): Promise<Map<number, Person>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<Person & { id: number }>`
    select p.id, p.username, p.avatar_color, p.jersey_number,
      ${mayBeNamed({ clock, config }, 'screen')} as on_screens
    from players p where p.id = any(${[...new Set(ids)]}::bigint[])`.execute(db);
  return new Map(rows.map(({ id, ...person }) => [id, person]));
}

const staffPlace =
  (people: ReadonlyMap<number, Person>) =>
  ({ place, player_id, points, games }: StoredPlace): StaffPlace => {
    const person = people.get(player_id);
    return {
      place,
      ...(person ?? { ...NOBODY, on_screens: false }),
      account: person === undefined ? null : String(player_id),
      points,
      games,
    };
  };

/** Contests as lists show them: four queries for any number. */
export async function listContests(
  deps: PageDeps,
  contests: readonly Contest[],
): Promise<ContestListed[]> {
  const { db, clock } = deps;
  const now = clock.now();
  const begun = contests.filter(({ final_at, starts_at }) => final_at === null && starts_at <= now);
  const boards = await readBoards(db, begun);
  const stored = await readStored(
    db,
    contests.filter(({ final_at }) => final_at !== null).map(({ id }) => id),
  );
  const placesFor = ({ id }: Contest) =>
    stored.get(id) ?? placesOf(boards.get(id) ?? { players: [], games: 0 });
  const people = await readPeople(
    deps,
    [...stored.values()].flatMap((places) =>
      places.slice(0, WINNERS).map(({ player_id }) => player_id),
    ),
  );
  const machines = await readMachineNames(
    db,
    contests.flatMap(({ machines }) => machines ?? []),
  );
  return contests.map((contest) => {
    const places = placesFor(contest);
    return {
      ...factsOf(contest, now),
      id: String(contest.id),
      venue_id: String(contest.venue_id),
      timezone: contest.timezone,
      only: contest.only_slide,
      machines: contest.machines?.map((id) => machines.get(id) ?? String(id)) ?? null,
      url: urlOf(deps, contest),
      players: places.length,
      games: places.reduce((sum, { games }) => sum + games, 0),
      best: places[0]?.points ?? null,
      winners: contest.final_at === null ? [] : places.slice(0, WINNERS).map(staffPlace(people)),
    };
  });
}

async function readMachineNames(db: Database, ids: readonly number[]) {
  if (ids.length === 0) return new Map<number, string>();
  const { rows } = await sql<{ id: number; name: string }>`
    select id, name from machines where id = any(${[...ids]}::integer[])`.execute(db);
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** Lists contests that match `where`: those to come or running first, then the newest past ones. */
export async function readListed(
  deps: PageDeps,
  where: RawBuilder<boolean>,
): Promise<ContestListed[]> {
  const now = deps.clock.now();
  const open = await readContests(
    deps.db,
    sql<boolean>`c.cancelled_at is null and (c.final_at is null or c.ends_at > ${now}) and ${where}`,
  );
  const over = await readContests(
    deps.db,
    sql<boolean>`c.cancelled_at is null and c.final_at is not null and c.ends_at <= ${now} and ${where}`,
    sql`order by c.ends_at desc, c.id desc limit ${OVER_MAX}`,
  );
  return listContests(deps, [...open, ...over]);
}

export async function listedContest(deps: PageDeps, contest: Contest): Promise<ContestListed> {
  const [listed] = await listContests(deps, [contest]);
  if (listed === undefined) throw new Error('the contest is not listed');
  return listed;
}

/** How many players with a game in the contest made their account after it began. */
async function countNew(db: Database, contest: Contest, places: readonly StoredPlace[]) {
  const { rows } = await sql<{ made: number }>`
    select count(*)::integer as made from players where created_at >= ${contest.starts_at}
      and id = any(${places.map(({ player_id }) => player_id)}::bigint[])`.execute(db);
  return rows[0]?.made ?? 0;
}

async function countScreens(db: Database, { venue_id }: Contest) {
  const { rows } = await sql<{ paired: number }>`
    select count(*)::integer as paired from screens
    where venue_id = ${venue_id} and token_hash is not null`.execute(db);
  return rows[0]?.paired ?? 0;
}

/**
 * The highest held games of the window, each with the place that it would bring its player. A place
 * takes a recount, so INBOX_MAX limits the games: a faulty machine can send any number (P39a).
 */
async function readHeldGames(deps: PageDeps, contest: Contest, board: Board) {
  const all = await readGames(deps.db, [contest], { state: 'held' });
  const held = all.toSorted((a, b) => b.score - a.score).slice(0, INBOX_MAX);
  const people = await readPeople(
    deps,
    held.map(({ player_id }) => player_id),
  );
  const counted = board.players.flatMap(({ counting, below, over }) => [
    ...counting,
    ...below,
    ...over,
  ]);
  const rows = held.map((game) => ({
    game: String(game.seq),
    machine: game.machine,
    player: people.get(game.player_id)?.username ?? null,
    score: game.score,
    place:
      contestBoard([...counted, game], contest.scoring, contest.n).find(
        ({ player_id }) => player_id === game.player_id,
      )?.place ?? 0,
  }));
  return { held: rows, held_more: all.length - held.length };
}

/** A contest's page in the console. */
export async function readContestForStaff(
  deps: PageDeps,
  contest: Contest,
): Promise<ContestForStaff> {
  const { db, clock } = deps;
  const now = clock.now();
  const state = stateOf(contest, now);
  const board = await readBoard(db, contest);
  const versions = await readVersions(db, contest.id);
  const places = versions.at(-1)?.rows ?? placesOf(board);
  const offer = await readOffer(db, contest, now, board);
  const people = await readPeople(
    deps,
    [...versions.flatMap(({ rows }) => rows), ...places, ...(offer?.after ?? [])].map(
      ({ player_id }) => player_id,
    ),
  );
  const nameOf = (id: number) => people.get(id)?.username ?? DELETED;
  const isWaiting = state === 'settling';
  const waiting = isWaiting ? await readWaiting(db, contest) : [];
  const { held, held_more } =
    isWaiting || state === 'running'
      ? await readHeldGames(deps, contest, board)
      : { held: [], held_more: 0 };
  const until =
    held.length > 0
      ? tonightEnds(contest.ends_at, contest.timezone)
      : new Date(contest.ends_at.getTime() + CONTEST_GRACE_MS);
  return {
    contest: await listedContest(deps, contest),
    now: now.toISOString(),
    places: places.map((row, at) => ({
      ...staffPlace(people)(row),
      level: levelAt(places, at, board),
    })),
    new_accounts: await countNew(db, contest, places),
    waiting: waiting.map(({ machine_id, machine, queued, why, reported_at }) => ({
      machine_id: String(machine_id),
      machine,
      venue: contest.venue,
      queued,
      why,
      reported_at: reported_at?.toISOString() ?? null,
    })),
    waits_until: isWaiting ? until.toISOString() : null,
    held,
    held_more,
    screens: await countScreens(db, contest),
    version: versions.length,
    corrections: versions
      .slice(1)
      .map(({ version, at, who, reason, rows }, before) => ({
        version,
        at: at.toISOString(),
        who,
        reason: reason ?? '',
        changes: changesBetween(versions[before]?.rows ?? [], rows, nameOf),
      }))
      .toReversed(),
    changes: offer === null ? [] : changesBetween(offer.before, offer.after, nameOf),
  };
}

/**
 * Why a player is below the one above, who has equal points. null if the games that count now do
 * not give both players their stored points.
 */
function levelAt(places: readonly StoredPlace[], at: number, { players }: Board) {
  const [above, below] = [places[at - 1], places[at]];
  if (above === undefined || below === undefined || above.points !== below.points) return null;
  const playerOf = ({ player_id, points }: StoredPlace) =>
    players.find((one) => one.player_id === player_id && one.points === points);
  const [first, second] = [playerOf(above), playerOf(below)];
  return first === undefined || second === undefined ? null : levelBy(first, second);
}

export const posterOf = (
  deps: Pick<Deps, 'config' | 'clock'>,
  contest: Contest,
): ContestPoster => ({
  ...factsOf(contest, deps.clock.now()),
  url: urlOf(deps, contest),
  timezone: contest.timezone,
});

/** What a correction changed, in words. */
export async function wordsOf(
  deps: PageDeps,
  { before, after }: { before: StoredPlace[]; after: StoredPlace[] },
): Promise<string[]> {
  const people = await readPeople(
    deps,
    [...before, ...after].map(({ player_id }) => player_id),
  );
  return changesBetween(before, after, (id) => people.get(id)?.username ?? DELETED);
}
