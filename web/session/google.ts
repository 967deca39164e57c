import type { ConfigAnswer, GoogleBody } from '#contract/accounts.ts';

export type Google = NonNullable<ConfigAnswer['google']>;

/** Stored in this tab while the player is at the provider (P29a). */
interface PendingSignIn {
  state: string;
  verifier: string;
  nonce: string;
  email?: string;
}

export interface Returned {
  path: string;
  /** A signed-in player who has to sign in again; undefined for an ordinary sign-in. */
  email: string | undefined;
  /**
   * The body of the request for tokens; null without a code, or if this tab did not begin the
   * sign-in.
   */
  proof: GoogleBody | null;
}

const PENDING_KEY = 'google_sign_in';
/** A nonce has 128 bits; a PKCE verifier of 32 bytes has 43 characters (P29a). */
const NONCE_BYTES = 16;
const VERIFIER_BYTES = 32;
const HOME = '/profile';

function base64url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replace(/\+/g, '-')
    .replace(/\//g, '_')
    .replace(/=+$/, '');
}

function random(bytes: number): string {
  return base64url(crypto.getRandomValues(new Uint8Array(bytes)));
}

/** `path` if it is of this site, else /profile (P29a). */
export function safePath(path: string): string {
  return /^\/(?![/\\])/.test(path) ? path : HOME;
}

/**
 * The provider's address: code flow with state, PKCE S256 and nonce (ACC-22). Stores the secrets in
 * `storage` for `takeReturn`. `email`: the signed-in player who has to sign in again.
 */
export async function authorisationAddress(
  google: Google,
  returnPath: string,
  storage: Storage,
  email?: string,
): Promise<string> {
  const pending: PendingSignIn = {
    state: `${random(NONCE_BYTES)}${safePath(returnPath)}`,
    verifier: random(VERIFIER_BYTES),
    nonce: random(NONCE_BYTES),
    ...(email !== undefined && { email }),
  };
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(pending.verifier));
  storage.setItem(PENDING_KEY, JSON.stringify(pending));
  const address = new URL(google.authorization_endpoint);
  const parameters = {
    response_type: 'code',
    client_id: google.client_id,
    redirect_uri: google.redirect_uri,
    scope: 'openid email profile',
    prompt: 'select_account',
    access_type: 'offline',
    state: pending.state,
    nonce: pending.nonce,
    code_challenge: base64url(new Uint8Array(digest)),
    code_challenge_method: 'S256',
  };
  for (const [name, value] of Object.entries(parameters)) address.searchParams.set(name, value);
  return address.href;
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
 * Reads the query of the provider's return (`?code=…&state=…`). Works once: it removes the secrets
 * of `authorisationAddress`.
 */
export function takeReturn(query: string, storage: Storage): Returned {
  const { state, verifier, nonce, email } = takePending(storage);
  const given = new URLSearchParams(query);
  const code = given.get('code');
  const ours = code && state && verifier && nonce && given.get('state') === state;
  return {
    path: safePath(state === undefined ? HOME : state.slice(state.indexOf('/'))),
    email,
    proof: ours ? { code, code_verifier: verifier, nonce } : null,
  };
}
