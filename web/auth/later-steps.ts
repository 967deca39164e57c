/** The steps that /login does not show first, in one chunk, except ProfileStep. */
export { BirthdateStep } from './BirthdateStep.tsx';
export { NewPasswordStep } from './NewPasswordStep.tsx';
export { ResetRequestStep } from './ResetRequestStep.tsx';
export { VerificationStep } from './VerificationStep.tsx';
