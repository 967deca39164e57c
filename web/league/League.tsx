import { cupAddress, seasonAddress } from '#contract/rules/addresses.ts';
import type { LeagueSeason } from '#contract/wire/leagues.ts';
import { Link, Redirect, useLocation } from '../router.tsx';
import { useAuth } from '../session/AuthProvider.tsx';
import { cupText } from '../session/cup.ts';
import { useRunning } from '../session/running.ts';
import { Loaded } from '../shell/Loaded.tsx';
import { buttonClass } from '../ui/Button.tsx';
import { useDelayed } from '../ui/delayed.ts';
import { Panel } from '../ui/Panel.tsx';
import { ColumnsSkeleton, PanelPage } from '../ui/PanelPage.tsx';
import { Skeleton } from '../ui/Skeleton.tsx';
import { BestGames } from './BestGames.tsx';
import { JoinTeam } from './JoinTeam.tsx';
import styles from './League.module.css';
import { useLeague, useSeasons } from './queries.ts';
import { Schedule } from './Schedule.tsx';
import { Changes, tableFoot } from './SeasonState.tsx';
import { SeasonTable } from './SeasonTable.tsx';
import { weekWords } from './season.ts';
import { ThisWeek } from './ThisWeek.tsx';

const ROWS = [1, 2, 3, 4, 5];

function LeagueSkeleton() {
  return (
    <ColumnsSkeleton>
      <Panel title="This week" left>
        <div className={styles.quiet}>
          <Skeleton width="7rem" height="1.25rem" />
        </div>
        <div className={styles.duel}>
          <Skeleton height="62px" radius="14px" />
          <Skeleton height="62px" radius="14px" />
        </div>
      </Panel>
      <Panel title="Season">
        {ROWS.map((row) => (
          <div key={row} className={styles.waiting}>
            <Skeleton height="2.25rem" />
          </div>
        ))}
      </Panel>
    </ColumnsSkeleton>
  );
}

/** What the schedule shows. Once the season is over, its last week is in the past. */
const weeksOf = ({ schedule, week, season }: LeagueSeason) => ({
  schedule,
  week: season.state === 'grace' || season.state === 'final' ? week + 1 : week,
});

/** The pairing of the player's team while a cup of teams runs. */
function TeamCup() {
  const { cup } = useRunning();
  if (cup === null || cup.kind !== 'teams') return null;
  return (
    <Panel title={cup.name} left>
      <p>{cupText(cup)}</p>
      <Link className={buttonClass('quiet')} to={cupAddress(cup.id)}>
        Open<span className="sr"> {cup.name}</span>
      </Link>
    </Panel>
  );
}

/** Leads to the page of the player's season that had the week, a Monday (HAND-17). */
function FormerWeek({ week, league }: { week: string; league: string }) {
  const season = useSeasons().data?.find(
    (one) =>
      one.league === league && one.starts_on <= week && one.ends_on !== null && week <= one.ends_on,
  );
  return season ? <Redirect to={seasonAddress(season.id)} /> : null;
}

export function League() {
  const { user } = useAuth();
  const asked = new URLSearchParams(useLocation().query).get('week');
  const query = useLeague();
  const waiting = useDelayed(query.isPending);
  const shown = waiting ? undefined : query.data;
  return (
    <PanelPage
      title={shown?.season.league ?? 'League'}
      lead={shown === null ? 'You are not on a team yet' : shown && weekWords(shown.season)}
      wide
      aria-busy={query.isPending}
    >
      <Loaded
        query={query}
        data={query.data}
        waiting={waiting}
        skeleton={<LeagueSkeleton />}
        empty={<JoinTeam />}
        safe="Your games are safe. The table will be here when you have a signal again."
      >
        {(league) => (
          <>
            {asked !== null && asked < league.season.season.starts_on && (
              <FormerWeek week={asked} league={league.season.league} />
            )}
            <TeamCup />
            <ThisWeek league={league} staleSince={query.isError ? query.dataUpdatedAt : null} />
            <SeasonTable
              standings={league.season.standings}
              rows={league.season.rows}
              team={league.week.team_name}
              hasPages
              foot={tableFoot(league.season.season)}
            />
            <BestGames games={league.season.best_games} username={user?.username} hasPage />
            <Changes changes={league.season.changes} />
            <Schedule
              season={weeksOf(league.season)}
              team={league.week.team_name}
              isPostponed={league.week.season?.postponed != null}
              asked={asked}
            />
          </>
        )}
      </Loaded>
    </PanelPage>
  );
}
