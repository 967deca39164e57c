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

function mayCount(): boolean {
  return (
    sessionStorage.getItem(COUNTED) === null &&
    !matchMedia('(prefers-reduced-motion: reduce)').matches
  );
}

/** The factor for each figure. Rises from 0 to 1 once per tab; is always 1 with reduced motion. */
export function useCountUp(): number {
  const [share, setShare] = useState(() => (mayCount() ? 0 : 1));
  useEffect(() => {
    if (!mayCount()) return;
    const start = performance.now();
    let frame = requestAnimationFrame(function next(now) {
      const shown = progress(now - start);
      setShare(shown);
      if (shown < 1) frame = requestAnimationFrame(next);
      else tryToKeep(sessionStorage, COUNTED, 'yes');
    });
    return () => cancelAnimationFrame(frame);
  }, []);
  return share;
}
