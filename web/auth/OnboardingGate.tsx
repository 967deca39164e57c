import { type ReactNode, useEffect } from 'react';
import { Redirect } from '../router.tsx';
import { useAuth } from '../session/AuthProvider.tsx';
import { AuthFlow } from './AuthFlow.tsx';
import { gateStep, pathOf } from './steps.ts';

/**
 * The gate of every protected page (spec 2, 'Onboarding'): no access token leads to /login, an
 * incomplete profile first to the birth date, then to profile setup. What is stored decides at
 * once; for an incomplete profile the server is asked as well, since it may have been finished
 * elsewhere. No answer changes nothing (contract 1).
 */
export function OnboardingGate({ children }: { children: ReactNode }) {
  const { user, hasAccess, readProfile } = useAuth();
  const step = gateStep({ user, hasAccess });
  const unfinished = step === 'birthdate' || step === 'profile';

  useEffect(() => {
    if (unfinished)
      readProfile().catch((error: unknown) =>
        console.error('The profile could not be read.', error),
      );
  }, [unfinished, readProfile]);

  if (step === 'login') return <Redirect to={pathOf(step)} />;
  return step === null ? children : <AuthFlow start={step} />;
}
