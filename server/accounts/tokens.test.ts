import { createHmac, generateKeyPairSync, sign as signRaw } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { hashOf, keysFor } from '../keys.ts';
import { ACCESS_LIFE_S, accessTokens, refreshTokens } from './tokens.ts';

const OLD = 'kW9xT2vQ7mN4bJ6hR3pL8yZ1cF5dS0aG';
const NEW = 'uE4rB8nV2kX6jM1wH9tQ5zP3gD7fY0sC';
const config = (...secret_keys: [string, ...string[]]) => ({
  secret_keys,
  public_url: 'https://play.example',
});
const SESSION = '0b7cf6e0-93b4-4b6a-9d8e-3c5a1f2e4d60';
const now = new Date('2026-03-01T12:00:00Z');
const later = (s: number) => new Date(now.getTime() + s * 1000);

const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const partsOf = (token: string) =>
  token
    .split('.')
    .slice(0, 2)
    .map((text) => JSON.parse(Buffer.from(text, 'base64url').toString()));
function forged(
  token: string,
  header: object,
  claims: object,
  sign: (input: string) => string = signedBy(OLD),
): string {
  const [wasHeader, wasClaims] = partsOf(token);
  const input = `${part({ ...wasHeader, ...header })}.${part({ ...wasClaims, ...claims })}`;
  return `${input}.${sign(input)}`;
}
const signedBy = (secret: string) => (input: string) =>
  createHmac('sha256', keysFor(config(secret), 'access')[0])
    .update(input)
    .digest('base64url');

describe('P1: access tokens', () => {
  const tokens = accessTokens(config(OLD));
  const token = tokens.make(42, SESSION, now);

  test('have the claims and the type, and live ten minutes', () => {
    const [header, claims] = partsOf(token);
    expect(header).toEqual({ alg: 'HS256', typ: 'at+jwt', kid: expect.any(String) });
    const iat = now.getTime() / 1000;
    expect(claims).toEqual({
      iss: 'https://play.example',
      aud: 'backboard-api',
      sub: '42',
      sid: SESSION,
      iat,
      nbf: iat,
      exp: iat + 600,
      jti: expect.any(String),
    });
    expect(tokens.read(token, now)).toEqual({
      player_id: 42,
      session_id: SESSION,
      until: later(ACCESS_LIFE_S),
    });
  });

  test('P10: are valid from 30 s before their start, but not after their end', () => {
    expect(tokens.read(token, later(ACCESS_LIFE_S - 1))).not.toBeNull();
    expect(tokens.read(token, later(ACCESS_LIFE_S))).toBeNull();
    expect(tokens.read(token, later(-30))).not.toBeNull();
    expect(tokens.read(token, later(-31))).toBeNull();
  });

  test('forged() makes a valid token if nothing is forged', () => {
    expect(tokens.read(forged(token, {}, {}), now)).not.toBeNull();
  });

  test.each<[string, object, object]>([
    ['another type', { typ: 'JWT' }, {}],
    ['no type', { typ: undefined }, {}],
    ['another issuer', {}, { iss: 'https://evil.example' }],
    ['another audience', {}, { aud: 'backboard-mail' }],
    ['no issuer', {}, { iss: undefined }],
    ['no expiry', {}, { exp: undefined }],
    ['an expiry that is text', {}, { exp: '9999999999' }],
    ['no session', {}, { sid: undefined }],
    ['a malformed session id', {}, { sid: "' or true --" }],
    ['a start in one hour', {}, { nbf: now.getTime() / 1000 + 3600 }],
    ['an unknown key', { kid: 'somebody' }, {}],
    ['no key', { kid: undefined }, {}],
    ['an unknown critical header', { crit: ['x'], x: 1 }, {}],
  ])('are refused with %s', (_, header, claims) => {
    expect(tokens.read(forged(token, header, claims), now)).toBeNull();
  });

  test('P9: are refused with any algorithm but HS256, and without one', () => {
    const { privateKey } = generateKeyPairSync('ed25519');
    const key = keysFor(config(OLD), 'access')[0];
    const hs512 = (input: string) => createHmac('sha512', key).update(input).digest('base64url');
    const ed = (input: string) =>
      signRaw(null, Buffer.from(input), privateKey).toString('base64url');
    for (const [alg, sign] of [
      ['HS512', hs512],
      ['EdDSA', ed],
      ['none', () => ''],
      ['none', signedBy(OLD)],
    ] as const)
      expect([alg, tokens.read(forged(token, { alg }, {}, sign), now)]).toEqual([alg, null]);
  });

  test('P9: keys in a header are not used', () => {
    const brought = {
      jwk: { kty: 'oct', k: Buffer.from(NEW).toString('base64url') },
      jku: 'https://evil.example/keys',
      x5u: 'https://evil.example/cert',
    };
    const byBrought = (input: string) =>
      createHmac('sha256', NEW).update(input).digest('base64url');
    expect(tokens.read(forged(token, brought, {}, byBrought), now)).toBeNull();
  });

  test.each(['', 'x', 'a.b.c', `${'a'.repeat(3000)}.b.c`, '..', 'bbr_abc'])(
    '%j is not a token',
    (text) => {
      expect(tokens.read(text, now)).toBeNull();
    },
  );
});

