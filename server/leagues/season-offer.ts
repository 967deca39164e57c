import { type RawBuilder, sql } from 'kysely';
import { AWARD_WORDS } from '#contract/rules/awards.ts';
import type { ChangedSeason } from '#contract/wire/tonight.ts';
import type { Database } from '../db/database.ts';
import { notifyConsole } from '../db/notifications.ts';
import type { Deps } from '../deps.ts';
import { recountSeason } from './season-end.ts';
import {
  changedAwards,
  changesBetween,
  type FinalAward,
  otherChanges,
  readResult,
} from './season-results.ts';
import type { Season } from './seasons.ts';

/** What recounting a marked final season would change (SEASON-25). */

/**
 * A sentence for each team and each award that a new count would change, with every name, for
 * staff; otherwise for each week. Empty if the season is not final or nothing changes.
 */
export async function readOffer(db: Database, season: Season): Promise<string[]> {
  if (season.final_at === null || season.touched_at === null) return [];
  const stored = await readResult(db, season.id);
  if (stored === null) return [];
  const counted = await recountSeason(db, season, stored);
  const changes = [
    ...changesBetween(stored.rows, counted.rows),
    ...(await awardChanges(db, stored.awards, counted.awards)),
  ];
  return changes.length > 0 ? changes : otherChanges(stored, counted);
}

/** `Best week: Top_Shelf 1,904, not Swishlord 2,058`, for each award that changes. */
async function awardChanges(
  db: Database,
  before: readonly FinalAward[],
  after: readonly FinalAward[],
): Promise<string[]> {
  const changed = changedAwards(before, after).map((key) => ({
    key,
    was: before.find((award) => award.key === key),
    is: after.find((award) => award.key === key),
  }));
  const ids = changed.flatMap(({ was, is }) =>
    [was, is].flatMap((award) => award?.winners.flatMap(({ player_id }) => player_id ?? []) ?? []),
  );
  if (changed.length === 0) return [];
  const { rows } = await sql<{ id: number; username: string | null }>`
    select id, username from players where id = any(${[...new Set(ids)]}::bigint[])`.execute(db);
  const names = new Map(rows.map(({ id, username }) => [id, username]));
  const wordsOf = (award: FinalAward | undefined) => {
    if (award === undefined) return 'nobody';
    const winners = award.winners.map(({ player_id, team }) =>
      player_id === null ? team : (names.get(player_id) ?? 'Former player'),
    );
    if (award.more > 0) winners.push(`${award.more} more`);
    return `${winners.join(', ')} ${award.value.toLocaleString('en')}`;
  };
  return changed.map(
    ({ key, was, is }) => `${AWARD_WORDS[key]}: ${wordsOf(is)}, not ${wordsOf(was)}`,
  );
}

/** How many seasons Tonight names, the newest changes first. */
const CHANGED_MOST = 5;

/**
 * Final seasons of leagues `l` in reach that a late change has marked (SEASON-25). Reads only the
 * marks: `clearMarks` removes those that would change nothing.
 */
export async function readChangedSeasons(
  db: Database,
  reached: RawBuilder<boolean>,
): Promise<ChangedSeason[]> {
  const { rows } = await sql<ChangedSeason>`
    select s.id::text, s.league_id::text, l.name as league, s.name, s.touched_by as why
    from seasons s join leagues l on l.id = s.league_id
    where s.final_at is not null and s.touched_at is not null and ${reached}
    order by s.touched_at desc limit ${CHANGED_MOST}`.execute(db);
  return rows;
}

/** How many marked seasons are recounted each time, the newest changes first. */
const RECOUNTED_MOST = 20;
/** Older marks cause no recount: only a new change matters, and it marks the season again. */
const RECOUNTED_MS = 3_600_000;

/**
 * Removes the mark of final seasons that a new count would not change, such as after a game was
 * voided and restored (SEASON-25). Returns how many.
 */
export async function clearMarks({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<number> {
  const since = new Date(clock.now().getTime() - RECOUNTED_MS);
  const { rows } = await sql<Season>`
    select s.* from seasons s where s.final_at is not null and s.touched_at > ${since}
    order by s.touched_at desc limit ${RECOUNTED_MOST}`.execute(db);
  let cleared = 0;
  for (const season of rows) {
    if ((await readOffer(db, season)).length > 0) continue;
    const { numUpdatedRows } = await db
      .updateTable('seasons')
      .set({ touched_at: null })
      .where('id', '=', season.id)
      // If this differs, a change after the count has marked the season again.
      .where('touched_at', '=', season.touched_at)
      .executeTakeFirst();
    cleared += Number(numUpdatedRows);
  }
  if (cleared > 0) await notifyConsole(db, ['weeks']);
  return cleared;
}
