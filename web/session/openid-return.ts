import type { ProofBody } from '#contract/wire/accounts.ts';
import type { ProviderId } from '#contract/wire/profile.ts';
import { HOME, PENDING_KEY, type PendingSignIn, safePath } from './openid.ts';

/* The return from an identity provider; openid.ts has the way to the provider. */

export interface Returned {
  path: string;
  /** As in `PendingSignIn`; undefined for an ordinary sign-in. */
  email: string | undefined;
  link: boolean;
  /**
   * The body of the request for tokens or for the link. Null without a code, or if this tab did not
   * begin the sign-in.
   */
  proof: ProofBody | null;
}

/**
 * Whether `user` may have begun this sign-in. An ordinary sign-in may be anybody's. A sign-in to
 * link a provider, or to sign in again, must be that of the player `email`, because another tab may
 * have signed in another player since (ACC-50).
 */
export function isBegunBy({ email, link }: Returned, user: { email: string }): boolean {
  return email === undefined ? !link : email === user.email;
}

function takePending(storage: Storage): Partial<PendingSignIn> {
  const stored = storage.getItem(PENDING_KEY);
  storage.removeItem(PENDING_KEY);
  try {
    return stored === null ? {} : (JSON.parse(stored) as Partial<PendingSignIn>);
  } catch {
    return {};
  }
}

/**
 * Reads the query of a return from the provider `id` (`?code=…&state=…`). Works once: it removes
 * the stored secrets.
 */
export function takeReturn(id: ProviderId, query: string, storage: Storage): Returned {
  const { provider, state, verifier, nonce, email, link = false } = takePending(storage);
  const given = new URLSearchParams(query);
  const code = given.get('code');
  const began = provider === id && state && given.get('state') === state;
  const ours = code && began && verifier && nonce;
  return {
    path: safePath(state === undefined ? HOME : state.slice(state.indexOf('/'))),
    email,
    link,
    proof: ours ? { code, code_verifier: verifier, nonce } : null,
  };
}
