import { CannotReach } from '../api/client.ts';
import { type Action, messageFor } from '../api/message.ts';
import { FormError } from '../ui/FormError.tsx';

/** Says why an action failed (PROD-60). `error` may be any thrown value. */
export function Failure({ error, action = 'anything' }: { error: unknown; action?: Action }) {
  return <FormError noSignal={error instanceof CannotReach}>{messageFor(action, error)}</FormError>;
}
