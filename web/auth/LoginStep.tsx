import { lazy, Suspense, useEffectEvent, useLayoutEffect, useRef, useState } from 'react';
import { canonicalEmail, EMAIL_INVALID, isEmail } from '#contract/rules/email.ts';
import { PASSWORD_REQUIRED } from '#contract/rules/password.ts';
import { checkEmail, resendVerification } from '../api/auth-calls.ts';
import { isBusy, isLimited } from '../api/client.ts';
import { messageFor } from '../api/message.ts';
import { useAuth } from '../session/AuthProvider.tsx';
import { Button } from '../ui/Button.tsx';
import { EmailField } from '../ui/Field.tsx';
import { useFlow, useSubmit } from './flow.ts';
import { later } from './later.ts';
import { ProviderButtons } from './ProviderButtons.tsx';
import { StepBody, StepError, StepForm, StepHeading, StepLink, SwitchLine } from './Step.tsx';
import type { Task } from './steps.ts';

const LoginPassword = lazy(() => later().then((m) => ({ default: m.LoginPassword })));

/** Login: asks for the e-mail, then for the password if there is one (PROD-11, ACC-16). */
export function LoginStep() {
  const { api, login } = useAuth();
  const { email, setEmail, state, report } = useFlow();
  const submit = useSubmit();
  const [known, setKnown] = useState<string | null>(null);
  const [password, setPassword] = useState('');
  const [error, setError] = useState(state.error ?? null);
  const [wrong, setWrong] = useState<{ email?: string; password?: string }>({});
  const emailField = useRef<HTMLInputElement>(null);
  const passwordField = useRef<HTMLInputElement>(null);
  const address = canonicalEmail(email);
  const asksPassword = known === address;

  // Take over what was typed into the prerendered field before React hydrated it (main.tsx).
  const takeOver = useEffectEvent(() => {
    const field = emailField.current;
    if (field === null) return;
    if (field.value !== email) setEmail(field.value);
    if (field === document.activeElement) void later().catch(() => {});
  });
  useLayoutEffect(() => takeOver(), []);

  async function check() {
    let task: Task | null;
    try {
      task = report({ checked: await checkEmail(api, address), email: address });
    } catch (failure) {
      // Busy or limited: ask for the password anyway, because nobody may be locked out (P19).
      if (isBusy(failure)) return setKnown(address);
      return setError(messageFor('loginCheckEmail', failure));
    }
    if (task === 'ask-password') return setKnown(address);
    if (task !== 'resend') return;
    try {
      await resendVerification(api, address);
      report({ mailed: address, sentAt: Date.now() });
    } catch (failure) {
      const sentence = messageFor('loginResend', failure);
      if (isLimited(failure)) report({ paused: address, error: sentence });
      else setError(sentence);
    }
  }

  async function signIn() {
    try {
      report({ user: await login(address, password) });
    } catch (failure) {
      setError(messageFor('login', failure));
    }
  }

  function send() {
    setError(null);
    if (!isEmail(address)) {
      setWrong({ email: EMAIL_INVALID });
      emailField.current?.focus();
    } else if (asksPassword && password === '') {
      setWrong({ password: PASSWORD_REQUIRED });
      passwordField.current?.focus();
    } else void submit(asksPassword ? signIn : check);
  }

  return (
    <StepBody>
      <StepHeading>Login</StepHeading>
      <StepError message={error} />
      <StepForm onSubmit={send}>
        <EmailField
          ref={emailField}
          required
          value={email}
          error={wrong.email}
          onChange={(event) => {
            setEmail(event.target.value);
            setError(null);
            setWrong({});
          }}
        />
        {asksPassword && (
          <Suspense>
            <LoginPassword
              field={passwordField}
              email={address}
              value={password}
              error={wrong.password}
              onText={(typed) => {
                setPassword(typed);
                setError(null);
                setWrong({});
              }}
            />
          </Suspense>
        )}
        <Button type="submit">{asksPassword ? 'Sign in' : 'Continue'}</Button>
      </StepForm>
      {!asksPassword && <ProviderButtons />}
      <SwitchLine>
        Not a member?{' '}
        <StepLink to="email" state={{ email }}>
          Sign up
        </StepLink>
      </SwitchLine>
    </StepBody>
  );
}
