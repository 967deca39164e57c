import type { ReactNode } from 'react';
import { sentenceOf } from '../api/client.ts';
import { Button } from './Button.tsx';
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
 * A red notice about something to put right. It has no alert role, because the page opens with it.
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
 * Says what did not happen (`what`: "Not removed"), why (`error`), and what is still true (`kept`).
 * `onAgain` adds a button that tries again, `onHide` one that hides the notice.
 */
export function Failed({
  what,
  error,
  kept,
  onAgain,
  onHide,
}: {
  what: string;
  error: unknown;
  kept?: string | undefined;
  onAgain?: () => void;
  onHide?: () => void;
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
      {onAgain && <Button onClick={onAgain}>Try again</Button>}
      {onHide && <Button onClick={onHide}>Hide</Button>}
    </div>
  );
}
