import { startAuthentication } from '@simplewebauthn/browser';
import { signIn, signInOptions } from '../api/calls.ts';
import { CannotReach } from '../api/client.ts';
import { useChange } from '../api/queries.ts';
import { Button } from '../ui/Button.tsx';
import { AlertIcon, KeyIcon, LockIcon } from '../ui/Icon.tsx';
import { Failed } from '../ui/Notice.tsx';
import { Door } from './Door.tsx';

/** Opens a session with a passkey of this site (P60). */
async function usePasskeyOfThisSite(): Promise<void> {
  const options = await signInOptions();
  const response = await startAuthentication({
    optionsJSON: options,
  });
  await signIn(response);
}

const Ended = () => (
  <p className="lead" role="alert">
    Your session has ended. Sign in to go on.
  </p>
);

/** Over plain http, browsers offer no passkeys (STAFF-04). */
function NotSecure({ ended }: { ended: boolean }) {
  const secure = `https://${window.location.hostname}/console/`;
  return (
    <Door title="Not a secure address" focus={ended}>
      {ended && <Ended />}
      <div className="notice">
        <LockIcon />
        <div>
          This page came over <b>http</b>. Browsers offer passkeys over <b>https</b> only, so nobody
          can sign in here with one.
        </div>
      </div>
      <a className="btn btn--primary btn--lg btn--full" href={secure}>
        Open the secure address
      </a>
      <p className="sm anywhere">{secure}</p>
      <hr className="rule" />
      <p className="sm">
        No secure address yet? A link from an owner opens the console here for 12 hours. The person
        who runs the server can set up https: “Running the server” in the operating guide. On the
        server itself, http://localhost works as well.
      </p>
    </Door>
  );
}

/**
 * `ended`: the person's session ended on this page. Every failure except a lost connection shows the
 * same sentence (STAFF-03).
 */
export function SignIn({ ended, onSignedIn }: { ended: boolean; onSignedIn: () => void }) {
  const attempt = useChange(usePasskeyOfThisSite, { onDone: onSignedIn });
  if (!window.isSecureContext) return <NotSecure ended={ended} />;
  return (
    <Door
      title="Sign in"
      focus={ended}
      foot={
        <>
          You play here? <a href="/login">Sign in as a player</a>
        </>
      }
    >
      {attempt.error instanceof CannotReach ? (
        <Failed what="Not signed in" error={attempt.error} />
      ) : attempt.isError ? (
        <div className="notice notice--bad" role="alert">
          <AlertIcon />
          <div>
            <b>No passkey was used.</b> Nothing has changed. Try again, or ask an owner for a new
            link.
          </div>
        </div>
      ) : ended ? (
        <Ended />
      ) : (
        <p className="lead">For the people who run the venue.</p>
      )}
      <Button look="primary lg full" busy={attempt.isPending} onClick={() => attempt.mutate()}>
        <KeyIcon />
        Sign in with a passkey
      </Button>
      <hr className="rule" />
      <p className="sm">
        <b className="ink">Lost this device, or a new one?</b> Ask an owner for a new link.
      </p>
    </Door>
  );
}
