import { createContext, use, useRef } from 'react';
import { navigate } from '../router.tsx';
import { useLoading } from '../session/LoadingProvider.tsx';
import { entryOf, type FlowState, type Move, type Report, type Task } from './steps.ts';

export interface Flow {
  email: string;
  setEmail(email: string): void;
  state: FlowState;
  /** The path to which the last step leads. */
  home: string;
  /** Whether the heading takes the focus. False for the first step after a page load. */
  slidIn: boolean;
  /** Moves to another step and returns null, or returns the task that this step must do first. */
  report(report: Report): Task | null;
}

export const FlowContext = createContext<Flow | null>(null);

/** @throws outside an AuthFlow */
export function useFlow(): Flow {
  const flow = use(FlowContext);
  if (flow === null) throw new Error('useFlow must be used within an AuthFlow');
  return flow;
}

/**
 * Navigates to a `Move`'s step, or for `'app'` to the path `home`. Passes `home` on to the next
 * step, because the last step leads there.
 */
export function move({ go, state, replace = false }: Move, home: string): void {
  const entry = go === 'app' ? { to: home } : entryOf(go, { ...state, returnTo: home });
  navigate(entry.to, { ...entry, replace });
}

/**
 * Returns a function that runs a task under the loading overlay, and ignores calls meanwhile. The
 * task must handle its own failures.
 */
export function useSubmit(): (task: () => Promise<void>) => Promise<void> {
  const { during } = useLoading();
  const busy = useRef(false);
  return async (task) => {
    if (busy.current) return;
    busy.current = true;
    try {
      await during(task());
    } finally {
      busy.current = false;
    }
  };
}
