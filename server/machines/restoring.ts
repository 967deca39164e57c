import type { Restoring } from '../db/restoring.ts';

/**
 * A revoked key stays revoked (P31a). A machine stays at its current venue, and so does whoever may
 * change it (STAFF-02).
 */
export const MACHINES_RESTORED: Restoring[] = [
  {
    table: 'machines',
    same: 'created_at',
    restored: 'id name created_at repair_at repair_by repair_why',
    kept: 'venue_id revoked_at',
    refers: { venue_id: 'venues' },
    no_matter: 'last_seen_at clock_error_ms',
  },
  {
    table: 'machine_keys',
    rows: { of: 'machine_id' },
    kept: 'id machine_id hash created_at expires_at last_used_at',
    refers: { machine_id: 'machines' },
  },
  { table: 'machine_moves', no_matter: 'machine_id at venue_id' },
  { table: 'machine_away', restored: 'machine_id gone_at back_at' },
  { table: 'machine_pace', rows: 'emptied' },
  { table: 'machine_status', rows: 'emptied' },
  { table: 'machine_alerts', rows: 'emptied' },
  { table: 'machine_pairings', rows: 'emptied' },
];
