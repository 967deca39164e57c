import { beforeEach, describe, expect, it } from 'vitest';
import { authorisationAddress, safePath } from './openid.ts';
import { isBegunBy, takeReturn } from './openid-return.ts';

const google = {
  id: 'google',
  name: 'Google',
  client_id: 'backboard',
  authorization_endpoint: 'https://provider.example/auth?theme=dark',
  redirect_uri: 'https://backboard.example/auth/google/callback',
  stand_in: false,
} as const;

let items: Map<string, string>;
let storage: Storage;
beforeEach(() => {
  items = new Map();
  storage = {
    length: 0,
    clear: () => items.clear(),
    getItem: (key) => items.get(key) ?? null,
    key: () => null,
    removeItem: (key) => void items.delete(key),
    setItem: (key, value) => void items.set(key, value),
  };
});

async function begin(path = '/profile', email?: string) {
  const address = new URL(
    await authorisationAddress(google, path, storage, email === undefined ? {} : { email }),
  );
  return Object.fromEntries(address.searchParams);
}
const back = (parameters: Record<string, string | undefined>) =>
  `?${new URLSearchParams(JSON.parse(JSON.stringify(parameters)))}`;

describe('P29a: the address of the provider', () => {
  it('requests the code flow (ACC-22)', async () => {
    expect(await begin()).toMatchObject({
      theme: 'dark',
      response_type: 'code',
      client_id: 'backboard',
      redirect_uri: google.redirect_uri,
      scope: 'openid email profile',
      prompt: 'select_account',
      access_type: 'offline',
      code_challenge_method: 'S256',
    });
  });

  it('has a new nonce of 128 bits, and a state with the return path', async () => {
    const [one, other] = [await begin('/profile'), await begin('/profile')];
    expect(one.state).toMatch(/^[\w-]{22}\/profile$/);
    expect(one.nonce).toMatch(/^[\w-]{22}$/);
    expect(other.state).not.toBe(one.state);
    expect(other.nonce).not.toBe(one.nonce);
    expect(other.code_challenge).not.toBe(one.code_challenge);
  });
});

describe('P29a: the return', () => {
  it('the return has the code, and the proof that this tab began the sign-in', async () => {
    const { state, nonce, code_challenge } = await begin('/profile');
    const { path, email, proof } = takeReturn('google', back({ code: 'c', state }), storage);
    expect({ path, email }).toEqual({ path: '/profile', email: undefined });
    expect(proof).toMatchObject({ code: 'c', nonce });
    expect(proof?.code_verifier).toMatch(/^[\w-]{43}$/);
    const verifier = new TextEncoder().encode(proof?.code_verifier);
    const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', verifier));
    const challenge = atob(`${code_challenge}`.replaceAll('-', '+').replaceAll('_', '/'));
    expect(challenge).toBe(String.fromCharCode(...digest));
  });

  it('the return gives no proof to the page of another provider', async () => {
    const { state } = await begin();
    expect(takeReturn('oidc', back({ code: 'c', state }), storage).proof).toBeNull();
    expect(takeReturn('google', back({ code: 'c', state }), storage).proof).toBeNull();
  });

  it('the return says whether the provider is to be linked', async () => {
    const options = { link: true } as const;
    const address = await authorisationAddress(google, '/account?linked=google', storage, options);
    const state = new URL(address).searchParams.get('state') ?? '';
    const returned = takeReturn('google', back({ code: 'c', state }), storage);
    expect(returned).toMatchObject({ path: '/account?linked=google', link: true });
    expect(returned.proof).not.toBeNull();
  });

  it('ACC-50: a return belongs to the player who began it, not to one who signed in meanwhile', async () => {
    const [began, other] = [{ email: 'maya@example.com' }, { email: 'noor@example.com' }];
    const returned = async (purpose: Parameters<typeof authorisationAddress>[3]) => {
      await authorisationAddress(google, '/account', storage, purpose);
      return takeReturn('google', '', storage);
    };
    for (const purpose of [{ link: true, ...began } as const, began]) {
      expect(isBegunBy(await returned(purpose), began)).toBe(true);
      expect(isBegunBy(await returned(purpose), other)).toBe(false);
    }
    expect(isBegunBy(await returned({ link: true }), began)).toBe(false);
    expect(isBegunBy(await returned({}), other)).toBe(true);
  });

  it('a return works once', async () => {
    const { state } = await begin();
    expect(takeReturn('google', back({ code: 'c', state }), storage).proof).not.toBeNull();
    expect(takeReturn('google', back({ code: 'c', state }), storage).proof).toBeNull();
  });

  it.each<[string, (state?: string) => Record<string, string | undefined>]>([
    ['without a code', (state) => ({ state })],
    ['without a state', () => ({ code: 'c' })],
    ['with a foreign state', () => ({ code: 'c', state: 'AAAAAAAAAAAAAAAAAAAAAA/profile' })],
    ['with another path', (state) => ({ code: 'c', state: `${state}/../elsewhere` })],
    ['with a refusal', (state) => ({ error: 'access_denied', state })],
  ])('%s gives no proof, leads back, and removes what was stored', async (_name, parameters) => {
    const { state } = await begin('/account', 'maya@example.com');
    expect(takeReturn('google', back(parameters(state)), storage)).toEqual({
      path: '/account',
      email: 'maya@example.com',
      link: false,
      proof: null,
    });
    expect(items.size).toBe(0);
  });

  it('the return has no proof in a tab that began no sign-in, or whose storage is corrupt', () => {
    const nothing = { path: '/profile', email: undefined, link: false, proof: null };
    expect(takeReturn('google', back({ code: 'c', state: 's' }), storage)).toEqual(nothing);
    items.set('google_sign_in', '{');
    expect(takeReturn('google', back({ code: 'c', state: 's' }), storage)).toEqual(nothing);
  });
});

it.each([
  ['/profile/games?page=2', '/profile/games?page=2'],
  ['//evil.example', '/profile'],
  ['/\\evil.example', '/profile'],
  ['/\t/evil.example', '/profile'],
  ['/\r\n/evil.example', '/profile'],
  ['https://evil.example', '/profile'],
  ['profile', '/profile'],
  ['', '/profile'],
])('P29a: the return path %s becomes %s', async (given, path) => {
  expect(safePath(given)).toBe(path);
  const { state } = await begin(given);
  expect(takeReturn('google', back({ code: 'c', state }), storage).path).toBe(path);
});
