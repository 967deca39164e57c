import { useEffect, useRef, useState } from 'react';
import { CHOOSE_PASSWORD_FIRST } from '#contract/rules/password.ts';
import type { ProviderId, User } from '#contract/wire/profile.ts';
import { useAuth } from '../session/AuthProvider.tsx';
import { authorisationAddress, type Provider } from '../session/openid.ts';
import { canUseProviders, nameOf, useProviders } from '../session/providers.ts';
import { Failure } from '../shell/Failure.tsx';
import { Button } from '../ui/Button.tsx';
import { FormError } from '../ui/FormError.tsx';
import { Notice } from '../ui/Notice.tsx';
import { Panel } from '../ui/Panel.tsx';
import { serverNow } from '../ui/server-clock.ts';
import styles from './Account.module.css';
import { useSessions } from './queries.ts';
import { RemoveProvider } from './RemoveProvider.tsx';

/** How long after the sign-in a provider can be linked (ACC-50). */
const LINK_AGE_MAX_MS = 60 * 60_000;
const SIGN_IN_AGAIN = 'Sign in again to link another way of signing in.';

/**
 * The provider from which the player returns. `problem` says why the link failed, or is null.
 */
export type LinkReturn = { id: ProviderId; problem: string | null };

/** The path that ProviderCallback opens after linking. */
const returnPath = (id: ProviderId) => `/account?linked=${id}`;

/** Reads an address of `returnPath`, with the router's state; null for any other. */
export function linkReturnAt(query: string, state: unknown): LinkReturn | null {
  const id = (['google', 'oidc'] as const).find((one) => query === `?linked=${one}`);
  if (id === undefined) return null;
  const failed = typeof state === 'object' && state !== null && 'error' in state;
  return { id, problem: failed ? String(state.error) : null };
}

/** The ways to sign in as a sentence, such as “With your password, with Google or with Acme.” */
export function methodsText(names: string[]): string {
  const withs = names.map((name) => `with ${name}`);
  const all = [withs.slice(0, -1).join(', '), withs.at(-1) ?? ''].filter(Boolean).join(' or ');
  return `${all.charAt(0).toUpperCase()}${all.slice(1)}.`;
}

/** A button for each provider that is not linked (ACC-50). */
function LinkButtons({ providers, email }: { providers: Provider[]; email: string }) {
  const { signInAgain } = useAuth();
  const current = useSessions().data?.find((one) => one.current);
  const [isTooOld, setTooOld] = useState(false);
  const [failure, setFailure] = useState<unknown>(null);

  async function link(provider: Provider) {
    if (current && serverNow() - Date.parse(current.created_at) > LINK_AGE_MAX_MS)
      return setTooOld(true);
    const purpose = { link: true, email } as const;
    const path = returnPath(provider.id);
    try {
      window.location.assign(await authorisationAddress(provider, path, sessionStorage, purpose));
    } catch (error) {
      setFailure(error);
    }
  }

  if (isTooOld)
    return (
      <>
        <div className={styles.notes}>
          <FormError>{SIGN_IN_AGAIN}</FormError>
        </div>
        <Button look="quiet" onClick={() => signInAgain('/account')}>
          Sign in again
        </Button>
      </>
    );
  return (
    <>
      {failure !== null && <Failure error={failure} />}
      {providers.map((provider) => (
        <Button key={provider.id} look="quiet" onClick={() => void link(provider)}>
          {`Link ${provider.name}`}
        </Button>
      ))}
    </>
  );
}

/** How the player signs in, if there is any identity provider (PROD-54). */
export function SignInMethods({ user, returned }: { user: User; returned: LinkReturn | null }) {
  const { readProfile } = useAuth();
  const providers = useProviders();
  const [removing, setRemoving] = useState<ProviderId | null>(null);
  const [removed, setRemoved] = useState<ProviderId[]>([]);
  const [note, setNote] = useState<string | null>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  // Focus the heading, because the Remove button is gone. This runs after the dialog has closed.
  useEffect(() => {
    if (removed.length > 0) heading.current?.focus();
  }, [removed]);
  // Set the note in an effect: screen readers announce only what appears after the page.
  const linkedNow = returned?.problem === null ? nameOf(returned.id, providers) : null;
  useEffect(() => {
    if (linkedNow !== null) setNote(`${linkedNow} was linked.`);
  }, [linkedNow]);
  const methods = user.sign_in_methods.filter((one) => !removed.some((id) => id === one));
  const linked = methods.filter((method) => method !== 'password');
  const byPassword = methods.includes('password');
  const linkable = providers.filter(({ id }) => !linked.includes(id));
  if (linked.length + linkable.length + removed.length === 0) return null;

  function onDone(id: ProviderId) {
    setRemoving(null);
    setRemoved([...removed, id]);
    setNote(`${nameOf(id, providers)} was removed.`);
    // If this read fails, the next one stores the new sign-in methods.
    readProfile().catch(() => {});
  }

  const names = methods.map((one) =>
    one === 'password' ? 'your password' : nameOf(one, providers),
  );
  return (
    <Panel title="How I sign in" heading={heading}>
      <div className={styles.body}>
        <p>{methodsText(names)}</p>
        <div className={styles.notes}>
          {returned?.problem && <FormError>{returned.problem}</FormError>}
          <Notice>{note}</Notice>
        </div>
        {byPassword &&
          linked.map((id) => (
            <Button key={id} look="quiet" onClick={() => setRemoving(id)}>
              {`Remove ${nameOf(id, providers)}`}
            </Button>
          ))}
        {!byPassword && <p className={styles.small}>{CHOOSE_PASSWORD_FIRST}</p>}
        {canUseProviders() && <LinkButtons providers={linkable} email={user.email} />}
      </div>
      {removing && (
        <RemoveProvider
          provider={{ id: removing, name: nameOf(removing, providers) }}
          email={user.email}
          onClose={() => setRemoving(null)}
          onDone={() => onDone(removing)}
        />
      )}
    </Panel>
  );
}
