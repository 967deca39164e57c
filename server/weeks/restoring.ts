import type { Restoring } from '../db/restoring.ts';

/** What players were told about the weeks comes back with them. */
export const WEEKS_RESTORED: Restoring[] = [
  { table: 'told_weeks', restored: 'team_id week own other told_at turned' },
];
