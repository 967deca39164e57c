import { renderToString } from 'react-dom/server';
import type { ConfigAnswer } from '#contract/wire/accounts.ts';
import { App } from '../App.tsx';
import { setConfig } from '../api/config.ts';
import { ProfileFrame } from '../profile/ProfileSkeleton.tsx';
import { Router } from '../router.tsx';
import { AuthProvider } from '../session/AuthProvider.tsx';

// The local storage is empty, as for a visitor.
globalThis.localStorage = { getItem: () => null } as unknown as Storage;

const at = (path: string) => ({ path, query: '', state: null, loaded: true });

/**
 * Renders a new visitor's login page as HTML. The build puts it into #root, so that the card
 * is painted before any script runs. main.tsx hydrates it. `providers` are those with a button.
 */
export function loginPage(providers: Pick<ConfigAnswer, 'google' | 'oidc'>): string {
  setConfig({ brand: '', support_email: '', min_age: 0, adult_age: 0, ...providers });
  return renderToString(<App start={at('/login')} />);
}

/** The profile's skeleton as HTML, shown until the app has rendered a page (boxes.ts). */
export function profileFrame(): string {
  return renderToString(
    <Router start={at('/profile')}>
      <AuthProvider>
        <ProfileFrame />
      </AuthProvider>
    </Router>,
  );
}
