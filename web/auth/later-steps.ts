/** What /login does not show first, in one chunk, except ProfileStep. */
export { BirthdateStep } from './BirthdateStep.tsx';
export { LoginPassword } from './LoginPassword.tsx';
export { NewPasswordStep } from './NewPasswordStep.tsx';
export { ResetRequestStep } from './ResetRequestStep.tsx';
export { VerificationStep } from './VerificationStep.tsx';
