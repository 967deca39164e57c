import { useQuery } from '@tanstack/react-query';
import { AWARD_WORDS } from '#contract/rules/awards.ts';
import { idInPath } from '#contract/rules/pages.ts';
import { A_PLAYER } from '#contract/rules/visibility.ts';
import type { Award, SeasonPage as Page } from '#contract/wire/seasons.ts';
import { getSeason } from '../api/calls.ts';
import { ApiError } from '../api/client.ts';
import { KEYS } from '../api/queries.ts';
import { GreyJersey, Jersey } from '../avatar/Jersey.tsx';
import { useLocation } from '../router.tsx';
import { useAuth } from '../session/AuthProvider.tsx';
import { isStillLate, lateWords, mondayWords } from '../session/season.ts';
import { Loaded } from '../shell/Loaded.tsx';
import { ShowMyCode } from '../shell/ToProfile.tsx';
import { Badge } from '../ui/Badge.tsx';
import { buttonClass } from '../ui/Button.tsx';
import { weekdayAndDay } from '../ui/dates.ts';
import { useDelayed } from '../ui/delayed.ts';
import { Panel } from '../ui/Panel.tsx';
import { Empty, PanelPage } from '../ui/PanelPage.tsx';
import { Skeleton } from '../ui/Skeleton.tsx';
import { serverDate } from '../ui/server-clock.ts';
import { AWARD_ICONS } from './award-words.ts';
import { BestGames } from './BestGames.tsx';
import { Schedule } from './Schedule.tsx';
import styles from './Seasons.module.css';
import { SeasonTable } from './SeasonTable.tsx';
import { ShareSeason } from './ShareSeason.tsx';
import { correctionWords, equalWinsWords, weekCount, weekOn } from './season.ts';

const NOT_FOUND = 404;
/** How many corrections are shown above the button. */
const NEWEST = 3;

function useSeason(id: string) {
  const { api } = useAuth();
  return useQuery({
    queryKey: [...KEYS.seasons, id],
    queryFn: ({ signal }): Promise<Page | null> =>
      getSeason(api, id, signal).catch((error: unknown) => {
        if (error instanceof ApiError && error.status === NOT_FOUND) return null;
        throw error;
      }),
    meta: { failure: 'The season could not be read.', movedBy: ['league'] },
  });
}

function stateWords({ state, league, schedule, starts_on, version }: Page): string {
  const weeks = weekCount(schedule);
  const words = {
    planned: `Begins ${mondayWords(starts_on)}`,
    running: 'Running',
    grace: 'Not final yet',
    final: version > 1 ? 'Final, corrected' : 'Final',
  }[state];
  return `${league}, ${weeks} ${weeks === 1 ? 'week' : 'weeks'}. ${words}.`;
}

/** The champions in the painted square; during grace, says that the season is not final. */
export function Champions({ page }: { page: Page }) {
  const { champions, won_table, no_champion, standings, state, settles_at } = page;
  const first = standings.find(({ team }) => team === champions[0]);
  if (state === 'planned' || state === 'running') return null;
  if (state === 'grace')
    return (
      <section className={styles.notFinal}>
        <h2 className="display">Not final yet</h2>
        <p>
          {isStillLate(settles_at)
            ? lateWords(page)
            : 'It becomes final once staff have checked its last games.'}
        </p>
      </section>
    );
  const wonTable = won_table.length > 0 && <p>Won the table: {won_table.join(' and ')}</p>;
  // SEASON-24: there is no champion until the cup is decided, or without a winner (CUP-13).
  if (champions.length === 0 && wonTable)
    return (
      <section className={styles.notFinal}>
        <h2 className="display">{no_champion ? 'No champion' : 'The cup decides'}</h2>
        {no_champion && <p>The cup’s final had no winner.</p>}
        {wonTable}
      </section>
    );
  if (champions.length === 0) return null;
  return (
    <section className={styles.champions} aria-labelledby="champions">
      <p>{won_table.length === 0 ? 'Champions' : 'Champions: won the cup'}</p>
      <h2 id="champions" className="display">
        {champions.join(' and ')}
      </h2>
      {first && (
        <p>
          {first.won} won, {first.lost} lost, {first.total.toLocaleString('en')} in all
        </p>
      )}
      {wonTable}
      <span className={styles.ball} aria-hidden="true">
        1
      </span>
    </section>
  );
}

