import { useEffect, useState } from 'react';

/** A preview waits until nobody has typed for this long. */
const TYPING_MS = 300;
/** A search waits for a shorter time (HAND-C5). */
export const SEARCH_MS = 200;

/** Returns `value` once it has not changed for `ms`. */
export function useLater(value: string, ms = TYPING_MS): string {
  const [later, setLater] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setLater(value), ms);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return later;
}
