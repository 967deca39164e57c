import { useEffect, useState } from 'react';
import { NEW_ON_TEAM_DAYS } from '#contract/rules/leagues.ts';
import type { LeagueStats } from '#contract/wire/leagues.ts';
import type { User } from '#contract/wire/profile.ts';
import { formerTeam } from '../session/former-team.ts';
import { useLeagueStats } from '../session/reads.ts';
import { isTeamSeen } from '../session/seen.ts';
import { isFirstQuestion } from '../session/visit.ts';
import { serverDate } from '../ui/server-clock.ts';
import { useStrips } from './load-strips.ts';
import { useWall } from './wall.ts';

const DAY_MS = 24 * 3_600_000;

/** How and since when the player is on a team that is new, or null (HAND-47). */
export function newMembership({ membership }: Pick<LeagueStats, 'membership'>, now: Date) {
  // A stored answer of an older version has no membership.
  if (!membership || membership.how === 'code') return null;
  const { since, how } = membership;
  const isNew = now.getTime() - new Date(since).getTime() <= NEW_ON_TEAM_DAYS * DAY_MS;
  return isNew ? { since, how } : null;
}

/** Shown to a player who did not type the code of an open team (HAND-47). */
export function NewTeam({ user, leagueMode }: { user: User; leagueMode: boolean }) {
  const { data } = useLeagueStats(true);
  const strips = useStrips();
  const wall = useWall(user);
  const membership = data && newMembership(data, serverDate());
  const wanted = Boolean(membership && !isTeamSeen(membership.since));
  const [shown, setShown] = useState(false);
  useEffect(() => {
    if (wanted && wall.isKnown && isFirstQuestion('team')) setShown(true);
  }, [wanted, wall.isKnown]);
  if (!strips || !shown || !wanted || !data || !membership) return null;
  return <strips.NewTeamStrip stats={data} membership={membership} leagueMode={leagueMode} />;
}

/** Shown once to a player who has lost a team since the last visit, or on this one (HAND-48). */
export function FormerTeam({ user }: { user: User }) {
  const strips = useStrips();
  const former = formerTeam(user);
  return strips && former !== null ? <strips.FormerTeamStrip team={former} /> : null;
}
