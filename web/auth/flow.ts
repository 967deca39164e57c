import { createContext, use, useRef } from 'react';
import { navigate } from '../router.tsx';
import { useLoading } from '../session/LoadingProvider.tsx';
import { entryOf, type FlowState, type Move, type Report, type Task } from './steps.ts';

/** What the steps of the authentication screen share. */
export interface Flow {
  /** The address as typed; kept from step to step. */
  email: string;
  setEmail(email: string): void;
  state: FlowState;
  /** Whether this step came by itself, so that its heading takes the focus; not on the first load. */
  slidIn: boolean;
  /**
   * Reports what came of this step: the flow moves on and returns null, or returns what is left for
   * the step to do.
   */
  report(report: Report): Task | null;
}

export const FlowContext = createContext<Flow | null>(null);

/** The flow of the authentication screen. Throws outside of it. */
export function useFlow(): Flow {
  const flow = use(FlowContext);
  if (flow === null) throw new Error('useFlow must be used within an AuthFlow');
  return flow;
}

/** Moves the browser to where a report leads; `home` is where signing in leads. */
export function move({ go, state, replace = false }: Move, home: string): void {
  const entry = go === 'app' ? { to: home } : entryOf(go, state);
  navigate(entry.to, { ...entry, replace });
}

/**
 * Runs what a form does when it is sent: under the loading overlay, and one at a time, however
 * often it is pressed. The task handles its own failures.
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
