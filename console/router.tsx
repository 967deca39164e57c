import type { ComponentProps, MouseEvent, ReactNode } from 'react';
import { createContext, use, useEffect, useLayoutEffect, useRef, useState } from 'react';

/** Each navigation makes a new object. */
export type Location = {
  path: string;
  query: URLSearchParams;
  /** Whether the browser loaded the page here. If so, a screen reader has announced the page. */
  loaded: boolean;
};

/** The root is `/console/`; other addresses lose a final slash. */
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

/** Asks before the page is left. `leave` leaves it; `lost` says what would be lost. */
export type Ask = (leave: () => void, lost: readonly ReactNode[]) => void;
type Unsaved = { lost: ReactNode; ask: Ask };
const unsaved = new Set<Unsaved>();

/** Makes `navigate` ask before `one` is lost. Returns a function that removes `one`. */
export function keepUnsaved(one: Unsaved): () => void {
  unsaved.add(one);
  return () => unsaved.delete(one);
}

/** Calls `leave`, or asks once about everything that would be lost. */
function askThen(leave: () => void): void {
  const [first] = unsaved;
  if (first === undefined) leave();
  else
    first.ask(
      leave,
      [...unsaved].map(({ lost }) => lost),
    );
}

/**
 * While mounted, asks before a link or the Back button leaves the page. If several are mounted, the
 * first `ask` is called for all. When the tab is closed or reloaded, the browser asks in its own
 * words.
 */
export function useAskBeforeLeaving(lost: ReactNode, ask: Ask): void {
  const entry = useRef({ lost, ask });
  entry.current.lost = lost;
  entry.current.ask = ask;
  useEffect(() => {
    const drop = keepUnsaved(entry.current);
    const unload = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', unload);
    return () => {
      drop();
      window.removeEventListener('beforeunload', unload);
    };
  }, []);
}

/**
 * Goes to an address of the console without a page load. If something is unsaved, asks first; with
 * `replace`, never asks.
 */
export function navigate(to: string, { replace = false } = {}): void {
  if (replace) go(to, true);
  else askThen(() => go(to, false));
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
      const to = address();
      if (unsaved.size === 0 || to === shown) return follow();
      // Put the address back until the person decides.
      window.history.pushState(null, '', shown);
      askThen(() => go(to, false));
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
