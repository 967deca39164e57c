import type { ComponentProps, MouseEvent, ReactNode } from 'react';
import { createContext, startTransition, use, useEffect, useLayoutEffect, useState } from 'react';
import type {
  ContestAddress,
  CupAddress,
  FriendAddress,
  JoinAddress,
  PagePath,
  SeasonAddress,
} from '#contract/rules/pages.ts';

/** Each navigation creates a new object. */
export interface Location {
  path: string;
  /** The query with its `?`, or an empty text. */
  query: string;
  /** The value that was given to `navigate`. It survives a reload. */
  state: unknown;
  /** Whether the browser loaded the page here. If so, a screen reader has announced the page. */
  loaded: boolean;
}

export interface NavigateOptions {
  /** Replaces the current history entry, so that Back does not return to it. */
  replace?: boolean;
  /** A value that can be structured-cloned. */
  state?: unknown;
}

function here(loaded = false): Location {
  const { pathname, search } = window.location;
  const path = pathname.replace(/\/+$/, '') || '/';
  return { path, query: search, state: window.history.state, loaded };
}

/**
 * The location after a page load. A reload keeps the history entry's state. After a typed address,
 * browsers may keep the state too, so this function removes it.
 */
export function arrive(): Location {
  const [load] = performance.getEntriesByType('navigation');
  if (load instanceof PerformanceNavigationTiming && load.type === 'navigate')
    window.history.replaceState(null, '');
  return here(true);
}

const listeners = new Set<() => void>();

/** Navigates within this site, without a page load. */
export function navigate(
  to: string,
  { replace = false, state = null }: NavigateOptions = {},
): void {
  if (replace) window.history.replaceState(state, '', to);
  else {
    window.history.pushState(state, '', to);
    window.scrollTo(0, 0);
  }
  for (const listener of listeners) listener();
}

const LocationContext = createContext<Location | null>(null);

/**
 * Provides the current location, which is `start` at first. The old page stays until the new one's
 * JavaScript has loaded.
 */
export function Router({ start, children }: { start: Location; children: ReactNode }) {
  const [location, setLocation] = useState(start);
  useLayoutEffect(() => {
    const follow = () => startTransition(() => setLocation(here()));
    listeners.add(follow);
    window.addEventListener('popstate', follow);
    return () => {
      listeners.delete(follow);
      window.removeEventListener('popstate', follow);
    };
  }, []);
  return <LocationContext value={location}>{children}</LocationContext>;
}

/** @throws outside a Router */
export function useLocation(): Location {
  const location = use(LocationContext);
  if (location === null) throw new Error('useLocation must be used within a Router');
  return location;
}

/** Navigates on mount, replacing the history entry, unless the address has changed already. */
export function Redirect({ to, state }: { to: string; state?: unknown }) {
  const { path, query } = useLocation();
  useEffect(() => {
    const now = here();
    if (now.path === path && now.query === query) navigate(to, { replace: true, state });
  }, [to, state, path, query]);
  return null;
}

/** Whether a click opens a link in this tab. */
export function isPlainClick(
  event: Pick<MouseEvent, 'button' | 'metaKey' | 'ctrlKey' | 'shiftKey' | 'altKey'>,
): boolean {
  return !(event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey);
}

/** An address of this app, with or without a query. */
export type Address =
  | PagePath
  | `${PagePath}?${string}`
  | JoinAddress
  | SeasonAddress
  | CupAddress
  | ContestAddress
  | FriendAddress
  | `/friends/${string}`;

/** A link within the app. A link with a `target` is an ordinary link. */
export function Link({
  to,
  state,
  onFollow,
  ...anchor
}: {
  to: Address;
  state?: unknown;
  /** Called before the app navigates. */
  onFollow?: (() => void) | undefined;
} & Omit<ComponentProps<'a'>, 'href' | 'onClick'>) {
  return (
    <a
      {...anchor}
      href={to}
      onClick={(event) => {
        if (anchor.target || !isPlainClick(event)) return;
        event.preventDefault();
        onFollow?.();
        navigate(to, { state });
      }}
    />
  );
}
