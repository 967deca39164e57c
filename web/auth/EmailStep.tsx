import { useRef, useState } from 'react';
import { canonicalEmail, EMAIL_EXISTS, EMAIL_INVALID, isEmail } from '#contract/rules/email.ts';
import { checkEmail, resendVerification } from '../api/auth-calls.ts';
import { isBusy, isLimited } from '../api/client.ts';
import { messageFor } from '../api/message.ts';
import { Link } from '../router.tsx';
import { useAuth } from '../session/AuthProvider.tsx';
import { Button } from '../ui/Button.tsx';
import { CheckField, EmailField } from '../ui/Field.tsx';
import styles from './EmailStep.module.css';
import { useFlow, useSubmit } from './flow.ts';
import { ProviderButtons } from './ProviderButtons.tsx';
import { StepBody, StepError, StepForm, StepHeading, StepLink } from './Step.tsx';
import type { Task } from './steps.ts';

const TERMS_REQUIRED = 'Please agree to the Terms and Privacy Policy';

/** Create account: mails a code to the address (PROD-12, ACC-17). */
export function EmailStep() {
  const { api, register } = useAuth();
  const { email, setEmail, report } = useFlow();
  const submit = useSubmit();
  const [agreed, setAgreed] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const [wrong, setWrong] = useState<{ email?: string; terms?: string }>({});
  const emailField = useRef<HTMLInputElement>(null);
  const terms = useRef<HTMLInputElement>(null);
  const address = canonicalEmail(email);

  async function signUp() {
    let task: Task | null;
    let isNew = false;
    try {
      task = report({ checked: await checkEmail(api, address), email: address });
      isNew = task === 'register';
    } catch (failure) {
      if (!isBusy(failure)) return setError(messageFor('signUpCheckEmail', failure));
      // Busy or limited: register anyway, because the answer says whether the address has an
      // account (P19).
      task = 'register';
    }
    if (task === 'say-exists') return setError(EMAIL_EXISTS);
    try {
      if (task === 'register') await register(address);
      else await resendVerification(api, address);
      report({ mailed: address, sentAt: Date.now() });
    } catch (failure) {
      const sentence = messageFor(task === 'register' ? 'register' : 'signUpResend', failure);
      // An address known to have no account could get no link either (P20a).
      if (isLimited(failure) && !isNew) report({ paused: address, error: sentence });
      else setError(sentence);
    }
  }

  function send() {
    setError(null);
    const found = {
      ...(!isEmail(address) && { email: EMAIL_INVALID }),
      ...(!agreed && { terms: TERMS_REQUIRED }),
    };
    setWrong(found);
    if (found.email) emailField.current?.focus();
    else if (found.terms) terms.current?.focus();
    else void submit(signUp);
  }

  return (
    <StepBody>
      <div>
        <StepHeading>Create account</StepHeading>
        <p className={styles.switch}>
          Already have an account?{' '}
          <StepLink to="login" state={{ email }}>
            Sign in
          </StepLink>
        </p>
      </div>
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
            setWrong(({ terms: kept }) => (kept ? { terms: kept } : {}));
          }}
        />
        <CheckField
          ref={terms}
          name="terms"
          required
          checked={agreed}
          error={wrong.terms}
          onChange={(event) => {
            setAgreed(event.target.checked);
            setWrong(({ email: kept }) => (kept ? { email: kept } : {}));
          }}
        >
          I agree to the{' '}
          <Link to="/terms" target="_blank" rel="noopener">
            Terms
          </Link>{' '}
          and{' '}
          <Link to="/privacy" target="_blank" rel="noopener">
            Privacy Policy
          </Link>
          <span className="sr"> (links open in a new tab)</span>
        </CheckField>
        <Button type="submit">Continue</Button>
      </StepForm>
      <ProviderButtons />
    </StepBody>
  );
}
