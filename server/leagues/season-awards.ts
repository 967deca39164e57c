import { AWARDS, type AwardKey } from '#contract/rules/awards.ts';
import { average } from '#contract/rules/games.ts';

/** The awards of a season (AWARD-01 to 08), computed when it becomes final. */

/** A player's counted games for one team in one week of the season that is not postponed. */
export type PlayerWeek = {
  player_id: number;
  team_id: number;
  /** The number of the week from 1, not counting postponed weeks (SEASON-06). */
  week: number;
  games: number;
  score_sum: number;
  total: number;
};

/** A counted game of the season. */
export type SeasonGame = { player_id: number; team_id: number; week: number; score: number };

/** A matchup with its totals; `ruled` if staff decided it. */
export type Meeting = {
  week: number;
  home: number;
  away: number;
  home_total: number;
  away_total: number;
  ruled: boolean;
};

/** `week` is null for an award over the whole season; `player_id` is null for a team's award. */
export type Winner = { player_id: number | null; team_id: number; week: number | null };

/** `value` has one decimal at most. Winners that share an award are in no particular order. */
export type Award = { key: AwardKey; value: number; winners: Winner[] };

/** Games that a player needs for `best_average`, for each week of the season. */
const AVERAGE_GAMES_A_WEEK = 4;
const IMPROVED_WEEKS_LEAST = 4;
const IMPROVED_GAMES_LEAST = 6;

/**
 * The awards that have a winner, in the order of `AWARDS`.
 * @param best at least all games with the season's highest score
 * @param weeks the season's number of weeks
 */
export function seasonAwards(
  players: readonly PlayerWeek[],
  best: readonly SeasonGame[],
  meetings: readonly Meeting[],
  weeks: number,
): Award[] {
  const seasons = [...Map.groupBy(players, ({ player_id }) => player_id).values()];
  const winnerOf = ({ player_id, team_id, week }: PlayerWeek): Winner => ({
    player_id,
    team_id,
    week,
  });
  const teamWeeks = [
    ...Map.groupBy(players, ({ team_id, week }) => `${team_id} ${week}`).values(),
  ].flatMap((rows) => {
    const [first] = rows;
    return first === undefined ? [] : [{ ...first, rows, total: sum(rows, ({ total }) => total) }];
  });
  const candidates: Record<AwardKey, Candidate[]> = {
    best_game: best.map(({ score, ...winner }) => ({ value: score, winner })),
    best_week: players
      .filter(({ total }) => total > 0)
      .map((row) => ({ value: row.total, winner: winnerOf(row) })),
    best_average: seasons
      .filter((rows) => gamesOf(rows) >= AVERAGE_GAMES_A_WEEK * weeks)
      .flatMap((rows) => overSeason(rows, meanOf(rows))),
    most_games: seasons
      .filter((rows) => gamesOf(rows) >= weeks)
      .flatMap((rows) => overSeason(rows, gamesOf(rows))),
    most_improved:
      weeks < IMPROVED_WEEKS_LEAST ? [] : seasons.flatMap((rows) => improved(rows, weeks)),
    carried: carried(
      teamWeeks.map(({ rows }) => rows),
      seasons,
    ),
    best_team_week: teamWeeks
      .filter(({ total }) => total > 0)
      .map(({ team_id, week, total }) => ({
        value: total,
        winner: { player_id: null, team_id, week },
      })),
    closest: closest(meetings),
  };
  return AWARDS.flatMap((key) => {
    const all = candidates[key];
    if (all.length === 0) return [];
    const value = all.reduce((best, one) => Math.max(best, one.value), Number.NEGATIVE_INFINITY);
    const winners = all.filter((one) => one.value === value).map(({ winner }) => winner);
    // The closest matchup has the highest value when the difference is negated.
    return { key, value: key === 'closest' ? 0 - value : value, winners };
  });
}

type Candidate = { value: number; winner: Winner };

const sum = <T>(rows: readonly T[], of: (row: T) => number) =>
  rows.reduce((total, row) => total + of(row), 0);

const gamesOf = (rows: readonly PlayerWeek[]) => sum(rows, ({ games }) => games);

const pointsOf = (rows: readonly PlayerWeek[]) => sum(rows, ({ score_sum }) => score_sum);

const meanOf = (rows: readonly PlayerWeek[]) => average(pointsOf(rows), gamesOf(rows));

/** A player as a candidate with `value` for the whole season, on the player's last team in it. */
function overSeason(rows: readonly PlayerWeek[], value: number): Candidate[] {
  const last = rows.reduce<PlayerWeek | undefined>(
    (latest, row) => (latest === undefined || row.week >= latest.week ? row : latest),
    undefined,
  );
  if (last === undefined || gamesOf(rows) === 0) return [];
  return [{ value, winner: { player_id: last.player_id, team_id: last.team_id, week: null } }];
}

/** AWARD-05: the mean of the last half of the weeks minus that of the first half. */
function improved(rows: readonly PlayerWeek[], weeks: number): Candidate[] {
  const half = Math.floor(weeks / 2);
  const first = rows.filter(({ week }) => week <= half);
  const last = rows.filter(({ week }) => week > weeks - half);
  const [before, after] = [gamesOf(first), gamesOf(last)];
  if (before < IMPROVED_GAMES_LEAST || after < IMPROVED_GAMES_LEAST) return [];
  // Round only the difference: the difference of two rounded means can be a tenth off.
  const gain = average(pointsOf(last) * before - pointsOf(first) * after, before * after);
  return gain > 0 ? overSeason(rows, gain) : [];
}

/** AWARD-06: in how many weeks a player had the highest total of the team. */
function carried(
  teamWeeks: readonly PlayerWeek[][],
  seasons: readonly PlayerWeek[][],
): Candidate[] {
  // A player who changed teams may have carried both in one week.
  const weeksOf = new Map<number, Set<number>>();
  for (const rows of teamWeeks) {
    const highest = Math.max(...rows.map(({ total }) => total));
    if (highest === 0) continue;
    for (const { player_id, week } of rows.filter(({ total }) => total === highest))
      weeksOf.set(player_id, (weeksOf.get(player_id) ?? new Set()).add(week));
  }
  return seasons.flatMap((rows) => {
    const weeks = weeksOf.get(rows[0]?.player_id ?? 0);
    return weeks === undefined ? [] : overSeason(rows, weeks.size);
  });
}

/**
 * AWARD-08: the smallest difference. If several are equal, the earliest week wins. Both sides of
 * the matchup win the award.
 */
function closest(meetings: readonly Meeting[]): Candidate[] {
  const played = meetings.filter(
    ({ ruled, home_total, away_total }) => !ruled && home_total > 0 && away_total > 0,
  );
  const differenceOf = ({ home_total, away_total }: Meeting) => Math.abs(home_total - away_total);
  const smallest = Math.min(...played.map(differenceOf));
  const tied = played.filter((one) => differenceOf(one) === smallest);
  const week = Math.min(...tied.map((one) => one.week));
  return tied
    .filter((one) => one.week === week)
    .flatMap(({ home, away }) =>
      [home, away].map((team_id) => ({
        value: -smallest,
        winner: { player_id: null, team_id, week },
      })),
    );
}