describe('P9: the ring of keys', () => {
  const before = accessTokens(config(OLD)).make(42, SESSION, now);

  test('a replaced key verifies old tokens while it is in the ring, but signs no new ones', () => {
    const both = accessTokens(config(NEW, OLD));
    expect(both.read(before, now)).not.toBeNull();
    expect(accessTokens(config(OLD)).read(both.make(42, SESSION, now), now)).toBeNull();
    expect(accessTokens(config(NEW)).read(before, now)).toBeNull();
  });

  test('each purpose has a key of its own', () => {
    const uses = (['access', 'refresh', 'codes', 'limits'] as const).map((use) =>
      keysFor(config(OLD), use)[0].export().toString('hex'),
    );
    expect(new Set(uses).size).toBe(4);
  });
});

describe('P2: refresh tokens', () => {
  const sealing = (secret: string) => ({ former: [], keys: keysFor(config(secret), 'refresh') });
  const refresh = refreshTokens(sealing(OLD));

  test('name their session, and have 256 random bits and a prefix', () => {
    const made = Array.from({ length: 100 }, () => refresh.make(SESSION));
    expect(new Set(made).size).toBe(100);
    for (const token of made) {
      expect(token).toMatch(/^bbr_[\w-]{86}$/);
      expect(refresh.read(token)).toEqual({ session_id: SESSION, sealed: true });
    }
    const secrets = made.map((token) =>
      Buffer.from(token.slice(4), 'base64url').subarray(16, 48).toString('hex'),
    );
    expect(new Set(secrets).size).toBe(100);
  });

  test('a forged token has no valid seal', () => {
    const bytes = Buffer.from(refresh.make(SESSION).slice(4), 'base64url');
    bytes[40] = (bytes[40] ?? 0) ^ 1;
    expect(refresh.read(`bbr_${bytes.toString('base64url')}`)).toEqual({
      session_id: SESSION,
      sealed: false,
    });
    expect(refresh.read('bbr_short')).toBeNull();
    expect(refresh.read(`${refresh.make(SESSION)}a`)).toBeNull();
  });

  test('P3: a token always has the same successor, and only the key can compute it', () => {
    const token = refresh.make(SESSION);
    expect(refresh.successor(token, SESSION)).toBe(refresh.successor(token, SESSION));
    expect(refresh.successor(token, SESSION)).not.toBe(token);
    expect(refreshTokens(sealing(NEW)).successor(token, SESSION)).not.toBe(
      refresh.successor(token, SESSION),
    );
    expect(hashOf(token)).toHaveLength(32);
  });
});
