import type { ComponentProps, MouseEvent, ReactNode } from 'react';
import { createContext, use, useLayoutEffect, useState } from 'react';

/** Each navigation makes a new object. */
export type Location = {
  path: string;
  query: URLSearchParams;
  /**
   * Whether the browser loaded the page at this location. If so, a screen reader has announced the
   * page.
   */
  loaded: boolean;
};

/**
 * The current address. The console's root is `/console/`; any other address loses its final slash.
 */
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

/** Moves to an address of the console without a page load. */
export function navigate(to: string, { replace = false } = {}): void {
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
    const follow = () => setLocation(here());
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
