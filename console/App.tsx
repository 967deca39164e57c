import { QueryClientProvider, useQuery } from '@tanstack/react-query';
import { StrictMode, useEffect, useRef } from 'react';
import { JOIN_PAGE } from '#contract/rules/console-pages.ts';
import { readMe } from './api/calls.ts';
import { isSignedOut } from './api/client.ts';
import { ME, makeQueryClient } from './api/queries.ts';
import { Door } from './door/Door.tsx';
import { Join, takeLink } from './door/Join.tsx';
import { SignIn } from './door/SignIn.tsx';
import { Router, useLocation } from './router.tsx';
import { Pages } from './routes.tsx';
import { MeProvider } from './session/me.tsx';
import { VenueProvider } from './session/venue.tsx';
import { ConnectionProvider } from './shell/connection.tsx';
import { ErrorBoundary } from './shell/ErrorBoundary.tsx';
import { Shell } from './shell/Shell.tsx';
import { Failed } from './ui/Notice.tsx';

// Before any request, `takeLink` removes the link's secret from the address bar (P61).
const link = window.location.pathname === JOIN_PAGE ? takeLink() : null;

// The sign-in page then appears.
const client = makeQueryClient(() => client.setQueryData(ME, null));

function Console() {
  const { path } = useLocation();
  const me = useQuery({
    queryKey: ME,
    queryFn: () =>
      readMe().catch((error: unknown) => {
        if (isSignedOut(error)) return null;
        throw error;
      }),
    meta: { topics: ['staff'] },
    enabled: path !== JOIN_PAGE,
  });
  const readAgain = () => void me.refetch();
  /** Whether somebody was signed in on this page. */
  const wasIn = useRef(false);
  if (me.data) wasIn.current = true;
  const signedOut = me.data === null;
  useEffect(() => {
    // Remove the person's data: somebody else may sign in next.
    if (signedOut) client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== ME[0] });
  }, [signedOut]);
  if (path === JOIN_PAGE) return <Join token={link ?? ''} onSignedIn={readAgain} />;
  if (me.data)
    return (
      <MeProvider me={me.data}>
        <ConnectionProvider>
          <VenueProvider>
            <Shell>
              <Pages key={path} />
            </Shell>
          </VenueProvider>
        </ConnectionProvider>
      </MeProvider>
    );
  if (signedOut) return <SignIn ended={wasIn.current} onSignedIn={readAgain} />;
  if (me.isError)
    return (
      <Door title="No connection">
        <Failed what="The console was not opened" error={me.error} onAgain={readAgain} />
      </Door>
    );
  return null;
}

export function App() {
  return (
    <StrictMode>
      <ErrorBoundary>
        <QueryClientProvider client={client}>
          <Router>
            <Console />
          </Router>
        </QueryClientProvider>
      </ErrorBoundary>
    </StrictMode>
  );
}
