import { sql } from 'kysely';
import type { HeldReason } from '#contract/wire/games.ts';
import type { GameResult } from '#contract/wire/machines.ts';
import {
  type PlayerBefore,
  readCareers,
  storeWon,
  type Won,
  winnings,
} from '../achievements/achievements.ts';
import type { Database } from '../db/database.ts';
import { notify, notifyConsole } from '../db/notifications.ts';
import { bytesOf, recordset } from '../db/recordset.ts';
import { pipelined, type Queryable } from '../db/transaction.ts';
import { duelists, planOvertaken, type Running, runningOf } from '../duels/running.ts';
import { raiseBests } from '../leaderboards/boards.ts';
import { type Attribution, attribute } from '../leagues/attribution.ts';
import { type CountedWeek, type PlayerWeek, putWeeks, readWeeks } from '../leagues/player-weeks.ts';
import { touchSeasons, touchSeasonsOf } from '../leagues/season-end.ts';
import { inOrderOfPlay, tallyWeek } from '../leagues/tally.ts';
import { AROUND_MS, heldReasonOf, type TimedGame } from './doubts.ts';
import { keyOf } from './history.ts';
import { planRecorded } from './notices.ts';

export type NewGame = {
  machine_id: number;
  venue_id: number | null;
  id: string;
  player_id: number;
  score: number;
  played_at: Date;
  duration_s: number | null;
  shots_made: number | null;
  shots_attempted: number | null;
  /** A SHA-256 of the content. Another digest with the same id is a conflict. */
  digest: Buffer;
};

export type StoredResult = Extract<GameResult, { status: 'recorded' | 'held' }>;

/**
 * Records new games and all that derives from them (GAME-02). The number of statements does not
 * depend on the number of games. Call this in a transaction, under the locks of machines and
 * players. Returns each game's result. Each game is also checked against the others in `games`.
 */
export async function recordGames<G extends NewGame>(
  trx: Database,
  games: readonly G[],
  { receivedAt, maxScore }: { receivedAt: Date; maxScore: number },
): Promise<Map<G, StoredResult>> {
  if (games.length === 0) return new Map();
  const ordered = [...games].sort(inOrderOfPlay);
  const [players, attributions, around, careers] = await pipelined(trx, [
    (on) => readPlayersBefore(on, ordered),
    (on) => attribute(on, ordered, receivedAt),
    (on) => readAround(on, ordered),
    (on) => readCareers(on, ordered),
  ]);
  const held = heldReasons(ordered, around, maxScore);
  const beaten = bestsBeaten(ordered, players, held);
  const stored = ordered.map((game, at) => ({
    ...game,
    ...(attributions[at] as Attribution),
    received_at: receivedAt,
    held_reason: held.get(game) ?? null,
    state: held.has(game) ? 'held' : 'counted',
    beat: beaten.get(game) ?? null,
  }));
  const counted = stored.filter(({ state }) => state === 'counted');
  // `readWeeks` must see the inserted games.
  const [, , weeks] = await pipelined(trx, [
    (on) => insertGames(on, stored),
    (on) => countGames(on, counted),
    (on) => readWeeks(on, weeksOf(counted)),
  ]);
  const won = winnings(counted, players, careers, weeks);
  const late = counted.flatMap(({ late_for: season_id, team_id, week }) =>
    season_id === null || week === null ? [] : { season_id, team_id, week },
  );
  const changedTeams = weeks.some(isOfSeveralTeams);
  const [changed] = await pipelined(trx, [
    (on) => putWeeks(on, weeks),
    (on) => storeWon(on, won),
    // Do this late: it locks a row for each new best score, and other transactions with these
    // scores wait until this commit.
    (on) => raiseBests(on, counted, receivedAt),
    (on) =>
      notify(on, {
        game: stored.map(({ player_id }) => player_id),
        duel: duelists(counted, players),
        league: counted.flatMap(({ league_id }) => league_id ?? []),
        venue: counted.flatMap(({ venue_id }) => venue_id ?? []),
      }),
    async (on) => (held.size > 0 ? notifyConsole(on, ['held']) : undefined),
    (on) => planRecorded(on, stored, receivedAt),
    (on) => planOvertaken(on, counted, players, receivedAt),
    (on) => touchSeasons(on, changedTeams ? [] : late, receivedAt),
  ]);
  // If a player changed teams in the week, a game can push a game of the other team out of it. Its
  // seasons are locked together with those of the late games, so that no two reports wait for each
  // other.
  if (changedTeams)
    await touchSeasonsOf(trx, [...late, ...withoutOnTime(changed, counted)], receivedAt);
  const found = resultsOf(stored, players, weeks, won);
  return new Map(ordered.map((game, at) => [game, found[at] as StoredResult]));
}

