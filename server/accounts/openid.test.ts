import { createHash, createSign, generateKeyPairSync, randomUUID } from 'node:crypto';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { CHOOSE_PASSWORD_FIRST } from '#contract/rules/password.ts';
import { untilBlocked } from '#testing/app/lock-waits.ts';
import { linkFor } from '#testing/app/mails.ts';
import { makeIp, makePlayer, makeSession } from '#testing/app/make.ts';
import { openProvider, type TestProvider } from '#testing/app/openid-provider.ts';
import { type Answer, type TestApp, testApp } from '#testing/app/test-app.ts';
import { chooseAtStandIn } from '#testing/stand-in-sign-in.ts';
import { PEOPLE, type Person, type StandIn, startStandIn } from '../../standin/provider.ts';
import { PASSWORD_WRONG } from './login.ts';
import { isAuthoritative, SENTENCES } from './openid.ts';
import { hashPassword } from './passwords.ts';

const CALLBACK = '/api/users/auth/google/callback/';
const REDIRECT = 'http://localhost:3000/auth/google/callback';
const CLIENT = { client_id: 'backboard-test', client_secret: 'a-secret-of-the-test' };
const [GMAIL, HOSTED, UNVERIFIED] = PEOPLE as [Person, Person, Person];

const post = (t: TestApp, body: unknown): Promise<Answer> =>
  t.call('POST', CALLBACK, { body, ip: makeIp() });
const refused = (error: string) => ({ status: 400, body: { error } });

async function empty(t: TestApp): Promise<void> {
  for (const table of ['players', 'kept_mails'] as const) await t.db.deleteFrom(table).execute();
}

