import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { CODE_LENGTH, RESEND_COOLDOWN_S } from '#contract/rules/email.ts';
import { requestPasswordReset, resendVerification, verifyEmail } from '../api/auth-calls.ts';
import { CannotReach, isLimited } from '../api/client.ts';
import { messageFor } from '../api/message.ts';
import { useAuth } from '../session/AuthProvider.tsx';
import { Button } from '../ui/Button.tsx';
import { Notice } from '../ui/Notice.tsx';
import { CodeInput, type CodeInputHandle } from './CodeInput.tsx';
import { useFlow, useSubmit } from './flow.ts';
import { InstructionsSent } from './ResetRequestStep.tsx';
import { StepBody, StepError, StepForm, StepHeading } from './Step.tsx';
import { type FlowState, readFlowState } from './steps.ts';
import styles from './VerificationStep.module.css';

const RESENT = 'New verification code sent successfully!';

/**
 * How many whole seconds until another code may be requested (P22). `sentAt` is when the last code
 * was sent, in milliseconds since 1970.
 */
function secondsLeft(sentAt: number): number {
  const left = Math.ceil(sentAt / 1000 + RESEND_COOLDOWN_S - Date.now() / 1000);
  return Math.min(Math.max(left, 0), RESEND_COOLDOWN_S);
}

function useCooldown(sentAt: number): number {
  const [seconds, setSeconds] = useState(0);
  useEffect(() => {
    const count = () => setSeconds(secondsLeft(sentAt));
    count();
    const timer = setInterval(count, 250);
    return () => clearInterval(timer);
  }, [sentAt]);
  return seconds;
}

/**
 * Adds `change` to this step's history entry, which a reload, Back and Forward read, and removes the
 * failure that led here. The player may have left the entry during a request.
 */
function keepInEntry(email: string, change: FlowState): void {
  const { error: _, ...entry } = readFlowState(window.history.state);
  if (entry.step === 'verification' && entry.email === email)
    window.history.replaceState({ ...entry, ...change }, '');
}

/** The verification step: submits the code once all six digits are typed (PROD-13, P20a). */
export function VerificationStep() {
  const { api, enter } = useAuth();
  const { state, report } = useFlow();
  const submit = useSubmit();
  const { email = '' } = state;
  const [code, setCode] = useState('');
  const [wrong, setWrong] = useState<string | null>(null);
  const [error, setError] = useState(state.error ?? null);
  const [isPaused, setPaused] = useState(state.error !== undefined);
  const [mayBeVerified, setMayBeVerified] = useState(state.mayBeVerified ?? false);
  const [linkSent, setLinkSent] = useState(false);
  const [note, setNote] = useState<string | null>(null);
  const [sentAt, setSentAt] = useState(state.sentAt ?? 0);
  const cooldown = useCooldown(sentAt);
  const boxes = useRef<CodeInputHandle>(null);

  useLayoutEffect(() => boxes.current?.focus(), []);

  async function verify(whole: string) {
    setError(null);
    setNote(null);
    try {
      const answer = await verifyEmail(api, { code: whole, email });
      enter(answer);
      report({ user: answer.user });
    } catch (failure) {
      const message = messageFor('verification', failure);
      // No response: the typed code may still be right, so it stays.
      if (failure instanceof CannotReach) {
        setMayBeVerified(true);
        keepInEntry(email, { mayBeVerified: true });
        return setError(message);
      }
      if (isLimited(failure)) setPaused(true);
      setCode('');
      setWrong(message);
      boxes.current?.focus();
      boxes.current?.shake();
    }
  }

  async function resend() {
    setError(null);
    setWrong(null);
    setNote(null);
    try {
      await resendVerification(api, email);
    } catch (failure) {
      if (isLimited(failure)) setPaused(true);
      return setError(messageFor('resend', failure));
    }
    setCode('');
    const now = Date.now();
    setSentAt(now);
    keepInEntry(email, { sentAt: now });
    setNote(RESENT);
    boxes.current?.focus();
  }

  async function mailLink() {
    setError(null);
    try {
      await requestPasswordReset(api, email);
      setLinkSent(true);
    } catch (failure) {
      setError(messageFor('resetRequest', failure));
    }
  }

  if (linkSent) return <InstructionsSent email={email} />;
  return (
    <StepBody>
      <div>
        <StepHeading takesFocus={false}>Verification</StepHeading>
        <p className="lead">
          Enter the {CODE_LENGTH}-digit code sent to <strong>{email}</strong>
        </p>
      </div>
      <StepError message={error} />
      <Notice>{note}</Notice>
      <StepForm
        onSubmit={() => {
          if (code.length === CODE_LENGTH) void submit(() => verify(code));
        }}
      >
        <CodeInput
          ref={boxes}
          label="Verification code"
          length={CODE_LENGTH}
          value={code}
          error={wrong}
          onChange={(typed) => {
            if (typed === code) return;
            setCode(typed);
            setWrong(null);
            setError(null);
            if (typed.length === CODE_LENGTH) void submit(() => verify(typed));
          }}
        />
        <Button type="submit" aria-disabled={code.length < CODE_LENGTH}>
          Verify
        </Button>
        <p className={styles.resend}>
          <button
            type="button"
            className="textlink"
            aria-disabled={cooldown > 0}
            onClick={() => {
              if (cooldown === 0) void submit(resend);
            }}
          >
            Resend code
            {cooldown > 0 && <span className={styles.seconds}>&nbsp;in {cooldown} s</span>}
          </button>
        </p>
        {(isPaused || (mayBeVerified && wrong !== null)) && (
          <Button look="quiet" onClick={() => void submit(mailLink)}>
            Mail me a link instead
          </Button>
        )}
      </StepForm>
    </StepBody>
  );
}
