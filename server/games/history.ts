import { type KeyObject, timingSafeEqual } from 'node:crypto';
import { sql } from 'kysely';
import { GAMES_PAGE, LATE_MS } from '#contract/rules/games.ts';
import type { GamesAnswer, PlayedGame, ReportReason, ReportState } from '#contract/wire/games.ts';
import type { Config } from '../config.ts';
import { inContest } from '../contests/contests.ts';
import { inCup } from '../cups/cups.ts';
import { readCupGames } from '../cups/page.ts';
import type { Database } from '../db/database.ts';
import type { Schema } from '../db/schema.ts';
import type { Deps } from '../deps.ts';
import { type OwnBest, ownBests } from '../duels/bests.ts';
import { badRequest } from '../errors.ts';
import { hmac, keysFor } from '../keys.ts';
import { readWeeks } from '../leagues/player-weeks.ts';
import { inPausedWeek, inSeason } from '../leagues/seasons.ts';
import { type Fate, tallyWeek } from '../leagues/tally.ts';

/** A game's primary key. */
export const keyOf = ({ machine_id, id }: { machine_id: number; id: string }) =>
  `${machine_id} ${id}`;

/**
 * SQL: whether the week of game `g` is postponed (`paused`), or is in no season of its team any
 * more (`off_season`).
 */
export const SEASON_OF_GAME = sql`
  ${inPausedWeek(sql`g.team_id`, sql`g.week`)} as paused,
  g.week is not null and not ${inSeason(sql`g.team_id`, sql`g.week`)} as off_season`;

type PageEnd = { played_at: Date; id: string; machine_id: number };

const seal = (key: KeyObject, playerId: number, { played_at, id, machine_id }: PageEnd) =>
  hmac(key, String(playerId), String(played_at.getTime()), id, String(machine_id));

/**
 * A cursor for the page after `end`. Its HMAC proves that this server made it for this player
 * (API-15).
 */
function writeCursor(config: Pick<Config, 'secret_keys'>, playerId: number, end: PageEnd): string {
  const sealed = seal(keysFor(config, 'cursors')[0], playerId, end).toString('base64url');
  return `${end.played_at.getTime()}.${end.id}.${end.machine_id}.${sealed}`;
}

