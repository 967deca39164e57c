import { AsyncLocalStorage } from 'node:async_hooks';
import {
  allowInsecureRequests,
  authorizationCodeGrant,
  type ClientAuth,
  ClientError,
  type ClientMetadata,
  ClientSecretBasic,
  ClientSecretPost,
  Configuration,
  type CustomFetch,
  customFetch,
  type DiscoveryRequestOptions,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
  type IDToken,
  ResponseBodyError,
} from 'openid-client';
import type { ProviderBody } from '#contract/wire/accounts.ts';
import type { ProviderId } from '#contract/wire/profile.ts';
import { type Config, GOOGLE_ISSUER, isLocalIssuer, isSameIssuer } from '../config.ts';
import { GOOGLE_ISSUER_PLAIN } from '../players/identities.ts';

/** A provider must answer within this time (P29d). */
export const TIMEOUT_S = 5;
const ANSWER_MAX_BYTES = 64 * 1024;
/** How far a provider's clock may be off; openid-client's default. */
export const SKEW_S = 30;

/** Google's metadata is fixed, so that Backboard can start while Google is unreachable (REL-12). */
const GOOGLE = {
  issuer: GOOGLE_ISSUER,
  authorization_endpoint: 'https://accounts.google.com/o/oauth2/v2/auth',
  token_endpoint: 'https://oauth2.googleapis.com/token',
  jwks_uri: 'https://www.googleapis.com/oauth2/v3/certs',
};
type Kept = { body: Uint8Array<ArrayBuffer> | null; status: number; headers: Headers };
/**
 * A sign-in's POST responses, by URL. `redeem` may need the token endpoint's response twice, but
 * the endpoint accepts a code only once.
 */
const redeemed = new AsyncLocalStorage<Map<string, Kept>>();

async function readBounded(url: string, options: object): Promise<Kept> {
  const response = await fetch(url, { ...options, redirect: 'manual' } as RequestInit);
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of response.body ?? []) {
    size += part.length;
    if (size > ANSWER_MAX_BYTES) throw new Error('The answer is too long.');
    parts.push(part);
  }
  const { status, headers } = response;
  return { body: size === 0 ? null : Buffer.concat(parts), status, headers };
}

/** A fetch that follows no redirects and limits the response's size (P29d). */
const boundedFetch: CustomFetch = async (url, options) => {
  const kept = options.method === 'POST' ? redeemed.getStore() : undefined;
  const answer = kept?.get(url) ?? (await readBounded(url, options));
  kept?.set(url, answer);
  return new Response(answer.body, answer);
};

export type ProviderSettings = NonNullable<Config['google']>;

function authenticationWith(secret: string): ClientAuth {
  const [basic, post] = [ClientSecretBasic(secret), ClientSecretPost(secret)];
  return (server, ...rest) => {
    const listed = server.token_endpoint_auth_methods_supported ?? [];
    return (listed.includes('client_secret_post') ? post : basic)(server, ...rest);
  };
}

/** @throws if the metadata names another issuer than the settings, or a URL without https. */
async function discover(
  issuer: string,
  client_id: string,
  client: Partial<ClientMetadata>,
  options: DiscoveryRequestOptions,
): Promise<Configuration> {
  const secret = authenticationWith(String(client.client_secret));
  const provider = await discovery(new URL(issuer), client_id, client, secret, options);
  const found = provider.serverMetadata();
  // For some hosts, the library does not compare issuers.
  if (!isSameIssuer(found.issuer, issuer))
    throw new Error(`The provider calls itself ${found.issuer}.`);
  // Only browsers open this URL; the library does not check it.
  const page = URL.parse(found.authorization_endpoint ?? '');
  if (page?.protocol !== 'https:' && !(isLocalIssuer(issuer) && page?.protocol === 'http:'))
    throw new Error(`The sign-in page of ${found.issuer} has no https address.`);
  return provider;
}

/**
 * The library's configuration for a provider. Google and its stand-in must sign with RS256 (P29b),
 * other providers with an algorithm that their metadata lists.
 */
