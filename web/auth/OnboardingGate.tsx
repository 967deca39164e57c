import { type ReactNode, useEffect } from 'react';
import { Redirect } from '../router.tsx';
import { useAuth } from '../session/AuthProvider.tsx';
import { AuthFlow } from './AuthFlow.tsx';
import { gateStep, pathOf } from './steps.ts';

/**
 * Shows a protected page, or else the login or the onboarding step that is not done yet (PROD-01,
 * PROD-21). The stored user decides immediately. If the stored profile is incomplete, it is also
 * read from the server, because the player may have completed it on another device.
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
