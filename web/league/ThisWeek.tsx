import { teamAddress } from '#contract/rules/addresses.ts';
import { whyUncounted } from '#contract/rules/team-week.ts';
import { OfferDuel } from '../duels/OfferDuel.tsx';
import { Link } from '../router.tsx';
import { betweenWords } from '../session/season.ts';
import { Invite } from '../shell/Invite.tsx';
import { Total } from '../shell/Total.tsx';
import { aheadBy } from '../slip/signs.ts';
import { weekdayAndDay } from '../ui/dates.ts';
import { Panel } from '../ui/Panel.tsx';
import { serverDate } from '../ui/server-clock.ts';
import { TimeLeft } from '../ui/TimeLeft.tsx';
import { clockTime } from '../ui/times.ts';
import styles from './League.module.css';
import { Matchups } from './Matchups.tsx';
import type { League } from './queries.ts';
import { BetweenSeasons } from './SeasonState.tsx';
import { rulingWords, withoutTeam } from './season.ts';

type ThisWeekProps = {
  league: League;
  /** When `league` was read (ms since 1970), if the last refetch failed; otherwise null. */
  staleSince: number | null;
};

/** The team's code to share, or why others cannot join with it (HAND-43). */
function HowToJoin({ week }: Pick<League, 'week'>) {
  if (week.invite !== null) return <Invite stats={week} />;
  return (
    <p className={styles.quiet}>
      {week.full ? 'Your team is full.' : 'Staff add players to this league.'}
    </p>
  );
}

/** The player's team, its opponent, then the other matchups. */
export function ThisWeek({ league: { season, week }, staleSince }: ThisWeekProps) {
  const { opponent, team_name } = week;
  const between = betweenWords(week);
  if (between !== null)
    return (
      <Panel title={whyUncounted(week) === 'between' ? 'Between seasons' : 'This week'} left>
        <p className={styles.quiet}>{between}</p>
        <BetweenSeasons season={season} />
        <HowToJoin week={week} />
      </Panel>
    );
  if (week.season_starts_at !== null)
    return (
      <Panel title="This week" left>
        <p className={styles.quiet}>
          The season starts on {weekdayAndDay(new Date(week.season_starts_at), serverDate())}.
          League games count from then on.
        </p>
        <HowToJoin week={week} />
      </Panel>
    );
  // A postponed week has the number of the week that is played in its place.
  const scheduled = season.schedule.find(
    ({ week: number, postponed }) => number === season.week && postponed === undefined,
  );
  const own = scheduled?.matchups.find(({ home, away }) => [home, away].includes(team_name));
  const ruled = own ? rulingWords(own) : null;
  const lead = opponent && week.team_total_score - opponent.total_score;
  return (
    <Panel
      title="This week"
      left
      aside={
        staleSince === null ? (
          <span className={styles.live}>Live</span>
        ) : (
          <span className={styles.quiet}>As of {clockTime(new Date(staleSince))}</span>
        )
      }
    >
      <p className={styles.quiet}>
        Closes in <TimeLeft until={new Date(week.week_closes_at)} />
      </p>
      <ul className={styles.duel}>
        <li>
          <span>
            <Link to={teamAddress(team_name)}>{team_name}</Link>
            {lead !== null && lead >= 0 && <em>{aheadBy(lead)}</em>}
          </span>
          <small>
            {week.team_total_games_played}/{week.team_max_possible_games}
            <span className="sr"> games</span>
          </small>
          <b>
            <Total of={week.team_total_score} />
          </b>
        </li>
        {opponent && (
          <li className={styles.opponent}>
            <span>
              <span className="sr">Opponent: </span>
              <Link to={teamAddress(opponent.name)}>{opponent.name}</Link>
              {lead !== null && lead <= 0 && <em>{aheadBy(lead)}</em>}
            </span>
            <small>
              {opponent.total_games_played}/{opponent.max_possible_games}
              <span className="sr"> games</span>
            </small>
            <b>
              <Total of={opponent.total_score} />
            </b>
          </li>
        )}
      </ul>
      {!opponent && (
        <p className={styles.free}>
          <svg viewBox="0 0 24 24" aria-hidden="true">
            <rect x="4" y="5" width="16" height="15" rx="3" />
            <path d="M4 10h16M9 3v4M15 3v4" />
          </svg>
          <span>
            No opponent this week.{scheduled?.bye === team_name && ' Your team has a bye.'}
          </span>
        </p>
      )}
      {ruled !== null && <p className={styles.quiet}>{ruled}</p>}
      {scheduled && <Matchups week={withoutTeam(scheduled, team_name)} team={team_name} />}
      <HowToJoin week={week} />
      <div className={styles.offer}>
        <OfferDuel />
      </div>
    </Panel>
  );
}
