import { AsyncLocalStorage } from 'node:async_hooks';
import {
  allowInsecureRequests,
  authorizationCodeGrant,
  ClientError,
  ClientSecretPost,
  Configuration,
  type CustomFetch,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  ResponseBodyError,
} from 'openid-client';
import type { GoogleBody } from '#contract/accounts.ts';
import { type Config, GOOGLE_ISSUER } from '../config.ts';

/** P29d */
export const TIMEOUT_S = 5;
const ANSWER_MAX_BYTES = 64 * 1024;
/** openid-client's default clock tolerance. */
export const SKEW_S = 30;

/** Google's metadata is built in: Backboard starts without reaching Google (REL-12). */
const GOOGLE = {
  issuer: GOOGLE_ISSUER,
  authorization_endpoint: 'https://accounts.google.com/o/oauth2/v2/auth',
  token_endpoint: 'https://oauth2.googleapis.com/token',
  jwks_uri: 'https://www.googleapis.com/oauth2/v3/certs',
};
/** Some tokens of Google name the issuer without a scheme (P29b). */
const GOOGLE_ISSUER_PLAIN = 'accounts.google.com';

/** Whether the issuer is on this computer, over plain http. Any other must use https. */
export function isLocal(issuer: string): boolean {
  const { protocol, hostname } = new URL(issuer);
  return protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
}

type Kept = { body: Uint8Array<ArrayBuffer> | null; status: number; headers: Headers };
/**
 * The responses to the POST requests of one sign-in, by URL: `redeem` may need the token endpoint's
 * response twice, but the endpoint accepts a code once.
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

/** `fetch` with the limits of P29d: no redirects, and a maximum size of the response. */
const boundedFetch: CustomFetch = async (url, options) => {
  const kept = options.method === 'POST' ? redeemed.getStore() : undefined;
  const answer = kept?.get(url) ?? (await readBounded(url, options));
  kept?.set(url, answer);
  return new Response(answer.body, answer);
};

type Settings = NonNullable<Config['google']>;

async function configure(
  { issuer, client_id, client_secret }: Settings,
  expectedIssuer: string,
): Promise<Configuration> {
  const client = { client_secret, id_token_signed_response_alg: 'RS256' };
  const authentication = ClientSecretPost(client_secret);
  const execute = [enableNonRepudiationChecks, ...(isLocal(issuer) ? [allowInsecureRequests] : [])];
  const options = { [customFetch]: boundedFetch, timeout: TIMEOUT_S, execute };
  if (issuer !== GOOGLE_ISSUER)
    return discovery(new URL(issuer), client_id, client, authentication, options);
  const server = { ...GOOGLE, issuer: expectedIssuer };
  const provider = new Configuration(server, client_id, client, authentication);
  provider[customFetch] = boundedFetch;
  provider.timeout = TIMEOUT_S;
  for (const change of execute) change(provider);
  return provider;
}

/** Whether a token was refused because it names Google's issuer without a scheme. */
function namesPlainIssuer(error: unknown): boolean {
  const compared =
    error instanceof ClientError && error.cause instanceof Error && error.cause.cause;
  const { claim, claims } = Object(compared);
  return claim === 'iss' && claims.iss === GOOGLE_ISSUER_PLAIN;
}

export type Provider = {
  authorization_endpoint: string | undefined;
  /**
   * Exchanges a code for the claims of its id_token. Makes every check of P29b but that of the
   * token's age. `iss` in the result is always the configured issuer with its scheme, because it is
   * part of a stored identity's key.
   * @throws an error that `isRefusal` classifies.
   */
  redeem(redirectUri: string, body: GoogleBody): Promise<object | undefined>;
};

/** Returns the provider of `settings`. Fetches its metadata unless it is Google. */
export async function describeProvider(settings: Settings): Promise<Provider> {
  const configuration = await configure(settings, settings.issuer);
  const plain =
    settings.issuer === GOOGLE_ISSUER ? await configure(settings, GOOGLE_ISSUER_PLAIN) : null;

  async function redeemBy(
    by: Configuration,
    redirectUri: string,
    { code, code_verifier, nonce }: GoogleBody,
  ) {
    const answer = new URL(redirectUri);
    answer.searchParams.set('code', code);
    // `iss` guards against a response from another provider. There is only one, so pass its issuer.
    answer.searchParams.set('iss', by.serverMetadata().issuer);
    const tokens = await authorizationCodeGrant(by, answer, {
      idTokenExpected: true,
      ...(code_verifier === undefined ? {} : { pkceCodeVerifier: code_verifier }),
      ...(nonce === undefined ? {} : { expectedNonce: nonce }),
    });
    return tokens.claims();
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

/**
 * Whether an error means that the code or its token is invalid. Any other error means that the
 * provider is unusable.
 */
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

/** Settles like `work`, but rejects after `seconds`. */
export async function withinSeconds<T>(seconds: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, fail) => {
    timer = setTimeout(() => fail(new Error('The provider is too slow.')), seconds * 1000);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}
