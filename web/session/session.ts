import type { RefreshAnswer } from '#contract/accounts.ts';
import type { LeagueStats } from '#contract/leagues.ts';
import type { User } from '#contract/profile.ts';
import { refreshTokens } from '../api/auth-calls.ts';
import { ApiError, CannotReach, type Edge, type SessionHooks } from '../api/client.ts';

/** Storage keys (spec 3, spec 9). */
export const ACCESS_KEY = 'access_token';
export const REFRESH_KEY = 'refresh_token';
export const USER_KEY = 'user';
/** When the stored user was read, in milliseconds. */
export const READ_AT_KEY = 'user_read_at';
/** The team's week as it was last read, for when there is no network. */
export const LEAGUE_STATS_KEY = 'league_stats';
/** The achievements that the player has seen in this browser (seen.ts). */
export const SEEN_KEY = 'seen_achievements';
/** The closed week whose picture the player has opened in this browser (seen.ts). */
export const OPENED_WEEK_KEY = 'opened_week';
/** All that is known of a player; none of it outlives a sign-out. */
const PLAYER_KEYS = [
  ACCESS_KEY,
  REFRESH_KEY,
  USER_KEY,
  READ_AT_KEY,
  LEAGUE_STATS_KEY,
  SEEN_KEY,
  OPENED_WEEK_KEY,
];

/** One name for every tab of this origin. */
const RENEWAL_LOCK = 'backboard-renewal';

/** Runs `task` while no other tab is inside, and tells it whether it had to wait for one. */
export type Exclusive = <T>(task: (waited: boolean) => Promise<T>) => Promise<T>;

/** What the browser gives to a session; a test gives its own. */
export interface SessionEdge extends Edge {
  storage: Storage;
  exclusive: Exclusive;
}

/** What signing in leaves behind; what is missing is removed. */
export interface SignedIn {
  access?: string | undefined;
  refresh?: string | undefined;
  user?: User | undefined;
}

/** What is stored, as the screens see it. */
export interface SessionState {
  /** The stored user: present means signed in (spec 4). */
  user: User | null;
  /** Whether there is an access token; without one the protected pages are closed (spec 4). */
  hasAccess: boolean;
}

/** Figures as they were last read, and when, in milliseconds. */
export interface Remembered<T> {
  value: T;
  at: number;
}

export interface Session extends SessionHooks {
  /** The same object until something changes. */
  getState(): SessionState;
  setUser(user: User): void;
  /** Puts a new code into the stored user; its figures keep their age. Nothing for a stranger. */
  setCode(uuid: string): void;
  /** Login, registration, verification, reset and Google store what they were given (spec 4). */
  store(signedIn: SignedIn): void;
  getRefresh(): string | null;
  /** When the stored user was read, in milliseconds; 0 for never. */
  getReadAt(): number;
  /** Keeps the team's week for when there is no network; null forgets it. Not for a stranger. */
  rememberLeagueStats(stats: LeagueStats | null): void;
  getLeagueStats(): Remembered<LeagueStats> | null;
  /** Sign Out: the three keys of spec 4 go, and what was remembered beside them. */
  clear(): void;
  /** The session was refused: all local storage goes, and who listens to `onEnded` hears it (spec 4). */
  signedOut(): void;
  onEnded(listener: () => void): () => void;
  /** Calls `listener` when the state changed; returns how to stop that. */
  subscribe(listener: () => void): () => void;
  /** Another tab changed the storage: read it again. */
  changedElsewhere(): void;
}

function isUser(value: unknown): value is User {
  return (
    typeof value === 'object' &&
    value !== null &&
    'email' in value &&
    typeof value.email === 'string' &&
    'uuid' in value &&
    typeof value.uuid === 'string'
  );
}

