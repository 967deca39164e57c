import { type ComponentProps, useId, useState } from 'react';
import { Field } from './Field.tsx';
import styles from './PasswordField.module.css';

type PasswordFieldProps = Omit<ComponentProps<typeof Field>, 'type'> & {
  autoComplete: 'current-password' | 'new-password';
  /** Stands below the field until there is an error. */
  hint?: string;
};

/** A field for a password, with an eye that shows what is typed (HAND-99). */
export function PasswordField({ hint, ...field }: PasswordFieldProps) {
  const id = useId();
  const [shown, setShown] = useState(false);
  const hinted = hint !== undefined && !field.error;
  return (
    <div className={styles.password}>
      <Field
        name="password"
        autoCapitalize="none"
        spellCheck={false}
        {...field}
        type={shown ? 'text' : 'password'}
        aria-describedby={hinted ? id : undefined}
      />
      <button
        type="button"
        className={styles.eye}
        aria-label="Show what you typed"
        aria-pressed={shown}
        onClick={() => setShown(!shown)}
      >
        <svg viewBox="0 0 24 24" aria-hidden="true">
          <path d="M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12Z" />
          <circle cx="12" cy="12" r="3" />
          {shown && <path d="M4 20 20 4" />}
        </svg>
      </button>
      {hinted && (
        <p id={id} className={styles.hint}>
          {hint}
        </p>
      )}
    </div>
  );
}
