import { useRef, useState } from 'react';
import { PASSWORD_HINT, PASSWORDS_DIFFER, passwordProblem } from '#contract/rules/password.ts';
import { resetPassword } from '../api/auth-calls.ts';
import { fieldMessage, messageFor } from '../api/message.ts';
import { useAuth } from '../session/AuthProvider.tsx';
import { Button, buttonClass } from '../ui/Button.tsx';
import { Field } from '../ui/Field.tsx';
import { PasswordField } from '../ui/PasswordField.tsx';
import { useFlow, useSubmit } from './flow.ts';
import { dropLink, keptLink } from './reset-link.ts';
import { StepBody, StepError, StepForm, StepHeading, StepLink } from './Step.tsx';

/** New password, for the link in the reset mail (PROD-18). */
export function NewPasswordStep() {
  const { api, enter } = useAuth();
  const { report } = useFlow();
  const [{ email, token }] = useState(() => keptLink() ?? { email: '', token: '' });
  const submit = useSubmit();
  const [password, setPassword] = useState('');
  const [confirmed, setConfirmed] = useState('');
  const [error, setError] = useState<string | null>(null);
  const [wrong, setWrong] = useState<{ password?: string; confirmed?: string }>({});
  const passwordField = useRef<HTMLInputElement>(null);
  const confirmField = useRef<HTMLInputElement>(null);

  async function change() {
    try {
      const { tokens, user } = await resetPassword(api, { email, token, password });
      const player = { ...user, has_set_password: true };
      enter({ tokens, user: player });
      report({ user: player });
      dropLink();
    } catch (failure) {
      const refused = fieldMessage('password', failure);
      if (refused === null) return setError(messageFor('reset', failure));
      setWrong({ password: refused });
      passwordField.current?.focus();
    }
  }

  function send() {
    setError(null);
    const problem = passwordProblem(password);
    if (password !== confirmed) {
      setWrong({ confirmed: PASSWORDS_DIFFER });
      confirmField.current?.focus();
    } else if (problem !== null) {
      setWrong({ password: problem });
      passwordField.current?.focus();
    } else void submit(change);
  }

  function edited() {
    setError(null);
    setWrong({});
  }

  return (
    <StepBody>
      <StepHeading>New password</StepHeading>
      <StepError message={error} />
      <StepForm onSubmit={send}>
        <Field
          label="Email"
          name="email"
          type="email"
          autoComplete="username"
          disabled
          value={email}
        />
        <PasswordField
          ref={passwordField}
          label="New password"
          autoComplete="new-password"
          hint={PASSWORD_HINT}
          required
          value={password}
          error={wrong.password}
          onChange={(event) => {
            setPassword(event.target.value);
            edited();
          }}
        />
        <PasswordField
          ref={confirmField}
          label="Confirm password"
          name="confirm"
          autoComplete="new-password"
          required
          value={confirmed}
          error={wrong.confirmed}
          onChange={(event) => {
            setConfirmed(event.target.value);
            edited();
          }}
        />
        <Button type="submit">Change password</Button>
      </StepForm>
      {/* After an expired or used link, this is the only way to go on. */}
      {error !== null && (
        <StepLink to="login" className={buttonClass('quiet')}>
          Back to login
        </StepLink>
      )}
    </StepBody>
  );
}