describe('with the real stand-in', () => {
  let standIn: StandIn;
  let t: TestApp;
  beforeAll(async () => {
    standIn = await startStandIn({ port: 0, redirect_uri: REDIRECT, ...CLIENT });
    t = await testApp({ google: { ...CLIENT, issuer: standIn.issuer } });
  });
  beforeEach(() => empty(t));
  afterAll(async () => {
    await t.close();
    await standIn.stop();
  });

  const choose = async (person: Person, extra?: Record<string, string>) =>
    chooseAtStandIn((await t.call('GET', '/api/config/')).body.google, person, extra);
  const codeFor = async (person: Person, extra?: Record<string, string>) =>
    (await choose(person, extra)).searchParams.get('code') ?? '';
  const signInAs = async (person: Person) => post(t, { code: await codeFor(person) });
  const identities = () => t.db.selectFrom('identities').selectAll().execute();
  const linkTo = ({ id }: { id: number }, issuer = standIn.issuer) =>
    t.db
      .insertInto('identities')
      .values({ issuer, subject: GMAIL.sub, player_id: id, created_at: t.clock.now() })
      .execute();

  test('the configuration has what a page needs to start a sign-in, and marks the stand-in', async () => {
    const { body } = await t.call('GET', '/api/config/');
    expect(body.google).toEqual({
      client_id: CLIENT.client_id,
      authorization_endpoint: `${standIn.issuer}/auth`,
      redirect_uri: REDIRECT,
      stand_in: true,
    });
  });

  test('P29c: a new person gets a session, a mail and a verified account without a password', async () => {
    const { status, body } = await signInAs(GMAIL);
    expect(status).toBe(200);
    expect(body.user).toMatchObject({
      email: GMAIL.email,
      username: '',
      profile_setup_complete: false,
      has_set_password: false,
      sign_in_methods: ['google'],
    });
    const profile = await t.call('GET', '/api/users/profile/', { as: body.tokens });
    expect(profile.body).toEqual(body.user);
    expect(await identities()).toMatchObject([{ issuer: standIn.issuer, subject: GMAIL.sub }]);
    expect(await t.mails()).toMatchObject([
      { recipient: GMAIL.email, subject: 'Google sign-in was added' },
    ]);
  });

  test('P29c: a known subject signs in to the linked account without a mail, whatever the address', async () => {
    const player = await makePlayer(t, { email: 'old-address@example.com' });
    await linkTo(player);
    const { status, body } = await signInAs(GMAIL);
    expect(status).toBe(200);
    expect(body.user).toMatchObject({ uuid: player.uuid, email: 'old-address@example.com' });
    expect(await t.mails()).toEqual([]);
  });

  test('P29c: a sign-in marks an old identity as authoritative if Google assigns its address', async () => {
    for (const [email, marked] of [
      [HOSTED.email, true],
      ['another@example.com', false],
    ] as const) {
      await empty(t);
      const { id } = await makePlayer(t, { email });
      await t.db
        .insertInto('identities')
        .values({
          issuer: standIn.issuer,
          subject: HOSTED.sub,
          player_id: id,
          created_at: t.clock.now(),
        })
        .execute();
      expect((await signInAs(HOSTED)).status).toBe(200);
      expect(await identities()).toMatchObject([{ player_id: id, authoritative: marked }]);
    }
  });

  test('P7: a sign-in whose identity is unlinked meanwhile opens no session of the old account', async () => {
    const player = await makePlayer(t, { email: 'old-address@example.com' });
    await linkTo(player);
    const code = await codeFor(GMAIL);
    let answer: ReturnType<typeof post> | undefined;
    await t.db.transaction().execute(async (trx) => {
      await trx
        .updateTable('players')
        .set({ email: 'new-address@example.com' })
        .where('id', '=', player.id)
        .execute();
      await trx.deleteFrom('identities').where('player_id', '=', player.id).execute();
      answer = post(t, { code });
      await untilBlocked(t);
    });
    expect((await answer)?.body.user).toMatchObject({ email: GMAIL.email, username: '' });
    const sessions = t.db.selectFrom('sessions').select('id').where('player_id', '=', player.id);
    expect(await sessions.execute()).toEqual([]);
  });

  test('P7: a reset removes an identity whose address Google does not assign, and the mail says so', async () => {
    const password_hash = await hashPassword('quiet green kite');
    for (const authoritative of [false, true]) {
      const { id, email } = await makePlayer(t, { password_hash });
      await t.db
        .insertInto('identities')
        .values({
          issuer: standIn.issuer,
          subject: `reset ${email}`,
          player_id: id,
          created_at: t.clock.now(),
          authoritative,
        })
        .execute();
      await t.call('POST', '/api/users/auth/request-password-reset/', {
        body: { email },
        ip: makeIp(),
      });
      await expect.poll(async () => (await t.mails(email)).length).toBe(1);
      const answer = await t.call('POST', '/api/users/auth/reset-password/', {
        body: { ...(await linkFor(t, email)), password: 'quiet orange kite' },
        ip: makeIp(),
      });
      expect(answer.status).toBe(200);
      const methods = authoritative ? ['password', 'google'] : ['password'];
      expect(answer.body.user.sign_in_methods).toEqual(methods);
      const [notice] = await t.mails(email);
      expect(notice?.subject).toBe('Your password was changed');
      expect(/Google account/.test(notice?.text ?? '')).toBe(!authoritative);
    }
  });

  test('P29c: removing Google needs the password, and mails a notice to the owner', async () => {
    const password_hash = await hashPassword('quiet orange kite');
    const player = await makePlayer(t, { password_hash });
    const identity = {
      issuer: standIn.issuer,
      subject: 'to be removed',
      player_id: player.id,
      created_at: t.clock.now(),
    };
    await t.db.insertInto('identities').values(identity).execute();
    const as = await makeSession(t, player);
    const remove = (password: string) =>
      t.call('DELETE', '/api/users/google/', { as, body: { password }, ip: makeIp() });
    const linked = async () =>
      (
        await t.db
          .selectFrom('identities')
          .select('subject')
          .where('player_id', '=', player.id)
          .execute()
      ).length;
    const wrong = await remove('a wrong kite');
    expect([wrong.status, wrong.body]).toEqual([400, { password: [PASSWORD_WRONG] }]);
    expect(await linked()).toBe(1);
    expect((await remove('quiet orange kite')).status).toBe(204);
    expect(await linked()).toBe(0);
    expect((await t.mails(player.email))[0]?.subject).toBe('Google sign-in was removed');
    expect((await remove('quiet orange kite')).status).toBe(204);
    expect(await t.mails(player.email)).toHaveLength(1);

    const passwordless = await makePlayer(t);
    await t.db
      .insertInto('identities')
      .values({ ...identity, player_id: passwordless.id })
      .execute();
    const only = await t.call('DELETE', '/api/users/google/', {
      as: await makeSession(t, passwordless),
      body: { password: '' },
    });
    expect([only.status, only.body]).toEqual([400, { detail: CHOOSE_PASSWORD_FIRST }]);
  });

  test('P29b: the same subject at another issuer is another person', async () => {
    const other = await makePlayer(t);
    await linkTo(other, 'https://accounts.google.com');
    const { body } = await signInAs(GMAIL);
    expect(body.user.uuid).not.toBe(other.uuid);
  });

  test.each([GMAIL, HOSTED])(
    'P29c: a verified account of $email is linked and keeps its data',
    async (person) => {
      const player = await makePlayer(t, { email: person.email, password_hash: '$argon2id$x' });
      const before = await makeSession(t, player);
      const { status, body } = await signInAs(person);
      expect(status).toBe(200);
      expect(body.user).toMatchObject({
        uuid: player.uuid,
        username: player.username,
        profile_setup_complete: true,
        sign_in_methods: ['password', 'google'],
      });
      expect((await t.call('GET', '/api/users/profile/', { as: before })).status).toBe(200);
      expect(await t.mails(person.email)).toHaveLength(1);
    },
  );

  test('P29c: an address that Google has not verified is refused, with and without an account', async () => {
    expect(await signInAs(UNVERIFIED)).toMatchObject(refused(SENTENCES.notVerified('Google')));
    await makePlayer(t, { email: UNVERIFIED.email });
    expect(await signInAs(UNVERIFIED)).toMatchObject(refused(SENTENCES.notVerified('Google')));
    expect(await identities()).toEqual([]);
  });

  test('P29c: what a stranger planted in an unverified account is deleted before the account is linked', async () => {
    const planted = await makePlayer(t, {
      email: GMAIL.email,
      email_verified_at: null,
      password_hash: '$argon2id$planted',
    });
    const session = await makeSession(t, planted);
    await t.call('POST', '/api/users/resend-verification/', { body: { email: GMAIL.email } });
    const [mail] = await t.mails(GMAIL.email);
    const [, code] = /code is (\d{6})/.exec(mail?.text ?? '') ?? [];
    const { status, body } = await signInAs(GMAIL);
    expect(status).toBe(200);
    expect(body.user).toMatchObject({
      username: '',
      date_of_birth: null,
      has_set_password: false,
      sign_in_methods: ['google'],
    });
    expect(body.user.uuid).not.toBe(planted.uuid);
    expect((await t.call('GET', '/api/users/profile/', { as: session })).status).toBe(401);
    const verify = { body: { email: GMAIL.email, code } };
    expect((await t.call('POST', '/api/users/verify-email/', verify)).status).toBe(400);
    expect(await t.db.selectFrom('codes').selectAll().execute()).toEqual([]);
  });

  test('P29c: a second Google account for one address is refused', async () => {
    const player = await makePlayer(t, { email: GMAIL.email });
    await t.db
      .insertInto('identities')
      .values({
        issuer: standIn.issuer,
        subject: 'another',
        player_id: player.id,
        created_at: t.clock.now(),
      })
      .execute();
    expect(await signInAs(GMAIL)).toMatchObject(refused(SENTENCES.otherAccount('Google')));
    expect(await identities()).toHaveLength(1);
  });

  test('P29c: 20 parallel sign-ins of a new person make one account with one link', async () => {
    const codes = await Promise.all(Array.from({ length: 20 }, () => codeFor(GMAIL)));
    const answers = await Promise.all(codes.map((code) => post(t, { code })));
    expect(answers.map(({ status }) => status)).toEqual(codes.map(() => 200));
    expect(new Set(answers.map(({ body }) => body.user.uuid)).size).toBe(1);
    expect(await identities()).toHaveLength(1);
    expect(await t.mails()).toHaveLength(1);
  });

  test('P29d: a code opens at most one session, even when sent 20 times in parallel', async () => {
    const code = await codeFor(GMAIL);
    const answers = await Promise.all(Array.from({ length: 20 }, () => post(t, { code })));
    expect(answers.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1);
    expect(await post(t, { code })).toMatchObject(refused(SENTENCES.notCompleted('Google')));
  });

  test.each<[string, unknown]>([
    ['a made-up code', { code: 'made-up' }],
    ['an empty code', { code: '' }],
    ['no code', {}],
    ['a number', { code: 7 }],
    ['a code that is too long', { code: 'x'.repeat(3000) }],
    ['a verifier that is too short', { code: 'made-up', code_verifier: 'short' }],
    ['a list', []],
    ['no body', undefined],
  ])('P29d: %s is refused with an {error} body', async (_name, body) => {
    expect(await post(t, body)).toMatchObject(refused(SENTENCES.notCompleted('Google')));
  });

  test('P29a: a sign-in that began with PKCE needs its verifier', async () => {
    const code_verifier = 'v'.repeat(43);
    const pkce = {
      code_challenge: createHash('sha256').update(code_verifier).digest('base64url'),
      code_challenge_method: 'S256',
    };
    expect(await post(t, { code: await codeFor(GMAIL, pkce) })).toMatchObject(
      refused(SENTENCES.notCompleted('Google')),
    );
    const wrong = { code: await codeFor(GMAIL, pkce), code_verifier: 'w'.repeat(43) };
    expect(await post(t, wrong)).toMatchObject(refused(SENTENCES.notCompleted('Google')));
    const right = { code: await codeFor(GMAIL, pkce), code_verifier };
    expect((await post(t, right)).status).toBe(200);
  });

  test('P29b: the nonce of the browser must match that of the token', async () => {
    const nonce = randomUUID();
    for (const body of [{ nonce: 'another' }, {}])
      expect(await post(t, { code: await codeFor(GMAIL, { nonce }), ...body })).toMatchObject(
        refused(SENTENCES.notCompleted('Google')),
      );
    expect(await post(t, { code: await codeFor(GMAIL), nonce })).toMatchObject(
      refused(SENTENCES.notCompleted('Google')),
    );
    expect((await post(t, { code: await codeFor(GMAIL, { nonce }), nonce })).status).toBe(200);
  });

  test('P29d: no token of the provider is stored', async () => {
    await signInAs(GMAIL);
    const { rows } = await t.pool.query(`
      select table_name, column_name from information_schema.columns
      where table_schema = 'public' and table_name in ('identities', 'players')
        and column_name similar to '%(token|access|refresh)%'`);
    expect(rows).toEqual([]);
  });

  test('P16: a sign-in with Google clears the failures of password sign-ins', async () => {
    await makePlayer(t, { email: GMAIL.email });
    const tries = { body: { email: GMAIL.email, password: 'not the password' }, ip: makeIp() };
    for (let n = 0; n < 5; n += 1) await t.call('POST', '/api/users/auth/login/', tries);
    expect((await t.call('POST', '/api/users/auth/login/', tries)).status).toBe(429);
    const code = await codeFor(GMAIL);
    await t.call('POST', CALLBACK, { body: { code }, ip: tries.ip });
    expect((await t.call('POST', '/api/users/auth/login/', tries)).status).toBe(400);
  });
});

