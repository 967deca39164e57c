import { useLayoutEffect, useState } from 'react';

/** `from` is null until the first change. */
export interface Change<T> {
  from: T | null;
  to: T;
}

/** Tracks the changes of `value`. `settle` sets `from` back to null. */
export function useChange<T>(value: T): [change: Change<T>, settle: () => void] {
  const [change, setChange] = useState<Change<T>>({ from: null, to: value });
  // A layout effect: otherwise one more frame shows the old value.
  useLayoutEffect(() => {
    setChange((last) => (Object.is(last.to, value) ? last : { from: last.to, to: value }));
  }, [value]);
  return [change, () => setChange(({ to }) => ({ from: null, to }))];
}
