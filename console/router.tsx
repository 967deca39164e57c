import type { ComponentProps, MouseEvent, ReactNode } from 'react';
import { createContext, use, useEffect, useLayoutEffect, useState } from 'react';

/** Each navigation makes a new object. */
export type Location = {
  path: string;
  query: URLSearchParams;
  /** The browser loaded the page here, so a screen reader has announced it. */
  loaded: boolean;
};

/** The console's root is `/console/`; any other address loses its final slash. */
function here(loaded = false): Location {
  const { pathname, search } = window.location;
  const bare = pathname.replace(/\/+$/, '');
  return {
    path: bare === '/console' ? '/console/' : bare,
    query: new URLSearchParams(search),
    loaded,
  };
}

const listeners = new Set<() => void>();

/** Asks before the page is left. Its argument leaves the page. */
type Ask = (leave: () => void) => void;
/** The questions of the current page. Usually none. */
const asks = new Set<Ask>();

/**
 * While `ask` is not null, calls it when the person follows a link or goes back, in place of
 * leaving the page. When the tab closes or loads anew, the browser asks in its own words.
 */
export function useAskBeforeLeaving(ask: Ask | null): void {
  useEffect(() => {
    if (ask === null) return;
    const unload = (event: BeforeUnloadEvent) => event.preventDefault();
    asks.add(ask);
    window.addEventListener('beforeunload', unload);
    return () => {
      asks.delete(ask);
      window.removeEventListener('beforeunload', unload);
    };
  }, [ask]);
}

/**
 * Moves to an address of the console without a page load, unless the page asks first and the person
 * stays.
 */
export function navigate(to: string, { replace = false } = {}): void {
  const [ask] = asks;
  if (ask === undefined || replace) go(to, replace);
  else ask(() => go(to, false));
}

function go(to: string, replace: boolean): void {
  if (replace) window.history.replaceState(null, '', to);
  else {
    window.history.pushState(null, '', to);
    window.scrollTo(0, 0);
  }
  for (const listener of listeners) listener();
}

const LocationContext = createContext<Location | null>(null);

export function Router({ children }: { children: ReactNode }) {
  const [location, setLocation] = useState(() => here(true));
  useLayoutEffect(() => {
    const address = () => window.location.pathname + window.location.search;
    let shown = address();
    const follow = () => {
      shown = address();
      setLocation(here());
    };
    const followBack = () => {
      const [ask] = asks;
      const to = address();
      if (ask === undefined || to === shown) return follow();
      // The browser has changed the address already. Put it back until the person decides.
      window.history.pushState(null, '', shown);
      ask(() => go(to, false));
    };
    listeners.add(follow);
    window.addEventListener('popstate', followBack);
    return () => {
      listeners.delete(follow);
      window.removeEventListener('popstate', followBack);
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

const isPlain = (event: MouseEvent) =>
  !(event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey);

export function Link({ to, ...anchor }: { to: string } & Omit<ComponentProps<'a'>, 'href'>) {
  return (
    <a
      {...anchor}
      href={to}
      onClick={(event) => {
        if (!isPlain(event)) return;
        event.preventDefault();
        navigate(to);
      }}
    />
  );
}
