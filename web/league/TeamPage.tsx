import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ordinal } from '#contract/rules/games.ts';
import type { TeamPage as Page } from '#contract/wire/leagues.ts';
import { getTeam } from '../api/calls.ts';
import { noneOn400 } from '../api/client.ts';
import { KEYS } from '../api/queries.ts';
import { retries, untilMoment } from '../api/query-client.ts';
import { useLocation } from '../router.tsx';
import { useAuth } from '../session/AuthProvider.tsx';
import { useLeagueStats } from '../session/reads.ts';
import { hasTeam } from '../session/team.ts';
import { Invite } from '../shell/Invite.tsx';
import { Loaded } from '../shell/Loaded.tsx';
import table from '../shell/TeamTable.module.css';
import { TeamTable } from '../shell/TeamTable.tsx';
import { ShowMyCode } from '../shell/ToProfile.tsx';
import { buttonClass } from '../ui/Button.tsx';
import { useDelayed } from '../ui/delayed.ts';
import { Panel } from '../ui/Panel.tsx';
import { Empty, PanelPage } from '../ui/PanelPage.tsx';
import { Skeleton } from '../ui/Skeleton.tsx';
import { Matchups } from './Matchups.tsx';
import styles from './TeamPage.module.css';

function useTeam(name: string) {
  const { api } = useAuth();
  const [retry] = useState(retries);
  return useQuery({
    queryKey: [...KEYS.team, name],
    queryFn: ({ signal }): Promise<Page | null> =>
      retry.count(getTeam(api, name, signal).catch(noneOn400), signal),
    // The server emits no event when a week ends.
    refetchInterval: ({ state }) =>
      state.status === 'error' ? retry.waitMs() : untilMoment(state.data?.week_closes_at),
    meta: { failure: 'The team could not be read.', movedBy: ['game', 'profile', 'league'] },
  });
}

/** The place in the painted square, then won, drawn and lost. */
function Record({ page: { place, won, drawn, lost } }: { page: Page }) {
  return (
    <section className={styles.record} aria-label="Season so far">
      <p className={styles.place}>
        <svg viewBox="0 0 92 80" aria-hidden="true">
          <path d="M88 52V14A10 10 0 0 0 78 4H14A10 10 0 0 0 4 14V66a10 10 0 0 0 10 10H60" />
          <circle cx="79" cy="67" r="12" />
        </svg>
        <span className="sr">Place </span>
        <b>{place === null ? '–' : ordinal(place)}</b>
      </p>
      <dl>
        <div>
          <dt>Won</dt>
          <dd>{won}</dd>
        </div>
        <div>
          <dt>Drawn</dt>
          <dd>{drawn}</dd>
        </div>
        <div>
          <dt>Lost</dt>
          <dd>{lost}</dd>
        </div>
      </dl>
    </section>
  );
}

function Results({ page: { team, results } }: { page: Page }) {
  if (results.length === 0) return null;
  return (
    <Panel title="Results">
      {results.map(({ week, opponent, own, other, ruling, reason }) => (
        <div key={week} className={styles.result}>
          <h3>Week {week}</h3>
          <Matchups
            week={{
              matchups: [
                {
                  home: team,
                  away: opponent,
                  home_total: own,
                  away_total: other,
                  ...(ruling && { ruling }),
                  ...(reason !== undefined && { reason }),
                },
              ],
              bye: null,
            }}
            team=""
          />
        </div>
      ))}
    </Panel>
  );
}

function OwnInvite() {
  const stats = useLeagueStats(true);
  return stats.data ? <Invite stats={stats.data} /> : null;
}

/** A team of the player's league (HAND-64). */
export function TeamPage() {
  const { user } = useAuth();
  const own = hasTeam(user?.team) ? (user?.team?.name ?? '') : '';
  const name = new URLSearchParams(useLocation().query).get('name') ?? own;
  const query = useTeam(name);
  const waiting = useDelayed(query.isPending);
  const shown = waiting ? undefined : query.data;
  return (
    <PanelPage
      key={name}
      title={shown?.team ?? (name || 'Team')}
      lead={shown?.league}
      aria-busy={query.isPending}
    >
      <Loaded
        query={query}
        data={query.data}
        waiting={waiting}
        skeleton={<Skeleton height="14rem" radius="var(--r-xl)" />}
        empty={
          <Empty title="No such team in your league" text="It may have a new name, or be gone.">
            <ShowMyCode className={buttonClass('primary')} />
          </Empty>
        }
        safe="Your games are safe. The team will be here when you have a signal again."
      >
        {(page) => (
          <>
            <Record page={page} />
            <section className={`${table.panel} ${styles.week}`} aria-labelledby="team-week">
              <TeamTable
                week={page.week}
                team={page.team}
                username={user?.username}
                theirs={own !== '' && page.week.opponent?.name === own}
                title="This week"
                id="team-week"
              />
              <p className={table.footnote}>*Total from player's top 4 weekly games</p>
              {page.team === own && (
                <>
                  <OwnInvite />
                  <p className={table.footnote}>To leave the team, ask the staff.</p>
                </>
              )}
            </section>
            <Results page={page} />
          </>
        )}
      </Loaded>
    </PanelPage>
  );
}
