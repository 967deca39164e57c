import { useSyncExternalStore } from 'react';

/** From this width on there are two columns (LOOK-67). The style sheets repeat it. */
const WIDE = '(min-width: 1024px)';

const isWide = () => matchMedia(WIDE).matches;

function subscribe(onChange: () => void): () => void {
  const query = matchMedia(WIDE);
  query.addEventListener('change', onChange);
  return () => query.removeEventListener('change', onChange);
}

/** Whether the window has room for two columns. */
export const useWide = (): boolean => useSyncExternalStore(subscribe, isWide);
