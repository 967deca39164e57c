import { useEffect, useState } from 'react';
import { isFirstQuestion } from '../session/visit.ts';

/**
 * Asks the question `name` once `what` is known, and keeps that: never after scrolling, and only as
 * the first question of the visit (HAND-51). Returns what to ask about, or null, and a function for
 * the answer.
 */
export function useQuestion<What>(
  name: Parameters<typeof isFirstQuestion>[0],
  what: What | null,
): [What | null, () => void] {
  const [shown, setShown] = useState<What | null>(null);
  useEffect(() => {
    if (what === null || shown !== null || window.scrollY > 0) return;
    if (isFirstQuestion(name)) setShown(what);
  }, [name, what, shown]);
  return [shown, () => setShown(null)];
}
