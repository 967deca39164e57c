import { renderToString } from 'react-dom/server';
import type { ConfigAnswer } from '#contract/accounts.ts';
import { App } from '../App.tsx';
import { tellConfig } from '../api/config.ts';
import { ProfileFrame } from '../profile/ProfileSkeleton.tsx';
import { Router } from '../router.tsx';
import { AuthProvider } from '../session/AuthProvider.tsx';

// Nobody is signed in where there is nothing stored.
globalThis.localStorage = { getItem: () => null } as unknown as Storage;

const at = (path: string) => ({ path, query: '', state: null, loaded: true });

/**
 * The login screen as HTML, as somebody sees it who comes for the first time: the build puts it into
 * the page, so that the card is painted before any script has run. `google` decides about the button.
 * Nothing of it is read in a browser; there main.tsx takes the same screen over.
 */
export function loginScreen(google: ConfigAnswer['google']): string {
  tellConfig({ brand: '', support_email: '', min_age: 0, google });
  return renderToString(<App start={at('/login')} />);
}

/** The boxes of the profile as HTML, to stand there until the app has painted the true ones. */
export function profileFrame(): string {
  return renderToString(
    <Router start={at('/profile')}>
      <AuthProvider>
        <ProfileFrame />
      </AuthProvider>
    </Router>,
  );
}
