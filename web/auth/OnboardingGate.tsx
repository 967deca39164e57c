import { Fragment, type ReactNode, useEffect, useState } from 'react';
import { Redirect, useLocation } from '../router.tsx';
import { useAuth } from '../session/AuthProvider.tsx';
import { AuthFlow } from './AuthFlow.tsx';
import { gateStep, pathOf } from './steps.ts';

/**
 * Shows a protected page, or the login or onboarding step that is missing (PROD-01, PROD-21). Reads
 * an incomplete stored profile from the server again, because another device may have completed it.
 */
export function OnboardingGate({
  open = false,
  children,
}: {
  /** Visitors may see the page too. Players come back to it after onboarding. */
  open?: boolean;
  children: ReactNode;
}) {
  const { user, hasAccess, readProfile } = useAuth();
  const { path } = useLocation();
  const step = gateStep({ user, hasAccess });
  const unfinished = step === 'birthdate' || step === 'profile';

  useEffect(() => {
    if (unfinished)
      readProfile().catch((error: unknown) =>
        console.error('The profile could not be read.', error),
      );
  }, [unfinished, readProfile]);

  const visit = useVisit(user?.email);
  if (step === 'login') return open ? children : <Redirect to={pathOf(step)} />;
  return (
    <Fragment key={visit}>
      {step === null ? children : <AuthFlow start={step} {...(open && { returnTo: path })} />}
    </Fragment>
  );
}

/**
 * A number that rises when another tab signs in another player. Used as a React key, it mounts the
 * page again, without the former player's data.
 */
function useVisit(email: string | undefined): number {
  const [visit, setVisit] = useState({ email, number: 0 });
  if (email !== undefined && email !== visit.email)
    setVisit({ email, number: visit.email === undefined ? visit.number : visit.number + 1 });
  return visit.number;
}