type StoredGame = NewGame &
  Attribution & { state: string; held_reason: HeldReason | null; beat: number | null };

/** Whether games of the week count for several teams, or did before. */
const isOfSeveralTeams = ({ teams_before, games }: CountedWeek) =>
  new Set([...teams_before, ...games.map(({ team_id }) => team_id)]).size > 1;

/** The changed weeks, without the running ones of the teams that these games were played for. */
function withoutOnTime<W extends { team_id: number; week: string }>(
  changed: readonly W[],
  games: readonly Attribution[],
): W[] {
  const keyOfWeek = ({ team_id, week }: Pick<Attribution, 'team_id' | 'week'>) =>
    `${team_id} ${week}`;
  const onTime = new Set(games.filter(({ late_for }) => late_for === null).map(keyOfWeek));
  return changed.filter((one) => !onTime.has(keyOfWeek(one)));
}

async function readPlayersBefore(on: Queryable, games: readonly NewGame[]) {
  const { rows } = await sql<PlayerBefore & { duels: Running[] }>`
    select p.id as player_id, coalesce(s.games_played, 0) as games_played,
      coalesce(s.highscore, 0) as highscore,
      array(select key from player_achievements a where a.player_id = p.id) as won,
      ${runningOf(sql`p.id`)} as duels
    from unnest(${[...new Set(games.map(({ player_id }) => player_id))]}::bigint[]) as p (id)
    left join player_stats s on s.player_id = p.id`.execute(on);
  return new Map(rows.map((row) => [row.player_id, row]));
}

async function readAround(on: Queryable, games: readonly NewGame[]) {
  const { rows } = await sql<TimedGame & { player_id: number }>`
    select distinct g.player_id, g.machine_id, g.id, g.played_at, g.duration_s
    from ${recordset(
      games.map(({ player_id, played_at }) => ({
        player_id,
        from: new Date(played_at.getTime() - AROUND_MS),
        to: new Date(played_at.getTime() + AROUND_MS),
      })),
      'player_id bigint, "from" timestamptz, "to" timestamptz',
    )}
    join games g on g.player_id = r.player_id and g.played_at between r."from" and r."to"
    where g.state = 'counted'`.execute(on);
  return Map.groupBy(rows, ({ player_id }) => player_id);
}

/** Which games to hold, and why, judged by the games `around` and the earlier ones of `games`. */
function heldReasons(
  games: readonly NewGame[],
  around: Map<number, TimedGame[]>,
  maxScore: number,
): Map<NewGame, HeldReason> {
  const held = new Map<NewGame, HeldReason>();
  for (const game of games) {
    const others = around.get(game.player_id) ?? [];
    const reason = heldReasonOf(game, others, maxScore);
    if (reason === null) around.set(game.player_id, [...others, game]);
    else held.set(game, reason);
  }
  return held;
}

