import type { PlayerWeek } from '../../server/leagues/season-awards.ts';
import type { Decided, Entry, TieBreak } from '../../server/leagues/season-table.ts';

/*
 * A second implementation of the table and the awards, written from the sentences of SEASON-10 to
 * 17 and AWARD-01 to 08 without the server's code. It never sorts: it takes the best teams of the
 * rest again and again.
 */

type Value = readonly number[];
/** A row as the oracle sees it: teams that stay equal share a row. */
export type Level = { teams: number[]; by: string | null };

function isMore(a: Value, b: Value): boolean {
  for (let at = 0; at < Math.max(a.length, b.length); at += 1) {
    const [one, other] = [a[at] ?? 0, b[at] ?? 0];
    if (one !== other) return one > other;
  }
  return false;
}

const isSame = (a: Value, b: Value) => !isMore(a, b) && !isMore(b, a);

/** Splits `group` into parts of teams with the same value, the highest value first. */
function split(group: readonly number[], scoreOf: (team: number) => Value): number[][] {
  const parts: number[][] = [];
  let left = [...group];
  while (left.length > 0) {
    const best = left.reduce((a, b) => (isMore(scoreOf(b), scoreOf(a)) ? b : a));
    parts.push(left.filter((team) => isSame(scoreOf(team), scoreOf(best))));
    left = left.filter((team) => !isSame(scoreOf(team), scoreOf(best)));
  }
  return parts;
}

const isOf = ({ home, away }: Decided, a: number, b: number) =>
  (home === a && away === b) || (home === b && away === a);
const isWonBy = ({ home, away, winner }: Decided, team: number) =>
  (home === team && winner === 'home') || (away === team && winner === 'away');

/**
 * Returns a function that gives a team's head-to-head figure within the group (SEASON-12). Returns
 * null if head-to-head does not apply to the group.
 */
function headToHead(
  group: readonly number[],
  decided: readonly Decided[],
): ((team: number) => Value) | null {
  const meetings = new Set<number>();
  for (const one of group)
    for (const other of group)
      if (one < other) meetings.add(decided.filter((match) => isOf(match, one, other)).length);
  if (meetings.size !== 1 || meetings.has(0)) return null;
  const among = decided.filter(({ home, away }) => group.includes(home) && group.includes(away));
  return (team) => {
    const own = among.filter(({ home, away }) => home === team || away === team);
    const gained = own.map(({ home, home_total, away_total }) =>
      home === team ? home_total - away_total : away_total - home_total,
    );
    return [
      own.filter((match) => isWonBy(match, team)).length,
      gained.reduce((sum, one) => sum + one, 0),
    ];
  };
}

/** The levels of the teams that have not withdrawn, the best first. */
export function tableBySentence(
  entries: readonly Entry[],
  decided: readonly Decided[],
  tieBreak: TieBreak,
): Level[] {
  const weeksOf = (team: number) => entries.find(({ team_id }) => team_id === team)?.weeks ?? [];
  const total = (team: number) => [weeksOf(team).reduce((sum, one) => sum + one, 0)];
  const won = (team: number) => [decided.filter((match) => isWonBy(match, team)).length];
  const bestWeeks = (team: number): Value => {
    const left = [...weeksOf(team)];
    const ordered: number[] = [];
    while (left.length > 0) ordered.push(...left.splice(left.indexOf(Math.max(...left)), 1));
    return ordered;
  };
  const order =
    tieBreak === 'total'
      ? ['wins', 'total', 'head_to_head', 'best_week']
      : ['wins', 'head_to_head', 'total', 'best_week'];
  const settle = (group: number[], by: string | null, step: number): Level[] => {
    const criterion = order[step];
    if (group.length === 1 || criterion === undefined) return [{ teams: group, by }];
    const scoreOf = {
      wins: won,
      total,
      head_to_head: headToHead(group, decided),
      best_week: bestWeeks,
    }[criterion];
    const parts = scoreOf ? split(group, scoreOf) : [group];
    if (parts.length === 1) return settle(group, by, step + 1);
    // After head-to-head has split a group, try it again in each part.
    const next = criterion === 'head_to_head' ? step : step + 1;
    return parts.flatMap((part, at) => settle(part, at === 0 ? by : criterion, next));
  };
  const standing = entries.filter(({ withdrawn }) => !withdrawn).map(({ team_id }) => team_id);
  return standing.length === 0 ? [] : settle(standing, null, 0);
}

/** Rounds half up, to one decimal. */
const oneDecimal = (numerator: number, denominator: number) =>
  Math.floor((20 * numerator + denominator) / (2 * denominator)) / 10;

export type Found = { value: number; players: Set<number> };
/** The highest of `values`, and who has it; undefined if nobody has one. */
function highest(values: Map<number, number>): Found | undefined {
  if (values.size === 0) return undefined;
  const value = Math.max(...values.values());
  const players = [...values].filter(([, one]) => one === value).map(([player]) => player);
  return { value, players: new Set(players) };
}

/** The awards AWARD-02 to 06 by key, undefined where nobody qualifies. */
export function awardsBySentence(
  weeks: readonly PlayerWeek[],
  n: number,
): Record<string, Found | undefined> {
  const players = [...new Set(weeks.map(({ player_id }) => player_id))];
  const scoreOf = (formula: (own: PlayerWeek[]) => number | null) =>
    highest(
      new Map(
        players.flatMap((player): [number, number][] => {
          const value = formula(weeks.filter(({ player_id }) => player_id === player));
          return value === null ? [] : [[player, value]];
        }),
      ),
    );
  const games = (own: PlayerWeek[]) => own.reduce((all, one) => all + one.games, 0);
  const points = (own: PlayerWeek[]) => own.reduce((all, one) => all + one.score_sum, 0);
  const h = Math.floor(n / 2);
  return {
    best_week: scoreOf((own) => Math.max(...own.map(({ total }) => total))),
    best_average: scoreOf((own) =>
      games(own) < 4 * n ? null : oneDecimal(points(own), games(own)),
    ),
    most_games: scoreOf((own) => (games(own) < n ? null : games(own))),
    most_improved: scoreOf((own) => {
      const first = own.filter(({ week }) => week <= h);
      const last = own.filter(({ week }) => week > n - h);
      if (n < 4 || games(first) < 6 || games(last) < 6) return null;
      const gain = oneDecimal(
        points(last) * games(first) - points(first) * games(last),
        games(first) * games(last),
      );
      return gain > 0 ? gain : null;
    }),
    carried: scoreOf((own) => {
      const top = own.filter(
        ({ team_id, week, total }) =>
          total > 0 &&
          weeks.every((one) => one.team_id !== team_id || one.week !== week || one.total <= total),
      );
      return top.length === 0 ? null : new Set(top.map(({ week }) => week)).size;
    }),
  };
}
