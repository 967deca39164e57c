import { generateKeyPair, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import type { Adapter, AdapterPayload, KoaContextWithOIDC } from 'oidc-provider';

/** `hd`: a Google organisation owns the address's domain. */
export type Person = {
  sub: string;
  name: string;
  email: string;
  email_verified: boolean;
  hd?: string;
};

/** One person for each way in which Google can vouch for an address. */
export const PEOPLE: readonly Person[] = [
  {
    sub: '100000000000000000001',
    name: 'Maya Banks',
    email: 'maya.banks@gmail.com',
    email_verified: true,
  },
  {
    sub: '100000000000000000002',
    name: 'Noor Haddad',
    email: 'noor@arcade.example',
    email_verified: true,
    hd: 'arcade.example',
  },
  {
    sub: '100000000000000000003',
    name: 'Theo Park',
    email: 'theo@example.com',
    email_verified: false,
  },
];

export type StandIn = { issuer: string; stop(): Promise<void> };

const CODE_LIFE_S = 60;
const SESSION_LIFE_S = 3600;
const RSA_BITS = 2048;

function memory(): new (name: string) => Adapter {
  const stored = new Map<string, AdapterPayload>();
  return class {
    readonly #name: string;
    constructor(name: string) {
      this.#name = name;
    }
    async upsert(id: string, payload: AdapterPayload): Promise<void> {
      stored.set(`${this.#name} ${id}`, payload);
    }
    async find(id: string): Promise<AdapterPayload | undefined> {
      return stored.get(`${this.#name} ${id}`);
    }
    async findByUid(uid: string): Promise<AdapterPayload | undefined> {
      return [...stored.values()].find((payload) => payload.uid === uid);
    }
    async findByUserCode(): Promise<undefined> {}
    async consume(id: string): Promise<void> {
      const payload = stored.get(`${this.#name} ${id}`);
      if (payload) payload.consumed = Math.floor(Date.now() / 1000);
    }
    async destroy(id: string): Promise<void> {
      stored.delete(`${this.#name} ${id}`);
    }
    async revokeByGrantId(grantId: string): Promise<void> {
      for (const [key, payload] of stored) if (payload.grantId === grantId) stored.delete(key);
    }
  };
}

const label = ({ email_verified, hd }: Person) =>
  hd ? `of ${hd}, verified` : email_verified ? 'verified' : 'not verified';

const STYLE = `body{margin:0;background:#eceff4;color:#101b36;font:16px/1.5 system-ui,sans-serif}
main{max-width:440px;margin:48px auto;padding:24px;border-radius:28px;background:#fff}
h1{margin:0 0 8px;font-size:26px;line-height:1.2}p{margin:0 0 16px;color:#535e78}
button{display:block;width:100%;min-height:52px;margin:0 0 12px;padding:8px 16px;border:2px solid #7f899e;border-radius:12px;background:#fff;color:#101b36;font:inherit;text-align:left;cursor:pointer}
button:hover{background:#e4eaf7}button:focus-visible{outline:3px solid #2f6bff}small{display:block;color:#535e78}`;

const pageOf = (plays: string) => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Stand-in for ${plays}</title><style>${STYLE}</style></head>
<body><main><h1>Stand-in for ${plays}</h1>
<p>This is not ${plays}. It plays ${plays}'s part while no ${plays} account is set up for this site. Choose who you are:</p>
<form method="post">
${PEOPLE.map((person) => `<button name="person" value="${person.sub}">${person.name}<small>${person.email}, ${label(person)}</small></button>`).join('\n')}
<button name="person" value="">Cancel</button>
</form></main></body></html>
`;

function respond(res: ServerResponse, status: number, body: string, redirectOrigin: string): void {
  res.writeHead(status, {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    // form-action covers redirects too: allow the site.
    'content-security-policy': `default-src 'none'; style-src 'unsafe-inline'; form-action 'self' ${redirectOrigin}; base-uri 'none'; frame-ancestors 'none'`,
  });
  res.end(body);
}

async function scopedGrant(ctx: KoaContextWithOIDC) {
  const { client, session, provider } = ctx.oidc;
  if (!client || !session?.accountId) return undefined;
  // Choosing a person is consent.
  const grant = new provider.Grant({ clientId: client.clientId, accountId: session.accountId });
  grant.addOIDCScope('openid email profile');
  await grant.save();
  return grant;
}

type Options = {
  redirect_uri: string;
  client_id: string;
  client_secret: string;
  /** The provider that it stands in for; Google by default. */
  plays?: string;
  /** If true, only userinfo gives the address. At Google, the ID token does too. */
  userinfo?: boolean;
};
type Handler = (req: IncomingMessage, res: ServerResponse) => void;

/**
 * An OpenID provider with a few people and no passwords. It stands in for Google in development and
 * tests (ACC-21), never where real players sign in; tests also use it as some other provider. The
 * first request loads its package.
 * @param options.port 0: any free port
 * @param options.redirect_uri the site's callback, the only redirect allowed
 * @throws the system's error if the port is taken, or if the provider's package is not installed
 */
export async function startStandIn(options: Options & { port: number }): Promise<StandIn> {
  // Fail now if the package is missing.
  import.meta.resolve('oidc-provider');
  const server = createServer();
  await new Promise<void>((done, fail) => {
    server.once('error', fail);
    server.listen(options.port, '127.0.0.1', done);
  });
  const issuer = `http://localhost:${(server.address() as AddressInfo).port}`;
  let handler: Promise<Handler> | undefined;
  server.on('request', (req, res) => {
    handler ??= openProvider(issuer, options);
    handler.then(
      (handle) => handle(req, res),
      (error: unknown) => {
        handler = undefined;
        res.writeHead(500, { 'content-type': 'text/plain' }).end(String(error));
      },
    );
  });
  return {
    issuer,
    stop: async () => {
      const closed = new Promise((done) => server.close(done));
      server.closeAllConnections();
      await closed;
    },
  };
}

