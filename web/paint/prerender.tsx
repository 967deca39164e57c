import { renderToString } from 'react-dom/server';
import type { ConfigAnswer } from '#contract/accounts.ts';
import { App } from '../App.tsx';
import { setConfig } from '../api/config.ts';
import { ProfileFrame } from '../profile/ProfileSkeleton.tsx';
import { Router } from '../router.tsx';
import { AuthProvider } from '../session/AuthProvider.tsx';

// The local storage is empty, as for somebody who is not signed in.
globalThis.localStorage = { getItem: () => null } as unknown as Storage;

const at = (path: string) => ({ path, query: '', state: null, loaded: true });

/**
 * Renders the login screen of a new visitor as HTML. The build puts this HTML into the page, so
 * that the browser paints the card before any script has run. main.tsx hydrates it. `providers` are
 * the identity providers that have a button.
 */
export function loginScreen(providers: Pick<ConfigAnswer, 'google' | 'oidc'>): string {
  setConfig({ brand: '', support_email: '', min_age: 0, adult_age: 0, ...providers });
  return renderToString(<App start={at('/login')} />);
}

/**
 * Renders the profile's skeleton as HTML. It is shown until the app has rendered a page (boxes.ts).
 */
export function profileFrame(): string {
  return renderToString(
    <Router start={at('/profile')}>
      <AuthProvider>
        <ProfileFrame />
      </AuthProvider>
    </Router>,
  );
}
