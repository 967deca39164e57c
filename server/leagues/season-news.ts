import { sql } from 'kysely';
import type { Database } from '../db/database.ts';
import { notify } from '../db/notifications.ts';
import type { Season } from './seasons.ts';

/** “What changed” of a season, for everybody of its league (SEASON-37). */

const CHANGES_SHOWN = 5;

/** The newest changes of a season, without names of players (SEASON-37). */
export async function readChanges(
  db: Database,
  { id }: Pick<Season, 'id'>,
): Promise<{ at: string; text: string }[]> {
  const { rows } = await sql<{ at: Date; text: string }>`
    select at, text from season_changes where season_id = ${id}
    order by id desc limit ${CHANGES_SHOWN}`.execute(db);
  return rows.map(({ at, text }) => ({ at: at.toISOString(), text }));
}

/** Notifies everybody in the league, and stores the sentences for the season's page (SEASON-37). */
export async function tell(
  trx: Database,
  season: Season,
  at: Date,
  ...texts: string[]
): Promise<void> {
  await trx
    .insertInto('season_changes')
    .values(texts.map((text) => ({ season_id: season.id, at, text })))
    .execute();
  await notify(trx, { league: [season.league_id] });
}
