import type { LeagueStats } from '#contract/wire/leagues.ts';
import { Chevron } from '../ui/Chevron.tsx';
import styles from './Invite.module.css';
import { Later, NotLoaded, script, useSheet } from './Later.tsx';

const inviteSheet = script(() => import('./InviteSheet.tsx').then((m) => m.InviteSheet));

/** Opens the sheet with the team's code, while somebody can join with it (HAND-43). */
export function Invite({ stats }: { stats: LeagueStats }) {
  const { opened, open, close } = useSheet();
  if (!stats.invite) return null;
  const InviteSheet = inviteSheet();
  return (
    <>
      <button type="button" className={styles.open} onClick={open}>
        Invite
        <Chevron />
      </button>
      {opened > 0 && (
        <Later key={opened} instead={<NotLoaded />}>
          <InviteSheet
            invite={stats.invite}
            team={stats.team_name}
            size={stats.teammates.filter(({ former }) => !former).length}
            onClose={close}
          />
        </Later>
      )}
    </>
  );
}
