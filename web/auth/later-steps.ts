/** The steps, except ProfileStep, that /login does not show first. They share one chunk. */
export { BirthdateStep } from './BirthdateStep.tsx';
export { LoginPassword } from './LoginPassword.tsx';
export { NewPasswordStep } from './NewPasswordStep.tsx';
export { ResetRequestStep } from './ResetRequestStep.tsx';
export { VerificationStep } from './VerificationStep.tsx';
