import { type ComponentProps, useState } from 'react';
import { cleanUsername, leftOut, USERNAME_INPUT_MAX } from '#contract/rules/username.ts';
import { useComposed } from '../ui/composed.ts';
import { Field } from '../ui/Field.tsx';

/** The field for a username. Says at once what it leaves out of a typed text (ACC-70). */
export function UsernameField({
  value,
  error,
  onText,
  ...input
}: { value: string; onText: (username: string) => void } & Omit<
  ComponentProps<typeof Field>,
  'value' | 'label'
>) {
  const [missing, setMissing] = useState<string | null>(null);
  const typing = useComposed(value, (text) => {
    setMissing(leftOut(text));
    // Cleaning can turn one letter into two.
    onText(cleanUsername(text).slice(0, Math.max(text.length, USERNAME_INPUT_MAX)));
  });
  return (
    <Field
      label="Username"
      maxLength={USERNAME_INPUT_MAX}
      autoComplete="nickname"
      autoCapitalize="none"
      spellCheck={false}
      {...input}
      {...typing}
      error={error ?? missing}
    />
  );
}
