import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { LeagueStats } from '#contract/wire/leagues.ts';
import type { User } from '#contract/wire/profile.ts';
import {
  checkEmail,
  getProfile,
  login,
  loginWith,
  register,
  requestPasswordReset,
  resendVerification,
  resetPassword,
  verifyEmail,
} from '../api/auth-calls.ts';
import { ApiError, CannotReach, type Client, createClient } from '../api/client.ts';
import { getAchievements } from '../api/profile-calls.ts';
import { NOT_KEPT } from '../ui/storage.ts';
import {
  ACCESS_KEY,
  browserSession,
  createSession,
  type Exclusive,
  LEAGUE_STATS_KEY,
  REFRESH_KEY,
  type Session,
  USER_KEY,
} from './session.ts';

const PROOF = { code: 'c', code_verifier: 'v'.repeat(43), nonce: 'n' };

class MemoryStorage implements Storage {
  readonly #items = new Map<string, string>();
  get length() {
    return this.#items.size;
  }
  clear() {
    this.#items.clear();
  }
  getItem(key: string) {
    return this.#items.get(key) ?? null;
  }
  key(at: number) {
    return [...this.#items.keys()][at] ?? null;
  }
  removeItem(key: string) {
    this.#items.delete(key);
  }
  setItem(key: string, value: string) {
    this.#items.set(key, value);
  }
}

interface Call {
  path: string;
  method: string;
  headers: Headers;
  body: unknown;
}
type Answer = Response | Promise<Response> | 'no answer';

/** A lock that all tabs share. They get it in the order in which they ask. */
function lock(): Exclusive {
  let last: Promise<unknown> = Promise.resolve();
  let inside = 0;
  return (task) => {
    const waited = inside++ > 0;
    const mine = last.then(() => task(waited)).finally(() => (inside -= 1));
    last = mine.catch(() => {});
    return mine;
  };
}

const json = (body: unknown, status = 200) => Response.json(body, { status });
const PROFILE = '/api/users/profile/';
const REFRESH = '/api/users/auth/token/refresh/';
const stats = { team_name: 'Bankers' } as LeagueStats;
const user = { email: 'maya@example.com', uuid: 'u', username: 'Maya' } as User;

let calls: Call[];
let answer: (call: Call) => Answer;
let cookies: string;

function edge() {
  return {
    cookies: () => cookies,
    fetch: async (input: RequestInfo | URL, init: RequestInit = {}) => {
      const call = {
        path: String(input),
        method: init.method ?? 'GET',
        headers: new Headers(init.headers),
        body: typeof init.body === 'string' ? JSON.parse(init.body) : undefined,
      };
      expect(init.credentials).toBe('include');
      calls.push(call);
      const given = await answer(call);
      if (given === 'no answer') throw new TypeError('Failed to fetch');
      return given;
    },
  };
}

function openTab(storage: Storage, exclusive: Exclusive) {
  const session = createSession({
    ...edge(),
    storage,
    exclusive,
    unsubscribe: async () => {
      unsubscribed += 1;
    },
  });
  return { session, client: createClient(session, edge()) };
}

/**
 * A server that accepts only the access token `good`, which it issues for the refresh token `r1`.
 */
function rotating(good: string): (call: Call) => Answer {
  let refresh = 'r1';
  return ({ path, headers, body }) => {
    if (path === REFRESH) {
      if ((body as { refresh: string }).refresh !== refresh) return json({ detail: 'reused' }, 401);
      refresh = 'r2';
      return json({ access: good, refresh });
    }
    return headers.get('Authorization') === `Bearer ${good}` ? json({ ok: true }) : json({}, 401);
  };
}

let storage: Storage;
let exclusive: Exclusive;
let session: Session;
let client: Client;
let ended: number;
/** How often the browser's push subscription was dropped. */
let unsubscribed: number;

beforeEach(() => {
  calls = [];
  cookies = '';
  answer = () => json({});
  storage = new MemoryStorage();
  exclusive = lock();
  storage.setItem(ACCESS_KEY, 'a1');
  storage.setItem(REFRESH_KEY, 'r1');
  storage.setItem(USER_KEY, JSON.stringify(user));
  storage.setItem('something else', 'kept');
  ({ session, client } = openTab(storage, exclusive));
  ended = 0;
  unsubscribed = 0;
  session.onEnded(() => {
    ended += 1;
  });
});

const refreshes = () => calls.filter(({ path }) => path === REFRESH);

describe('headers', () => {
  const email = 'maya@example.com';
  const { signal } = new AbortController();

  it.each<[path: string, call: (client: Client) => Promise<unknown>]>([
    ['/api/users/auth/register/', (api) => register(api, { email })],
    ['/api/users/auth/login/', (api) => login(api, { email, password: 'p' })],
    ['/api/users/verify-email/', (api) => verifyEmail(api, { email, code: '123456' })],
    ['/api/users/resend-verification/', (api) => resendVerification(api, email)],
    ['/api/users/auth/google/callback/', (api) => loginWith(api, 'google', PROOF)],
    ['/api/users/auth/oidc/callback/', (api) => loginWith(api, 'oidc', PROOF)],
    ['/api/users/auth/check-email/', (api) => checkEmail(api, email)],
  ])('%s carries no token', async (path, call) => {
    await call(client);
    expect(calls[0]?.path).toBe(path);
    expect(calls[0]?.headers.has('Authorization')).toBe(false);
  });

  it.each<[path: string, call: (client: Client) => Promise<unknown>]>([
    [PROFILE, (api) => getProfile(api)],
    ['/api/users/auth/request-password-reset/', (api) => requestPasswordReset(api, email)],
    [
      '/api/users/auth/reset-password/',
      (api) => resetPassword(api, { email, token: 't', password: 'p' }),
    ],
    ['/api/achievements/', (api) => getAchievements(api, signal)],
  ])('%s carries the access token', async (path, call) => {
    await call(client);
    expect(calls[0]?.path).toBe(path);
    expect(calls[0]?.headers.get('Authorization')).toBe('Bearer a1');
  });

  it('repeat the csrftoken cookie, wherever it is in the cookie header', async () => {
    cookies = 'xcsrftoken=no; csrftoken=a-b_c; other=1';
    await client.get(PROFILE);
    expect(calls[0]?.headers.get('X-CSRFToken')).toBe('a-b_c');
    cookies = '';
    await client.get(PROFILE);
    expect(calls[1]?.headers.has('X-CSRFToken')).toBe(false);
  });
});

describe('a 401', () => {
  it('leads to one token refresh and one retry, and both tokens are stored', async () => {
    answer = rotating('a2');
    await expect(client.get(PROFILE)).resolves.toEqual({ ok: true });
    expect(calls.map(({ path }) => path)).toEqual([PROFILE, REFRESH, PROFILE]);
    expect(calls[1]?.body).toEqual({ refresh: 'r1', rotate: true });
    expect([storage.getItem(ACCESS_KEY), storage.getItem(REFRESH_KEY)]).toEqual(['a2', 'r2']);
  });

  it('keeps the old refresh token if the response has none', async () => {
    answer = ({ path, headers }) =>
      path === REFRESH
        ? json({ access: 'a2' })
        : json({}, headers.get('Authorization') === 'Bearer a2' ? 200 : 401);
    await client.get(PROFILE);
    expect(storage.getItem(REFRESH_KEY)).toBe('r1');
  });

  it('a call with a 401 is retried only once', async () => {
    answer = ({ path }) => (path === REFRESH ? json({ access: 'a2' }) : json({}, 401));
    await expect(client.get(PROFILE)).rejects.toMatchObject({ status: 401 });
    expect(calls).toHaveLength(3);
  });

  it.each([PROFILE, '/api/leaderboards/', '/api/achievements/'] as const)(
    'ACC-44: a 401 after the refresh ends the session, on %s too',
    async (path) => {
      answer = (call) => (call.path === REFRESH ? json({ access: 'a2' }) : json({}, 401));
      await expect(client.get(path)).rejects.toMatchObject({ status: 401 });
      expect(ended).toBe(1);
      expect(storage.length).toBe(0);
    },
  );

  it('a 401 after the refresh does not end the session of somebody who has signed in meanwhile', async () => {
    answer = (call) => {
      if (call.path === REFRESH) return json({ access: 'a2' });
      if (call.headers.get('Authorization') === 'Bearer a2') storage.setItem(ACCESS_KEY, 'b1');
      return json({}, 401);
    };
    await expect(client.get(PROFILE)).rejects.toMatchObject({ status: 401 });
    expect(ended).toBe(0);
    expect(storage.getItem(ACCESS_KEY)).toBe('b1');
  });

  it('a 401 to a call without a bearer token causes no refresh', async () => {
    answer = () => json({ non_field_errors: ['no'] }, 401);
    const body = { email: user.email, password: 'p' };
    await expect(login(client, body)).rejects.toMatchObject({ status: 401 });
    storage.removeItem(ACCESS_KEY);
    await expect(client.get(PROFILE)).rejects.toMatchObject({ status: 401 });
    expect(refreshes()).toHaveLength(0);
    expect(ended).toBe(0);
  });

  it('a 401 to many simultaneous calls leads to one refresh', async () => {
    answer = rotating('a2');
    await Promise.all(Array.from({ length: 20 }, () => client.get(PROFILE)));
    expect(refreshes()).toHaveLength(1);
  });

  it('a 401 in several tabs at the same time leads to one refresh', async () => {
    answer = rotating('a2');
    const tabs = [client, openTab(storage, exclusive).client, openTab(storage, exclusive).client];
    await Promise.all(tabs.flatMap((tab) => [tab.get(PROFILE), tab.get(PROFILE)]));
    expect(refreshes()).toHaveLength(1);
    expect(storage.getItem(REFRESH_KEY)).toBe('r2');
  });

  it('uses the tokens of another tab even if they appear in the storage late', async () => {
    answer = rotating('a2');
    const other = new MemoryStorage();
    for (const key of [ACCESS_KEY, REFRESH_KEY]) other.setItem(key, storage.getItem(key) ?? '');
    const late = openTab(other, exclusive).client;
    const both = Promise.all([client.get(PROFILE), late.get(PROFILE)]);
    await vi.waitFor(() => expect(storage.getItem(ACCESS_KEY)).toBe('a2'));
    for (const key of [ACCESS_KEY, REFRESH_KEY]) other.setItem(key, storage.getItem(key) ?? '');
    await both;
    expect(refreshes()).toHaveLength(1);
  });

  it('accepts that another tab stored the same tokens first', async () => {
    const same = rotating('a2');
    answer = (call) => {
      if (call.path === REFRESH) storage.setItem(REFRESH_KEY, 'r2');
      return same(call);
    };
    await client.get(PROFILE);
    expect(storage.getItem(ACCESS_KEY)).toBe('a2');
    expect(ended).toBe(0);
  });

  it('with a stale token leads to the token that was stored in the meantime', async () => {
    answer = rotating('a2');
    storage.setItem(ACCESS_KEY, 'a2');
    await expect(session.refresh('a1')).resolves.toBe('a2');
    expect(calls).toHaveLength(0);
  });
});

describe('ACC-45: a refused token refresh', () => {
  it.each([400, 401, 403])('with %i ends the session and clears everything', async (status) => {
    answer = ({ path }) => json({}, path === REFRESH ? status : 401);
    await expect(client.get(PROFILE)).rejects.toBeInstanceOf(ApiError);
    expect(storage.length).toBe(0);
    expect(session.getState()).toEqual({ user: null, hasAccess: false });
    expect(ended).toBe(1);
  });

  it('a 401 without a refresh token also ends the session and clears everything', async () => {
    storage.removeItem(REFRESH_KEY);
    answer = () => json({}, 401);
    await expect(client.get(PROFILE)).rejects.toBeInstanceOf(ApiError);
    expect(storage.length).toBe(0);
    expect(ended).toBe(1);
  });

  it('a refusal after Sign Out does not end the session a second time', async () => {
    answer = () => json({}, 401);
    const late = client.get(PROFILE);
    session.clear();
    await expect(late).rejects.toBeInstanceOf(ApiError);
    expect(ended).toBe(0);
    expect(storage.getItem('something else')).toBe('kept');
  });
});

describe('ACC-45 REL-21: a token refresh without a response', () => {
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => vi.useRealTimers());

  it('is retried by the next tab, a moment after the first tab failed', async () => {
    let dead = true;
    const good = rotating('a2');
    answer = (call) => (call.path === REFRESH && dead ? 'no answer' : good(call));
    const first = session.refresh('a1');
    first.catch(() => undefined);
    const { session: next } = openTab(storage, exclusive);
    const second = next.refresh('a1');
    await vi.advanceTimersByTimeAsync(15_000);
    await expect(first).rejects.toBeInstanceOf(CannotReach);
    dead = false;
    await vi.advanceTimersByTimeAsync(2_000);
    await expect(second).resolves.toBe('a2');
  });

  async function patiently<T>(call: Promise<T>): Promise<T> {
    call.catch(() => undefined);
    await vi.advanceTimersByTimeAsync(20_000);
    return call;
  }

  it.each<[string, Answer]>([
    ['no network', 'no answer'],
    ['429', json({ detail: 'slow' }, 429)],
    ['500', json({ detail: 'x' }, 500)],
    ['503 from a proxy', new Response('<html>', { status: 503 })],
  ])('%s keeps the session and says that the server cannot be reached', async (_name, given) => {
    answer = ({ path }) => (path === REFRESH ? given : json({}, 401));
    await expect(patiently(client.get(PROFILE))).rejects.toBeInstanceOf(CannotReach);
    expect(storage.getItem(ACCESS_KEY)).toBe('a1');
    expect(storage.getItem(REFRESH_KEY)).toBe('r1');
    expect(session.getState().user).toEqual(user);
    expect(ended).toBe(0);
  });

  it('P3: is retried while the server still answers a retry with the same token', async () => {
    const asked: number[] = [];
    const began = Date.now();
    answer = ({ path }) => {
      if (path !== REFRESH) return json({}, 401);
      asked.push(Date.now() - began);
      return 'no answer';
    };
    await expect(patiently(client.get(PROFILE))).rejects.toBeInstanceOf(CannotReach);
    expect(asked).toEqual([0, 1000, 2000, 3000, 4000, 5000, 6000, 7000, 8000]);
  });

  it('succeeds when only the first response was lost', async () => {
    const good = rotating('a2');
    let lost = 0;
    answer = (call) => {
      if (call.path !== REFRESH || lost++ > 0) return good(call);
      return 'no answer';
    };
    await expect(patiently(client.get(PROFILE))).resolves.toEqual({ ok: true });
    expect(storage.getItem(REFRESH_KEY)).toBe('r2');
  });

  it('is retried with the next call', async () => {
    answer = ({ path }) => (path === REFRESH ? 'no answer' : json({}, 401));
    await expect(patiently(client.get(PROFILE))).rejects.toBeInstanceOf(CannotReach);
    answer = rotating('a2');
    await expect(client.get(PROFILE)).resolves.toEqual({ ok: true });
  });
});

