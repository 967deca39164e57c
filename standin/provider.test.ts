import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { PEOPLE, type StandIn, startStandIn } from './provider.ts';

const REDIRECT = 'http://localhost:3000/auth/google/callback';
const CLIENT = { client_id: 'backboard-test', client_secret: 'a-secret-of-the-test' };
let standIn: StandIn;
beforeEach(async () => {
  standIn = await startStandIn({
    port: 0,
    redirect_uri: REDIRECT,
    ...CLIENT,
  });
});
afterEach(() => standIn.stop());

const authorization = (over: Record<string, string> = {}) =>
  `${standIn.issuer}/auth?${new URLSearchParams({
    client_id: CLIENT.client_id,
    response_type: 'code',
    scope: 'openid email profile',
    prompt: 'select_account',
    state: 's1',
    redirect_uri: REDIRECT,
    ...over,
  })}`;

/** Keeps cookies, and follows one redirect at a time. */
function browser() {
  const cookies = new Map<string, string>();
  const visit = async (url: string, init: RequestInit = {}) => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await fetch(url, { ...init, headers: { cookie }, redirect: 'manual' });
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      cookies.set(name, value);
    }
    const location = answer.headers.get('location');
    return { answer, next: location === null ? null : new URL(location, url).href };
  };
  const choose = async (person: string): Promise<URL> => {
    const { next: choice } = await visit(authorization());
    const body = new URLSearchParams({ person });
    const { next: resume } = await visit(choice ?? '', { method: 'POST', body });
    const { next: end } = await visit(resume ?? '');
    return new URL(end ?? '');
  };
  return { visit, choose };
}

test('the page says that it is a stand-in and offers its people, without scripts', async () => {
  const { visit } = browser();
  const { next: choice } = await visit(authorization());
  const { answer } = await visit(choice ?? '');
  const page = await answer.text();
  expect(page).toContain('<h1>Stand-in for Google</h1>');
  for (const { name, email } of PEOPLE) {
    expect(page).toContain(name);
    expect(page).toContain(email);
  }
  expect(page).not.toContain('<script');
  expect(answer.headers.get('content-security-policy')).toMatch(/^default-src 'none'/);
});

test('Cancel returns to the site without a code', async () => {
  const end = await browser().choose('');
  expect(end.origin + end.pathname).toBe(REDIRECT);
  expect(end.searchParams.get('error')).toBe('access_denied');
  expect(end.searchParams.get('state')).toBe('s1');
  expect(end.searchParams.get('code')).toBeNull();
});

test('one browser can sign in as several people in turn', async () => {
  const { choose } = browser();
  for (const { sub } of PEOPLE) {
    const end = await choose(sub);
    expect(end.origin + end.pathname).toBe(REDIRECT);
    const answer = await fetch(`${standIn.issuer}/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'authorization_code',
        code: end.searchParams.get('code') ?? '',
        redirect_uri: REDIRECT,
        ...CLIENT,
      }),
    });
    const { id_token = '' } = (await answer.json()) as { id_token?: string };
    const claims = JSON.parse(Buffer.from(id_token.split('.')[1] ?? '', 'base64url').toString());
    expect(claims.sub).toBe(sub);
  }
});

test('a sign-in that began in another browser is refused', async () => {
  const { next } = await browser().visit(authorization());
  expect((await fetch(next ?? '')).status).toBe(400);
});

test.each([{ redirect_uri: 'http://localhost:3000/elsewhere' }, { client_id: 'somebody-else' }])(
  'the provider does not redirect for %j',
  async (over) => {
    const { answer } = await browser().visit(authorization(over));
    expect(answer.status).toBe(400);
    expect(answer.headers.get('location')).toBeNull();
  },
);

test('writes nothing to the console', async () => {
  const methods = ['log', 'info', 'warn', 'error'] as const;
  const spies = methods.map((method) =>
    vi.spyOn(console, method).mockImplementation(() => undefined),
  );
  await browser().choose(PEOPLE[0]?.sub ?? '');
  await browser().visit(authorization({ redirect_uri: 'http://localhost:3000/elsewhere' }));
  for (const spy of spies) expect(spy).not.toHaveBeenCalled();
});

test('a taken port is an error', async () => {
  const port = Number(new URL(standIn.issuer).port);
  const second = startStandIn({ port, redirect_uri: REDIRECT, ...CLIENT });
  await expect(second).rejects.toMatchObject({ code: 'EADDRINUSE' });
});
