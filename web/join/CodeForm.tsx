import { useLayoutEffect, useRef, useState } from 'react';
import { joinAddress } from '#contract/rules/addresses.ts';
import { CODE_LENGTH, isCode, pastedCode } from '#contract/rules/short-code.ts';
import { Link, navigate } from '../router.tsx';
import { Button } from '../ui/Button.tsx';
import { useComposed } from '../ui/composed.ts';
import { Field } from '../ui/Field.tsx';
import styles from './Join.module.css';

const NO_SUCH_CODE = 'No team has this code. It may be mistyped, or a newer one was made.';

/**
 * Asks for a team's code (PROD-96). `tried` is the code in the address, or empty. Either no team
 * has it, or `error` says why it could not be checked.
 */
export function CodeForm({
  tried,
  error,
  signedIn,
  again,
}: {
  tried: string;
  error: string | null;
  signedIn: boolean;
  again: () => void;
}) {
  const field = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState(() => pastedCode(tried).slice(0, CODE_LENGTH));
  /** Whether the input has changed since `tried` was looked up. */
  const [edited, setEdited] = useState(tried === '');
  const [malformed, setMalformed] = useState(false);
  const typing = useComposed(typed, (text) => {
    setTyped(pastedCode(text).slice(0, CODE_LENGTH));
    setEdited(true);
    setMalformed(false);
  });
  const problem = malformed ? NO_SUCH_CODE : edited ? null : (error ?? NO_SUCH_CODE);
  useLayoutEffect(() => {
    if (tried !== '') field.current?.focus();
  }, [tried]);

  function send() {
    field.current?.focus();
    setMalformed(!isCode(typed));
    if (!isCode(typed)) return;
    if (typed !== tried) return navigate(joinAddress(typed));
    setEdited(false);
    again();
  }

  return (
    <>
      <h1 className={`display ${styles.ask}`} tabIndex={-1}>
        Join a team
      </h1>
      <form
        className={styles.form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          send();
        }}
      >
        <div className={styles.code}>
          <Field
            ref={field}
            label="Team code"
            name="code"
            autoCapitalize="characters"
            autoComplete="off"
            spellCheck={false}
            {...typing}
            error={problem}
          />
        </div>
        <Button type="submit">Look for the team</Button>
      </form>
      <p className={styles.switch}>
        <Link to={signedIn ? '/profile' : '/login'} className="textlink">
          {signedIn ? 'To my profile' : 'Sign in'}
        </Link>
      </p>
    </>
  );
}
