import type { Ref } from 'react';
import { PasswordField } from '../ui/PasswordField.tsx';

type CurrentPasswordProps = {
  email: string;
  value: string;
  error: string | undefined;
  onChange: (value: string) => void;
  ref?: Ref<HTMLInputElement>;
};

/** Asks for the account's password, as proof of its owner. */
export function CurrentPassword({ email, onChange, ...field }: CurrentPasswordProps) {
  return (
    <>
      {/* Password managers read the account name from this field. */}
      <input hidden type="email" autoComplete="username" value={email} readOnly />
      <PasswordField
        {...field}
        label="Password"
        autoComplete="current-password"
        required
        onChange={(event) => onChange(event.target.value)}
      />
    </>
  );
}
