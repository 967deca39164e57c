import { useEffect, useRef } from 'react';
import type { ProviderId } from '#contract/wire/profile.ts';
import { linkProvider, loginWith } from '../api/auth-calls.ts';
import { ApiError } from '../api/client.ts';
import { getConfig } from '../api/config.ts';
import { messageFor } from '../api/message.ts';
import { navigate } from '../router.tsx';
import { useAuth } from '../session/AuthProvider.tsx';
import { useLoading } from '../session/LoadingProvider.tsx';
import { isBegunBy, type Returned, takeReturn } from '../session/openid-return.ts';
import { nameOf, providersOf } from '../session/providers.ts';
import { AuthFlow } from './AuthFlow.tsx';
import { move } from './flow.ts';
import { next } from './steps.ts';

const NOT_OURS = new ApiError('No code, or a foreign state', 400, undefined);

/**
 * The page to which an identity provider returns. Shows the login step while it exchanges the code
 * (PROD-20), or links the provider (PROD-54).
 */
export function ProviderCallback({ id }: { id: ProviderId }) {
  const { api, enter, endSession, readProfile } = useAuth();
  const { during } = useLoading();
  const started = useRef(false);

  useEffect(() => {
    async function finish(returned: Returned) {
      const { path, email, link, proof } = returned;
      let name = nameOf(id, []);
      try {
        const providers = providersOf(await getConfig(api));
        name = nameOf(id, providers);
        if (!providers.some((one) => one.id === id))
          return goBack(`${name} sign-in is not set up for this site.`);
        if (proof === null) throw NOT_OURS;
        if (link) {
          if (!isBegunBy(returned, await readProfile()))
            return goBack(
              `Another player has signed in meanwhile, so ${name} was not linked. Sign in again to link it.`,
            );
          await linkProvider(api, id, proof);
          // If this read fails, the next one stores the new sign-in methods.
          await readProfile().catch(() => {});
          return navigate(path, { replace: true });
        }
        const answer = await loginWith(api, id, proof);
        if (!isBegunBy(returned, answer.user)) {
          endSession(answer.tokens.refresh);
          return goBack(
            `That is another ${name} account. Choose the one that belongs to this player.`,
          );
        }
        enter(answer);
        move(next('login', answer), path);
      } catch (failure) {
        goBack(messageFor('provider', failure, name));
      }
      // With `link` or `email`, the player is still signed in, so return to `path`.
      function goBack(error: string) {
        if (link || email !== undefined) navigate(path, { replace: true, state: { error } });
        else {
          move(next('login', { failed: error }), path);
          // Login has the error now. Back or a reload must not announce it again.
          window.history.replaceState({ ...window.history.state, error: undefined }, '');
        }
      }
    }
    // React may run an effect twice, but a code works once.
    if (started.current) return;
    started.current = true;
    const returned = takeReturn(id, window.location.search, sessionStorage);
    window.history.replaceState(window.history.state, '', window.location.pathname);
    void during(finish(returned));
  }, [id, api, enter, endSession, readProfile, during]);

  return <AuthFlow start="login" stays />;
}
