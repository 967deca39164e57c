import { isDeepStrictEqual } from 'node:util';
import { sql } from 'kysely';
import { AWARD_WORDS, AWARDS, type AwardKey } from '#contract/rules/awards.ts';
import { ordinal } from '#contract/rules/games.ts';
import type { ScheduleWeek } from '#contract/wire/leagues.ts';
import type { Database } from '../db/database.ts';
import type { Award } from './season-awards.ts';
import type { Reason } from './season-table.ts';
import type { Season } from './seasons.ts';

/** The stored results of final seasons, in versions (SEASON-23, SEASON-25). */

/** A stored row of a final table. */
export type FinalRow = {
  team_id: number;
  team: string;
  /** null for a team that withdrew. */
  place: number | null;
  won: number;
  drawn: number;
  lost: number;
  total: number;
  by: Reason | null;
  note: string | null;
  withdrew: boolean;
};
export type FinalBest = {
  player_id: number;
  team_id: number;
  team: string;
  week: number;
  score: number;
  /**
   * Whether the player was alone on the team: its name would reveal a hidden player (LEAGUE-20).
   */
  alone: boolean;
};
export type FinalAward = Omit<Award, 'winners'> & {
  /** At most five, by lot if more share it. */
  winners: (Award['winners'][number] & { team: string; alone: boolean })[];
  more: number;
};
export type Result = {
  rows: FinalRow[];
  weeks: ScheduleWeek[];
  best: FinalBest[];
  awards: FinalAward[];
};
export type StoredResult = Result & {
  season_id: number;
  version: number;
  at: Date;
  who: string;
  reason: string | null;
};

/** Stores a version of a season's result. */
export async function storeResult(
  trx: Database,
  season: Season,
  result: Result,
  line: { version: number; at: Date; who: string; reason: string | null },
): Promise<void> {
  const { rows, weeks, best, awards } = result;
  await trx
    .insertInto('season_results')
    .values({
      season_id: season.id,
      ...line,
      rows: JSON.stringify(rows),
      weeks: JSON.stringify(weeks),
      best: JSON.stringify(best),
      awards: JSON.stringify(awards),
    })
    .execute();
}

/** A final season's stored versions, newest first. */
export async function readResults(db: Database, seasonId: number): Promise<StoredResult[]> {
  const { rows } = await sql<StoredResult>`
    select * from season_results where season_id = ${seasonId} order by version desc`.execute(db);
  return rows;
}

/** The newest version of a final season; null before it is final. Reads one row by its key. */
export async function readResult(db: Database, seasonId: number): Promise<StoredResult | null> {
  const { rows } = await sql<StoredResult>`
    select * from season_results where season_id = ${seasonId} order by version desc limit 1`.execute(
    db,
  );
  return rows[0] ?? null;
}

/** A stored table as pages show it. A team that withdrew has no place. */
export const tableOfResult = ({ rows }: Pick<StoredResult, 'rows'>) => ({
  standings: rows.map(({ place, team, won, drawn, lost, total }) => {
    return { place, team, won, drawn, lost, total };
  }),
  rows: rows.map(({ team, by, note, withdrew }) => ({ team, by, note, withdrew })),
});

const points = (total: number) => total.toLocaleString('en');

/** Whether a new count has changed nothing. */
export const isSameResult = (before: Result, after: Result): boolean =>
  isDeepStrictEqual(figuresOf(before), figuresOf(after));

/**
 * What is compared of a result, as it is stored. Who is alone on a team is left out: it depends on
 * the rosters of today. So is what decided a matchup, which older results do not say.
 */
const figuresOf = ({ rows, weeks, best, awards }: Result) => ({
  rows: asStored(rows),
  weeks: asStored(weeks).map((week) => ({
    ...week,
    matchups: week.matchups.map(({ decided_by: _, ...matchup }) => matchup),
  })),
  best: best.map(({ player_id, team_id, week, score }) => [player_id, team_id, week, score]),
  awards: awards.map((award) => [award.key, awardFacts(award)]),
});

const asStored = <T>(value: T): T => JSON.parse(JSON.stringify(value));

const awardFacts = ({ value, more, winners }: FinalAward) => [
  value,
  more,
  winners.map(({ player_id, team_id }) => [player_id, team_id]),
];

/** The awards that a new version changes. */
export function changedAwards(
  before: readonly FinalAward[],
  after: readonly FinalAward[],
): AwardKey[] {
  const factsOf = (awards: readonly FinalAward[], key: AwardKey) =>
    awards.filter((award) => award.key === key).map(awardFacts);
  return AWARDS.filter((key) => !isDeepStrictEqual(factsOf(before, key), factsOf(after, key)));
}

/** What a new version changes if neither table nor awards do, such as a ruling that only confirms. */
export function otherChanges(before: Result, after: Result): string[] {
  const [was, is] = [figuresOf(before), figuresOf(after)];
  const weeks = is.weeks.filter((week, at) => !isDeepStrictEqual(was.weeks[at], week));
  const changed = [
    ...weeks.map(({ week }) => `Week ${week}`),
    ...(isDeepStrictEqual(was.best, is.best) ? [] : ['Best games']),
  ];
  return changed.map((what) => `${what}: counted again`);
}

/** What a correction changed, without names of players (SEASON-25). */
export function correctionBetween(before: Result, after: Result): string[] {
  const changes = [
    ...changesBetween(before.rows, after.rows),
    ...changedAwards(before.awards, after.awards).map(
      (key) => `${AWARD_WORDS[key]}: counted again`,
    ),
  ];
  return changes.length > 0 ? changes : otherChanges(before, after);
}

/** What a new version changes in the table, a sentence for each team (SEASON-25). */
export function changesBetween(before: readonly FinalRow[], after: readonly FinalRow[]): string[] {
  const was = new Map(before.map((row) => [row.team_id, row]));
  return after.flatMap((row) => {
    const old = was.get(row.team_id);
    if (old === undefined) return [];
    const parts = [
      ...(old.won === row.won
        ? []
        : [`${row.won} ${row.won === 1 ? 'win' : 'wins'}, not ${old.won}`]),
      ...(old.won !== row.won || old.drawn === row.drawn
        ? []
        : [`${row.drawn} drawn, not ${old.drawn}`]),
      ...(old.won !== row.won || old.lost === row.lost
        ? []
        : [`${row.lost} lost, not ${old.lost}`]),
      ...(old.total === row.total ? [] : [`${points(row.total)} points, not ${points(old.total)}`]),
      ...(old.place === row.place || row.place === null || old.place === null
        ? []
        : [`${ordinal(row.place)}, not ${ordinal(old.place)}`]),
    ];
    return parts.length === 0 ? [] : `${row.team}: ${parts.join(', ')}`;
  });
}
