import { createHash } from 'node:crypto';

/** A season's table: order, places and reasons, tested with the examples of docs/leagues.md. */

export type TieBreak = 'total' | 'head_to_head';

/** Why a row is below the row above it; null for the first row and between equal teams. */
export type Reason = 'wins' | 'total' | 'head_to_head' | 'best_week';

/**
 * A matchup of a finished week that is neither postponed nor annulled (SEASON-10). `winner` is
 * `nobody` if both lose by a ruling.
 */
export type Decided = {
  home: number;
  away: number;
  home_total: number;
  away_total: number;
  winner: 'home' | 'away' | 'draw' | 'nobody';
};

/**
 * A team's part in a season. `weeks`: its totals in the finished weeks of its entry, byes included
 * and postponed weeks left out (SEASON-17), in any order.
 */
export type Entry = { team_id: number; name: string; withdrawn: boolean; weeks: readonly number[] };

export type TableRow = {
  team_id: number;
  name: string;
  withdrawn: boolean;
  won: number;
  drawn: number;
  lost: number;
  total: number;
  by: Reason | null;
  /** Equal to the row above after every criterion (SEASON-14). */
  level: boolean;
};

const CRITERIA: { [T in TieBreak]: readonly Reason[] } = {
  total: ['wins', 'total', 'head_to_head', 'best_week'],
  head_to_head: ['wins', 'head_to_head', 'total', 'best_week'],
};

/**
 * The rows of a season's table in order (SEASON-10 to 17). Teams that are equal after every
 * criterion are sorted by name. Withdrawn teams come last.
 */
export function seasonTable(
  entries: readonly Entry[],
  decided: readonly Decided[],
  tieBreak: TieBreak,
): TableRow[] {
  const teams = entries.map((entry) => standing(entry, decided));
  const order = (group: Team[]) => divide(group, CRITERIA[tieBreak], decided);
  const groups = [
    ...order(teams.filter(({ withdrawn }) => !withdrawn)),
    ...order(teams.filter(({ withdrawn }) => withdrawn)),
  ];
  return groups.flatMap(({ teams: equal, by }) =>
    equal.toSorted(byName).map(({ best_weeks: _, ...team }, at) => ({
      ...team,
      by: at === 0 ? by : null,
      level: at > 0,
    })),
  );
}

/** The place of each row of a final table, shared by level rows (SEASON-14): 1, 2, 2, 4. */
export function sharedPlaces(rows: readonly Pick<TableRow, 'level'>[]): number[] {
  const places: number[] = [];
  for (const [at, { level }] of rows.entries()) places.push(level ? (places[at - 1] ?? 1) : at + 1);
  return places;
}

/** Orders ids by lot: ascending SHA-256 of `<uuid>:<id>` (SEASON-15). */
export function byLot(uuid: string, ids: readonly number[]): number[] {
  const lotOf = (id: number) => createHash('sha256').update(`${uuid}:${id}`).digest('hex');
  return ids
    .map((id) => ({ id, lot: lotOf(id) }))
    .sort((a, b) => (a.lot < b.lot ? -1 : 1))
    .map(({ id }) => id);
}

type Team = Omit<TableRow, 'by' | 'level'> & {
  /** Weekly totals, highest first (SEASON-13). */
  best_weeks: readonly number[];
};

/** Teams that no criterion separates, and the criterion that put them below the group above. */
type Group = { teams: Team[]; by: Reason | null };

const byName = (a: Team, b: Team) =>
  a.name.toLowerCase() < b.name.toLowerCase()
    ? -1
    : a.name.toLowerCase() > b.name.toLowerCase()
      ? 1
      : a.team_id - b.team_id;

