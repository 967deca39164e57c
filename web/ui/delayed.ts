import { useEffect, useRef, useState } from 'react';

/** An answer that is faster than this shows no loading state at all, in milliseconds. */
export const SHOW_AFTER_MS = 150;
/** Once shown, a loading state stays at least this long, so that it does not flash. */
export const SHOW_AT_LEAST_MS = 300;

/**
 * `waiting`, made calm: true only once it has lasted 150 ms, and then for at least 300 ms; at once
 * when it `wasShown` before there was a script. For overlays and skeletons.
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