/** @throws Refusal 400 if `writeCursor` did not make `cursor` for this player. */
function readCursor(
  config: Pick<Config, 'secret_keys'>,
  playerId: number,
  cursor: string,
): PageEnd {
  const [, time, id = '', machine, sealed = ''] =
    /^(-?\d{1,16})\.([0-9a-f-]{36})\.(\d{1,10})\.([\w-]{43})$/.exec(cursor) ?? [];
  const end = { played_at: new Date(Number(time)), id, machine_id: Number(machine) };
  const given = Buffer.from(sealed, 'base64url');
  const ours = keysFor(config, 'cursors').some((key) => {
    const expected = seal(key, playerId, end);
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
  if (!ours) throw badRequest('This is not a cursor of your games.');
  return end;
}

type Row = PageEnd &
  Pick<
    Schema['games'],
    | 'score'
    | 'state'
    | 'outside'
    | 'week'
    | 'received_at'
    | 'held_reason'
    | 'beat'
    | 'duration_s'
    | 'shots_made'
    | 'shots_attempted'
  > & {
    /** Its number (GAME-01). */
    seq: number;
    landed_at: Date;
    machine: string;
    venue: string | null;
    team: string | null;
    /** The week is postponed (SEASON-32). */
    paused: boolean;
    /** A league game whose week is in no season of the team any more (SEASON-22). */
    off_season: boolean;
    /** Played in a contest's window (CONTEST-02). */
    contest: boolean;
    /** Played in a window of one of the player's cups. */
    cup: boolean;
    venue_id: number | null;
    report: ReportState | null;
    report_reason: ReportReason | null;
    report_text: string | null;
  };

async function readPage(db: Database, playerId: number, after: PageEnd | null): Promise<Row[]> {
  const older =
    after === null
      ? sql`true`
      : sql`(g.played_at, g.id, g.machine_id) < (${after.played_at}, ${after.id}, ${after.machine_id})`;
  const { rows } = await sql<Row>`
    select g.machine_id, g.id, g.seq, g.score, g.played_at, g.state, g.outside, g.week,
      g.received_at, coalesce(g.landed_at, g.received_at) as landed_at, g.held_reason, g.beat,
      g.duration_s, g.shots_made, g.shots_attempted,
      m.name as machine, v.name as venue, t.name as team,
      ${SEASON_OF_GAME}, g.state = 'counted' and ${inContest(sql`v.id`)} as contest,
      g.state = 'counted' and ${inCup(sql`v.id`)} as cup, v.id as venue_id,
      r.state as report, r.reason as report_reason, r.text as report_text
    from games g
    join machines m on m.id = g.machine_id
    left join venues v on v.id = g.venue_id
    left join teams t on t.id = g.team_id
    left join lateral (
      select state, reason, text from game_reports
      where machine_id = g.machine_id and game_id = g.id order by id desc limit 1
    ) r on true
    where g.player_id = ${playerId} and ${older}
    order by g.played_at desc, g.id desc, g.machine_id desc limit ${GAMES_PAGE + 1}`.execute(db);
  return rows;
}

/**
 * What a game counts for (GAME-06), and its rank among the week's counted games for the team, or
 * null.
 */
export function judgeGame(
  row: Pick<Row, 'state' | 'outside' | 'machine_id' | 'id' | 'paused' | 'off_season'>,
  fates: ReadonlyMap<string, Fate>,
): Pick<PlayedGame, 'counts' | 'place'> {
  if (row.state === 'held') return { counts: 'held', place: null };
  if (row.state !== 'counted') return { counts: 'void', place: null };
  if (row.outside !== null) return { counts: row.outside, place: null };
  if (row.paused) return { counts: 'paused', place: null };
  if (row.off_season) return { counts: 'off_season', place: null };
  return fates.get(keyOf(row)) ?? { counts: 'over_8', place: null };
}

/** `number`: the game's position in the order of play, 1 to 8. */
type NumberedFate = Fate & { number: number };

/**
 * How the player's league games of these weeks count, by `keyOf`. A game that is not in the map
 * came after the first 8.
 */
export async function readFates(
  db: Database,
  playerId: number,
  weeks: Iterable<string>,
): Promise<Map<string, NumberedFate>> {
  const counted = await readWeeks(
    db,
    [...weeks].map((week) => ({ player_id: playerId, week })),
  );
  return new Map(
    counted.flatMap(({ games }) => {
      const { fates } = tallyWeek(games);
      return games.flatMap((game, at): [string, NumberedFate][] => {
        const fate = fates.get(game);
        return fate === undefined ? [] : [[keyOf(game), { ...fate, number: at + 1 }]];
      });
    }),
  );
}

type Figures = {
  since: Date | null;
  games_played: number;
  highscore: number | null;
  duels: OwnBest[];
};

/**
 * A page of a player's games, newest first, with what each counted for (GAME-06, API-15). Three
 * queries by indexes.
 * @throws Refusal 400 for a cursor that this server did not make for this player.
 */
export async function readGames(
  deps: Pick<Deps, 'db' | 'clock' | 'config'>,
  playerId: number,
  cursor?: string,
): Promise<GamesAnswer> {
  const { db, clock, config } = deps;
  const after = cursor === undefined ? null : readCursor(config, playerId, cursor);
  const rows = await readPage(db, playerId, after);
  const page = rows.slice(0, GAMES_PAGE);
  const last = page.at(-1);
  const weeks = new Set(
    page.flatMap(({ state, week }) => (state === 'counted' && week !== null ? week : [])),
  );
  const fates = await readFates(db, playerId, weeks);
  // This sends no query if no game of the page is in a cup.
  const inCups = await readCupGames(
    db,
    playerId,
    page.filter(({ cup }) => cup),
  );
  const { rows: figures } = await sql<Figures>`
    select
      (select played_at from games where player_id = v.id and state = 'counted'
        order by played_at limit 1) as since,
      coalesce(s.games_played, 0) as games_played, s.highscore,
      ${ownBests(deps, playerId, {
        from: last?.played_at ?? clock.now(),
        until: page[0]?.played_at ?? clock.now(),
      })} as duels
    from players v left join player_stats s on s.player_id = v.id
    where v.id = ${playerId}`.execute(db);
  const { since = null, games_played = 0, highscore = null, duels = [] } = figures[0] ?? {};
  return {
    results: page.map((row) => ({
      id: row.id,
      score: row.score,
      played_at: row.played_at.toISOString(),
      machine: row.machine,
      venue: row.venue,
      ...judgeGame(row, fates),
      also: [
        ...(row.contest ? (['contest'] as const) : []),
        ...(inCups.has(keyOf(row)) ? (['cup'] as const) : []),
      ],
      duels: duels
        .filter(({ game }) => game === String(row.seq))
        .map(({ id, username }) => ({ id, username })),
      team: row.team,
      landed_at: row.landed_at.toISOString(),
      late: row.received_at.getTime() - row.played_at.getTime() > LATE_MS,
      released: row.state === 'counted' && row.held_reason !== null,
      beat: row.beat,
      shots:
        row.shots_made === null || row.shots_attempted === null
          ? null
          : { made: row.shots_made, tried: row.shots_attempted },
      seconds: row.duration_s === null ? null : Math.round(row.duration_s),
      report: row.report,
      report_reason: row.report_reason,
      report_text: row.report_text,
    })),
    next:
      last === undefined || rows.length <= GAMES_PAGE ? null : writeCursor(config, playerId, last),
    games_played,
    highscore,
    since: since?.toISOString() ?? null,
    read_at: clock.now().toISOString(),
  };
}

/** The number of a player's games in any state. */
export async function countGames(db: Database, playerId: number): Promise<number> {
  const { games } = await db
    .selectFrom('games')
    .select((eb) => eb.fn.countAll<number>().as('games'))
    .where('player_id', '=', playerId)
    .executeTakeFirstOrThrow();
  return games;
}
