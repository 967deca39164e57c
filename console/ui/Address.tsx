import { type ReactNode, useEffect, useRef } from 'react';
import { showPlayer } from '../api/calls.ts';
import { sentenceOf } from '../api/client.ts';
import { playerKey, useChange } from '../api/queries.ts';
import { Button } from './Button.tsx';
import { AlertIcon } from './Icon.tsx';

/**
 * A player's e-mail address, masked until a button is pressed, which writes a line to the audit
 * (P65). The address then takes the focus. `show` is the button's text, or false without a button;
 * `children` follow the address. Inline, so that it fits in a sentence.
 */
export function Address({
  account,
  masked,
  show,
  children,
}: {
  account: string;
  masked: string;
  show: ReactNode;
  children?: ReactNode;
}) {
  const showing = useChange(() => showPlayer(account), { stale: [playerKey(account)] });
  const whole = useRef<HTMLSpanElement>(null);
  const pressed = useRef(false);
  const email = showing.data?.email;
  useEffect(() => {
    if (email !== undefined && pressed.current) whole.current?.focus();
    pressed.current = false;
  }, [email]);
  return (
    <>
      <span className="address">
        {email === undefined && (
          <>
            <span aria-hidden="true">{masked}</span>
            <span className="sr">Address hidden</span>
          </>
        )}
        {/* The region exists before its text; otherwise screen readers would skip it. */}
        <span ref={whole} role="status" tabIndex={email === undefined ? undefined : -1}>
          {email}
        </span>
        {children}{' '}
        {email === undefined && show !== false && (
          <Button
            look="txt"
            busy={showing.isPending}
            onClick={() => {
              pressed.current = true;
              if (!showing.isPending) showing.mutate(undefined);
            }}
          >
            {show}
          </Button>
        )}
      </span>
      {showing.isError && (
        <span className="err" role="alert">
          <AlertIcon />
          <span>Not shown: {sentenceOf(showing.error)}</span>
        </span>
      )}
    </>
  );
}
