import { isBeforeLastHour } from '#contract/rules/nudges.ts';
import type { LeagueStats } from '#contract/wire/leagues.ts';
import { betweenWords } from '../session/season.ts';
import { teamName } from '../session/team.ts';
import { Failure } from '../shell/Failure.tsx';
import { Invite } from '../shell/Invite.tsx';
import styles from '../shell/TeamTable.module.css';
import { TeamTable } from '../shell/TeamTable.tsx';
import { serverDate } from '../ui/server-clock.ts';
import nudge from './Nudge.module.css';
import { Nudge, type useNudge } from './Nudge.tsx';
import { timeText } from './OfflineStrip.tsx';

type TeamStatsProps = {
  stats: LeagueStats;
  username: string;
  dim: boolean;
  /**
   * Only if the last read failed: when `stats` was read, in ms since 1970 by the server's clock.
   */
  staleSince?: number | undefined;
  /** Nudges a mate. */
  send?: ReturnType<typeof useNudge>;
};

/** The team, its total, and this week's opponent (PROD-36). */
export function TeamStats({ stats, username, dim, staleSince, send }: TeamStatsProps) {
  const between = betweenWords(stats);
  const isDim = dim || !!stats.season?.postponed;
  const now = serverDate();
  // A stored answer may be older than its week, and one of an older version has no `nudge`.
  const canNudge =
    !isDim &&
    isBeforeLastHour(stats.week_closes_at, now) &&
    stats.teammates.some((mate) => mate.nudge);
  return (
    <section className={styles.panel} data-dim={isDim} aria-labelledby="team-stats">
      <TeamTable
        week={stats}
        team={teamName(stats.team_name)}
        username={username}
        title="Team Stats (Weekly)"
        id="team-stats"
        onPass
        under={(at) => {
          const mate = stats.teammates[at];
          return (
            send &&
            canNudge &&
            mate?.nudge && (
              <Nudge username={mate.username} sent={mate.nudge === 'sent'} send={send} />
            )
          );
        }}
      />
      {send?.isError && <Failure error={send.error} />}
      {staleSince !== undefined && (
        <p className={styles.footnote}>As of {timeText(new Date(staleSince), now)}</p>
      )}
      {between !== null && <p className={styles.footnote}>{between}</p>}
      <div className={styles.foot}>
        <p className={styles.footnote}>*Total from player's top 4 weekly games</p>
        <Invite stats={stats} />
      </div>
      {canNudge && (
        <p className={nudge.under}>
          One nudge a week for each player, only while a game can still turn the result. Players
          with nudges off get none.
        </p>
      )}
      <p className="sr" role="status">
        {send?.isSuccess && `${send.variables.toUpperCase()} was nudged.`}
      </p>
    </section>
  );
}

/** The panel with only the team's name, when the figures could not be read (PROD-37). */
export function NoTeamStats({ name, dim }: { name: string; dim: boolean }) {
  return (
    <section className={styles.panel} data-dim={dim} aria-labelledby="team-stats">
      <h2 id="team-stats" className="display">
        Team Stats (Weekly)
      </h2>
      <p className={`display ${styles.name}`}>{name}</p>
      <p className={styles.none}>No team stats to show right now.</p>
    </section>
  );
}