test.each([
  ['https://accounts.google.com', 'maya@gmail.com', undefined, true],
  ['accounts.google.com', 'maya@gmail.com', undefined, true],
  ['https://accounts.google.com', 'maya@example.org', 'example.org', true],
  ['https://accounts.google.com', 'maya@example.org', undefined, false],
  ['http://127.0.0.1:3002', 'maya@gmail.com', undefined, true],
  ['https://id.example.com', 'maya@gmail.com', undefined, false],
  ['https://id.example.com', 'maya@example.org', 'example.org', false],
])('P29c: %s about %s (hd %s) is authoritative: %s', (iss, email, hd, authoritative) => {
  expect(isAuthoritative('google', { iss, email, hd })).toBe(authoritative);
});

describe('with an untrusted provider', () => {
  const stranger = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
  const now = () => Math.floor(Date.now() / 1000);
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  let provider: TestProvider;
  let t: TestApp;
  beforeAll(async () => {
    provider = await openProvider();
    t = await testApp({ google: provider.settings });
    provider.person = { sub: '42', email: 'Maya@Gmail.com', email_verified: true };
  });
  beforeEach(() => empty(t));
  afterAll(async () => {
    await t.close();
    await provider.close();
  });

  const signed: TestProvider['sign'] = (...token) => provider.sign(...token);
  const claims: TestProvider['claims'] = (over) => provider.claims(over);
  const giveToken: TestProvider['giveToken'] = (token) => provider.giveToken(token);
  const players = () => t.db.selectFrom('players').select('email').execute();

  test('P29b: a valid token signs in, and its address is stored in canonical form', async () => {
    giveToken(signed(claims()));
    expect((await post(t, { code: 'c' })).status).toBe(200);
    expect(await players()).toEqual([{ email: 'maya@gmail.com' }]);
  });

  test.each<[string, () => string | undefined]>([
    ['no token', () => undefined],
    ['another audience', () => signed(claims({ aud: 'somebody-else' }))],
    [
      'several audiences without us as the party',
      () => signed(claims({ aud: [provider.settings.client_id, 'b'], azp: 'b' })),
    ],
    ['another issuer', () => signed(claims({ iss: 'https://accounts.google.com' }))],
    ['an expired token', () => signed(claims({ exp: now() - 60 }))],
    ['a token issued 15 minutes ago', () => signed(claims({ iat: now() - 900 }))],
    ['a token issued tomorrow', () => signed(claims({ iat: now() + 86_400 }))],
    ['no subject', () => signed(claims({ sub: undefined }))],
    ['an empty subject', () => signed(claims({ sub: '' }))],
    ['a signature by another key', () => signed(claims(), { alg: 'RS256', kid: 'k1' }, stranger)],
    ['an unknown key', () => signed(claims(), { alg: 'RS256', kid: 'k2' })],
    ['no algorithm', () => `${part({ alg: 'none' })}.${part(claims())}.`],
    ['another algorithm', () => signed(claims(), { alg: 'HS256', kid: 'k1' })],
  ])('P29b: a sign-in is refused for %s', async (_name, token) => {
    giveToken(token());
    expect(await post(t, { code: 'c' })).toMatchObject(refused(SENTENCES.notCompleted('Google')));
    expect(await players()).toEqual([]);
  });

  test('P29b: the keys are not fetched again for each unknown key id', async () => {
    giveToken(signed(claims()));
    expect((await post(t, { code: 'c' })).status).toBe(200);
    const before = provider.keysAsked;
    expect(before).toBe(1);
    giveToken(signed(claims(), { alg: 'RS256', kid: 'k2' }));
    for (let n = 0; n < 5; n += 1)
      expect(await post(t, { code: 'c' })).toMatchObject(refused(SENTENCES.notCompleted('Google')));
    expect(provider.keysAsked).toBe(before);
  });

  test.each([
    [{ email_verified: false }, SENTENCES.notVerified('Google')],
    [{ email_verified: undefined }, SENTENCES.notVerified('Google')],
    [{ email: undefined }, SENTENCES.noAddress('Google')],
    [{ email: 'maya banks@gmail.com' }, SENTENCES.noAddress('Google')],
    [{ email: 'maya@gmail.com\r\nbcc: x@example.com' }, SENTENCES.noAddress('Google')],
  ])('a sign-in is refused for %j', async (over, error) => {
    giveToken(signed(claims(over)));
    expect(await post(t, { code: 'c' })).toMatchObject(refused(error));
    expect(await players()).toEqual([]);
  });

  test.each(['maya@example.com', 'maya@notgmail.com', 'maya@gmail.com.example.com'])(
    'P29c: a verified account of %s is not linked, since Google does not assign the address',
    async (email) => {
      await makePlayer(t, { email });
      giveToken(signed(claims({ email })));
      expect(await post(t, { code: 'c' })).toMatchObject(
        refused(SENTENCES.passwordFirst('Google')),
      );
      expect(await t.db.selectFrom('identities').selectAll().execute()).toEqual([]);
      expect(await t.mails()).toEqual([]);
    },
  );

  test('P29c: a sign-in creates an account for an address that Google does not assign', async () => {
    giveToken(signed(claims({ email: 'maya@example.com' })));
    expect((await post(t, { code: 'c' })).status).toBe(200);
  });

  test.each<[string, RequestListener]>([
    ['a 500', (_req, res) => res.writeHead(500).end('oops')],
    ['no JSON', (_req, res) => res.end('<html>')],
    [
      'a redirect',
      (_req, res) => res.writeHead(302, { location: `${provider.settings.issuer}/jwks` }).end(),
    ],
    [
      'too many bytes',
      (_req, res) =>
        res
          .setHeader('content-type', 'application/json')
          .end(JSON.stringify({ access_token: 'a', padding: 'x'.repeat(70_000) })),
    ],
    [
      'the error invalid_client',
      (_req, res) =>
        res
          .writeHead(401, { 'content-type': 'application/json' })
          .end(JSON.stringify({ error: 'invalid_client' })),
    ],
    ['a closed connection', (req) => req.socket.destroy()],
  ])(
    'P29d: a provider that answers with %s is unavailable: 503 with Retry-After',
    async (_name, answer) => {
      provider.answerToken = answer;
      const { status, body, headers } = await post(t, { code: 'c' });
      expect({ status, body }).toEqual({ status: 503, body: { error: SENTENCES.away('Google') } });
      expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    },
  );

  test('P29d: a hanging call to a provider times out before the player’s request does', async () => {
    provider.answerToken = () => undefined;
    const { status, body } = await post(t, { code: 'c' });
    expect({ status, body }).toEqual({ status: 503, body: { error: SENTENCES.away('Google') } });
  });

  test('P29d: a call to a provider that sends single bytes times out too', async () => {
    let dripping: NodeJS.Timeout | undefined;
    provider.answerToken = (_req, res) => {
      res.setHeader('content-type', 'application/json');
      dripping = setInterval(() => res.write(' '), 200);
    };
    expect((await post(t, { code: 'c' })).status).toBe(503);
    clearInterval(dripping);
  });

  test('P29d: one network has a limited number of tries', async () => {
    giveToken(undefined);
    const ip = makeIp();
    const statuses = [];
    for (let n = 0; n < 31; n += 1)
      statuses.push((await t.call('POST', CALLBACK, { body: { code: 'c' }, ip })).status);
    expect(statuses).toEqual([...Array.from({ length: 30 }, () => 400), 429]);
  });
});

