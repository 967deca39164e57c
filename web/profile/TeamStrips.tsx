import { useEffect, useState } from 'react';
import { NEW_ON_TEAM_DAYS, newOnTeamWords } from '#contract/rules/new-on-team.ts';
import type { LeagueStats } from '#contract/wire/leagues.ts';
import type { User } from '#contract/wire/profile.ts';
import { Link } from '../router.tsx';
import { useLeagueStats } from '../session/reads.ts';
import { isFirstQuestion, isTeamSeen, seeTeam } from '../session/seen.ts';
import { hasTeam, teamName } from '../session/team.ts';
import { Strip } from '../ui/Strip.tsx';
import { serverDate } from '../ui/server-clock.ts';
import styles from './TeamStrips.module.css';
import { useWall } from './wall.ts';

const DAY_MS = 24 * 3_600_000;

function Shield() {
  return (
    <span className={styles.badge}>
      <svg viewBox="0 0 24 24" aria-hidden="true">
        <path d="M12 3.5 5 6v5.5c0 4.4 2.9 7.4 7 9 4.1-1.6 7-4.6 7-9V6Z" />
      </svg>
    </span>
  );
}

/** What the strip says, or null when there is nothing to tell (HAND-47). */
export function newTeamWords(
  { membership, me }: Pick<LeagueStats, 'membership' | 'me'>,
  on: boolean,
  now: Date,
): string | null {
  // A stored answer of an older version has no membership.
  if (!membership || membership.how === 'code') return null;
  const { since, how } = membership;
  if (now.getTime() - new Date(since).getTime() > NEW_ON_TEAM_DAYS * DAY_MS) return null;
  return newOnTeamWords({ how, on, left: me.league_games_left });
}

/** "You are on …", for a player who did not type the code of an open team (HAND-47). */
export function NewTeam({ user, leagueMode }: { user: User; leagueMode: boolean }) {
  const { data } = useLeagueStats(true);
  const wall = useWall(user);
  const words = data && newTeamWords(data, leagueMode, serverDate());
  const since = data?.membership?.since;
  const wanted = Boolean(words) && since !== undefined && !isTeamSeen(since);
  const [shown, setShown] = useState(false);
  useEffect(() => {
    if (wanted && wall.isKnown && isFirstQuestion('team')) setShown(true);
  }, [wanted, wall.isKnown]);
  if (!shown || !words || since === undefined || isTeamSeen(since)) return null;
  return (
    <Strip
      as={Link}
      to="/league"
      onFollow={() => seeTeam(since)}
      picture={<Shield />}
      title={`You are on ${teamName(data?.team_name)}`}
    >
      {words}
    </Strip>
  );
}

/** Shown once to a player who has lost a team since the last visit, or on this one (HAND-48). */
export function FormerTeam({ user }: { user: User }) {
  const now = hasTeam(user.team) ? teamName(user.team?.name) : null;
  const [former, setFormer] = useState(now);
  if (now !== null && now !== former) setFormer(now);
  if (now !== null || former === null) return null;
  return (
    <Strip as={Link} to="/league" picture={<Shield />} title={`You are not on ${former} any more`}>
      Your games count for you. A team code puts you on another team.
    </Strip>
  );
}
