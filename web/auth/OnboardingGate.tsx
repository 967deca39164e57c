import { type ReactNode, useEffect } from 'react';
import { Redirect } from '../router.tsx';
import { useAuth } from '../session/AuthProvider.tsx';
import { AuthFlow } from './AuthFlow.tsx';
import { gateStep, pathOf } from './steps.ts';

/**
 * The gate of every protected page (PROD-01, PROD-21). The stored user decides immediately. An
 * incomplete profile is also read from the server, because it may have been completed elsewhere.
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
