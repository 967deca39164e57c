/** The steps that /login does not need at once, as one chunk of their own. */
export { BirthdateStep } from './BirthdateStep.tsx';
export { NewPasswordStep } from './NewPasswordStep.tsx';
export { ResetRequestStep } from './ResetRequestStep.tsx';
export { VerificationStep } from './VerificationStep.tsx';
