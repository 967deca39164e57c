import type { ReactNode } from 'react';
import { useLayoutEffect, useRef } from 'react';
import { CANNOT_REACH } from '../api/client.ts';
import { Link } from '../router.tsx';
import { FormError } from '../ui/FormError.tsx';
import styles from './AuthFlow.module.css';
import { useFlow } from './flow.ts';
import { entryOf, type FlowState, type Step } from './steps.ts';

/** Takes the focus when the step slides in, unless a field takes it. */
export function StepHeading({
  children,
  takesFocus = true,
}: {
  children: ReactNode;
  takesFocus?: boolean;
}) {
  const { slidIn } = useFlow();
  const heading = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => {
    if (!slidIn) return;
    window.scrollTo({ top: 0 });
    if (takesFocus) heading.current?.focus({ preventScroll: true });
  }, [slidIn, takesFocus]);
  return (
    <h1 ref={heading} tabIndex={-1} className={`display ${styles.heading}`}>
      {children}
    </h1>
  );
}

export function StepError({ message }: { message: string | null }) {
  if (message === null) return null;
  return <FormError noSignal={message === CANNOT_REACH}>{message}</FormError>;
}

export function StepLink({
  to,
  state,
  className,
  children,
}: {
  to: Step;
  state?: FlowState;
  className?: string;
  children: ReactNode;
}) {
  const { home } = useFlow();
  return (
    <Link {...entryOf(to, { ...state, returnTo: home })} className={className ?? 'textlink'}>
      {children}
    </Link>
  );
}

export function SwitchLine({ children }: { children: ReactNode }) {
  return <p className={styles.switch}>{children}</p>;
}

export function StepBody({ children }: { children: ReactNode }) {
  return <div className={styles.step}>{children}</div>;
}

/** A step's form, without the browser's validation and messages. */
export function StepForm({ onSubmit, children }: { onSubmit: () => void; children: ReactNode }) {
  return (
    <form
      className={styles.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      {children}
    </form>
  );
}
