import type { ComponentProps, ReactNode } from 'react';
import { useId } from 'react';
import styles from './Field.module.css';
import { AlertIcon } from './Icon.tsx';

/** Put its `id` into the field's `aria-describedby`. */
export function FieldError({ id, children }: { id: string; children: ReactNode }) {
  return (
    <p className={styles.error} id={id}>
      <AlertIcon />
      <span>{children}</span>
    </p>
  );
}

interface Labelled {
  label: string;
  optional?: boolean;
  error?: string | null | undefined;
}

function Label({ id, label, optional }: { id: string; label: string; optional?: boolean }) {
  return (
    <label className={styles.label} htmlFor={id}>
      {label}
      {optional && <span className={styles.optional}> (optional)</span>}
    </label>
  );
}

/** A labelled text input with its error. */
export function Field({
  label,
  optional = false,
  error,
  ...input
}: Labelled & Omit<ComponentProps<'input'>, 'className'>) {
  const ownId = useId();
  const id = input.id ?? ownId;
  return (
    <div>
      <Label id={id} label={label} optional={optional} />
      <input
        {...input}
        id={id}
        className={styles.input}
        aria-invalid={error ? true : undefined}
        aria-describedby={error ? `${id}-error` : input['aria-describedby']}
      />
      {error && <FieldError id={`${id}-error`}>{error}</FieldError>}
    </div>
  );
}

/** The field for an e-mail address, with hints for phones and password managers. */
export function EmailField(input: Omit<ComponentProps<typeof Field>, 'label'>) {
  return (
    <Field
      label="Email"
      name="email"
      type="email"
      autoComplete="username"
      inputMode="email"
      autoCapitalize="none"
      spellCheck={false}
      {...input}
    />
  );
}

export function SelectField({
  label,
  ...select
}: { label: string } & Omit<ComponentProps<'select'>, 'className'>) {
  const ownId = useId();
  const id = select.id ?? ownId;
  return (
    <div>
      <Label id={id} label={label} />
      <span className={styles.select}>
        <select {...select} id={id} className={styles.input} />
      </span>
    </div>
  );
}

export function CheckField({
  error,
  children,
  ...input
}: { error?: string | null | undefined; children: ReactNode } & Omit<
  ComponentProps<'input'>,
  'type' | 'className'
>) {
  const id = useId();
  return (
    <div>
      <label className={styles.check}>
        <input
          {...input}
          type="checkbox"
          aria-invalid={error ? true : undefined}
          aria-describedby={error ? `${id}-error` : undefined}
        />
        <span>{children}</span>
      </label>
      {error && (
        <div className={styles.checkError}>
          <FieldError id={`${id}-error`}>{error}</FieldError>
        </div>
      )}
    </div>
  );
}
