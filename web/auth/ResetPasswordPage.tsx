import { Redirect, useLocation } from '../router.tsx';
import { AuthFlow } from './AuthFlow.tsx';
import { entryOf, pathOf, readFlowState } from './steps.ts';

/**
 * The page that the link in the reset mail opens: /reset-password?email=…&token=…. Before any
 * request it moves the secret from the address bar into the state of the history entry (P34). The
 * state survives a reload.
 */
export function ResetPasswordPage() {
  const { query, state } = useLocation();
  const given = new URLSearchParams(query);
  const email = given.get('email');
  const token = given.get('token');
  if (email && token) return <Redirect {...entryOf('new-password', { email, token })} />;
  const link = readFlowState(state);
  if (!link.email || !link.token) return <Redirect to={pathOf('login')} />;
  return <AuthFlow start="new-password" />;
}
