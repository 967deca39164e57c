import { createContext, use, useRef } from 'react';
import { navigate } from '../router.tsx';
import { useLoading } from '../session/LoadingProvider.tsx';
import { entryOf, type FlowState, type Move, type Report, type Task } from './steps.ts';

/** What the steps of the authentication screen share. */
export interface Flow {
  email: string;
  setEmail(email: string): void;
  state: FlowState;
  /** Whether the heading takes the focus; false for the step that the page was loaded with. */
  slidIn: boolean;
  /** Moves to another step and returns null, or returns what this step has to do first. */
  report(report: Report): Task | null;
}

export const FlowContext = createContext<Flow | null>(null);

/** @throws outside an AuthFlow */
export function useFlow(): Flow {
  const flow = use(FlowContext);
  if (flow === null) throw new Error('useFlow must be used within an AuthFlow');
  return flow;
}

/** The only function that navigates between steps. `home`: the path to open after signing in. */
export function move({ go, state, replace = false }: Move, home: string): void {
  const entry = go === 'app' ? { to: home } : entryOf(go, state);
  navigate(entry.to, { ...entry, replace });
}

/**
 * The returned function runs the task of a form under the loading overlay, and ignores further
 * calls until the task has settled. The task handles its own failures.
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