/** What a stored text says; null for none, and for one that somebody has spoilt. */
function parse(text: string | null): unknown {
  if (text === null) return null;
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function parseUser(text: string | null): User | null {
  const value = parse(text);
  return isUser(value) ? value : null;
}

function isRemembered(value: unknown): value is Remembered<LeagueStats> {
  return (
    typeof value === 'object' &&
    value !== null &&
    'at' in value &&
    typeof value.at === 'number' &&
    'value' in value &&
    typeof value.value === 'object' &&
    value.value !== null
  );
}

/** Contract 1: only these say that the refresh token is no good; all else is a bad connection. */
export const REFUSED = [400, 401, 403];

/**
 * An answer that gets lost takes the only good refresh token with it; the server gives the same one
 * again for ten seconds (P3). So it is asked again within that time, and not waited for for long.
 */
const ASK_AGAIN_MS = 8_000;
const PATIENCE_MS = 4_000;
const PAUSE_MS = 1_000;
/** What another tab has stored may be seen a little after its lock is free. */
const HEARD_MS = 500;

/** The stored tokens and user, and the one way to renew them. */
export function createSession(edge: SessionEdge): Session {
  const { storage } = edge;
  const listeners = new Set<() => void>();
  const endListeners = new Set<() => void>();
  let storedUser = storage.getItem(USER_KEY);
  let state = { user: parseUser(storedUser), hasAccess: storage.getItem(ACCESS_KEY) !== null };
  let renewing: Promise<string> | null = null;

  function changed() {
    const nextUser = storage.getItem(USER_KEY);
    const hasAccess = storage.getItem(ACCESS_KEY) !== null;
    if (nextUser === storedUser && hasAccess === state.hasAccess) return;
    state = { user: nextUser === storedUser ? state.user : parseUser(nextUser), hasAccess };
    storedUser = nextUser;
    for (const listener of listeners) listener();
  }

  function keep(key: string, value: string | undefined) {
    if (value === undefined) storage.removeItem(key);
    else storage.setItem(key, value);
  }

  function keepUser(user: User | undefined) {
    keep(USER_KEY, user && JSON.stringify(user));
    keep(READ_AT_KEY, user && String(Date.now()));
  }

  function signedOut() {
    storage.clear();
    changed();
    for (const listener of endListeners) listener();
  }

  async function askForTokens(refresh: string, bearer: string | null): Promise<RefreshAnswer> {
    const last = Date.now() + ASK_AGAIN_MS;
    for (;;) {
      const again = Date.now() < last;
      try {
        return await refreshTokens(edge, { refresh, bearer }, again ? PATIENCE_MS : undefined);
      } catch (error) {
        if (!again || !(error instanceof CannotReach)) throw error;
        await new Promise((done) => setTimeout(done, PAUSE_MS));
      }
    }
  }

  async function renewNow(stale: string, waited: boolean): Promise<string> {
    // Another tab may have renewed while this one waited for the lock.
    const heardBy = Date.now() + HEARD_MS;
    while (waited && storage.getItem(ACCESS_KEY) === stale && Date.now() < heardBy)
      await new Promise((done) => setTimeout(done, HEARD_MS / 20));
    const stored = storage.getItem(ACCESS_KEY);
    if (stored !== null && stored !== stale) return stored;
    const refresh = storage.getItem(REFRESH_KEY);
    if (refresh === null) {
      // Without an access token either, this is a late answer after Sign Out: nothing is left to end.
      if (stored !== null) signedOut();
      throw new ApiError('No refresh token', 401, undefined);
    }
    let renewed: RefreshAnswer;
    try {
      renewed = await askForTokens(refresh, stored);
    } catch (error) {
      if (error instanceof ApiError && REFUSED.includes(error.status)) {
        signedOut();
        throw error;
      }
      throw new CannotReach();
    }
    // The same one is another tab's renewal, seen only now (P3); else somebody has come or gone since.
    if (![refresh, renewed.refresh].includes(storage.getItem(REFRESH_KEY) ?? ''))
      throw new ApiError('The session changed', 401, undefined);
    storage.setItem(ACCESS_KEY, renewed.access);
    if (renewed.refresh !== undefined) storage.setItem(REFRESH_KEY, renewed.refresh);
    return renewed.access;
  }

  return {
    getAccess: () => storage.getItem(ACCESS_KEY),
    getRefresh: () => storage.getItem(REFRESH_KEY),
    getState: () => state,
    setUser(next) {
      keepUser(next);
      changed();
    },
    setCode(uuid) {
      if (state.user === null) return;
      storage.setItem(USER_KEY, JSON.stringify({ ...state.user, uuid }));
      changed();
    },
    store(signedIn) {
      keep(ACCESS_KEY, signedIn.access);
      keep(REFRESH_KEY, signedIn.refresh);
      keepUser(signedIn.user);
      // Of whoever was signed in before.
      storage.removeItem(LEAGUE_STATS_KEY);
      storage.removeItem(SEEN_KEY);
      storage.removeItem(OPENED_WEEK_KEY);
      changed();
    },
    getReadAt: () => Number(storage.getItem(READ_AT_KEY)) || 0,
    rememberLeagueStats(stats) {
      if (storage.getItem(USER_KEY) === null) return;
      const remembered = stats && { value: stats, at: Date.now() };
      keep(LEAGUE_STATS_KEY, remembered ? JSON.stringify(remembered) : undefined);
    },
    getLeagueStats() {
      const remembered = parse(storage.getItem(LEAGUE_STATS_KEY));
      return isRemembered(remembered) ? remembered : null;
    },
    clear() {
      for (const key of PLAYER_KEYS) storage.removeItem(key);
      changed();
    },
    signedOut,
    renew(stale) {
      renewing ??= edge
        .exclusive((waited) => renewNow(stale, waited))
        .finally(() => {
          renewing = null;
        });
      return renewing;
    },
    onEnded(listener) {
      endListeners.add(listener);
      return () => endListeners.delete(listener);
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    changedElsewhere: changed,
  };
}

/** Whether somebody is signed in in this browser, or was before a token was lost. */
export function hasSession(): boolean {
  return PLAYER_KEYS.some((key) => localStorage.getItem(key) !== null);
}

/** The session of this browser. Without Web Locks (plain http) each tab renews on its own. */
export function browserSession(edge: Edge): Session {
  return createSession({
    ...edge,
    storage: localStorage,
    async exclusive(task) {
      if (!('locks' in navigator)) return task(false);
      const now = await navigator.locks.request(
        RENEWAL_LOCK,
        { ifAvailable: true },
        async (lock) => (lock ? { value: await task(false) } : null),
      );
      return now ? now.value : navigator.locks.request(RENEWAL_LOCK, () => task(true));
    },
  });
}
