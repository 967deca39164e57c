import type { ComponentProps, MouseEvent, ReactNode } from 'react';
import { createContext, startTransition, use, useEffect, useLayoutEffect, useState } from 'react';
import type { Screen } from '#contract/screens.ts';

/** Where the browser is. A new object for every step through the history. */
export interface Place {
  /** Without a trailing slash; `/` for the root. */
  path: string;
  /** With its `?`, or empty. */
  query: string;
  /** What was handed over with the step; it outlives a reload. */
  state: unknown;
  /** The load of the page led here, not a step within it: nothing has to be read out anew. */
  loaded: boolean;
}

export interface Going {
  /** Takes the place of the current entry, so that Back does not come here again. */
  replace?: boolean;
  /** Handed to the page; anything that can be cloned. */
  state?: unknown;
}

function here(loaded = false): Place {
  const { pathname, search } = window.location;
  const path = pathname.replace(/\/+$/, '') || '/';
  return { path, query: search, state: window.history.state, loaded };
}

/**
 * Where the browser is when the page has just been loaded. An address that was entered anew starts
 * anew, though the browser keeps the entry's state if it is the same address; a reload keeps it.
 */
export function arrive(): Place {
  const [load] = performance.getEntriesByType('navigation');
  if (load instanceof PerformanceNavigationTiming && load.type === 'navigate')
    window.history.replaceState(null, '');
  return here(true);
}

const listeners = new Set<() => void>();

/** Goes to an address of this site without loading the page again. */
export function navigate(to: string, { replace = false, state = null }: Going = {}): void {
  if (replace) window.history.replaceState(state, '', to);
  else {
    window.history.pushState(state, '', to);
    window.scrollTo(0, 0);
  }
  for (const listener of listeners) listener();
}

const PlaceContext = createContext<Place | null>(null);

/** Begins at `start` and follows the address bar. The old page stays until the new one has been loaded. */
export function Router({ start, children }: { start: Place; children: ReactNode }) {
  const [place, setPlace] = useState(start);
  useLayoutEffect(() => {
    const follow = () => startTransition(() => setPlace(here()));
    listeners.add(follow);
    window.addEventListener('popstate', follow);
    return () => {
      listeners.delete(follow);
      window.removeEventListener('popstate', follow);
    };
  }, []);
  return <PlaceContext value={place}>{children}</PlaceContext>;
}

/** Where the browser is. Throws outside of a Router. */
export function usePlace(): Place {
  const place = use(PlaceContext);
  if (place === null) throw new Error('usePlace must be used within a Router');
  return place;
}

/**
 * Goes elsewhere as soon as it is shown; the entry that led here is replaced. Whoever is already on
 * the way to another page is left alone.
 */
export function Redirect({ to, state }: { to: string; state?: unknown }) {
  const { path, query } = usePlace();
  useEffect(() => {
    const now = here();
    if (now.path === path && now.query === query) navigate(to, { replace: true, state });
  }, [to, state, path, query]);
  return null;
}

/** Whether a click means 'go there' and not 'open it somewhere else'. */
export function isPlainClick(
  event: Pick<MouseEvent, 'button' | 'metaKey' | 'ctrlKey' | 'shiftKey' | 'altKey'>,
): boolean {
  return !(event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey);
}

/** An address of this app, with or without a query. */
export type Address = Screen | `${Screen}?${string}`;

/** A link within this site. With a `target` the browser follows it as any other link. */
export function Link({
  to,
  state,
  ...anchor
}: { to: Address; state?: unknown } & Omit<ComponentProps<'a'>, 'href' | 'onClick'>) {
  return (
    <a
      {...anchor}
      href={to}
      onClick={(event) => {
        if (anchor.target || !isPlainClick(event)) return;
        event.preventDefault();
        navigate(to, { state });
      }}
    />
  );
}