/** "MAYA_BANKS, you, week 6, and 2 more" */
function whoWords({ key, winners, team, week, more }: Award): string {
  const named = winners.map(({ username, mine }) =>
    mine ? `${username?.toUpperCase() ?? A_PLAYER}, you` : (username?.toUpperCase() ?? A_PLAYER),
  );
  const parts = [
    ...named,
    ...(team !== null && (winners.length !== 1 || winners[0]?.username === null) ? [team] : []),
    ...(week !== null && key !== 'carried' ? [`week ${week}`] : []),
  ];
  return `${parts.join(', ')}${more > 0 ? `, and ${more} more` : ''}`;
}

function Awards({ awards }: { awards: Award[] }) {
  if (awards.length === 0) return null;
  return (
    <Panel title="Awards">
      <ul className={styles.awards}>
        {awards.map((award) => {
          const [first] = award.winners;
          const mine = award.winners.some((winner) => winner.mine);
          return (
            <li
              key={award.key}
              className={mine ? styles.me : undefined}
              aria-current={mine ? 'true' : undefined}
            >
              <Badge icon={AWARD_ICONS[award.key]} />
              <div>
                <b>{AWARD_WORDS[award.key]}</b>
                <span>
                  {first &&
                    (first.username && first.avatar_color && first.jersey_number ? (
                      <Jersey
                        username={first.username}
                        color={first.avatar_color}
                        number={first.jersey_number}
                        small
                      />
                    ) : (
                      <GreyJersey />
                    ))}
                  {whoWords(award)}
                </span>
              </div>
              <strong>
                {award.key === 'most_improved' && '+'}
                {award.value.toLocaleString('en')}
              </strong>
            </li>
          );
        })}
      </ul>
      {awards.some(({ winners }) => winners.some(({ username }) => username === null)) && (
        <p className={styles.below}>“{A_PLAYER}” is somebody who does not want to be named here.</p>
      )}
    </Panel>
  );
}

function Corrections({ corrections }: Pick<Page, 'corrections'>) {
  if (corrections.length === 0) return null;
  return (
    <Panel title="Corrected">
      <ul className={styles.corrections}>
        {corrections.slice(0, NEWEST).map(({ version, at, reason, changes }) => (
          <li key={version}>
            {weekdayAndDay(new Date(at), serverDate())}: {correctionWords({ reason, changes })}
          </li>
        ))}
      </ul>
      {corrections.length > NEWEST && (
        <details>
          <summary>All corrections</summary>
          <ul className={styles.corrections}>
            {corrections.slice(NEWEST).map(({ version, at, reason, changes }) => (
              <li key={version}>
                {weekdayAndDay(new Date(at), serverDate())}: {correctionWords({ reason, changes })}
              </li>
            ))}
          </ul>
        </details>
      )}
    </Panel>
  );
}

/** A season: champions, table, awards, corrections, weeks (SEASON-40). */
export function SeasonPage() {
  const { user } = useAuth();
  const query = useSeason(idInPath(useLocation().path)?.id ?? '');
  const waiting = useDelayed(query.isPending);
  const shown = waiting ? undefined : query.data;
  return (
    <PanelPage
      title={shown?.name ?? 'Season'}
      lead={shown && stateWords(shown)}
      aria-busy={query.isPending}
    >
      <Loaded
        query={query}
        data={query.data}
        waiting={waiting}
        skeleton={<Skeleton height="14rem" radius="var(--r-xl)" />}
        empty={
          <Empty
            title="No such season."
            text="It is open to the league’s teams, and to whoever played in it."
          >
            <ShowMyCode className={buttonClass('primary')} />
          </Empty>
        }
        safe="Your games are safe. The season will be here when you have a signal again."
      >
        {(page) => (
          <>
            <Champions page={page} />
            {page.state !== 'planned' && (
              <SeasonTable
                title={page.state === 'final' ? 'Final table' : 'Table so far'}
                standings={page.standings}
                rows={page.rows}
                team={page.mine?.team}
                foot={
                  page.final_at === null
                    ? equalWinsWords(page)
                    : `${equalWinsWords(page)} Final since ${weekdayAndDay(new Date(page.final_at), serverDate())}.`
                }
              />
            )}
            <Corrections corrections={page.corrections} />
            <Awards awards={page.awards} />
            <ShareSeason page={page} />
            {page.state !== 'planned' && (
              <BestGames games={page.best_games} username={user?.username} />
            )}
            <Schedule
              season={{
                schedule: page.schedule,
                week: page.state === 'planned' ? 0 : weekOn(page.schedule, serverDate()),
              }}
              team={page.mine?.team ?? ''}
            />
          </>
        )}
      </Loaded>
    </PanelPage>
  );
}
