import { createHash, randomUUID } from 'node:crypto';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { CHOOSE_PASSWORD_FIRST } from '#contract/rules/password.ts';
import { linkFor } from '#testing/app/mails.ts';
import { makeIp, makePlayer, makeSession } from '#testing/app/make.ts';
import { openProvider, type TestProvider } from '#testing/app/openid-provider.ts';
import { type TestApp, testApp } from '#testing/app/test-app.ts';
import { chooseAtStandIn } from '#testing/stand-in-sign-in.ts';
import { PEOPLE, type Person, startStandIn } from '../../standin/provider.ts';
import { isAuthoritative, SENTENCES, SIGN_IN_TO_LINK } from './openid.ts';
import { hashPassword } from './passwords.ts';

// The configurable provider (ACC-49, ACC-50). openid.test.ts tests the rules that it shares with
// Google.

const NAME = 'Acme ID';
const PASSWORD = 'quiet orange kite';
const PROOF = { code: 'c', code_verifier: 'v'.repeat(43), nonce: 'n' };
const [GMAIL, HOSTED, UNVERIFIED] = PEOPLE as [Person, Person, Person];
const refused = (error: string) => ({ status: 400, body: { error } });

let google: TestProvider;
let acme: TestProvider;
let t: TestApp;
beforeAll(async () => {
  [google, acme] = await Promise.all([openProvider(), openProvider()]);
  t = await testApp({ google: google.settings, oidc: { ...acme.settings, name: NAME } });
});
beforeEach(async () => {
  for (const table of ['players', 'kept_mails'] as const) await t.db.deleteFrom(table).execute();
  for (const provider of [google, acme])
    provider.person = { sub: '42', email: 'maya@example.org', email_verified: true };
  acme.metadata = {};
  acme.give({ nonce: PROOF.nonce });
  google.give();
});
afterAll(async () => {
  await t.close();
  await Promise.all([google.close(), acme.close()]);
});

const sendTo = (id: 'google' | 'oidc', body: object = PROOF) =>
  t.call('POST', `/api/users/auth/${id}/callback/`, { body, ip: makeIp() });
const signIn = (body: object = PROOF) => sendTo('oidc', body);
const identities = () =>
  t.db
    .selectFrom('identities')
    .select(['issuer', 'subject', 'player_id', 'authoritative'])
    .orderBy('issuer')
    .execute();
const link = (as: { access: string }, id: 'google' | 'oidc' = 'oidc', body: object = PROOF) =>
  t.call('POST', `/api/users/${id}/`, { as, body, ip: makeIp() });

test('ACC-49: the configuration has the name and the addresses of the other provider', async () => {
  expect((await t.call('GET', '/api/config/')).body).toMatchObject({
    google: { redirect_uri: 'http://localhost:3000/auth/google/callback' },
    oidc: {
      name: NAME,
      client_id: acme.settings.client_id,
      authorization_endpoint: `${acme.settings.issuer}/auth`,
      redirect_uri: 'http://localhost:3000/auth/oidc/callback',
    },
  });
});

test('P29c: a new person gets a verified account, and signs in to it again', async () => {
  const { status, body } = await signIn();
  expect(status).toBe(200);
  expect(body.user).toMatchObject({
    email: 'maya@example.org',
    has_set_password: false,
    sign_in_methods: ['oidc'],
  });
  expect(await identities()).toMatchObject([
    { issuer: acme.settings.issuer, subject: '42', authoritative: false },
  ]);
  expect(await t.mails()).toMatchObject([
    { recipient: 'maya@example.org', subject: 'Acme ID sign-in was added' },
  ]);
  expect((await signIn()).body.user.uuid).toBe(body.user.uuid);
  expect(await t.mails()).toHaveLength(1);
});

test('P29b: the same subject at two providers makes two identities', async () => {
  const first = await sendTo('google', { code: 'c' });
  acme.person = { ...acme.person, email: 'noor@example.org' };
  acme.give({ nonce: PROOF.nonce });
  const second = await signIn();
  expect([first.status, second.status]).toEqual([200, 200]);
  expect(second.body.user.uuid).not.toBe(first.body.user.uuid);
  expect(await identities()).toHaveLength(2);
});

