import type { ReactNode } from 'react';
import { sentenceOf } from '../api/client.ts';
import { AlertIcon, InfoIcon } from './Icon.tsx';

export function Note({ children }: { children: ReactNode }) {
  return (
    <div className="notice">
      <InfoIcon />
      <div>{children}</div>
    </div>
  );
}

/**
 * A red notice about something to put right. Has no alert role: the notice is there from the start.
 */
export function Warning({ children }: { children: ReactNode }) {
  return (
    <div className="notice notice--bad mt3">
      <AlertIcon />
      <div>{children}</div>
    </div>
  );
}

/**
 * What did not happen, why, and what is still true, with a button that tries again. `what` is a
 * participle: "Not removed".
 */
export function Failed({
  what,
  error,
  kept,
  onAgain,
}: {
  what: string;
  error: unknown;
  kept?: string;
  onAgain?: () => void;
}) {
  return (
    <div className="notice notice--bad" role="alert">
      <AlertIcon />
      <div>
        <b>
          {what}: {sentenceOf(error)}
        </b>{' '}
        {kept}
      </div>
      {onAgain && (
        <button className="btn" type="button" onClick={onAgain}>
          Try again
        </button>
      )}
    </div>
  );
}
