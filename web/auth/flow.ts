import { createContext, use, useRef } from 'react';
import type { User } from '#contract/profile.ts';
import { useLoading } from '../session/LoadingProvider.tsx';
import type { FlowState, Step } from './steps.ts';

/** What the steps of the authentication screen share. */
export interface Flow {
  /** The address as typed; kept from step to step. */
  email: string;
  setEmail(email: string): void;
  state: FlowState;
  /** Whether this step came by itself, so that its heading takes the focus; not on the first load. */
  slidIn: boolean;
  /** Slides to another step; the browser's back button comes back from there. */
  go(step: Step, state?: FlowState): void;
  /** Somebody is signed in: on to what is missing, or to the profile; there is no way back. */
  entered(user: User): void;
}

export const FlowContext = createContext<Flow | null>(null);

/** The flow of the authentication screen. Throws outside of it. */
export function useFlow(): Flow {
  const flow = use(FlowContext);
  if (flow === null) throw new Error('useFlow must be used within an AuthFlow');
  return flow;
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