function standing({ team_id, name, withdrawn, weeks }: Entry, decided: readonly Decided[]): Team {
  const row = { team_id, name, withdrawn, won: 0, drawn: 0, lost: 0 };
  for (const { home, away, winner } of decided) {
    if (home !== team_id && away !== team_id) continue;
    if (winner === 'draw') row.drawn += 1;
    else if (winner === (home === team_id ? 'home' : 'away')) row.won += 1;
    else row.lost += 1;
  }
  return {
    ...row,
    total: weeks.reduce((sum, one) => sum + one, 0),
    best_weeks: weeks.toSorted((a, b) => b - a),
  };
}

/** Divides teams that are equal so far by `criteria`, best group first. */
function divide(
  teams: Team[],
  [criterion, ...rest]: readonly Reason[],
  decided: readonly Decided[],
): Group[] {
  if (teams.length === 0) return [];
  if (teams.length === 1 || criterion === undefined) return [{ teams, by: null }];
  const parts = partsBy(criterion, teams, decided);
  if (parts.length === 1) return divide(teams, rest, decided);
  // If head-to-head has split a group, apply it again within each part (SEASON-12).
  const next = criterion === 'head_to_head' ? [criterion, ...rest] : rest;
  return parts.flatMap((part, at) => {
    const groups = divide(part, next, decided);
    return at === 0
      ? groups
      : groups.map((group, nth) => (nth === 0 ? { ...group, by: criterion } : group));
  });
}

/** The teams in groups of equal value by one criterion, the highest first. */
function partsBy(criterion: Reason, teams: Team[], decided: readonly Decided[]): Team[][] {
  const rankOf = valuesBy(criterion, teams, decided);
  if (rankOf === null) return [teams];
  const sorted = teams
    .map((team) => ({ team, value: rankOf(team) }))
    .sort((a, b) => compare(b.value, a.value));
  const parts: Team[][] = [];
  for (const [at, { team, value }] of sorted.entries()) {
    const above = sorted[at - 1];
    if (above !== undefined && compare(above.value, value) === 0) parts.at(-1)?.push(team);
    else parts.push([team]);
  }
  return parts;
}

/** Compares lists of numbers position by position; a missing number is 0. */
function compare(a: readonly number[], b: readonly number[]): number {
  for (let at = 0; at < Math.max(a.length, b.length); at += 1) {
    const difference = (a[at] ?? 0) - (b[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** Returns the numbers that a criterion compares; null if head-to-head does not apply. */
function valuesBy(
  criterion: Reason,
  teams: readonly Team[],
  decided: readonly Decided[],
): ((team: Team) => readonly number[]) | null {
  switch (criterion) {
    case 'wins':
      return ({ won }) => [won];
    case 'total':
      return ({ total }) => [total];
    case 'best_week':
      return ({ best_weeks }) => best_weeks;
    case 'head_to_head':
      return headToHead(teams, decided);
  }
}

/**
 * Returns a team's wins, and its totals minus its opponents', in the matchups among `teams`
 * (SEASON-12). null unless all pairs of them have met equally often, at least once.
 */
function headToHead(
  teams: readonly Team[],
  decided: readonly Decided[],
): ((team: Team) => readonly number[]) | null {
  const ids = new Set(teams.map(({ team_id }) => team_id));
  const met = new Map<string, number>();
  const values = new Map([...ids].map((id) => [id, { wins: 0, margin: 0 }]));
  for (const { home, away, home_total, away_total, winner } of decided) {
    if (!ids.has(home) || !ids.has(away)) continue;
    const pair = home < away ? `${home} ${away}` : `${away} ${home}`;
    met.set(pair, (met.get(pair) ?? 0) + 1);
    for (const [id, side, margin] of [
      [home, 'home', home_total - away_total],
      [away, 'away', away_total - home_total],
    ] as const) {
      const value = values.get(id);
      if (value === undefined) continue;
      value.wins += winner === side ? 1 : 0;
      value.margin += margin;
    }
  }
  const pairs = (ids.size * (ids.size - 1)) / 2;
  if (met.size < pairs || new Set(met.values()).size !== 1) return null;
  return ({ team_id }) => {
    const { wins, margin } = values.get(team_id) ?? { wins: 0, margin: 0 };
    return [wins, margin];
  };
}
