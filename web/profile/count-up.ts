import { useEffect, useState } from 'react';
import { tryToKeep } from '../ui/storage.ts';

/** How long the figures count up (LOOK-36). */
const COUNT_MS = 600;
const COUNTED = 'figures_counted';

/** The progress of the count after `elapsed` ms, from 0 to 1. It is fast at first. */
export function progress(elapsed: number): number {
  const part = Math.min(Math.max(elapsed / COUNT_MS, 0), 1);
  return 1 - (1 - part) ** 3;
}

function mayCount(known: boolean): boolean {
  return (
    !known &&
    sessionStorage.getItem(COUNTED) === null &&
    !matchMedia('(prefers-reduced-motion: reduce)').matches
  );
}

/**
 * The factor for each figure. It rises from 0 to 1 once per tab. With reduced motion, and for
 * figures that the phone already knew (HAND-99), it is always 1.
 */
export function useCountUp(known: boolean): number {
  const [share, setShare] = useState(() => (mayCount(known) ? 0 : 1));
  useEffect(() => {
    if (!mayCount(known)) return;
    const start = performance.now();
    let frame = requestAnimationFrame(function next(now) {
      const shown = progress(now - start);
      setShare(shown);
      if (shown < 1) frame = requestAnimationFrame(next);
      else tryToKeep(sessionStorage, COUNTED, 'yes');
    });
    return () => cancelAnimationFrame(frame);
  }, [known]);
  return share;
}