async function configure(
  id: ProviderId,
  { issuer, client_id, client_secret }: ProviderSettings,
  expectedIssuer: string,
): Promise<Configuration> {
  const client = {
    client_secret,
    ...(id === 'google' && { id_token_signed_response_alg: 'RS256' }),
  };
  const execute = [
    enableNonRepudiationChecks,
    ...(isLocalIssuer(issuer) ? [allowInsecureRequests] : []),
  ];
  if (issuer !== GOOGLE_ISSUER) {
    const options = { [customFetch]: boundedFetch, timeout: TIMEOUT_S, execute };
    return discover(issuer, client_id, client, options);
  }
  const authentication = ClientSecretPost(client_secret);
  const server = { ...GOOGLE, issuer: expectedIssuer };
  const provider = new Configuration(server, client_id, client, authentication);
  provider[customFetch] = boundedFetch;
  provider.timeout = TIMEOUT_S;
  for (const change of execute) change(provider);
  return provider;
}

/** Whether `error` says that a token has Google's issuer without `https://`. */
function namesPlainIssuer(error: unknown): boolean {
  const compared =
    error instanceof ClientError && error.cause instanceof Error && error.cause.cause;
  const { claim, claims } = Object(compared);
  return claim === 'iss' && claims.iss === GOOGLE_ISSUER_PLAIN;
}

export type Provider = {
  authorization_endpoint: string | undefined;
  /**
   * Exchanges a code for the id_token's claims, with all checks of P29b except the age. `iss`
   * always has a scheme, as in a stored identity's key.
   * @throws an error that `isRefusal` classifies.
   */
  redeem(redirectUri: string, body: ProviderBody): Promise<object | undefined>;
};

async function withAddress(
  by: Configuration,
  access: string,
  claims: IDToken | undefined,
): Promise<object | undefined> {
  if (claims === undefined || claims.email !== undefined) return claims;
  if (by.serverMetadata().userinfo_endpoint === undefined) return claims;
  const { email, email_verified } = await fetchUserInfo(by, access, claims.sub);
  return { ...claims, email, email_verified };
}

/**
 * Describes the provider of `settings`; fetches metadata, except Google's.
 * @throws any error if the metadata is unusable.
 */
export async function describeProvider(
  id: ProviderId,
  settings: ProviderSettings,
): Promise<Provider> {
  const configuration = await configure(id, settings, settings.issuer);
  const plain =
    settings.issuer === GOOGLE_ISSUER ? await configure(id, settings, GOOGLE_ISSUER_PLAIN) : null;

  async function redeemBy(
    by: Configuration,
    redirectUri: string,
    { code, code_verifier, nonce }: ProviderBody,
  ) {
    const answer = new URL(redirectUri);
    answer.searchParams.set('code', code);
    // The library demands `iss` against mix-up attacks. Here, separate redirect URLs prevent these
    // attacks, so pass the provider's own issuer.
    answer.searchParams.set('iss', by.serverMetadata().issuer);
    const tokens = await authorizationCodeGrant(by, answer, {
      idTokenExpected: true,
      ...(code_verifier === undefined ? {} : { pkceCodeVerifier: code_verifier }),
      ...(nonce === undefined ? {} : { expectedNonce: nonce }),
    });
    return withAddress(by, tokens.access_token, tokens.claims());
  }

  return {
    authorization_endpoint: configuration.serverMetadata().authorization_endpoint,
    redeem: (redirectUri, body) =>
      redeemed.run(new Map(), async () => {
        try {
          return await redeemBy(configuration, redirectUri, body);
        } catch (error) {
          if (plain === null || !namesPlainIssuer(error)) throw error;
          const claims = await redeemBy(plain, redirectUri, body);
          return { ...claims, iss: settings.issuer };
        }
      }),
  };
}

/** Whether `error` means an invalid code or token. Otherwise the provider is unusable. */
export function isRefusal(error: unknown): boolean {
  if (error instanceof ResponseBodyError)
    return ['invalid_grant', 'invalid_request'].includes(error.error);
  return (
    error instanceof ClientError &&
    [
      'OAUTH_INVALID_RESPONSE',
      'OAUTH_JWT_CLAIM_COMPARISON_FAILED',
      'OAUTH_JWT_TIMESTAMP_CHECK_FAILED',
      'OAUTH_KEY_SELECTION_FAILED',
      'OAUTH_UNSUPPORTED_OPERATION',
    ].includes(error.code ?? '')
  );
}

/** Settles as `work` does, but rejects after `seconds`. */
export async function withinSeconds<T>(seconds: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, fail) => {
    timer = setTimeout(() => fail(new Error('The provider is too slow.')), seconds * 1000);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}
