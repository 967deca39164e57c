import { createSign, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { createServer, type RequestListener } from 'node:http';
import type { Config } from '../config.ts';
import { listening } from './server-process.ts';

/** An OpenID provider that a test controls: it can claim anything about anybody. */
export type TestProvider = {
  settings: NonNullable<Config['google']>;
  /** The person whom the next code signs in. */
  person: { sub?: string; email?: string; email_verified?: boolean; hd?: string };
  /** The token endpoint; by default it returns a valid token for `person`. */
  answerToken: RequestListener;
  keysAsked: number;
  /** The claims of a valid token for `person`, changed by `over`. */
  claims(over?: object): object;
  sign(claims: object, header?: object, key?: KeyObject): string;
  close(): Promise<void>;
};

const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

export async function openProvider(): Promise<TestProvider> {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const jwk = { ...publicKey.export({ format: 'jwk' }), kid: 'k1', use: 'sig' };
  const server = createServer((req, res) => {
    const json = (value: unknown) =>
      res.setHeader('content-type', 'application/json').end(JSON.stringify(value));
    const { issuer } = provider.settings;
    if (req.url === '/jwks') provider.keysAsked += 1;
    if (req.url === '/jwks') return json({ keys: [jwk] });
    if (req.url !== '/.well-known/openid-configuration') return provider.answerToken(req, res);
    json({
      issuer,
      authorization_endpoint: `${issuer}/auth`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/jwks`,
    });
  });
  const { port } = await listening(server);
  const provider: TestProvider = {
    settings: {
      client_id: 'backboard-test',
      client_secret: 'a-secret-of-the-test',
      issuer: `http://localhost:${port}`,
    },
    person: {},
    keysAsked: 0,
    answerToken: (_req, res) =>
      res.setHeader('content-type', 'application/json').end(
        JSON.stringify({
          access_token: 'a',
          token_type: 'Bearer',
          id_token: provider.sign(provider.claims()),
        }),
      ),
    claims: (over = {}) => {
      const iat = Math.floor(Date.now() / 1000);
      const { client_id: aud, issuer: iss } = provider.settings;
      return { iss, aud, iat, exp: iat + 3600, ...provider.person, ...over };
    },
    sign: (claims, header = { alg: 'RS256', kid: 'k1' }, key = privateKey) => {
      const input = `${part(header)}.${part(claims)}`;
      return `${input}.${createSign('sha256').update(input).sign(key, 'base64url')}`;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
  return provider;
}
