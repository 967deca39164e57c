import { sql } from 'kysely';
import { CONTEST_BOARD, STRIP_BEFORE_MS } from '#contract/rules/contests.ts';
import { isCode, typedCode } from '#contract/rules/short-code.ts';
import type { ContestPage, RunningAnswer } from '#contract/wire/contests.ts';
import type { Named } from '#contract/wire/leagues.ts';
import { batched } from '../db/batch.ts';
import type { Database } from '../db/database.ts';
import type { Deps } from '../deps.ts';
import { notFound } from '../errors.ts';
import type { Caller } from '../http/caller.ts';
import { giveBack, limit, limitOf, networkLimits } from '../http/limits.ts';
import { limitVisitor } from '../http/work.ts';
import { namedFor, type Viewer } from '../players/visibility.ts';
import { tonightBegan } from '../venues/tonight.ts';
import {
  type Board,
  type Contest,
  type PlayedGame,
  placesOf,
  readBoards,
  readContests,
  readGames,
  readStored,
  type StoredPlace,
  stateOf,
} from './contests.ts';
import { readWaiting } from './final.ts';
import type { ContestPlayer } from './points.ts';

/* A contest as players and visitors see it (CONTEST-10 to CONTEST-12). */

type PageDeps = Pick<Deps, 'config' | 'db' | 'clock' | 'log'>;
export type Guest = { player_id: number } | { visitor: Caller };

const NO_SUCH_CODE = 'There is no contest with this code.';
/** How many rows to show on either side of the player's own row. */
const NEIGHBOURS = 2;
/** Players with a game at the venue within these days see the contest in advance (CONTEST-10). */
const REGULAR_DAYS = 90;
/** The largest number of opened codes in the cache. */
const PROVEN_MAX = 10_000;
/** The largest number of boards that one statement reads. */
const BATCH = 50;

const NO_GAMES: Board = { players: [], games: 0 };

export type BoardReader = (contest: Contest) => Promise<Board>;

/**
 * Reads boards. Calls during a read share the next read, because a game makes every open page read
 * again.
 */
export const boardReader = ({ db }: Pick<Deps, 'db'>): BoardReader =>
  batched<Contest, Board>(
    async (asked) => {
      const contests = [...new Map(asked.map((contest) => [contest.id, contest])).values()];
      const boards = await readBoards(db, contests);
      return asked.map(({ id }) => boards.get(id) ?? NO_GAMES);
    },
    { max: BATCH, concurrency: 1 },
  );

/** Caches which players have opened which codes. Reading a page again then writes nothing. */
export function provenCodes() {
  const proven = new Set<string>();
  return {
    has: (key: string) => proven.has(key),
    add: (key: string) => {
      if (proven.size >= PROVEN_MAX) proven.clear();
      proven.add(key);
    },
  };
}

/** Finds a contest by its code. Limits wrong codes (P67) and page views by visitors (P103). */
async function findByCode(
  deps: PageDeps & { proven: ReturnType<typeof provenCodes> },
  guest: Guest,
  typed: string,
): Promise<Contest> {
  const key = 'player_id' in guest ? `${guest.player_id} ${typedCode(typed)}` : null;
  const isKnown = key !== null && deps.proven.has(key);
  const limits =
    'player_id' in guest
      ? [limitOf('join_code', String(guest.player_id))]
      : networkLimits(guest.visitor.ip, 'join_code_network');
  if ('visitor' in guest) {
    const pages = networkLimits(guest.visitor.ip, 'join_page_network');
    await limitVisitor(deps, guest.visitor, typed, pages, limits);
  } else if (!isKnown) await limit(deps, limits);
  const code = typedCode(typed);
  const [contest] = isCode(code) ? await readContests(deps.db, sql<boolean>`c.code = ${code}`) : [];
  if (contest === undefined) throw notFound(NO_SUCH_CODE);
  if (!isKnown) await giveBack(deps, limits);
  if (key !== null) deps.proven.add(key);
  return contest;
}

