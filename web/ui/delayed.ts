import { useEffect, useRef, useState } from 'react';

/** The loading state is shown only if the wait is longer than this (LOOK-45). */
export const SHOW_AFTER_MS = 150;
/** The minimum time for which a loading state is shown, so that it does not flash. */
export const SHOW_AT_LEAST_MS = 300;

/**
 * Whether to show an overlay or a skeleton. Becomes true when `waiting` has been true for 150 ms,
 * and then stays true for at least 300 ms. `wasShown`: the loading state was painted before any
 * script ran, so the result starts as true.
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
