import { useLayoutEffect, useRef, useState } from 'react';
import { requestPasswordReset } from '../api/auth-calls.ts';
import { messageFor } from '../api/message.ts';
import { useAuth } from '../session/AuthProvider.tsx';
import { Button, buttonClass } from '../ui/Button.tsx';
import { useFlow, useSubmit } from './flow.ts';
import styles from './ResetRequestStep.module.css';
import { StepBody, StepError, StepForm, StepHeading, StepLink } from './Step.tsx';

function Envelope() {
  return (
    <svg
      viewBox="0 0 20 20"
      aria-hidden="true"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.8"
      strokeLinejoin="round"
    >
      <rect x="2" y="4" width="16" height="12" rx="2.5" />
      <path d="m3 6 7 5 7-5" />
    </svg>
  );
}

function SentEnvelope() {
  return (
    <svg className={styles.sent} viewBox="0 0 64 64" aria-hidden="true">
      <rect x="2" y="12" width="50" height="38" rx="8" fill="var(--navy)" />
      <path
        d="m10 22 17 13 17-13"
        fill="none"
        stroke="var(--on-navy)"
        strokeWidth="5"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
      <circle cx="50" cy="46" r="15" fill="var(--surface)" />
      <circle cx="50" cy="46" r="12" fill="var(--red)" />
      <path
        d="m44.5 46.3 3.7 3.7 7-7.3"
        fill="none"
        stroke="var(--on-red)"
        strokeWidth="3.2"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  );
}

function BackToLogin() {
  return (
    <StepLink to="login" className={buttonClass('quiet')}>
      Back to login
    </StepLink>
  );
}

/** Requests the reset mail, and does not reveal whether the account exists (PROD-17). */
export function ResetRequestStep() {
  const { api } = useAuth();
  const { email = '' } = useFlow().state;
  const submit = useSubmit();
  const [sent, setSent] = useState(false);
  const [error, setError] = useState<string | null>(null);

  async function request() {
    setError(null);
    try {
      await requestPasswordReset(api, email);
      setSent(true);
    } catch (failure) {
      setError(messageFor('resetRequest', failure));
    }
  }

  if (sent) return <InstructionsSent email={email} />;
  return (
    <StepBody>
      <StepHeading>Reset password</StepHeading>
      <StepError message={error} />
      <StepForm onSubmit={() => void submit(request)}>
        <p className={styles.address}>
          <Envelope />
          <span>{email}</span>
        </p>
        <Button type="submit">Reset password</Button>
        <BackToLogin />
      </StepForm>
    </StepBody>
  );
}

export function InstructionsSent({ email }: { email: string }) {
  const heading = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => heading.current?.querySelector('h1')?.focus(), []);
  return (
    <StepBody>
      <div role="status" ref={heading}>
        <SentEnvelope />
        <StepHeading>Instructions sent!</StepHeading>
        <p className="lead">
          If an account exists for <strong>{email}</strong>, an email with instructions will arrive
          within 5 minutes.
        </p>
      </div>
      <BackToLogin />
    </StepBody>
  );
}