function bestsBeaten(
  games: readonly NewGame[],
  players: ReadonlyMap<number, PlayerBefore>,
  held: ReadonlyMap<NewGame, HeldReason>,
): Map<NewGame, number> {
  const beaten = new Map<NewGame, number>();
  const bests = new Map(
    [...players].flatMap(([id, { games_played, highscore }]) =>
      games_played > 0 ? [[id, highscore] as const] : [],
    ),
  );
  for (const game of games) {
    if (held.has(game)) continue;
    const best = bests.get(game.player_id);
    if (best !== undefined && game.score > best) beaten.set(game, best);
    bests.set(game.player_id, Math.max(best ?? 0, game.score));
  }
  return beaten;
}

async function insertGames(on: Queryable, games: readonly StoredGame[]): Promise<void> {
  await sql`
    insert into games (machine_id, id, venue_id, player_id, score, played_at, day, received_at, duration_s,
      shots_made, shots_attempted, state, held_reason, digest, team_id, week, outside, beat)
    select * from ${recordset(
      games.map((game) => ({ ...game, digest: bytesOf(game.digest) })),
      `machine_id integer, id uuid, venue_id integer, player_id bigint, score integer, played_at timestamptz,
       day date, received_at timestamptz, duration_s real, shots_made integer,
       shots_attempted integer, state text, held_reason text, digest bytea, team_id integer,
       week date, outside text, beat integer`,
    )}`.execute(on);
}

async function countGames(on: Queryable, games: readonly StoredGame[]): Promise<void> {
  if (games.length === 0) return;
  const stats = [...Map.groupBy(games, ({ player_id }) => player_id)].map(([player_id, own]) => ({
    player_id,
    games_played: own.length,
    highscore: Math.max(...own.map(({ score }) => score)),
    score_sum: own.reduce((sum, { score }) => sum + score, 0),
  }));
  await sql`
    insert into player_stats as s (player_id, games_played, highscore, score_sum)
    select player_id, games_played, highscore, score_sum from ${recordset(
      stats,
      'player_id bigint, games_played integer, highscore integer, score_sum bigint',
    )}
    on conflict (player_id) do update set games_played = s.games_played + excluded.games_played,
      highscore = greatest(s.highscore, excluded.highscore),
      score_sum = s.score_sum + excluded.score_sum`.execute(on);
}

function weeksOf(games: readonly StoredGame[]): PlayerWeek[] {
  const weeks = new Map<string, PlayerWeek>();
  for (const { player_id, week } of games)
    if (week !== null) weeks.set(`${player_id} ${week}`, { player_id, week });
  return [...weeks.values()];
}

/**
 * Machines know only these two words. Between seasons and in a postponed week they therefore get
 * `no_team` (SEASON-05, SEASON-32).
 */
function heardOutside({ outside, paused }: Attribution): 'league_mode_off' | 'no_team' | null {
  if (outside === 'league_mode_off') return outside;
  return outside !== null || paused ? 'no_team' : null;
}

function resultsOf(
  games: readonly StoredGame[],
  players: ReadonlyMap<number, PlayerBefore>,
  weeks: readonly CountedWeek[],
  won: readonly Won[],
): StoredResult[] {
  const within8 = new Set(
    weeks.flatMap((week) =>
      [...tallyWeek(week.games).fates]
        .filter(([, { counts }]) => counts !== 'over_8')
        .map(([game]) => keyOf(game)),
    ),
  );
  const bests = new Map([...players].map(([id, { highscore }]) => [id, highscore]));
  const keys = Map.groupBy(won, ({ machine_id, game_id }) => keyOf({ machine_id, id: game_id }));
  return games.map((game): StoredResult => {
    const { id, player_id, score, held_reason } = game;
    if (held_reason !== null) return { id, status: 'held', reason: held_reason };
    const best = bests.get(player_id) ?? 0;
    bests.set(player_id, Math.max(best, score));
    return {
      id,
      status: 'recorded',
      counts: heardOutside(game) ?? (within8.has(keyOf(game)) ? 'league' : 'over_8'),
      personal_best: score > best,
      achievements: (keys.get(keyOf(game)) ?? []).map(({ key }) => key),
    };
  });
}
