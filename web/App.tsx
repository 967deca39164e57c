import { StrictMode } from 'react';
import { type Location, Router } from './router.tsx';
import { AppRoutes } from './routes.tsx';
import { AuthProvider } from './session/AuthProvider.tsx';
import { LoadingProvider } from './session/LoadingProvider.tsx';
import { ErrorBoundary } from './shell/ErrorPage.tsx';
import { Stage } from './ui/Stage.tsx';

export function App({ start }: { start: Location }) {
  return (
    <StrictMode>
      <ErrorBoundary>
        <Router start={start}>
          <AuthProvider>
            <LoadingProvider>
              <AppRoutes />
              <Stage />
            </LoadingProvider>
          </AuthProvider>
        </Router>
      </ErrorBoundary>
    </StrictMode>
  );
}
