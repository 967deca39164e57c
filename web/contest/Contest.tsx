import { QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import type { ContestPage } from '#contract/wire/contests.ts';
import { createQueryClient } from '../api/query-client.ts';
import { Link } from '../router.tsx';
import { useAuth } from '../session/AuthProvider.tsx';
import { AppHeader } from '../shell/AppHeader.tsx';
import { Failure } from '../shell/Failure.tsx';
import { LiveQueries, useProfileRead } from '../shell/LiveQueries.tsx';
import { Board } from '../ui/Board.tsx';
import { Button } from '../ui/Button.tsx';
import { titled } from '../ui/brand.ts';
import { Column, Page, Wordmark } from '../ui/Page.tsx';
import { Empty, PanelPage } from '../ui/PanelPage.tsx';
import styles from './Contest.module.css';
import { useServerNow } from './clock.ts';
import { MyGames, Places, Prizes, Score } from './parts.tsx';
import { useContest } from './queries.ts';
import { Visitor } from './Visitor.tsx';
import { Won } from './Won.tsx';
import { beginText, rule } from './words.ts';

const BAR_PLACES = 3;

type Read = ReturnType<typeof useContest>;

function Unread({ query }: { query: Read }) {
  if (query.data === null)
    return (
      <Empty title="No such contest" text="The code may be mistyped, or the contest is gone." />
    );
  if (query.error === null) return null;
  return (
    <div className={styles.unread}>
      <Failure error={query.error} />
      <Button onClick={() => void query.refetch()}>Try again</Button>
    </div>
  );
}

/** A player's page: the player's place, the board, the player's games, prizes (CONTEST-10). */
function Player({ query, showWon }: { query: Read; showWon: () => void }) {
  const { data } = query;
  const now = useServerNow(data?.skew ?? 0);
  if (!data) return <PanelPage title="Contest">{<Unread query={query} />}</PanelPage>;
  const { page } = data;
  const { state } = page;
  if (state === 'cancelled')
    return (
      <PanelPage title={page.name} lead={page.venue}>
        <Empty title="It is not on" text="The contest was cancelled. Your games count for you." />
      </PanelPage>
    );
  return (
    <PanelPage title={page.name} lead={`${page.venue}. ${rule(page)}`}>
      {state === 'planned' ? (
        <p className={styles.begins}>
          <b className="display">Begins {beginText(page.starts_at, new Date(now))}</b>
          Everybody who plays is in.
        </p>
      ) : (
        <>
          <Score page={page} now={now} />
          <Places page={page} />
        </>
      )}
      <MyGames page={page} />
      <Prizes page={page} />
      {placeToShow(page) !== null && <Button onClick={showWon}>Show this at the bar</Button>}
      {state === 'planned' && (
        <Link className="textlink" to="/profile" state={{ code: 'shown' }}>
          Show my code
        </Link>
      )}
    </PanelPage>
  );
}

/** The player's final place, if it may be shown at the bar; otherwise null. */
function placeToShow({ state, mine }: ContestPage): number | null {
  const place = mine?.place ?? null;
  return state === 'final' && place !== null && place <= BAR_PLACES ? place : null;
}

function PlayerPage({ code }: { code: string }) {
  useProfileRead();
  const query = useContest(code);
  const [boardShown, showBoard] = useState(false);
  const { data } = query;
  const now = useServerNow(data?.skew ?? 0);
  const place = data ? placeToShow(data.page) : null;
  return (
    <Page court={false}>
      {data && place !== null && !boardShown ? (
        <Won
          page={data.page}
          place={place}
          now={now}
          asOf={query.isError ? query.dataUpdatedAt + data.skew : null}
          onBack={() => showBoard(true)}
        />
      ) : (
        <>
          <AppHeader />
          <Player query={query} showWon={() => showBoard(false)} />
        </>
      )}
    </Page>
  );
}

function VisitorPage({ code }: { code: string }) {
  const query = useContest(code);
  const name = query.data?.page.name ?? 'Contest';
  useEffect(() => window.scrollTo(0, 0), []);
  return (
    <Page>
      <title>{titled(name)}</title>
      <Column className={styles.open}>
        <div className={styles.logo}>
          <Link to="/">
            <Wordmark height={40} />
          </Link>
        </div>
        <Board>
          {query.data ? (
            <Visitor page={query.data.page} skew={query.data.skew} code={code} />
          ) : (
            <Unread query={query} />
          )}
        </Board>
      </Column>
    </Page>
  );
}

/** A query cache without an event stream, because a visitor gets no events. */
function StillQueries({ children }: { children: ReactNode }) {
  const [client] = useState(createQueryClient);
  return <QueryClientProvider client={client}>{children}</QueryClientProvider>;
}

/** The page of a contest's code, for players and visitors (CONTEST-10 to CONTEST-12). */
export function Contest({ code }: { code: string }) {
  const { hasAccess } = useAuth();
  return hasAccess ? (
    <LiveQueries>
      <PlayerPage code={code} />
    </LiveQueries>
  ) : (
    <StillQueries>
      <VisitorPage code={code} />
    </StillQueries>
  );
}
