import { useSyncExternalStore } from 'react';

const never = () => () => {};
const yes = () => true;
const no = () => false;

/**
 * False in a prerendered page and while React hydrates it, because both must render the same; true
 * afterwards.
 */
export const useHydrated = (): boolean => useSyncExternalStore(never, yes, no);
