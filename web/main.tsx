import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { ErrorBoundary } from './ErrorScreen.tsx';
import { Router } from './router.tsx';
import { AppRoutes } from './routes.tsx';
import { AuthProvider } from './session/AuthProvider.tsx';
import { LoadingProvider } from './session/LoadingProvider.tsx';
import { Stage } from './ui/Stage.tsx';
import './styles/tokens.css';
import './styles/global.css';

const root = document.getElementById('root');
if (root === null) throw new Error('index.html has no #root');

createRoot(root).render(
  <StrictMode>
    <ErrorBoundary>
      <Router>
        <AuthProvider>
          <LoadingProvider>
            <AppRoutes />
            <Stage />
          </LoadingProvider>
        </AuthProvider>
      </Router>
    </ErrorBoundary>
  </StrictMode>,
);