it('tokens that arrive after Sign Out are not stored', async () => {
  let finish: (answer: Response) => void = () => {};
  const held = new Promise<Response>((done) => {
    finish = done;
  });
  answer = ({ path }) => (path === REFRESH ? held : json({}, 401));
  const call = client.get(PROFILE);
  await expect.poll(() => refreshes().length).toBe(1);
  session.clear();
  finish(json({ access: 'a2', refresh: 'r2' }));
  await expect(call).rejects.toBeInstanceOf(ApiError);
  expect(storage.getItem(ACCESS_KEY)).toBeNull();
  expect(storage.getItem(REFRESH_KEY)).toBeNull();
});

it.each([
  [PROFILE, 1],
  ['/api/users/sessions/', 1],
  ['/api/leaderboards/', 0],
] as const)('ACC-46: a 404 at %s ends the session: %i', async (path, times) => {
  answer = () => json({ detail: 'Not found.' }, 404);
  await expect(client.get(path)).rejects.toMatchObject({ status: 404 });
  expect(ended).toBe(times);
  expect(storage.length).toBe(times === 1 ? 0 : 4);
});

it('REL-21: a refresh ends when another tab holds the lock for too long', async () => {
  const timeout = AbortSignal.abort(new DOMException('', 'TimeoutError'));
  const limit = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(timeout);
  const request = async (_: string, options: LockOptions, task: (lock: null) => unknown) => {
    if (options.ifAvailable) return task(null);
    expect(limit).toHaveBeenCalledExactlyOnceWith(35_000);
    throw options.signal?.reason;
  };
  vi.stubGlobal('localStorage', storage);
  vi.stubGlobal('navigator', { locks: { request } });
  const refreshed = browserSession(edge()).refresh('a1');
  await expect(refreshed).rejects.toBeInstanceOf(CannotReach);
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

describe('responses', () => {
  it('without a body are undefined', async () => {
    answer = () => new Response(null, { status: 204 });
    await expect(client.delete(PROFILE)).resolves.toBeUndefined();
  });

  it('carry status and body when refused', async () => {
    answer = () => json({ username: ['Taken.'] }, 400);
    await expect(client.patch(PROFILE, {})).rejects.toMatchObject({
      status: 400,
      body: { username: ['Taken.'] },
    });
  });

  it('that are not JSON have no body to show', async () => {
    answer = () => new Response('<h1>Bad gateway</h1>', { status: 502 });
    await expect(client.get(PROFILE)).rejects.toMatchObject({ status: 502, body: undefined });
  });

  it('that never come throw CannotReach', async () => {
    answer = () => 'no answer';
    await expect(client.get(PROFILE)).rejects.toBeInstanceOf(CannotReach);
  });
});

describe('PROD-167: with full storage', () => {
  const full = (when: (key: string) => boolean) => {
    const setItem = storage.setItem.bind(storage);
    storage.setItem = (key, value) => {
      if (when(key)) throw new DOMException('full', 'QuotaExceededError');
      setItem(key, value);
    };
  };

  it('a sign-in fails with a sentence, and leaves nothing behind', () => {
    full((key) => key === USER_KEY);
    expect(() => session.store({ access: 'a2', refresh: 'r2', user })).toThrow(NOT_KEPT);
    expect(session.getState()).toEqual({ user: null, hasAccess: false });
    expect([storage.getItem(ACCESS_KEY), storage.getItem(REFRESH_KEY)]).toEqual([null, null]);
    expect(storage.getItem('something else')).toBe('kept');
    expect(unsubscribed, 'PUSH-36').toBe(0);
  });

  it('the cached week is dropped to make room', () => {
    session.cacheLeagueStats(stats);
    full(() => storage.getItem(LEAGUE_STATS_KEY) !== null);
    session.setUser({ ...user, username: 'Maya_B' });
    expect(session.getState().user?.username).toBe('Maya_B');
    expect(session.getLeagueStats()).toBeNull();
  });

  it('the week is not cached, and nothing breaks', () => {
    full((key) => key === LEAGUE_STATS_KEY);
    session.cacheLeagueStats(stats);
    expect(session.getLeagueStats()).toBeNull();
  });

  it('a refresh fails with a sentence if the new token cannot be stored', async () => {
    full((key) => key === ACCESS_KEY);
    answer = rotating('good');
    await expect(session.refresh('a1')).rejects.toThrow(NOT_KEPT);
    expect(ended).toBe(0);
  });
});

describe('what is stored', () => {
  it('the stored user and tokens are read at the start', () => {
    expect(session.getState()).toEqual({ user, hasAccess: true });
  });

  it.each(['{', '3', 'null', '{"email":1}'])('%s is no user', (text) => {
    storage.setItem(USER_KEY, text);
    expect(openTab(storage, exclusive).session.getState().user).toBeNull();
  });

  it('is replaced completely by a new sign-in', () => {
    session.store({ access: 'b1', user: { ...user, username: 'Dee' } });
    expect(storage.getItem(ACCESS_KEY)).toBe('b1');
    expect(storage.getItem(REFRESH_KEY)).toBeNull();
    expect(session.getState().user?.username).toBe('Dee');
  });

  it('Sign Out removes the app’s own keys; other keys stay', () => {
    session.setUser(user);
    session.cacheLeagueStats(stats);
    session.clear();
    expect(storage.length).toBe(1);
    expect(storage.getItem('something else')).toBe('kept');
  });

  it('PUSH-36: only Sign Out drops the push subscription', () => {
    session.store({ access: 'b1', user });
    session.signedOut();
    expect(unsubscribed, 'a session that expired').toBe(0);
    session.clear({ keepPush: true });
    expect(unsubscribed, '“Sign in again”').toBe(0);
    session.clear();
    expect(unsubscribed).toBe(1);
  });

  it('the storage has the time when the user was read, and the team’s week', () => {
    expect(session.getReadAt()).toBe(0);
    expect(session.getLeagueStats()).toBeNull();
    const before = Date.now();
    session.setUser(user);
    session.cacheLeagueStats(stats);
    expect(session.isReadBefore()).toBe(false);
    const later = openTab(storage, exclusive).session;
    expect(later.isReadBefore()).toBe(true);
    expect(later.getReadAt()).toBeGreaterThanOrEqual(before);
    expect(later.getLeagueStats()?.value).toEqual(stats);
    expect(later.getLeagueStats()?.at).toBeGreaterThanOrEqual(before);
    session.cacheLeagueStats(null);
    expect(later.getLeagueStats()).toBeNull();
  });

  it('a new code does not change the time of reading', () => {
    session.setUser(user);
    storage.setItem('user_read_at', '7');
    session.setCode('new');
    expect(openTab(storage, exclusive).session.getState().user).toEqual({ ...user, uuid: 'new' });
    expect(session.getState().user?.uuid).toBe('new');
    expect(session.getReadAt()).toBe(7);
    session.clear();
    session.setCode('newer');
    expect(storage.getItem(USER_KEY)).toBeNull();
  });

  it('a sign-in drops the week of the player who was signed in before', () => {
    session.cacheLeagueStats(stats);
    session.store({ access: 'b1', user: { ...user, username: 'Dee' } });
    expect(session.getLeagueStats()).toBeNull();
    session.clear();
    session.cacheLeagueStats(stats);
    expect(storage.getItem(LEAGUE_STATS_KEY)).toBeNull();
  });

  it('the week of a player is not cached once another tab has signed in another player', () => {
    openTab(storage, exclusive).session.store({
      access: 'b1',
      user: { ...user, email: 'dee@x.org' },
    });
    session.cacheLeagueStats(stats);
    expect(storage.getItem(LEAGUE_STATS_KEY)).toBeNull();
    session.changedElsewhere();
    session.cacheLeagueStats(stats);
    expect(session.getLeagueStats()?.value).toEqual(stats);
  });

  it.each(['', 'spoilt', '7', '{}', '{"at":1}', '{"at":"1","value":{}}', '{"at":1,"value":null}'])(
    'ignores a stored week that is %j',
    (text) => {
      storage.setItem(LEAGUE_STATS_KEY, text);
      expect(session.getLeagueStats()).toBeNull();
    },
  );

  it('the state is the same object until its content changes', () => {
    const before = session.getState();
    storage.setItem(ACCESS_KEY, 'a2');
    session.changedElsewhere();
    expect(session.getState()).toBe(before);
  });

  it('the state follows another tab that signs out', () => {
    let notified = 0;
    session.subscribe(() => {
      notified += 1;
    });
    openTab(storage, exclusive).session.clear();
    session.changedElsewhere();
    expect(session.getState()).toEqual({ user: null, hasAccess: false });
    expect(notified).toBe(1);
    expect(ended).toBe(0);
  });
});
