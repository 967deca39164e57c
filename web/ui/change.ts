import { useLayoutEffect, useState } from 'react';

/** A value, and what it was before its last change: null until it has changed. */
export interface Change<T> {
  from: T | null;
  to: T;
}

/** Follows `value`; `settle` forgets what it was before. */
export function useChange<T>(value: T): [change: Change<T>, settle: () => void] {
  const [change, setChange] = useState<Change<T>>({ from: null, to: value });
  // Before the browser paints, so the old value is never seen once more.
  useLayoutEffect(() => {
    setChange((last) => (Object.is(last.to, value) ? last : { from: last.to, to: value }));
  }, [value]);
  return [change, () => setChange(({ to }) => ({ from: null, to }))];
}
