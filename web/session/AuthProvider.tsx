import type { ReactNode } from 'react';
import { createContext, use, useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import type { Tokens } from '#contract/wire/accounts.ts';
import type { ProfilePatch, User } from '#contract/wire/profile.ts';
import * as calls from '../api/auth-calls.ts';
import { ApiError, browser, type Client, createClient } from '../api/client.ts';
import { navigate } from '../router.tsx';
import { browserSession, REFUSED, type Session, type SignedIn } from './session.ts';

export interface Auth {
  /** The stored user, or null (ACC-40). */
  user: User | null;
  /** Whether an access token is stored, which protected pages need. */
  hasAccess: boolean;
  /** Sends requests with the access token, and refreshes an expired one. */
  api: Client;
  /** The last known data, for use without a network. */
  cache: Pick<Session, 'getReadAt' | 'isReadBefore' | 'getLeagueStats' | 'cacheLeagueStats'>;
  /** Signs in, stores tokens and user. Throws ApiError ('Login failed') or CannotReach. */
  login(email: string, password: string): Promise<User>;
  /** Registers and stores the answer (ACC-02). Throws ApiError or CannotReach. */
  register(email: string): Promise<void>;
  /** Signs in with the answer to verification, a reset or a provider's sign-in. */
  enter(answer: { tokens: Tokens; user: User }): void;
  /** Revokes a session other than the stored one, without waiting. */
  endSession(refresh: string): void;
  /**
   * Reads, stores and returns the profile. A 400, 401 or 403, or a profile that is no longer
   * complete, ends the session; other failures do not (ACC-23, ACC-45). Throws ApiError or
   * CannotReach, or the reason of an aborted `signal`.
   */
  readProfile(signal?: AbortSignal): Promise<User>;
  /** Stores and returns the new user. Throws ApiError ('Profile update failed') or CannotReach. */
  updateProfile(patch: ProfilePatch): Promise<User>;
  /**
   * Replaces the player's code, in the stored user too (ACC-26). Throws ApiError or CannotReach.
   */
  replaceCode(): Promise<void>;
  /**
   * Deletes the account (ACC-28), clears local storage and opens /login. Throws ApiError or
   * CannotReach.
   */
  deleteAccount(password?: string): Promise<void>;
  /** Signs out; the next sign-in opens `returnTo`, a path of this site. */
  logout(returnTo?: string): void;
  /** Like `logout`, but the login step shows the player's e-mail, and notifications stay on. */
  signInAgain(returnTo: string): void;
}

const AuthContext = createContext<Auth | null>(null);

/** A placeholder username for registration; the server never shows it (ACC-03). */
function placeholderName(): string {
  return `player_${crypto.getRandomValues(new Uint32Array(1))[0]?.toString(36)}`;
}

/** For `.catch`: rethrows the error; an ApiError gets the text `message` (PROD-71). */
function named(message: string): (error: unknown) => never {
  return (error) => {
    throw error instanceof ApiError ? new ApiError(message, error.status, error.body) : error;
  };
}

/** Revokes a session without waiting, so that Sign Out works without a network. */
function end(refresh: string | null, bearer: string | null): void {
  if (refresh === null) return;
  calls.logout(browser, { refresh, bearer }).catch(() => {
    // The session expires by itself.
  });
}

/** The actions on a session that do not navigate. */
function actions(
  session: Session,
  api: Client,
): Omit<Auth, 'user' | 'hasAccess' | 'logout' | 'signInAgain'> {
  function replace(signedIn: SignedIn): void {
    const [former, access] = [session.getRefresh(), session.getAccess()];
    try {
      session.store(signedIn);
    } catch (error) {
      end(signedIn.refresh ?? null, signedIn.access ?? null);
      throw error;
    } finally {
      end(former, access);
    }
  }
  return {
    api,
    cache: session,
    async login(email, password) {
      const answer = await calls.login(api, { email, password }).catch(named('Login failed'));
      replace(answer);
      return answer.user;
    },
    async register(email) {
      const answer = await calls.register(api, {
        email,
        username: placeholderName(),
        profile_setup_complete: false,
      });
      replace({ ...answer.tokens, user: answer.user });
    },
    enter({ tokens, user }) {
      replace({ ...tokens, user });
    },
    endSession: (refresh) => end(refresh, session.getAccess()),
    async readProfile(signal) {
      const before = session.getState();
      // Discard a late response: the player has signed out, or newer data was stored, since the
      // request.
      const isLate = () => {
        session.changedElsewhere();
        return session.getState() !== before;
      };
      const user = await calls.getProfile(api, signal).catch((error: unknown) => {
        if (error instanceof ApiError && REFUSED.includes(error.status) && !isLate())
          session.signedOut();
        throw error;
      });
      if (isLate()) {
        const now = session.getState().user;
        if (now === null) throw new ApiError('Signed out in the meantime', 401, undefined);
        return now;
      }
      if (!user.profile_setup_complete && before.user?.profile_setup_complete) {
        session.signedOut();
        throw new ApiError('The profile is no longer complete', 403, undefined);
      }
      session.setUser(user);
      return user;
    },
    async updateProfile(patch) {
      const user = await calls.patchProfile(api, patch).catch(named('Profile update failed'));
      // The player may have signed out meanwhile.
      session.changedElsewhere();
      if (session.getState().user?.email === user.email) session.setUser(user);
      return user;
    },
    async replaceCode() {
      const email = session.getState().user?.email;
      const { uuid } = await calls.replaceCode(api);
      session.changedElsewhere();
      if (session.getState().user?.email === email) session.setCode(uuid);
    },
    async deleteAccount(password) {
      await calls.deleteProfile(api, password);
      session.signedOut();
    },
  };
}

/** Reads local storage before the first render (ACC-41). */
export function AuthProvider({ children }: { children: ReactNode }) {
  const [{ session, done }] = useState(() => {
    const session = browserSession(browser);
    return { session, done: actions(session, createClient(session, browser)) };
  });
  const state = useSyncExternalStore(session.subscribe, session.getState, session.getState);

  useEffect(
    () =>
      session.onEnded(() => {
        sessionStorage.clear();
        navigate('/login', { replace: true });
      }),
    [session],
  );
  useEffect(() => {
    const changed = () => {
      const before = session.getState().user;
      session.changedElsewhere();
      // Another tab has signed out, so drop the player's data here.
      if (before !== null && session.getState().user === null) sessionStorage.clear();
    };
    window.addEventListener('storage', changed);
    // A page in the back-forward cache gets no storage events.
    window.addEventListener('pageshow', changed);
    return () => {
      window.removeEventListener('storage', changed);
      window.removeEventListener('pageshow', changed);
    };
  }, [session]);

  const auth = useMemo<Auth>(() => {
    function leave(keepPush: boolean, forLogin?: { email: string | undefined; returnTo: string }) {
      end(session.getRefresh(), session.getAccess());
      session.clear({ keepPush });
      // Remove an unfinished sign-in at a provider, or an unused reset link.
      sessionStorage.clear();
      navigate('/login', { state: forLogin });
    }
    return {
      ...done,
      ...state,
      logout: (returnTo) =>
        leave(false, returnTo === undefined ? undefined : { email: undefined, returnTo }),
      signInAgain: (returnTo) => leave(true, { email: state.user?.email, returnTo }),
    };
  }, [done, state, session]);
  return <AuthContext value={auth}>{children}</AuthContext>;
}

/** @throws outside an AuthProvider */
export function useAuth(): Auth {
  const auth = use(AuthContext);
  if (auth === null) throw new Error('useAuth must be used within an AuthProvider');
  return auth;
}
