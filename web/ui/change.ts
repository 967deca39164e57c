import { useLayoutEffect, useState } from 'react';

/** `to`: the current value. `from`: the previous value; null until the first change. */
export interface Change<T> {
  from: T | null;
  to: T;
}

/** Tracks the changes of `value`. `settle` sets the previous value back to null. */
export function useChange<T>(value: T): [change: Change<T>, settle: () => void] {
  const [change, setChange] = useState<Change<T>>({ from: null, to: value });
  // Use a layout effect, so that the browser does not paint one more frame with the old value.
  useLayoutEffect(() => {
    setChange((last) => (Object.is(last.to, value) ? last : { from: last.to, to: value }));
  }, [value]);
  return [change, () => setChange(({ to }) => ({ from: null, to }))];
}
