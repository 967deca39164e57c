import type { Ref } from 'react';
import { Field } from '../ui/Field.tsx';

type PasswordFieldProps = {
  email: string;
  value: string;
  error: string | undefined;
  onChange: (value: string) => void;
  ref?: Ref<HTMLInputElement>;
};

/** Asks for the account's password, as proof of its owner. */
export function PasswordField({ email, onChange, ...field }: PasswordFieldProps) {
  return (
    <>
      {/* Password managers read the account name from this field. */}
      <input hidden type="email" autoComplete="username" value={email} readOnly />
      <Field
        {...field}
        label="Password"
        type="password"
        autoComplete="current-password"
        required
        onChange={(event) => onChange(event.target.value)}
      />
    </>
  );
}
