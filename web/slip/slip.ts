import { BEST_GAMES, WEEK_GAMES } from '#contract/rules/games.ts';
import type { Achievement, UserAchievement } from '#contract/wire/achievements.ts';
import type { GamesAnswer, PlayedGame } from '#contract/wire/games.ts';
import type { LeagueStats } from '#contract/wire/leagues.ts';
import { type Beat, numberToBeat } from './beat.ts';
import { freshGames } from './fresh.ts';

type CountedGame = Pick<PlayedGame, 'id' | 'score' | 'played_at' | 'counts' | 'team'>;
type Week = Pick<LeagueStats, 'team_name' | 'week_opens_at' | 'week_closes_at'>;

const isIn = ({ week_opens_at, week_closes_at }: Week, { played_at }: CountedGame) =>
  played_at >= week_opens_at && played_at < week_closes_at;
const isForTeam = (week: Week, game: CountedGame) =>
  isIn(week, game) && game.team === week.team_name;

/** The games that make the player's total for the team: the best 4 of the first 8 (LEAGUE-03). */
function bestOf(games: readonly CountedGame[], team: string): CountedGame[] {
  return games
    .toSorted((a, b) => Date.parse(a.played_at) - Date.parse(b.played_at) || (a.id < b.id ? -1 : 1))
    .slice(0, WEEK_GAMES)
    .filter((game) => game.team === team)
    .sort((a, b) => b.score - a.score)
    .slice(0, BEST_GAMES);
}

const sum = (games: readonly CountedGame[]) => games.reduce((total, { score }) => total + score, 0);

export type Added = {
  /** By how much the fresh games changed the player's total. A late game can lower it. */
  points: number;
  /** The score that fell out of the best 4; null if none did, or several. */
  replaced: number | null;
};

/**
 * Returns what the fresh games added to the player's total of the week (HAND-12); null if the week
 * began before the first page of games. `games` is that page; `more`: whether there are older
 * games.
 */
export function added(
  games: readonly CountedGame[],
  isFresh: (game: CountedGame) => boolean,
  week: Week,
  more: boolean,
): Added | null {
  const counted = games.filter(
    (game) => isIn(week, game) && ['league', 'bench', 'over_8'].includes(game.counts),
  );
  const fresh = counted.filter(isFresh);
  if (fresh.length === 0) return { points: 0, replaced: null };
  const oldest = games.at(-1);
  if (more && oldest !== undefined && isIn(week, oldest)) return null;
  const now = bestOf(counted, week.team_name);
  const then = bestOf(
    counted.filter((game) => !isFresh(game)),
    week.team_name,
  );
  const gone = then.filter((game) => !now.includes(game));
  return {
    points: sum(now) - sum(then),
    replaced: gone.length === 1 ? (gone[0]?.score ?? null) : null,
  };
}

/** The lead (own minus opponent) now and `before` the fresh games. */
export type Swing = { own: number; other: number | null; lead: number; before: number };

export type SlipGame = PlayedGame & {
  /** How far the game beats the player's former best; null if it does not (HAND-11). */
  over: number | null;
  /** Whether the game was played in the running week of the player's team; null if not known. */
  thisWeek: boolean | null;
};

/** What the phone shows after games. It does not change once made (HAND-04). */
export type Slip = {
  /** Newest first. */
  games: SlipGame[];
  /** The mark to store when the slip is put away. */
  newest: string;
  /** The player's team. */
  team: string | null;
  week: Pick<LeagueStats, 'week_opens_at'> | null;
  /** null if no fresh game is for the team this week, or if the week is not known. */
  added: Added | null;
  /** The score to beat in the next game; null if no fresh game has changed it (HAND-14). */
  beat: Beat | null;
  /** The league games left this week; null if no fresh game is for the team this week. */
  left: number | null;
  /** The score to beat, for the sentence about the lead. */
  next: number | null;
  swing: (Swing & { opponent: string | null }) | null;
  won: Achievement[];
  isFirstGame: boolean;
};

export type Reads = {
  games: Pick<GamesAnswer, 'results' | 'read_at' | 'next' | 'games_played'>;
  /** null without a team, or if the week could not be read. */
  stats: LeagueStats | null;
  team: string | null;
  username: string;
  /** Newest first. */
  won: readonly UserAchievement[];
  achievements: readonly Achievement[];
};

export type ShownSlip = Slip & {
  /** Whether the slip came while the player was here. If not, it is not animated (HAND-20). */
  live: boolean;
  /** When the slip was made, in ms since 1970. */
  madeAt: number;
};

/**
 * Whether `stats` was read before one of `games` landed: it counts fewer of the player's games this
 * week than `games` lists. Misses a late game in a full week. False without `stats`.
 */
export function isWeekStale({ games, stats, username }: Reads): boolean {
  if (stats === null) return false;
  const listed = games.results.filter(
    (game) => isForTeam(stats, game) && ['league', 'bench'].includes(game.counts),
  );
  const own = stats.teammates.find((mate) => mate.username === username);
  return (own?.weekly_games_played ?? 0) < listed.length;
}

/** Makes the slip of the games that landed after `mark`; null if there are none (HAND-02). */
export function makeSlip(
  { games, stats, team, username, won, achievements }: Reads,
  mark: string,
): Slip | null {
  const { fresh, newest } = freshGames(games, mark);
  if (fresh.length === 0 || newest === null) return null;
  const ids = new Set(fresh.map(({ id }) => id));
  const forTeam = (game: PlayedGame) =>
    stats !== null && isForTeam(stats, game) && ['league', 'bench', 'over_8'].includes(game.counts);
  const plays = fresh.some(forTeam);
  const gained =
    stats !== null && plays
      ? added(games.results, ({ id }) => ids.has(id), stats, games.next !== null)
      : null;
  const now = new Date(games.read_at);
  const beat = stats && numberToBeat(stats, username, now);
  const moved = fresh.some((game) => forTeam(game) && game.counts === 'league');
  return {
    games: fresh.map((game) => ({
      ...game,
      over: game.beat === null ? null : game.score - game.beat,
      thisWeek: stats === null ? null : isIn(stats, game),
    })),
    newest,
    team,
    week: stats,
    added: gained,
    beat: beat !== null && (moved || (plays && beat.kind === 'done')) ? beat : null,
    left: stats !== null && plays ? stats.me.league_games_left : null,
    next: beat?.kind === 'score' ? beat.score : null,
    swing: gained === null || stats === null ? null : swingOf(stats, gained.points),
    won: won
      .filter(({ game }) => ids.has(game))
      .flatMap(({ key }) => achievements.find((one) => one.key === key) ?? []),
    isFirstGame: games.games_played === 1 && fresh.length === 1,
  };
}

function swingOf({ team_total_score: own, opponent }: LeagueStats, points: number) {
  const other = opponent?.total_score ?? null;
  const lead = own - (other ?? 0);
  return { own, other, lead, before: lead - points, opponent: opponent?.name ?? null };
}

/** The game whose ball has grown: the highest personal best (HAND-13). */
export function bestOfSlip({ games }: Slip): SlipGame | null {
  return games.reduce<SlipGame | null>(
    (best, game) =>
      game.over !== null && (best === null || game.score > best.score) ? game : best,
    null,
  );
}
