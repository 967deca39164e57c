import type { RefreshAnswer } from '#contract/wire/accounts.ts';
import type { LeagueStats } from '#contract/wire/leagues.ts';
import type { User } from '#contract/wire/profile.ts';
import { refreshTokens } from '../api/auth-calls.ts';
import { ApiError, CannotReach, type Edge, type SessionHooks, Told } from '../api/client.ts';
import { serverNow } from '../ui/server-clock.ts';
import { NOT_KEPT, tryToKeep } from '../ui/storage.ts';
import { unsubscribe } from './unsubscribe.ts';

export const ACCESS_KEY = 'access_token';
export const REFRESH_KEY = 'refresh_token';
export const USER_KEY = 'user';
export const READ_AT_KEY = 'user_read_at';
/** The team's week as last read, for use without a network. */
export const LEAGUE_STATS_KEY = 'league_stats';
/** The newest `landed_at` on a slip that was put away, as an ISO instant (web/slip). */
export const SLIP_KEY = 'slip';
/** Whether this phone vibrates for a game: `on` or `off`, or null before the question. */
export const BUZZ_KEY = 'buzz';
/** `auto`, `light` or `dark` (web/shell/theme.ts). */
export const THEME_KEY = 'theme';
/** Keys of one player's visits. A sign-in and Sign Out remove them. */
const VISIT_KEYS = [
  LEAGUE_STATS_KEY,
  SLIP_KEY,
  BUZZ_KEY,
  THEME_KEY,
  'seen_achievements',
  'opened_week',
  'visibility_question_visits',
  'team',
  'install',
  'duel',
  'push',
] as const;
/** For modules that /login does not load: they spell out the key, and this type checks it. */
export type VisitKey = (typeof VISIT_KEYS)[number];
const PLAYER_KEYS = [ACCESS_KEY, REFRESH_KEY, USER_KEY, READ_AT_KEY, ...VISIT_KEYS];

/** Never rename the lock: tabs with an older build use this name. */
const REFRESH_LOCK = 'backboard-renewal';
/** Longer than a refresh takes. A tab that holds the lock for longer is suspended. */
const LOCK_TIMEOUT_MS = 35_000;

/** Runs `task` while no other tab runs its own. `waited` says whether another tab had the lock. */
export type Exclusive = <T>(task: (waited: boolean) => Promise<T>) => Promise<T>;

/** The browser's functions; tests pass their own. */
export interface SessionEdge extends Edge {
  storage: Storage;
  exclusive: Exclusive;
  /** Drops the browser's push subscription. */
  unsubscribe(): Promise<void>;
}

/** A missing value removes the stored one. */
export interface SignedIn {
  access?: string | undefined;
  refresh?: string | undefined;
  user?: User | undefined;
}

export interface SessionState {
  user: User | null;
  hasAccess: boolean;
}

/** `at` is when the value was read, in ms since 1970. */
export interface Cached<T> {
  value: T;
  at: number;
}

