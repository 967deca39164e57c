import { PASSWORD_MIN } from '#contract/rules/password.ts';
import styles from './PasswordHint.module.css';

export const PASSWORD_HINT = 'password-hint';

/** Below the field of a new password, which it describes until there is an error (HAND-99). */
export function PasswordHint({ hidden }: { hidden: boolean }) {
  return (
    <p id={PASSWORD_HINT} className={styles.hint} hidden={hidden}>
      At least {PASSWORD_MIN} characters
    </p>
  );
}
