import { lazy, Suspense, useState } from 'react';
import type { LeagueStats } from '#contract/wire/leagues.ts';
import styles from './Invite.module.css';

const InviteSheet = lazy(async () => ({
  default: (await import('./InviteSheet.tsx')).InviteSheet,
}));

/** Opens the sheet with the team's code, while somebody can join with it (HAND-43). */
export function Invite({ stats }: { stats: LeagueStats }) {
  const [open, setOpen] = useState(false);
  if (!stats.invite) return null;
  return (
    <>
      <button type="button" className={styles.open} onClick={() => setOpen(true)}>
        Invite
        <svg viewBox="0 0 24 24" aria-hidden="true">
          <path d="m9 5 7 7-7 7" />
        </svg>
      </button>
      {open && (
        <Suspense>
          <InviteSheet
            invite={stats.invite}
            team={stats.team_name}
            size={stats.teammates.filter(({ former }) => !former).length}
            onClose={() => setOpen(false)}
          />
        </Suspense>
      )}
    </>
  );
}
