import type { ConfigAnswer, GoogleBody } from '#contract/accounts.ts';

/** What this installation says about Google sign-in, when it offers it. */
export type Google = NonNullable<ConfigAnswer['google']>;

/** What is kept in this tab while the player is away at the provider (P29a). */
interface Begun {
  state: string;
  verifier: string;
  nonce: string;
  email?: string;
}

/** The player is back from the provider. */
export interface Returned {
  /** A path of this site. */
  path: string;
  /** Who has to come back: somebody who is signed in and proves once more who they are. */
  email: string | undefined;
  /** What the server takes for a sign-in; null without a code, and when the state is not ours. */
  proof: GoogleBody | null;
}

const BEGUN_KEY = 'google_sign_in';
/** P29a: the state's nonce has 128 bits; a PKCE verifier of 32 bytes has 43 characters. */
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

/** The return path if it is a path of this site, else /profile (P29a). */
export function safePath(path: string): string {
  return /^\/(?![/\\])/.test(path) ? path : HOME;
}

/**
 * The provider's address to send the browser to: code flow with state, PKCE S256 and nonce
 * (contract 2, 'Google'). What has to be compared on return goes into `storage`; with an `email`
 * nobody else may come back.
 */
export async function authorisationAddress(
  google: Google,
  returnPath: string,
  storage: Storage,
  email?: string,
): Promise<string> {
  const begun: Begun = {
    state: `${random(NONCE_BYTES)}${safePath(returnPath)}`,
    verifier: random(VERIFIER_BYTES),
    nonce: random(NONCE_BYTES),
    ...(email !== undefined && { email }),
  };
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(begun.verifier));
  storage.setItem(BEGUN_KEY, JSON.stringify(begun));
  const address = new URL(google.authorization_endpoint);
  const parameters = {
    response_type: 'code',
    client_id: google.client_id,
    redirect_uri: google.redirect_uri,
    scope: 'openid email profile',
    prompt: 'select_account',
    access_type: 'offline',
    state: begun.state,
    nonce: begun.nonce,
    code_challenge: base64url(new Uint8Array(digest)),
    code_challenge_method: 'S256',
  };
  for (const [name, value] of Object.entries(parameters)) address.searchParams.set(name, value);
  return address.href;
}

function takeBegun(storage: Storage): Partial<Begun> {
  const kept = storage.getItem(BEGUN_KEY);
  storage.removeItem(BEGUN_KEY);
  try {
    return kept === null ? {} : (JSON.parse(kept) as Partial<Begun>);
  } catch {
    return {};
  }
}

/**
 * What the provider's return address (`?code=…&state=…`) brings to this tab. What was kept is gone
 * afterwards: it works once.
 */
export function takeReturn(query: string, storage: Storage): Returned {
  const { state, verifier, nonce, email } = takeBegun(storage);
  const given = new URLSearchParams(query);
  const code = given.get('code');
  const ours = code && state && verifier && nonce && given.get('state') === state;
  return {
    path: safePath(state === undefined ? HOME : state.slice(state.indexOf('/'))),
    email,
    proof: ours ? { code, code_verifier: verifier, nonce } : null,
  };
}
