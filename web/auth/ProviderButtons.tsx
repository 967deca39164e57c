import { Fragment, useState } from 'react';
import { messageFor } from '../api/message.ts';
import { authorisationAddress, type Provider } from '../session/openid.ts';
import { canUseProviders, useProviders } from '../session/providers.ts';
import { Button } from '../ui/Button.tsx';
import { FormError } from '../ui/FormError.tsx';
import { useHydrated } from '../ui/hydrated.ts';
import { GoogleSign } from '../ui/Icon.tsx';
import { useFlow } from './flow.ts';
import styles from './ProviderButtons.module.css';

/** “or” and a button for each identity provider; empty when none is configured (PROD-19). */
export function ProviderButtons() {
  const { home } = useFlow();
  const providers = useProviders();
  const [problem, setProblem] = useState<string | null>(null);
  const hydrated = useHydrated();
  if (providers.length === 0 || (hydrated && !canUseProviders())) return null;
  async function goTo(provider: Provider) {
    try {
      window.location.assign(await authorisationAddress(provider, home, sessionStorage));
    } catch (error) {
      setProblem(messageFor('provider', error, provider.name));
    }
  }
  return (
    <>
      <p className={styles.or}>or</p>
      {problem && <FormError>{problem}</FormError>}
      {providers.map((provider) => (
        <Fragment key={provider.id}>
          <Button look="quiet" onClick={() => void goTo(provider)}>
            {provider.id === 'google' && <GoogleSign />}
            {`Sign in with ${provider.name}`}
          </Button>
          {provider.stand_in && (
            <p className={styles.note}>Demo: a stand-in on this machine plays Google.</p>
          )}
        </Fragment>
      ))}
    </>
  );
}
