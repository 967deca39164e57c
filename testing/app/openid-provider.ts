import { createSign, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import type { Config } from '../../server/config.ts';
import { listening } from './server-process.ts';

export type TestProvider = {
  settings: NonNullable<Config['google']>;
  /** Who signs in with the next code. */
  person: { sub?: string; email?: string; email_verified?: boolean; hd?: string };
  /** Answers for the token endpoint; by default, with a valid token for `person`. */
  answerToken: RequestListener;
  keysAsked: number;
  /** Replaces fields of the provider's metadata. */
  metadata: object;
  /** Answers for the userinfo endpoint; by default, with `person`. */
  answerUserinfo: RequestListener;
  /** The claims of a valid token for `person`; those in `over` replace them. */
  claims(over?: object): object;
  sign(claims: object, header?: object, key?: KeyObject): string;
  signElliptic(claims: object): string;
  giveToken(id_token: string | undefined): void;
  /** Makes the token endpoint return `claims(over)`. */
  give(over?: object): void;
  /** The Authorization header of the token endpoint's last request. */
  authorization: string | undefined;
  close(): Promise<void>;
};

const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

function sendToken(res: ServerResponse, id_token: string | undefined): void {
  const body = JSON.stringify({ access_token: 'a', token_type: 'Bearer', id_token });
  res.setHeader('content-type', 'application/json').end(body);
}

export async function openProvider(): Promise<TestProvider> {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const jwk = { ...publicKey.export({ format: 'jwk' }), kid: 'k1', use: 'sig' };
  const elliptic = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const ellipticJwk = { ...elliptic.publicKey.export({ format: 'jwk' }), kid: 'e1', use: 'sig' };
  const server = createServer((req, res) => {
    const json = (value: unknown) =>
      res.setHeader('content-type', 'application/json').end(JSON.stringify(value));
    const { issuer } = provider.settings;
    if (req.url === '/jwks') provider.keysAsked += 1;
    if (req.url === '/jwks') return json({ keys: [jwk, ellipticJwk] });
    if (req.url === '/userinfo') return provider.answerUserinfo(req, res);
    if (req.url === '/token') provider.authorization = req.headers.authorization;
    if (req.url !== '/.well-known/openid-configuration') return provider.answerToken(req, res);
    json({
      issuer,
      authorization_endpoint: `${issuer}/auth`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/jwks`,
      ...provider.metadata,
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
    metadata: {},
    answerUserinfo: (_req, res) =>
      res.setHeader('content-type', 'application/json').end(JSON.stringify(provider.person)),
    keysAsked: 0,
    authorization: undefined,
    answerToken: (_req, res) => sendToken(res, provider.sign(provider.claims())),
    giveToken: (id_token) => {
      provider.answerToken = (_req, res) => sendToken(res, id_token);
    },
    give: (over) => provider.giveToken(provider.sign(provider.claims(over))),
    claims: (over = {}) => {
      const iat = Math.floor(Date.now() / 1000);
      const { client_id: aud, issuer: iss } = provider.settings;
      return { iss, aud, iat, exp: iat + 3600, ...provider.person, ...over };
    },
    sign: (claims, header = { alg: 'RS256', kid: 'k1' }, key = privateKey) => {
      const input = `${part(header)}.${part(claims)}`;
      return `${input}.${createSign('sha256').update(input).sign(key, 'base64url')}`;
    },
    signElliptic: (claims) => {
      const input = `${part({ alg: 'ES256', kid: 'e1' })}.${part(claims)}`;
      const key = { key: elliptic.privateKey, dsaEncoding: 'ieee-p1363' } as const;
      return `${input}.${createSign('sha256').update(input).sign(key, 'base64url')}`;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
  return provider;
}
