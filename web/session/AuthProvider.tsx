import type { ReactNode } from 'react';
import { createContext, use, useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import type { Tokens } from '#contract/accounts.ts';
import type { ProfilePatch, User } from '#contract/profile.ts';
import * as calls from '../api/auth-calls.ts';
import { ApiError, browser, type Client, createClient } from '../api/client.ts';
import { navigate } from '../router.tsx';
import { browserSession, REFUSED, type Session, type SignedIn } from './session.ts';

export interface Auth {
  /** The stored user: present means signed in (spec 4). */
  user: User | null;
  /** Whether there is an access token; the protected pages need one. */
  hasAccess: boolean;
  /** The calls of spec 7; bearer, renewal and retry are done. */
  api: Client;
  /** What was last known, for when there is no network. */
  remembered: Pick<Session, 'getReadAt' | 'getLeagueStats' | 'rememberLeagueStats'>;
  /** Signs in and stores tokens and user. Throws ApiError 'Login failed', CannotReach. */
  login(email: string, password: string): Promise<User>;
  /** Registers an address; stores tokens and user if returned. Throws ApiError, CannotReach. */
  register(email: string): Promise<void>;
  /** Stores what verification, reset or Google answered. */
  enter(answer: { tokens: Tokens; user: User }): void;
  /** Revokes a session that is not the stored one, without waiting. */
  endSession(refresh: string): void;
  /**
   * Reads the profile and stores it. A refusal, or a profile that was complete and is no longer,
   * ends the session; no answer and 5xx end nothing (contract 1). Throws ApiError, CannotReach, and
   * the reason of an aborted `signal`.
   */
  readProfile(signal?: AbortSignal): Promise<User>;
  /** Changes the profile, stores the answer. Throws ApiError 'Profile update failed', CannotReach. */
  updateProfile(patch: ProfilePatch): Promise<User>;
  /** Replaces the player's code; the stored user has the new one at once. Throws as the calls do. */
  replaceCode(): Promise<void>;
  /**
   * Deletes the account, by its password or, without one, by a sign-in of the last five minutes;
   * then all local storage goes and /login comes. Throws as the calls do, and nothing is lost.
   */
  deleteAccount(password?: string): Promise<void>;
  /** Sign Out: tells the server without waiting, forgets, goes to /login. */
  logout(): void;
  /** The same, and signing in again leads back to `returnTo`, a path of this site. */
  signInAgain(returnTo: string): void;
}

const AuthContext = createContext<Auth | null>(null);

/** A temporary name for registration; the server never shows it (contract 1). */
function placeholderName(): string {
  return `player_${crypto.getRandomValues(new Uint32Array(1))[0]?.toString(36)}`;
}

/** The same failure under the session layer's name, the server's body attached (spec 8). */
function named(message: string): (error: unknown) => never {
  return (error) => {
    throw error instanceof ApiError ? new ApiError(message, error.status, error.body) : error;
  };
}

/** Tells the server that the session of this refresh token is over; signing out needs no signal. */
function end(refresh: string | null, bearer: string | null): void {
  if (refresh === null) return;
  calls.logout(browser, { refresh, bearer }).catch(() => {
    // The server forgets the session by itself in time.
  });
}

/** What can be done with a session, apart from where the screen goes afterwards. */
function actions(
  session: Session,
  api: Client,
): Omit<Auth, 'user' | 'hasAccess' | 'logout' | 'signInAgain'> {
  /** Stores who is signed in now; the session of whoever was before is over. */
  function replace(signedIn: SignedIn): void {
    const [former, access] = [session.getRefresh(), session.getAccess()];
    session.store(signedIn);
    end(former, access);
  }
  return {
    api,
    remembered: session,
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
      // Signed out, or something newer stored, while this was on its way: the later word stands.
      const isLate = () => session.getState() !== before;
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
      // Whoever has signed out in the meantime is not stored again.
      if (session.getState().user?.email === user.email) session.setUser(user);
      return user;
    },
    async replaceCode() {
      const { uuid } = await calls.replaceCode(api);
      session.setCode(uuid);
    },
    async deleteAccount(password) {
      await calls.deleteProfile(api, password);
      session.signedOut();
    },
  };
}

/** Holds the session. What is stored is read before anything is shown (spec 4). */
export function AuthProvider({ children }: { children: ReactNode }) {
  const [{ session, done }] = useState(() => {
    const session = browserSession(browser);
    return { session, done: actions(session, createClient(session, browser)) };
  });
  const state = useSyncExternalStore(session.subscribe, session.getState, session.getState);

  useEffect(() => session.onEnded(() => navigate('/login', { replace: true })), [session]);
  useEffect(() => {
    const changed = () => session.changedElsewhere();
    window.addEventListener('storage', changed);
    // A page that the browser had put aside heard nothing meanwhile.
    window.addEventListener('pageshow', changed);
    return () => {
      window.removeEventListener('storage', changed);
      window.removeEventListener('pageshow', changed);
    };
  }, [session]);

  const auth = useMemo<Auth>(() => {
    function leave(forLogin?: { email: string | undefined; returnTo: string }) {
      end(session.getRefresh(), session.getAccess());
      session.clear();
      navigate('/login', { state: forLogin });
    }
    return {
      ...done,
      ...state,
      logout: () => leave(),
      signInAgain: (returnTo) => leave({ email: state.user?.email, returnTo }),
    };
  }, [done, state, session]);
  return <AuthContext value={auth}>{children}</AuthContext>;
}

/** The session and what can be done with it. Throws outside an AuthProvider. */
export function useAuth(): Auth {
  const auth = use(AuthContext);
  if (auth === null) throw new Error('useAuth must be used within an AuthProvider');
  return auth;
}