/** Names for places; null for players whom the viewer may not see, and for deleted accounts. */
export async function readNames(
  { db, clock, config }: Pick<Deps, 'db' | 'clock' | 'config'>,
  viewer: Viewer,
  ids: readonly number[],
): Promise<Map<number, Named>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<Named & { id: number }>`
    select p.id, ${namedFor({ clock, config }, viewer)} from players p
    where p.id = any(${[...ids]}::bigint[])`.execute(db);
  return new Map(rows.map(({ id, ...named }) => [id, named]));
}

export const NOBODY: Named = { username: null, avatar_color: null, jersey_number: null };

/** The current places: stored ones if the contest is final, else those of the board. */
export const placesNow = (
  contest: Contest,
  board: Board,
  stored: StoredPlace[] | undefined,
): StoredPlace[] => (contest.final_at === null ? placesOf(board) : (stored ?? []));

/** The rows around a player's own row, if it is below the board. */
function aroundOf(places: readonly StoredPlace[], own: StoredPlace | undefined) {
  if (own === undefined || own.place <= CONTEST_BOARD) return [];
  const from = Math.max(CONTEST_BOARD, own.place - 1 - NEIGHBOURS);
  return places.slice(from, own.place + NEIGHBOURS);
}

function fatesOf(player: ContestPlayer<PlayedGame> | undefined, held: readonly PlayedGame[]) {
  const best = (games: readonly PlayedGame[]) => games.toSorted((a, b) => b.score - a.score);
  const all = [
    ...best(player?.counting ?? []).map((game) => ({ game, counts: 'counts' as const })),
    ...best(player?.below ?? []).map((game) => ({ game, counts: 'below' as const })),
    ...(player?.over ?? []).map((game) => ({ game, counts: 'over' as const })),
    ...held.map((game) => ({ game, counts: 'held' as const })),
  ];
  return all.map(({ game: { score, played_at, machine }, counts }) => ({
    score,
    played_at: played_at.toISOString(),
    machine,
    counts,
  }));
}

async function readMine(
  db: Database,
  contest: Contest,
  { places, board, playerId }: { places: readonly StoredPlace[]; board: Board; playerId: number },
): Promise<ContestPage['mine']> {
  const own = places.find(({ player_id }) => player_id === playerId);
  const player = board.players.find(({ player_id }) => player_id === playerId);
  const held = await readGames(db, [contest], { state: 'held', playerId });
  const games = fatesOf(player, held);
  if (own === undefined && games.length === 0) return null;
  return { place: own?.place ?? null, points: own?.points ?? 0, games };
}

/**
 * A contest's page (CONTEST-10).
 * @throws Refusal 404 for an unknown code; 429 after too many wrong codes (P67) or page views by
 * visitors (P103).
 */
export async function readContestPage(
  deps: PageDeps & { board: BoardReader; proven: ReturnType<typeof provenCodes> },
  guest: Guest,
  code: string,
): Promise<ContestPage> {
  const { db, clock } = deps;
  const contest = await findByCode(deps, guest, code);
  const now = clock.now();
  const state = stateOf(contest, now);
  const isShown = state !== 'cancelled' && state !== 'planned';
  const board = isShown ? await deps.board(contest) : NO_GAMES;
  const stored = (await readStored(db, state === 'final' ? [contest.id] : [])).get(contest.id);
  const places = isShown ? placesNow(contest, board, stored) : [];
  const playerId = 'player_id' in guest ? guest.player_id : null;
  const own = places.find(({ player_id }) => player_id === playerId);
  const results = places.slice(0, CONTEST_BOARD);
  const around = aroundOf(places, own);
  const names =
    playerId === null
      ? new Map<number, Named>()
      : await readNames(
          deps,
          { player_id: playerId },
          [...results, ...around].map(({ player_id }) => player_id),
        );
  const shown = ({ place, points, player_id }: StoredPlace) => ({
    place,
    ...(names.get(player_id) ?? NOBODY),
    points,
  });
  const waiting = state === 'settling' ? await readWaiting(db, contest) : [];
  return {
    ...factsOf(contest, now),
    now: now.toISOString(),
    players: places.length,
    results: results.map(shown),
    around: around.map(shown),
    above: (around[0]?.place ?? 1) - 1,
    waiting: waiting.map(({ machine, queued, why }) => ({ machine, queued, why })),
    next_at: state === 'final' || state === 'cancelled' ? await readNext(db, contest, now) : null,
    mine:
      playerId === null || !isShown
        ? null
        : await readMine(db, contest, { places, board, playerId }),
  };
}

