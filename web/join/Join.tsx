import { QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { isLimited } from '../api/client.ts';
import { messageFor } from '../api/message.ts';
import { createQueryClient } from '../api/query-client.ts';
import { Link, Redirect } from '../router.tsx';
import { useAuth } from '../session/AuthProvider.tsx';
import { Failure } from '../shell/Failure.tsx';
import { LiveQueries, useProfileRead } from '../shell/LiveQueries.tsx';
import { Board } from '../ui/Board.tsx';
import { Button } from '../ui/Button.tsx';
import { titled } from '../ui/brand.ts';
import { useDelayed } from '../ui/delayed.ts';
import { Column, Page, Wordmark } from '../ui/Page.tsx';
import { Skeleton } from '../ui/Skeleton.tsx';
import { CodeForm } from './CodeForm.tsx';
import styles from './Join.module.css';
import { useJoining, useJoinPage } from './queries.ts';
import { Team } from './Team.tsx';

function TeamSkeleton() {
  return (
    <>
      <div role="status" className="sr">
        Loading
      </div>
      <div aria-hidden="true" className={styles.skeleton}>
        <Skeleton width="60%" height="1rem" />
        <Skeleton width="90%" height="3rem" />
        <Skeleton width="50%" height="1rem" />
        <Skeleton height="12rem" radius="var(--r-lg)" />
      </div>
    </>
  );
}

function Card({ code }: { code: string }) {
  const { hasAccess } = useAuth();
  const query = useJoinPage(code);
  const joining = useJoining(code);
  const waiting = useDelayed(query.isLoading);
  const { data, error } = query;
  const form = code === '' || data === null || (data === undefined && isLimited(error));
  return (
    <Board swishes={joining.join.data?.state === 'joined' ? 1 : 0}>
      {form && (
        <CodeForm
          tried={code}
          error={error === null ? null : messageFor('anything', error)}
          signedIn={hasAccess}
          again={() => void query.refetch()}
        />
      )}
      {!form && waiting && <TeamSkeleton />}
      {!form && data === undefined && error !== null && (
        <div className={styles.form}>
          <Failure error={error} />
          <Button onClick={() => void query.refetch()}>Try again</Button>
        </div>
      )}
      {data && <Team page={data} code={code} joining={joining} />}
    </Board>
  );
}

function Frame({ children }: { children: ReactNode }) {
  return (
    <Page>
      <title>{titled('Join')}</title>
      <Column className={styles.page}>
        <div className={styles.logo}>
          <Link to="/">
            <Wordmark height={40} />
          </Link>
        </div>
        {children}
      </Column>
    </Page>
  );
}

/** Reads the profile, which has the player's team. */
function PlayerCard({ code }: { code: string }) {
  useProfileRead();
  return <Card code={code} />;
}

/** A query cache without an event stream, because a visitor gets no events. */
function StillQueries({ children }: { children: ReactNode }) {
  const [client] = useState(createQueryClient);
  return <QueryClientProvider client={client}>{children}</QueryClientProvider>;
}

/** The page of a team's code, for players and visitors (PROD-94 to PROD-96). */
export function Join({ code }: { code: string }) {
  const { hasAccess } = useAuth();
  if (hasAccess && code === '') return <Redirect to="/league" />;
  return (
    <Frame>
      {hasAccess ? (
        <LiveQueries>
          <PlayerCard code={code} />
        </LiveQueries>
      ) : (
        <StillQueries>
          <Card code={code} />
        </StillQueries>
      )}
    </Frame>
  );
}
