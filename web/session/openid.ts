import type { ConfigAnswer } from '#contract/wire/accounts.ts';
import type { ProviderId } from '#contract/wire/profile.ts';
import { Told } from '../api/client.ts';
import { NOT_KEPT, tryToKeep } from '../ui/storage.ts';

/** An identity provider. `stand_in` means that a local program plays it. */
export type Provider = NonNullable<ConfigAnswer['google']> & { id: ProviderId; name: string };

/** Why a signed-in player goes to a provider; empty for an ordinary sign-in. */
type Purpose = {
  /** The e-mail of the player who signs in again or links. */
  email?: string;
  /** Whether to link the provider to the player's account (ACC-50). */
  link?: true;
};

/** Stored in this tab while the player is at the provider (P29a). */
export interface PendingSignIn extends Purpose {
  provider: ProviderId;
  state: string;
  verifier: string;
  nonce: string;
}

export const PENDING_KEY = 'pending_sign_in';
/** 128 bits (P29a). */
const NONCE_BYTES = 16;
/** A PKCE verifier of 32 bytes has 43 characters. */
const VERIFIER_BYTES = 32;
export const HOME = '/profile';

function base64url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replace(/\+/g, '-')
    .replace(/\//g, '_')
    .replace(/=+$/, '');
}

function random(bytes: number): string {
  return base64url(crypto.getRandomValues(new Uint8Array(bytes)));
}

/**
 * Returns `path` if it is on this site, otherwise /profile (P29a). Refuses control characters,
 * because browsers skip tabs and line breaks, so `/<tab>/evil.example` is another site.
 */
export function safePath(path: string): string {
  return /^\/(?![/\\])\P{Cc}*$/u.test(path) ? path : HOME;
}

/**
 * The provider's address for a sign-in (ACC-22). Stores the secrets for
 * `takeReturn` (openid-return.ts).
 * @throws Told when the storage is full (PROD-167)
 */
export async function authorisationAddress(
  { id, client_id, authorization_endpoint, redirect_uri }: Provider,
  returnPath: string,
  storage: Storage,
  purpose: Purpose = {},
): Promise<string> {
  const pending: PendingSignIn = {
    provider: id,
    state: `${random(NONCE_BYTES)}${safePath(returnPath)}`,
    verifier: random(VERIFIER_BYTES),
    nonce: random(NONCE_BYTES),
    ...purpose,
  };
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(pending.verifier));
  if (!tryToKeep(storage, PENDING_KEY, JSON.stringify(pending))) throw new Told(NOT_KEPT);
  const address = new URL(authorization_endpoint);
  const parameters = {
    response_type: 'code',
    client_id,
    redirect_uri,
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
