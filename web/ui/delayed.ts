import { useEffect, useRef, useState } from 'react';

/** A wait shorter than this shows no loading state (LOOK-45). */
export const SHOW_AFTER_MS = 150;
/** The least time for which a loading state is shown, so that it does not flash. */
export const SHOW_AT_LEAST_MS = 300;

/**
 * `waiting`, delayed: true only after 150 ms, and then for at least 300 ms. Starts true if the loading
 * state `wasShown` before any script ran. For overlays and skeletons.
 */
export function useDelayed(waiting: boolean, wasShown = false): boolean {
  const [shown, setShown] = useState(waiting && wasShown);
  const since = useRef(0);
  useEffect(() => {
    if (waiting === shown) return;
    const wait = waiting
      ? SHOW_AFTER_MS
      : Math.max(0, SHOW_AT_LEAST_MS - (performance.now() - since.current));
    const timer = setTimeout(() => {
      since.current = performance.now();
      setShown(waiting);
    }, wait);
    return () => clearTimeout(timer);
  }, [waiting, shown]);
  return shown;
}
