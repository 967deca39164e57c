import { Redirect, usePlace } from '../router.tsx';
import { AuthFlow } from './AuthFlow.tsx';
import { entryOf, pathOf, readFlowState } from './steps.ts';

/**
 * /reset-password?email=…&token=…, the link from the mail. The secret leaves the address bar before
 * any request is made (P34); the history entry keeps it, so that a reload does not lose the link.
 */
export function ResetPasswordPage() {
  const { query, state } = usePlace();
  const given = new URLSearchParams(query);
  const email = given.get('email');
  const token = given.get('token');
  if (email && token) return <Redirect {...entryOf('new-password', { email, token })} />;
  const kept = readFlowState(state);
  if (!kept.email || !kept.token) return <Redirect to={pathOf('login')} />;
  return <AuthFlow start="new-password" />;
}
