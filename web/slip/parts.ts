/** What makes and draws a slip: a script of its own, which SlipProvider loads. */
export { CodeSlip, Lead, Paper } from './Paper.tsx';
export { bestOfSlip, makeSlip } from './slip.ts';
export { announcement } from './words.ts';