describe('with Google', () => {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const jwk = { ...publicKey.export({ format: 'jwk' }), kid: 'k1', use: 'sig' };
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  let t: TestApp;
  beforeAll(async () => {
    t = await testApp({ google: { ...CLIENT, issuer: 'https://accounts.google.com' } });
  });
  beforeEach(() => empty(t));
  afterAll(() => t.close());

  function standInForGoogle(iss: string): void {
    const spent = new Set<string>();
    vi.stubGlobal('fetch', async (url: string, { body }: { body?: URLSearchParams }) => {
      if (url === 'https://www.googleapis.com/oauth2/v3/certs')
        return Response.json({ keys: [jwk] });
      expect(url).toBe('https://oauth2.googleapis.com/token');
      const code = body?.get('code') ?? '';
      if (spent.has(code)) return Response.json({ error: 'invalid_grant' }, { status: 400 });
      spent.add(code);
      const iat = Math.floor(Date.now() / 1000);
      const claims = { iss, aud: CLIENT.client_id, sub: '42', iat, exp: iat + 3600 };
      const address = { email: 'maya@gmail.com', email_verified: true };
      const input = `${part({ alg: 'RS256', kid: 'k1' })}.${part({ ...claims, ...address })}`;
      const signature = createSign('sha256').update(input).sign(privateKey, 'base64url');
      const id_token = `${input}.${signature}`;
      return Response.json({ access_token: 'a', token_type: 'Bearer', id_token });
    });
  }

  test('P29b: the issuer of Google is the same with and without its scheme', async () => {
    standInForGoogle('accounts.google.com');
    const plain = await post(t, { code: 'one' });
    expect(plain.status).toBe(200);
    standInForGoogle('https://accounts.google.com');
    const whole = await post(t, { code: 'two' });
    expect([whole.status, whole.body.user?.uuid]).toEqual([200, plain.body.user.uuid]);
    expect(await t.db.selectFrom('identities').select('issuer').execute()).toEqual([
      { issuer: 'https://accounts.google.com' },
    ]);
    expect(await post(t, { code: 'two' })).toMatchObject(refused(SENTENCES.notCompleted('Google')));
  });

  test.each([
    'http://accounts.google.com',
    'https://accounts.google.com.evil.example',
    'google.com',
  ])('P29b: %s is another issuer', async (iss) => {
    standInForGoogle(iss);
    expect(await post(t, { code: 'c' })).toMatchObject(refused(SENTENCES.notCompleted('Google')));
  });
});