test('P29b: a token of Google is refused as a token of the other provider', async () => {
  acme.give({ iss: google.settings.issuer, nonce: PROOF.nonce });
  expect(await signIn()).toMatchObject(refused(SENTENCES.notCompleted(NAME)));
  acme.giveToken(google.sign(google.claims({ nonce: PROOF.nonce })));
  expect(await signIn()).toMatchObject(refused(SENTENCES.notCompleted(NAME)));
  expect(await identities()).toEqual([]);
});

test('P29a: a code works only with the verifier and the nonce of the browser that began', async () => {
  for (const body of [{ code: 'c' }, { ...PROOF, nonce: 'another' }, { ...PROOF, nonce: '' }])
    expect(await signIn(body)).toMatchObject(refused(SENTENCES.notCompleted(NAME)));
});

test.each([
  ['a Gmail address', { email: 'maya@gmail.com' }],
  ['the domain that Google would name', { email: 'maya@example.org', hd: 'example.org' }],
  ['any other address', { email: 'maya@example.org' }],
])('P29c: a verified account with %s is not taken over', async (_name, claims) => {
  const player = await makePlayer(t, { email: claims.email });
  acme.give({ ...claims, nonce: PROOF.nonce });
  expect(await signIn()).toMatchObject(refused(SENTENCES.passwordFirst(NAME)));
  expect(await identities()).toEqual([]);
  expect(player.email).toBe(claims.email);
  const iss = acme.settings.issuer;
  expect(isAuthoritative('oidc', { iss, ...claims })).toBe(false);
});

test.each([{ email_verified: false }, { email_verified: undefined }])(
  'P29c: an address that the provider has not verified opens no account: %j',
  async (claims) => {
    for (const planted of [false, true]) {
      if (planted) await makePlayer(t, { email: 'maya@example.org', email_verified_at: null });
      acme.give({ ...claims, nonce: PROOF.nonce });
      expect(await signIn()).toMatchObject(refused(SENTENCES.notVerified(NAME)));
      expect(await identities()).toEqual([]);
    }
  },
);

test('P29c: a sign-in deletes what a stranger planted in an unverified account', async () => {
  const planted = await makePlayer(t, {
    email: 'maya@example.org',
    email_verified_at: null,
    password_hash: '$argon2id$planted',
  });
  const session = await makeSession(t, planted);
  const { body } = await signIn();
  expect(body.user).toMatchObject({ username: '', sign_in_methods: ['oidc'] });
  expect((await t.call('GET', '/api/users/profile/', { as: session })).status).toBe(401);
});

/** Creates a stranger's account, with an address verified only by a provider's claim. */
async function plantByClaim(email: string) {
  acme.give({ email, nonce: PROOF.nonce });
  const { body } = await signIn();
  const as = body.tokens as { access: string };
  for (const change of [
    { date_of_birth: '1990-01-01' },
    { username: 'planted', password: PASSWORD },
  ]) {
    const { status } = await t.call('PATCH', '/api/users/profile/', { as, body: change });
    expect(status).toBe(200);
  }
  return { as, uuid: body.user.uuid };
}

async function expectEmptied(planted: Awaited<ReturnType<typeof plantByClaim>>, email: string) {
  expect((await t.call('GET', '/api/users/profile/', { as: planted.as })).status).toBe(401);
  const body = { email, password: PASSWORD };
  const login = await t.call('POST', '/api/users/auth/login/', { body, ip: makeIp() });
  expect(login.status).toBe(400);
  acme.give({ email, nonce: PROOF.nonce });
  expect((await signIn()).status).toBe(400);
}

test('P29c: a Google sign-in empties an account that only another provider’s claim vouched for', async () => {
  const email = 'victim@gmail.com';
  const planted = await plantByClaim(email);
  google.give({ email });
  const { status, body } = await sendTo('google', { code: 'c' });
  expect(status).toBe(200);
  expect(body.user).toMatchObject({ username: '', sign_in_methods: ['google'] });
  expect(body.user.uuid).not.toBe(planted.uuid);
  await expectEmptied(planted, email);
  google.give({ email });
  const again = await sendTo('google', { code: 'c' });
  expect(again.body.user.uuid).toBe(body.user.uuid);
});

