import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { renderToStaticMarkup } from 'react-dom/server';
import { afterEach, expect, test, vi } from 'vitest';
import { SignIn } from './SignIn.tsx';

afterEach(() => vi.unstubAllGlobals());

const page = (ended: boolean) =>
  renderToStaticMarkup(
    <QueryClientProvider client={new QueryClient()}>
      <SignIn ended={ended} onSignedIn={() => undefined} />
    </QueryClientProvider>,
  );

test.each([true, false])('STAFF-03: an ended session says so, secure address: %s', (secure) => {
  vi.stubGlobal('window', { isSecureContext: secure, location: { hostname: 'court.test' } });
  expect(page(true)).toContain('Your session has ended.');
  expect(page(false)).not.toContain('Your session has ended.');
});
