import type { ReactNode } from 'react';
import { createContext, use, useCallback, useMemo, useRef, useState } from 'react';
import { useDelayed } from '../ui/delayed.ts';
import { Overlay } from '../ui/Overlay.tsx';

const GLOBAL = '';

export interface Loading {
  /** Whether the global flag is set. After 150 ms, the overlay appears. */
  loading: boolean;
  /** Whether the flag `key` is set. Only the global flag shows the overlay. */
  isLoading(key: string): boolean;
  setLoading(on: boolean, key?: string): void;
  /** Sets the flag `key`, or the global one, while `task` runs. Settles as `task` does. */
  during<T>(task: Promise<T>, key?: string): Promise<T>;
}

const LoadingContext = createContext<Loading | null>(null);

/** The loading flags and the overlay (PROD-05). */
export function LoadingProvider({ children }: { children: ReactNode }) {
  const [flags, setFlags] = useState<ReadonlySet<string>>(new Set());
  /** The number of running tasks of each flag. A flag is cleared when its last task ends. */
  const running = useRef(new Map<string, number>());

  const setLoading = useCallback((on: boolean, key = GLOBAL) => {
    setFlags((before) => {
      if (before.has(key) === on) return before;
      const after = new Set(before);
      if (on) after.add(key);
      else after.delete(key);
      return after;
    });
  }, []);

  const loading = useMemo<Loading>(
    () => ({
      loading: flags.has(GLOBAL),
      isLoading: (key) => flags.has(key),
      setLoading,
      async during(task, key = GLOBAL) {
        const count = (by: number) => {
          const now = (running.current.get(key) ?? 0) + by;
          running.current.set(key, now);
          setLoading(now > 0, key);
        };
        count(1);
        try {
          return await task;
        } finally {
          count(-1);
        }
      },
    }),
    [flags, setLoading],
  );
  const covered = useDelayed(loading.loading);
  return (
    <LoadingContext value={loading}>
      {children}
      {covered && <Overlay />}
    </LoadingContext>
  );
}

export function useLoading(): Loading {
  const loading = use(LoadingContext);
  if (loading === null) throw new Error('useLoading must be used within a LoadingProvider');
  return loading;
}
