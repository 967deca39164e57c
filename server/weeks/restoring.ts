import type { Restoring } from '../db/restoring.ts';

/** What was told of the weeks that come back. */
export const WEEKS_RESTORED: Restoring[] = [
  { table: 'told_weeks', restored: 'team_id week own other told_at turned' },
];