/** The fields that every answer about a contest has. */
export const factsOf = (contest: Contest, now: Date) => ({
  code: contest.code,
  name: contest.name,
  venue: contest.venue,
  scoring: contest.scoring,
  n: contest.n,
  starts_at: contest.starts_at.toISOString(),
  ends_at: contest.ends_at.toISOString(),
  state: stateOf(contest, now),
  prizes: contest.prizes,
});

async function readNext(db: Database, contest: Contest, now: Date): Promise<string | null> {
  const [next] = await readContests(
    db,
    sql<boolean>`c.venue_id = ${contest.venue_id} and c.cancelled_at is null
      and c.ends_at > ${now} and lower(c.name) = lower(${contest.name})`,
    sql`order by c.starts_at limit 1`,
  );
  return next?.starts_at.toISOString() ?? null;
}

/**
 * The contest that the player's profile shows (CONTEST-10): from an hour before the start if the
 * player has played at the venue lately, and until the night is over if they have a game in it. Of
 * several it shows the first of these: a running one with a place of the player, another running
 * one, one in which the player has no game left, the next to begin.
 */
export async function readRunning(
  { db, clock, board }: Pick<Deps, 'db' | 'clock'> & { board: BoardReader },
  playerId: number,
): Promise<RunningAnswer['contest']> {
  const now = clock.now();
  const soon = new Date(now.getTime() + STRIP_BEFORE_MS);
  const night = new Date(now.getTime() - 24 * 3_600_000);
  const regular = new Date(now.getTime() - REGULAR_DAYS * 24 * 3_600_000);
  // The subquery runs once, and only if there is a contest.
  const contests = await readContests(
    db,
    sql<boolean>`c.cancelled_at is null and c.ends_at > ${night} and c.starts_at <= ${soon}
      and c.venue_id = any(array(
        select distinct venue_id from games
        where player_id = ${playerId} and state = 'counted' and played_at >= ${regular}))`,
    sql`order by c.ends_at > ${now} desc, c.starts_at <= ${now} desc,
      greatest(c.starts_at - ${now}, ${now} - c.starts_at) limit 8`,
  );
  const isOver = ({ ends_at }: Contest) => ends_at <= now;
  const shown = contests.filter(
    (contest) => !isOver(contest) || contest.ends_at >= tonightBegan(now, contest.timezone),
  );
  // The reader reads all of these boards in one statement.
  const boards = await Promise.all(
    shown.map((contest) => (stateOf(contest, now) === 'planned' ? NO_GAMES : board(contest))),
  );
  const stored = await readStored(
    db,
    shown.filter(({ final_at }) => final_at !== null).map(({ id }) => id),
  );
  const isOwn = ({ player_id }: { player_id: number }) => player_id === playerId;
  const placed = shown.map((contest, at) => {
    const board = boards[at] ?? NO_GAMES;
    const counting = board.players.find(isOwn)?.counting.length ?? 0;
    return {
      contest,
      own: placesNow(contest, board, stored.get(contest.id)).find(isOwn),
      left: contest.scoring === 'first_n' ? contest.n - counting : null,
    };
  });
  const rank = ({ contest, own, left }: (typeof placed)[number]) => {
    if (isOver(contest)) return 4;
    if (contest.starts_at > now) return 3;
    if (left === 0) return 2;
    return own === undefined ? 1 : 0;
  };
  const [first] = placed
    .filter(({ contest, own }) => own !== undefined || !isOver(contest))
    .sort((a, b) => rank(a) - rank(b));
  if (first === undefined) return null;
  const { prizes: _prizes, venue: _venue, ...facts } = factsOf(first.contest, now);
  return {
    ...facts,
    now: now.toISOString(),
    place: first.own?.place ?? null,
    games_left: first.left,
  };
}
