import { useEffect, useRef } from 'react';
import { loginWithGoogle } from '../api/auth-calls.ts';
import { ApiError } from '../api/client.ts';
import { getConfig } from '../api/config.ts';
import { messageFor } from '../api/message.ts';
import { navigate } from '../router.tsx';
import { useAuth } from '../session/AuthProvider.tsx';
import { type Returned, takeReturn } from '../session/google.ts';
import { useLoading } from '../session/LoadingProvider.tsx';
import { AuthFlow } from './AuthFlow.tsx';
import { move } from './flow.ts';
import { next } from './steps.ts';

const NOT_OURS = new ApiError('No code, or a foreign state', 400, undefined);
const NOT_CONFIGURED = 'Google sign-in is not set up for this site.';
const SOMEBODY_ELSE = 'That is another Google account. Choose the one that belongs to this player.';

/**
 * Google returns to this page, which shows the login step while it exchanges the code (PROD-20).
 */
export function GoogleCallback() {
  const { api, enter, endSession } = useAuth();
  const { during } = useLoading();
  const started = useRef(false);

  useEffect(() => {
    async function finish({ path, email, proof }: Returned) {
      try {
        if ((await getConfig(api)).google === null) return goBack(NOT_CONFIGURED);
        if (proof === null) throw NOT_OURS;
        const answer = await loginWithGoogle(api, proof);
        if (email !== undefined && email !== answer.user.email) {
          endSession(answer.tokens.refresh);
          return goBack(SOMEBODY_ELSE);
        }
        enter(answer);
        move(next('login', answer), path);
      } catch (failure) {
        goBack(messageFor('google', failure));
      }
      // With `email` the player was signed in before, and still is: return to `path`.
      function goBack(error: string) {
        if (email === undefined) move(next('login', { failed: error }), path);
        else navigate(path, { replace: true, state: { error } });
      }
    }
    // A code works only once, but React may run an effect twice.
    if (started.current) return;
    started.current = true;
    const returned = takeReturn(window.location.search, sessionStorage);
    window.history.replaceState(window.history.state, '', window.location.pathname);
    void during(finish(returned));
  }, [api, enter, endSession, during]);

  return <AuthFlow start="login" stays />;
}
