import { QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { createQueryClient } from '../api/query-client.ts';
import { Link } from '../router.tsx';
import { Board } from '../ui/Board.tsx';
import { titled } from '../ui/brand.ts';
import { Column, Page, Wordmark } from '../ui/Page.tsx';
import styles from './Contest.module.css';
import { useContest } from './queries.ts';
import { Unread } from './Unread.tsx';
import { Visitor } from './Visitor.tsx';

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

/** The page of a contest's code for visitors (CONTEST-12). */
export function Contest({ code }: { code: string }) {
  return (
    <StillQueries>
      <VisitorPage code={code} />
    </StillQueries>
  );
}
