import { useEffect, useRef, useState } from 'react';

export const SHOW_AFTER_MS = 150;
/** A shorter loading state would flash. */
export const SHOW_AT_LEAST_MS = 300;

/**
 * Whether to show an overlay or a skeleton: after 150 ms of `waiting`, and then for at least 300
 * ms. With `wasShown` it is true at first, because the build has painted the skeleton.
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
