import type { Restoring } from '../db/restoring.ts';

/** Nudges stay as they are: nobody is nudged twice in a week because of a restore (NUDGE-04). */
export const NUDGES_RESTORED: Restoring[] = [
  {
    table: 'nudges',
    rows: { of: 'player_id' },
    kept: 'player_id week sender_id at by_mate',
    refers: { player_id: 'players', sender_id: 'players' },
  },
];