describe('without a provider', () => {
  let t: TestApp;
  afterEach(() => t.close());

  test('without settings for Google the page gets no button, and the callback is refused', async () => {
    t = await testApp();
    expect((await t.call('GET', '/api/config/')).body.google).toBeNull();
    expect(await post(t, { code: 'c' })).toMatchObject(refused(SENTENCES.notSetUp('Google')));
  });

  test('REL-12: while Google is down the page gets no button, and password sign-ins still work', async () => {
    const gone = createServer();
    await new Promise<void>((done) => gone.listen(0, '127.0.0.1', done));
    const issuer = `http://localhost:${(gone.address() as AddressInfo).port}`;
    await new Promise((done) => gone.close(done));
    t = await testApp({ google: { ...CLIENT, issuer } });
    expect((await t.call('GET', '/api/config/')).body.google).toBeNull();
    expect((await post(t, { code: 'c' })).status).toBe(503);
    const login = { body: { email: 'maya@example.com', password: 'not the password' } };
    expect((await t.call('POST', '/api/users/auth/login/', login)).status).toBe(400);
  });

  test('REL-12: Google’s button is shown without a call to Google, and is not marked as a stand-in', async () => {
    t = await testApp({ google: { ...CLIENT, issuer: 'https://accounts.google.com' } });
    expect((await t.call('GET', '/api/config/')).body.google).toEqual({
      client_id: CLIENT.client_id,
      authorization_endpoint: 'https://accounts.google.com/o/oauth2/v2/auth',
      redirect_uri: REDIRECT,
      stand_in: false,
    });
  });

  test('a remote provider with plain http is refused', async () => {
    t = await testApp({ google: { ...CLIENT, issuer: 'http://id.example.com' } });
    expect((await t.call('GET', '/api/config/')).body.google).toBeNull();
  });
});
