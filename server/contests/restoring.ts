import type { Restoring } from '../db/restoring.ts';

export const CONTESTS_RESTORED: Restoring[] = [
  {
    table: 'contests',
    restored: `id code venue_id name starts_at ends_at scoring n prizes machines only_slide
      cancelled_at final_at quiet_machines left_rows`,
  },
  { table: 'contest_results', restored: 'contest_id version at who reason rows' },
];