async function openProvider(issuer: string, options: Options): Promise<Handler> {
  const { default: Provider, interactionPolicy } = await import('oidc-provider');
  const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: RSA_BITS });
  const redirectOrigin = new URL(options.redirect_uri).origin;

  const prompts = interactionPolicy.base();
  prompts.add(new interactionPolicy.Prompt({ name: 'select_account', requestable: true }), 0);
  const provider = new Provider(issuer, {
    adapter: memory(),
    clients: [
      {
        client_id: options.client_id,
        client_secret: options.client_secret,
        redirect_uris: [options.redirect_uri],
        grant_types: ['authorization_code'],
        response_types: ['code'],
        token_endpoint_auth_method: 'client_secret_post',
        id_token_signed_response_alg: 'RS256',
      },
    ],
    jwks: {
      keys: [
        { ...privateKey.export({ format: 'jwk' }), kid: 'stand-in', alg: 'RS256', use: 'sig' },
      ],
    },
    cookies: {
      keys: [randomBytes(32).toString('base64url')],
      // Browsers share cookies between ports, so use other names than the site.
      names: { session: 'standin', interaction: 'standin_choice', resume: 'standin_resume' },
    },
    scopes: ['openid', 'email', 'profile'],
    claims: { openid: ['sub'], email: ['email', 'email_verified', 'hd'], profile: ['name'] },
    conformIdTokenClaims: options.userinfo ?? false,
    features: { devInteractions: { enabled: false }, rpInitiatedLogout: { enabled: false } },
    findAccount: (_ctx, sub) => {
      const person = PEOPLE.find((one) => one.sub === sub);
      return person && { accountId: sub, claims: () => ({ ...person }) };
    },
    interactions: { policy: prompts, url: (_ctx, { uid }) => `/choose/${uid}` },
    loadExistingGrant: scopedGrant,
    // As at Google, PKCE is required only if the sign-in began with it.
    pkce: { required: () => false },
    renderError: (ctx, out) => {
      ctx.type = 'text/plain';
      ctx.body = `${out.error}: ${out.error_description ?? ''}`;
    },
    ttl: {
      AccessToken: CODE_LIFE_S,
      AuthorizationCode: CODE_LIFE_S,
      IdToken: SESSION_LIFE_S,
      Grant: SESSION_LIFE_S,
      Interaction: SESSION_LIFE_S,
      Session: SESSION_LIFE_S,
    },
  });
  const answer = provider.callback();
  const page = pageOf(options.plays ?? 'Google');

  async function choose(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const { session } = await provider.interactionDetails(req, res);
    if (req.method !== 'POST') return respond(res, 200, page, redirectOrigin);
    const accountId = new URLSearchParams(await text(req)).get('person') ?? '';
    const result = accountId
      ? { login: { accountId }, select_account: {} }
      : { error: 'access_denied', error_description: 'Cancelled' };
    const back = await provider.interactionResult(req, res, result, {
      mergeWithLastSubmission: false,
    });
    // Forget the person, so that the next sign-in can choose somebody else.
    const before = session && (await provider.Session.find(session.cookie));
    if (before) {
      delete before.accountId;
      await before.persist();
    }
    res.writeHead(303, { location: back }).end();
  }

  return (req, res) => {
    if (!req.url?.startsWith('/choose/')) return void answer(req, res);
    choose(req, res).catch(() =>
      respond(
        res,
        400,
        'This choice is over. Go back to the site and begin again.',
        redirectOrigin,
      ),
    );
  };
}
