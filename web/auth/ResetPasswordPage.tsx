import { useEffect } from 'react';
import { navigate, Redirect, useLocation } from '../router.tsx';
import { AuthFlow } from './AuthFlow.tsx';
import { keepLink, keptLink, type ResetLink } from './reset-link.ts';
import { entryOf, pathOf, readFlowState } from './steps.ts';

function TakeLink({ email, token }: ResetLink) {
  useEffect(() => {
    keepLink({ email, token });
    const { to, state } = entryOf('new-password');
    navigate(to, { replace: true, state });
  }, [email, token]);
  return null;
}

/**
 * The page of the link in the reset mail: /reset-password?email=…&token=…. Removes the secret from
 * the address bar before any request (P34).
 */
export function ResetPasswordPage() {
  const { query, state } = useLocation();
  const given = new URLSearchParams(query);
  const email = given.get('email');
  const token = given.get('token');
  if (email && token) return <TakeLink email={email} token={token} />;
  const isTaken = readFlowState(state).step === 'new-password' && keptLink() !== null;
  return isTaken ? <AuthFlow start="new-password" /> : <Redirect to={pathOf('login')} />;
}