test('P7: a password reset empties an account that only another provider’s claim vouched for', async () => {
  const email = 'victim@example.org';
  const planted = await plantByClaim(email);
  const ip = makeIp();
  await t.call('POST', '/api/users/auth/request-password-reset/', { body: { email }, ip });
  await expect.poll(async () => (await t.mails(email))[0]?.subject).toBe('Reset your password');
  const password = 'quiet green kite';
  const link = await linkFor(t, email);
  const reset = await t.call('POST', '/api/users/auth/reset-password/', {
    body: { ...link, password },
    ip,
  });
  expect(reset.body.user).toMatchObject({ username: '', sign_in_methods: ['password'] });
  await expectEmptied(planted, email);
});

describe('ACC-50: a signed-in player', () => {
  const player = async () => {
    const made = await makePlayer(t, { password_hash: await hashPassword(PASSWORD) });
    return { ...made, as: await makeSession(t, made) };
  };
  const methods = async (as: { access: string }) =>
    (await t.call('GET', '/api/users/profile/', { as })).body.sign_in_methods;

  test('links both providers, whatever their address, and gets a mail for each', async () => {
    const { id, uuid, email, as } = await player();
    google.give({ nonce: PROOF.nonce });
    expect((await link(as, 'oidc')).status).toBe(204);
    expect((await link(as, 'google')).status).toBe(204);
    expect((await link(as, 'oidc')).status).toBe(204);
    expect(await methods(as)).toEqual(['password', 'google', 'oidc']);
    expect(await identities()).toMatchObject([
      { player_id: id, authoritative: false },
      { player_id: id, authoritative: false },
    ]);
    const subjects = (await t.mails(email)).map(({ subject }) => subject);
    expect(subjects).toEqual(['Google sign-in was added', 'Acme ID sign-in was added']);
    expect((await signIn()).body.user.uuid).toBe(uuid);
  });

  test('needs a session whose sign-in is at most an hour old', async () => {
    const { as } = await player();
    await t.db
      .updateTable('sessions')
      .set({ created_at: new Date(t.clock.now().getTime() - 61 * 60_000) })
      .execute();
    const late = await link(as);
    expect([late.status, late.body]).toEqual([403, { detail: SIGN_IN_TO_LINK }]);
    expect((await link({ access: 'nobody' })).status).toBe(401);
    expect(await identities()).toEqual([]);
  });

  test('cannot link an identity of another player, nor a second identity of a provider', async () => {
    const [one, other] = [await player(), await player()];
    expect((await link(one.as)).status).toBe(204);
    expect(await link(other.as)).toMatchObject(refused(SENTENCES.linkedElsewhere(NAME)));
    acme.person = { sub: '43' };
    acme.give({ nonce: PROOF.nonce });
    expect(await link(one.as)).toMatchObject(refused(SENTENCES.linkedAlready(NAME)));
    expect(await identities()).toHaveLength(1);
  });

  test('removes one provider with the password and keeps the other', async () => {
    const { email, as } = await player();
    google.give({ nonce: PROOF.nonce });
    await link(as, 'oidc');
    await link(as, 'google');
    const remove = (password: string) =>
      t.call('DELETE', '/api/users/oidc/', { as, body: { password }, ip: makeIp() });
    expect((await remove('a wrong kite')).status).toBe(400);
    expect(await methods(as)).toEqual(['password', 'google', 'oidc']);
    expect((await remove(PASSWORD)).status).toBe(204);
    expect(await methods(as)).toEqual(['password', 'google']);
    expect((await t.mails(email))[0]?.subject).toBe('Acme ID sign-in was removed');
  });

  test('cannot remove the provider without a password', async () => {
    const { body } = await signIn();
    const only = await t.call('DELETE', '/api/users/oidc/', {
      as: body.tokens,
      body: { password: '' },
    });
    expect([only.status, only.body]).toEqual([400, { detail: CHOOSE_PASSWORD_FIRST }]);
  });

  test('P7: loses the link in a password reset, and is told the provider’s name', async () => {
    const { email, as } = await player();
    await link(as);
    await t.call('POST', '/api/users/auth/request-password-reset/', {
      body: { email },
      ip: makeIp(),
    });
    await expect.poll(async () => (await t.mails(email))[0]?.subject).toBe('Reset your password');
    const reset = await t.call('POST', '/api/users/auth/reset-password/', {
      body: { ...(await linkFor(t, email)), password: 'quiet green kite' },
      ip: makeIp(),
    });
    expect(reset.body.user.sign_in_methods).toEqual(['password']);
    expect((await t.mails(email))[0]?.text).toContain(
      'The Acme ID account that was linked here can no longer sign in.',
    );
  });
});

