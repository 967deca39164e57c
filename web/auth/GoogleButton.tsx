import { useEffect, useState } from 'react';
import { getConfig, knownConfig } from '../api/config.ts';
import { useAuth } from '../session/AuthProvider.tsx';
import { authorisationAddress, type Google } from '../session/google.ts';
import { Button } from '../ui/Button.tsx';
import { GoogleSign } from '../ui/Icon.tsx';
import { useFlow } from './flow.ts';
import styles from './GoogleButton.module.css';

/** The installation's Google settings; null while they load, or without them. */
function useGoogle(): Google | null {
  const { api } = useAuth();
  const [google, setGoogle] = useState(knownConfig()?.google ?? null);
  useEffect(() => {
    let wanted = true;
    getConfig(api).then(
      (config) => wanted && setGoogle(config.google),
      () => {
        // Without the configuration show no button. E-mail and password still work.
      },
    );
    return () => {
      wanted = false;
    };
  }, [api]);
  return google;
}

/** “or” and the Google button; nothing when Google is not configured (PROD-19). */
export function GoogleButton() {
  const { returnTo = '/profile' } = useFlow().state;
  const google = useGoogle();
  // PKCE needs crypto.subtle, which browsers have only on https and localhost.
  if (google === null || !('subtle' in crypto)) return null;
  return (
    <>
      <p className={styles.or}>or</p>
      <Button
        look="quiet"
        onClick={async () =>
          window.location.assign(await authorisationAddress(google, returnTo, sessionStorage))
        }
      >
        <GoogleSign />
        Sign in with Google
      </Button>
      {google.stand_in && (
        <p className={styles.note}>Demo: a stand-in on this machine plays Google.</p>
      )}
    </>
  );
}
