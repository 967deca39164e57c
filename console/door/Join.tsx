import { startRegistration } from '@simplewebauthn/browser';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { DEVICE_NAME_MAX, type Role } from '#contract/rules/staff.ts';
import type { LinkShown } from '#contract/wire/staff.ts';
import { linkOptions, readLink, registerByLink, sessionByLink } from '../api/calls.ts';
import { ApiError } from '../api/client.ts';
import { useChange } from '../api/queries.ts';
import { navigate } from '../router.tsx';
import { Button } from '../ui/Button.tsx';
import { Field } from '../ui/Field.tsx';
import { KeyIcon } from '../ui/Icon.tsx';
import { Failed, Note } from '../ui/Notice.tsx';
import { dayAndTime } from '../ui/times.ts';
import { Door } from './Door.tsx';

const ROLE_IN_WORDS: Record<Role, string> = {
  floor: 'Floor staff',
  manager: 'Manager',
  owner: 'Owner',
};

function guessDevice(): string {
  const agent = navigator.userAgent;
  if (/iPad|Tablet|Android(?!.*Mobile)/.test(agent)) return 'Tablet';
  const small = window.matchMedia('(pointer: coarse) and (max-width: 37.5em)').matches;
  if (small || /iPhone|Android/.test(agent)) return 'Phone';
  return 'Computer';
}

/** A one-time link's secret, removed from the address before any request (P61). */
export function takeLink(): string {
  const token = window.location.hash.slice(1);
  window.history.replaceState(null, '', window.location.pathname);
  // A second link in the same tab changes only the part after the #, which loads no page.
  window.addEventListener('hashchange', () => window.location.reload());
  return token;
}

/** Opening this page does not use up the link; only its button does (P61). */
export function Join({ token, onSignedIn }: { token: string; onSignedIn: () => void }) {
  const link = useQuery({
    queryKey: ['link'],
    queryFn: () => readLink(token),
    enabled: token !== '',
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  const used = link.error instanceof ApiError && [400, 404].includes(link.error.status);
  if (token === '' || used) return <LinkUsed />;
  if (link.data) return <Invitation token={token} link={link.data} onSignedIn={onSignedIn} />;
  return (
    <Door title="One moment">
      {link.isError && (
        <Failed
          what="The link was not read"
          error={link.error}
          kept="It is not used up."
          onAgain={() => void link.refetch()}
        />
      )}
    </Door>
  );
}

function LinkUsed() {
  return (
    <Door title="This link is used">
      <p className="lead">Or older than a day. Each link sets up one device, once.</p>
      <p>
        Was it you? Sign in with the passkey of that device. Was it not? Tell an owner now: they can
        remove it.
      </p>
      <a className="btn btn--primary btn--lg btn--full" href="/console/">
        Go to sign in
      </a>
      <hr className="rule" />
      <p className="sm">Ask an owner for a new link.</p>
    </Door>
  );
}

function Invitation({
  token,
  link,
  onSignedIn,
}: {
  token: string;
  link: LinkShown;
  onSignedIn: () => void;
}) {
  const [device, setDevice] = useState(guessDevice);
  const passkeys = link.passkeys && window.isSecureContext;
  const join = useChange(
    async () => {
      const name = device.trim() || guessDevice();
      if (!passkeys) return sessionByLink(token, name);
      const options = await linkOptions(token);
      const response = await startRegistration({
        optionsJSON: options,
      });
      return registerByLink(token, name, response);
    },
    {
      onDone: () => {
        navigate('/console/', { replace: true });
        onSignedIn();
      },
    },
  );
  if (join.error instanceof ApiError && join.error.status === 404) return <LinkUsed />;
  const places = [...link.venues, ...link.leagues].join(', ');
  return (
    <Door title={`Hello ${link.name.split(' ')[0]}`}>
      <p className="lead">
        <b>{ROLE_IN_WORDS[link.role]}</b>
        {places !== '' && (
          <>
            {' '}
            at <b>{places}</b>
          </>
        )}
        , invited by {link.invited_by === 'Command line' ? 'the operator' : link.invited_by}.
      </p>
      {passkeys ? (
        <p>
          Set up your passkey on this device. From then on you sign in with its screen lock: no
          password to remember, none to steal.
        </p>
      ) : (
        <Note>
          <b>No passkey here.</b> Browsers offer them over https only. This link opens the console
          on this device for 12 hours; after that you need another one.
        </Note>
      )}
      {join.isError && (
        <Failed
          what={passkeys ? 'No passkey was made' : 'Not signed in'}
          error={
            join.error instanceof ApiError || !passkeys
              ? join.error
              : new ApiError(400, { detail: 'the browser gave up.' })
          }
          kept="The link still works. Try again."
        />
      )}
      <form
        className="form"
        onSubmit={(event) => {
          event.preventDefault();
          if (!join.isPending) join.mutate(undefined);
        }}
      >
        <Field
          label="What do you call this device?"
          help="So that an owner knows which one to remove when it is lost."
          value={device}
          maxLength={DEVICE_NAME_MAX}
          onChange={(event) => setDevice(event.target.value)}
        />
        <Button look="primary lg full" type="submit" busy={join.isPending}>
          <KeyIcon />
          {passkeys ? 'Set up your passkey on this device' : 'Open the console for 12 hours'}
        </Button>
      </form>
      <p className="sm">This link works once, until {dayAndTime(link.valid_until)}.</p>
    </Door>
  );
}
