import type { Restoring } from '../db/restoring.ts';

/** A restore also brings back what players were told about the weeks. */
export const WEEKS_RESTORED: Restoring[] = [
  { table: 'told_weeks', restored: 'team_id week own other told_at turned' },
];
