import { newOnTeamWords } from '#contract/rules/new-on-team.ts';
import type { LeagueStats } from '#contract/wire/leagues.ts';
import { Link } from '../router.tsx';
import { seeFormerTeam } from '../session/former-team.ts';
import { seeTeam } from '../session/seen.ts';
import { teamName } from '../session/team.ts';
import { Strip } from '../ui/Strip.tsx';
import styles from './TeamStrips.module.css';

function Shield() {
  return (
    <span className={styles.badge}>
      <svg viewBox="0 0 24 24" aria-hidden="true">
        <path d="M12 3.5 5 6v5.5c0 4.4 2.9 7.4 7 9 4.1-1.6 7-4.6 7-9V6Z" />
      </svg>
    </span>
  );
}

type NewTeamStripProps = {
  stats: LeagueStats;
  membership: { since: string; how: 'accepted' | 'staff' };
  leagueMode: boolean;
};

/** "You are on …" (HAND-47). */
export function NewTeamStrip({ stats, membership, leagueMode }: NewTeamStripProps) {
  return (
    <Strip
      as={Link}
      to="/league"
      onFollow={() => seeTeam(membership.since)}
      picture={<Shield />}
      title={`You are on ${teamName(stats.team_name)}`}
    >
      {newOnTeamWords({ how: membership.how, on: leagueMode, stats })}
    </Strip>
  );
}

/** "You are not on … any more" (HAND-48). */
export function FormerTeamStrip({ team }: { team: string }) {
  return (
    <Strip
      as={Link}
      to="/league"
      onFollow={seeFormerTeam}
      picture={<Shield />}
      title={`You are not on ${team} any more`}
    >
      Your games count for you. A team code puts you on another team.
    </Strip>
  );
}
