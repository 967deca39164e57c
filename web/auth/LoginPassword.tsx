import { type RefObject, useLayoutEffect } from 'react';
import { PasswordField } from '../ui/PasswordField.tsx';
import styles from './LoginPassword.module.css';
import { StepLink } from './Step.tsx';

type LoginPasswordProps = {
  field: RefObject<HTMLInputElement | null>;
  email: string;
  value: string;
  error: string | undefined;
  onText: (typed: string) => void;
};

/** The second half of the login: the password, which takes the focus, and the link to reset it. */
export function LoginPassword({ field, email, value, error, onText }: LoginPasswordProps) {
  useLayoutEffect(() => field.current?.focus(), [field]);
  return (
    <>
      <div className={styles.password}>
        <PasswordField
          ref={field}
          label="Password"
          autoComplete="current-password"
          required
          value={value}
          error={error}
          onChange={(event) => onText(event.target.value)}
        />
      </div>
      <p className={styles.forgot}>
        <StepLink to="reset-password" state={{ email }}>
          Forgot your password?
        </StepLink>
      </p>
    </>
  );
}
