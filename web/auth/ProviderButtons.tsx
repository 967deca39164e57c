import { Fragment } from 'react';
import { authorisationAddress } from '../session/openid.ts';
import { useProviders } from '../session/providers.ts';
import { Button } from '../ui/Button.tsx';
import { GoogleSign } from '../ui/Icon.tsx';
import { useFlow } from './flow.ts';
import styles from './ProviderButtons.module.css';

/** “or” and a button for each identity provider; empty when none is configured (PROD-19). */
export function ProviderButtons() {
  const { returnTo = '/profile' } = useFlow().state;
  const providers = useProviders();
  // PKCE needs crypto.subtle, which exists only on https and localhost.
  if (providers.length === 0 || !('subtle' in crypto)) return null;
  return (
    <>
      <p className={styles.or}>or</p>
      {providers.map((provider) => (
        <Fragment key={provider.id}>
          <Button
            look="quiet"
            onClick={async () =>
              window.location.assign(await authorisationAddress(provider, returnTo, sessionStorage))
            }
          >
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