test('ACC-49: an identity of a provider that is no longer configured still belongs to that provider', async () => {
  const { body } = await signIn();
  await t.db.updateTable('identities').set({ issuer: 'https://id.example.com' }).execute();
  const later = await t.sibling({ google: google.settings, oidc: null });
  const profile = await later.call('GET', '/api/users/profile/', { as: body.tokens });
  expect(profile.body.sign_in_methods).toEqual(['oidc']);
});

describe('ACC-49: how providers may differ', () => {
  const withApp = async (work: (app: TestApp) => Promise<void>, more: object = {}) => {
    const app = await t.sibling({ google: null, oidc: { ...acme.settings, name: NAME, ...more } });
    await work(app);
  };
  const statusOf = async (app: TestApp) =>
    (await app.call('POST', '/api/users/auth/oidc/callback/', { body: PROOF, ip: makeIp() }))
      .status;

  test('the address may come from the userinfo endpoint if the subject is the same', async () => {
    acme.metadata = { userinfo_endpoint: `${acme.settings.issuer}/userinfo` };
    acme.give({ nonce: PROOF.nonce, email: undefined, email_verified: undefined });
    await withApp(async (app) => {
      expect(await statusOf(app)).toBe(200);
      acme.person = { ...acme.person, sub: 'somebody else' };
      expect(await statusOf(app)).not.toBe(200);
    });
    expect(await identities()).toHaveLength(1);
  });

  test('a provider may sign with any asymmetric algorithm that it lists', async () => {
    acme.metadata = { id_token_signing_alg_values_supported: ['ES256', 'HS256', 'none'] };
    const claims = acme.claims({ nonce: PROOF.nonce });
    await withApp(async (app) => {
      acme.giveToken(acme.sign(claims));
      expect(await statusOf(app), 'RS256 is not listed').toBe(400);
      for (const alg of ['HS256', 'none']) {
        acme.giveToken(acme.sign(claims, { alg, kid: 'k1' }));
        expect(await statusOf(app), alg).toBe(400);
      }
      acme.giveToken(acme.signElliptic(claims));
      expect(await statusOf(app), 'ES256').toBe(200);
    });
  });

  test('the client secret is sent by a method that the provider lists', async () => {
    for (const [methods, basic] of [
      [undefined, true],
      [['client_secret_basic'], true],
      [['client_secret_basic', 'client_secret_post'], false],
    ] as const) {
      acme.metadata = { token_endpoint_auth_methods_supported: methods };
      await withApp(async (app) => {
        expect(await statusOf(app)).toBe(200);
      });
      expect(/^Basic /.test(acme.authorization ?? '')).toBe(basic);
    }
  });

  test.each<[string, (issuer: string) => object]>([
    ['another issuer', () => ({ issuer: 'https://id.example.com' })],
    ['another path', (issuer) => ({ issuer: `${issuer}/realms/play` })],
    ['a script as its sign-in page', () => ({ authorization_endpoint: 'javascript:alert(1)' })],
    ['no sign-in page', () => ({ authorization_endpoint: undefined })],
  ])('metadata with %s is refused: no button, 503', async (_name, metadata) => {
    acme.metadata = metadata(acme.settings.issuer);
    await withApp(async (app) => {
      expect((await app.call('GET', '/api/config/')).body.oidc).toBeNull();
      expect(await statusOf(app)).toBe(503);
    });
  });

  test('the issuer may end with or without a slash', async () => {
    await withApp(
      async (app) => {
        expect(await statusOf(app)).toBe(200);
        const [{ issuer } = { issuer: '' }] = await identities();
        expect(issuer).toBe(acme.settings.issuer);
      },
      { issuer: `${acme.settings.issuer}/` },
    );
  });

  test('REL-12: a hanging provider delays only the first page and does not affect Google', async () => {
    let answer: RequestListener = () => undefined;
    const slow = createServer((req, res) => answer(req, res));
    await new Promise<void>((done) => slow.listen(0, '127.0.0.1', done));
    const issuer = `http://localhost:${(slow.address() as AddressInfo).port}`;
    const app = await t.sibling({
      google: google.settings,
      oidc: { ...acme.settings, name: NAME, issuer },
    });
    const buttons = async () => {
      const { oidc, google: first } = (await app.call('GET', '/api/config/')).body;
      return [first !== null, oidc !== null];
    };
    expect(await buttons()).toEqual([true, false]);
    const byGoogle = { body: { code: 'c' }, ip: makeIp() };
    expect((await app.call('POST', '/api/users/auth/google/callback/', byGoogle)).status).toBe(200);
    expect(await statusOf(app)).toBe(503);

    app.clock.advance(60_000);
    const asked = new Promise<void>((done) => {
      answer = (_req, res) => {
        done();
        const page = { issuer, authorization_endpoint: `${issuer}/auth` };
        setTimeout(
          () => res.setHeader('content-type', 'application/json').end(JSON.stringify(page)),
          1_000,
        );
      };
    });
    const before = performance.now();
    expect(await buttons()).toEqual([true, false]);
    expect(performance.now() - before).toBeLessThan(900);
    await asked;
    await expect.poll(buttons).toEqual([true, true]);
    slow.closeAllConnections();
    await new Promise((done) => slow.close(done));
  });
});