export interface Session extends SessionHooks {
  /** Returns the same object until the state changes. */
  getState(): SessionState;
  setUser(user: User): void;
  /** Replaces the stored user's code, if there is one. `getReadAt` does not change. */
  setCode(uuid: string): void;
  /**
   * Stores the answer to a sign-in or a registration (ACC-42). Throws Told, and stores nothing,
   * when the storage is full (PROD-167).
   */
  store(signedIn: SignedIn): void;
  getRefresh(): string | null;
  /** When the stored user was read (ms since 1970); 0 if never. */
  getReadAt(): number;
  /** Whether the stored user was read before this page was loaded, and not since. */
  isReadBefore(): boolean;
  /** Caches the week of the user's team; null removes it. */
  cacheLeagueStats(stats: LeagueStats | null): void;
  getLeagueStats(): Cached<LeagueStats> | null;
  /**
   * Sign Out: removes everything stored about the player (ACC-43), and drops the push subscription
   * unless `keepPush` (PUSH-36).
   */
  clear(options?: { keepPush: boolean }): void;
  /** Clears local storage and calls the `onEnded` listeners (ACC-45). */
  signedOut(): void;
  /** Calls `listener` when `signedOut` ends the session. */
  onEnded(listener: () => void): () => void;
  /** Calls `listener` after each change. */
  subscribe(listener: () => void): () => void;
  /** Reads the storage again after another tab has changed it. */
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

function isCached(value: unknown): value is Cached<LeagueStats> {
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

/** Only these statuses end the session; other failures may be temporary (ACC-45). */
export const REFUSED = [400, 401, 403];

/**
 * A lost response takes the new refresh token with it. For ten seconds the server still accepts the
 * used token and returns the same new one (P3), so retry within this time.
 */
const RETRY_UNTIL_MS = 8_000;
const RETRY_TIMEOUT_MS = 4_000;
const RETRY_PAUSE_MS = 1_000;
/** How long another tab's changes may be invisible after it released the lock. */
const STORAGE_LAG_MS = 500;

/** The stored tokens and user. No other code refreshes tokens. */
export function createSession(edge: SessionEdge): Session {
  const { storage } = edge;
  const listeners = new Set<() => void>();
  const endListeners = new Set<() => void>();
  let storedUser = storage.getItem(USER_KEY);
  let state = { user: parseUser(storedUser), hasAccess: storage.getItem(ACCESS_KEY) !== null };
  let refreshing: Promise<string> | null = null;

  function changed() {
    const nextUser = storage.getItem(USER_KEY);
    const hasAccess = storage.getItem(ACCESS_KEY) !== null;
    if (nextUser === storedUser && hasAccess === state.hasAccess) return;
    state = { user: nextUser === storedUser ? state.user : parseUser(nextUser), hasAccess };
    storedUser = nextUser;
    for (const listener of listeners) listener();
  }

  function keep(key: string, value: string | undefined) {
    if (value === undefined) return storage.removeItem(key);
    if (tryToKeep(storage, key, value)) return;
    // Make room: the page works without the cached week.
    storage.removeItem(LEAGUE_STATS_KEY);
    if (!tryToKeep(storage, key, value)) throw new Told(NOT_KEPT);
  }

  function keepUser(user: User | undefined) {
    keep(USER_KEY, user && JSON.stringify(user));
    keep(READ_AT_KEY, user && String(serverNow()));
  }

  function clear({ keepPush } = { keepPush: false }) {
    // Without waiting. A session that ended elsewhere, or expired, leaves the subscription (PUSH-36).
    if (!keepPush)
      edge
        .unsubscribe()
        .catch((error: unknown) => console.warn('Notifications could not be turned off.', error));
    for (const key of PLAYER_KEYS) storage.removeItem(key);
    changed();
  }

  function signedOut() {
    storage.clear();
    changed();
    for (const listener of endListeners) listener();
  }

  async function requestTokens(refresh: string, bearer: string | null): Promise<RefreshAnswer> {
    const last = Date.now() + RETRY_UNTIL_MS;
    for (;;) {
      const again = Date.now() < last;
      try {
        return await refreshTokens(edge, { refresh, bearer }, again ? RETRY_TIMEOUT_MS : undefined);
      } catch (error) {
        if (!again || !(error instanceof CannotReach)) throw error;
        await new Promise((done) => setTimeout(done, RETRY_PAUSE_MS));
      }
    }
  }

  async function refreshNow(stale: string, waited: boolean): Promise<string> {
    const last = Date.now() + STORAGE_LAG_MS;
    while (waited && storage.getItem(ACCESS_KEY) === stale && Date.now() < last)
      await new Promise((done) => setTimeout(done, STORAGE_LAG_MS / 20));
    const stored = storage.getItem(ACCESS_KEY);
    if (stored !== null && stored !== stale) return stored;
    const refresh = storage.getItem(REFRESH_KEY);
    if (refresh === null) {
      // End the session. If the access token is gone too, the player has signed out already.
      if (stored !== null) signedOut();
      throw new ApiError('No refresh token', 401, undefined);
    }
    let fresh: RefreshAnswer;
    try {
      fresh = await requestTokens(refresh, stored);
    } catch (error) {
      if (error instanceof ApiError && REFUSED.includes(error.status)) {
        signedOut();
        throw error;
      }
      throw new CannotReach();
    }
    // Another tab may have stored the same fresh token (P3). If neither the old nor the fresh token
    // is stored, another tab has signed out or in.
    if (![refresh, fresh.refresh].includes(storage.getItem(REFRESH_KEY) ?? ''))
      throw new ApiError('The session changed', 401, undefined);
    keep(ACCESS_KEY, fresh.access);
    if (fresh.refresh !== undefined) keep(REFRESH_KEY, fresh.refresh);
    return fresh.access;
  }

  const readBefore = storage.getItem(READ_AT_KEY);
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
      keep(USER_KEY, JSON.stringify({ ...state.user, uuid }));
      changed();
    },
    store(signedIn) {
      for (const key of VISIT_KEYS) storage.removeItem(key);
      try {
        keep(ACCESS_KEY, signedIn.access);
        keep(REFRESH_KEY, signedIn.refresh);
        keepUser(signedIn.user);
      } catch (error) {
        clear({ keepPush: true });
        throw error;
      }
      changed();
    },
    getReadAt: () => Number(storage.getItem(READ_AT_KEY)) || 0,
    isReadBefore: () => state.user !== null && storage.getItem(READ_AT_KEY) === readBefore,
    cacheLeagueStats(stats) {
      const now = storage.getItem(USER_KEY);
      if (now === null || now !== storedUser) return;
      const cached = stats && { value: stats, at: serverNow() };
      storage.removeItem(LEAGUE_STATS_KEY);
      if (cached) tryToKeep(storage, LEAGUE_STATS_KEY, JSON.stringify(cached));
    },
    getLeagueStats() {
      const cached = parse(storage.getItem(LEAGUE_STATS_KEY));
      return isCached(cached) ? cached : null;
    },
    clear,
    signedOut,
    refresh(stale) {
      refreshing ??= edge
        .exclusive((waited) => refreshNow(stale, waited))
        .finally(() => {
          refreshing = null;
        });
      return refreshing;
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

export function hasSession(): boolean {
  return PLAYER_KEYS.some((key) => localStorage.getItem(key) !== null);
}

/** The browser's session. Without Web Locks (plain http), tabs do not wait for each other. */
export function browserSession(edge: Edge): Session {
  return createSession({
    ...edge,
    storage: localStorage,
    unsubscribe,
    async exclusive(task) {
      if (!('locks' in navigator)) return task(false);
      const now = await navigator.locks.request(
        REFRESH_LOCK,
        { ifAvailable: true },
        async (lock) => (lock ? { value: await task(false) } : null),
      );
      if (now) return now.value;
      const signal = AbortSignal.timeout(LOCK_TIMEOUT_MS);
      return navigator.locks
        .request(REFRESH_LOCK, { signal }, () => task(true))
        .catch((error: unknown) => {
          throw error === signal.reason ? new CannotReach() : error;
        });
    },
  });
}
