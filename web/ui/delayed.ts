import { useEffect, useRef, useState } from 'react';

export const SHOW_AFTER_MS = 150;
/** A loading state stays for at least this long, so that it does not flash. */
export const SHOW_AT_LEAST_MS = 300;

/**
 * Whether to show an overlay or a skeleton. Becomes true when `waiting` has been true for 150 ms,
 * and then stays true for at least 300 ms. With `wasShown` it is true at first, because the build
 * has painted the skeleton before any script ran.
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
