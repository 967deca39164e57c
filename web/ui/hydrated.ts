import { useSyncExternalStore } from 'react';

const never = () => () => {};

/**
 * Returns `here()`, which must not change. In a prerendered page, and while React hydrates it,
 * returns `prerendered`, so that both render the same.
 */
export function useHydrated<T>(here: () => T, prerendered: T): T {
  return useSyncExternalStore(never, here, () => prerendered);
}
