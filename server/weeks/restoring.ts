import type { Restoring } from '../db/restoring.ts';

/** A restore brings back what players were told about the weeks together with the weeks. */
export const WEEKS_RESTORED: Restoring[] = [
  { table: 'told_weeks', restored: 'team_id week own other told_at turned' },
];
