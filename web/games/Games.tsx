import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { Figures as FiguresAnswer, PlayedGame } from '#contract/wire/games.ts';
import { useAuth } from '../session/AuthProvider.tsx';
import { useGames } from '../session/reads.ts';
import { Failure } from '../shell/Failure.tsx';
import { Loaded } from '../shell/Loaded.tsx';
import { ShowMyCode } from '../shell/ToProfile.tsx';
import { Button, buttonClass } from '../ui/Button.tsx';
import { dayAndMonth } from '../ui/dates.ts';
import { useDelayed } from '../ui/delayed.ts';
import { Panel } from '../ui/Panel.tsx';
import { ColumnsSkeleton, Empty, PanelPage } from '../ui/PanelPage.tsx';
import { Skeleton } from '../ui/Skeleton.tsx';
import { serverDate } from '../ui/server-clock.ts';
import { CHART_LEAST, CHART_MOST } from './chart.ts';
import { bestGame, isInFigures } from './counted.ts';
import { Figures } from './Figures.tsx';
import { GameList } from './GameList.tsx';
import { GameSheet } from './GameSheet.tsx';
import styles from './Games.module.css';
import { useFigures } from './queries.ts';
import { ScoreChart } from './ScoreChart.tsx';

function Hoop() {
  return (
    <svg viewBox="0 0 168 150" aria-hidden="true" className={styles.hoop}>
      <path d="M14 6h140a8 8 0 0 1 8 8v70a8 8 0 0 1-8 8H14a8 8 0 0 1-8-8V14a8 8 0 0 1 8-8Z" />
      <path d="M58 76V40h52v36" />
      <path d="M52 106l8 36M116 106l-8 36M68 106l4 38M100 106l-4 38M84 106v38M56 118h56M60 132h48" />
      <rect x="44" y="96" width="80" height="9" rx="4.5" />
      <circle cx="84" cy="60" r="13" />
    </svg>
  );
}

function GamesSkeleton() {
  return (
    <ColumnsSkeleton>
      <Panel title="Scores over time" left>
        <div className={styles.chart}>
          <Skeleton height="100%" />
        </div>
      </Panel>
      <div className={styles.day}>
        <Skeleton width="8rem" height="1rem" />
      </div>
      <Skeleton height="9rem" radius="var(--r-lg)" />
    </ColumnsSkeleton>
  );
}

function summary(games: number, since: string | null): string {
  if (since === null) return 'No game has counted yet';
  const day = dayAndMonth(new Date(since), serverDate());
  return `${games} ${games === 1 ? 'game' : 'games'} since ${day}`;
}

/** Whether two reads of a game are of the same game: another machine may have a game of this id. */
const isSame = (one: PlayedGame, other: PlayedGame) =>
  one.id === other.id && one.machine === other.machine && one.played_at === other.played_at;

type HistoryProps = { query: ReturnType<typeof useGames>; figures: FiguresAnswer | undefined };

function History({ query, figures }: HistoryProps) {
  const { user } = useAuth();
  const team = user?.team?.name ?? null;
  const { data, hasNextPage, isFetchingNextPage, fetchNextPage } = query;
  const games = data?.pages.flatMap(({ results }) => results) ?? [];
  const best = bestGame(games, data?.pages[0]?.highscore ?? null);
  const latest = games.filter(isInFigures).slice(0, CHART_MOST);
  const [firstNew, setFirstNew] = useState<number | null>(null);
  const row = useRef<HTMLLIElement>(null);
  const [opened, setOpened] = useState<PlayedGame | null>(null);
  const [said, setSaid] = useState('');
  const count = games.length;
  const asked = firstNew === count && hasNextPage;
  const lost = asked && !query.isFetching && !query.isError;
  // A refetch (after an event, or when the network is back) cancels the request for an older page,
  // so send it again.
  useEffect(() => {
    if (lost) void fetchNextPage();
  }, [lost, fetchNextPage]);
  // Once: a game that is played later must not move the focus again.
  const focused = useRef<number | null>(null);
  useLayoutEffect(() => {
    if (firstNew === null || firstNew >= count || focused.current === firstNew) return;
    focused.current = firstNew;
    row.current?.focus();
  }, [firstNew, count]);

  return (
    <>
      {latest.length >= CHART_LEAST && <ScoreChart games={latest} bestId={best?.id} />}
      {figures && <Figures {...figures} />}
      <GameList
        games={games}
        team={team}
        bestId={best?.id}
        marked={firstNew === null ? undefined : games[firstNew]?.id}
        markedRow={row}
        onOpen={(game) => {
          setSaid('');
          setOpened(game);
        }}
      />
      <p className="sr" role="status">
        {said}
      </p>
      {opened && (
        <GameSheet
          game={games.find((game) => isSame(game, opened)) ?? opened}
          team={team}
          onClose={(words = '') => {
            setOpened(null);
            setSaid(words);
          }}
        />
      )}
      {asked && query.isError && (
        <div className={styles.more}>
          <Failure error={query.error} />
        </div>
      )}
      {hasNextPage && (
        <div className={styles.more}>
          <Button
            look="quiet"
            aria-disabled={isFetchingNextPage}
            onClick={() => {
              if (isFetchingNextPage) return;
              setFirstNew(count);
              void fetchNextPage();
            }}
          >
            Show older games
          </Button>
        </div>
      )}
    </>
  );
}

/** The player's games and a chart of the scores (PROD-50). */
export function Games() {
  const query = useGames();
  const figures = useFigures();
  // Show games and figures together, so that nothing moves. If the figures fail, show the games.
  const isPending = query.isPending || (figures.isPending && figures.failureCount === 0);
  const waiting = useDelayed(isPending);
  const newest = query.data?.pages[0];
  const empty = newest?.results.length === 0;
  return (
    <PanelPage
      title="Games"
      wide
      lead={newest && !waiting && !empty && summary(newest.games_played, newest.since)}
      aria-busy={isPending}
    >
      <Loaded
        query={query}
        data={isPending ? undefined : empty ? null : query.data}
        waiting={waiting}
        skeleton={<GamesSkeleton />}
        empty={
          <Empty
            title="No games yet"
            drawing={<Hoop />}
            text="Hold your code up to a machine. Your first score lands here."
          >
            <ShowMyCode className={buttonClass('primary')} />
          </Empty>
        }
        safe="Your games are safe. They will be here when you have a signal again."
      >
        {() => <History query={query} figures={figures.data} />}
      </Loaded>
    </PanelPage>
  );
}