test('ACC-49: without settings for the provider the page gets no button, and the callback is refused', async () => {
  const app = await t.sibling({ google: google.settings, oidc: null });
  expect((await app.call('GET', '/api/config/')).body.oidc).toBeNull();
  const answer = await app.call('POST', '/api/users/auth/oidc/callback/', { body: PROOF });
  expect(answer).toMatchObject(refused(SENTENCES.notSetUp('OpenID')));
});

test('ACC-49: a real OpenID provider that gives the address at its userinfo endpoint signs a player in', async () => {
  const client = { client_id: 'backboard-test', client_secret: 'a-secret-of-the-test' };
  const redirect_uri = 'http://localhost:3000/auth/oidc/callback';
  const real = await startStandIn({
    port: 0,
    redirect_uri,
    ...client,
    plays: NAME,
    userinfo: true,
  });
  try {
    // Load the provider's package first, which may take seconds.
    await fetch(`${real.issuer}/.well-known/openid-configuration`);
    const app = await t.sibling({
      google: null,
      oidc: { ...client, issuer: real.issuer, name: NAME },
    });
    const { oidc } = (await app.call('GET', '/api/config/')).body;
    const code_verifier = 'w'.repeat(43);
    const proofOf = async (person: Person) => {
      const nonce = randomUUID();
      const address = await chooseAtStandIn(oidc, person, {
        nonce,
        code_challenge: createHash('sha256').update(code_verifier).digest('base64url'),
        code_challenge_method: 'S256',
      });
      return { code: address.searchParams.get('code') ?? '', code_verifier, nonce };
    };
    const signInAs = async (person: Person) =>
      app.call('POST', '/api/users/auth/oidc/callback/', {
        body: await proofOf(person),
        ip: makeIp(),
      });
    expect((await signInAs(GMAIL)).body.user).toMatchObject({ email: GMAIL.email });
    await makePlayer(t, { email: HOSTED.email });
    expect(await signInAs(HOSTED)).toMatchObject(refused(SENTENCES.passwordFirst(NAME)));
    expect(await signInAs(UNVERIFIED)).toMatchObject(refused(SENTENCES.notVerified(NAME)));
  } finally {
    await real.stop();
  }
});
