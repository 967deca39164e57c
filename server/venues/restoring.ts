import type { Restoring } from '../db/restoring.ts';

export const VENUES_RESTORED: Restoring[] = [
  {
    table: 'venues',
    same: 'name',
    restored: 'id name timezone notice notice_from notice_until notice_weekly hours',
  },
];
