import { Redirect, usePlace } from '../router.tsx';
import { AuthFlow } from './AuthFlow.tsx';
import { type FlowState, readFlowState } from './steps.ts';

/**
 * /reset-password?email=…&token=…, the link from the mail. The secret leaves the address bar before
 * any request is made (P34); the history entry keeps it, so that a reload does not lose the link.
 */
export function ResetPasswordPage() {
  const { path, query, state } = usePlace();
  const given = new URLSearchParams(query);
  const email = given.get('email');
  const token = given.get('token');
  if (email && token) {
    const link: FlowState = { step: 'new-password', email, token };
    return <Redirect to={path} state={link} />;
  }
  const kept = readFlowState(state);
  if (!kept.email || !kept.token) return <Redirect to="/login" />;
  return <AuthFlow start="new-password" />;
}
