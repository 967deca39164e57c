/** Makes and draws slips. SlipProvider loads it as a separate script. */
export { CodeSlip, Lead, Paper } from './Paper.tsx';
export { whenQuiet } from './quiet.ts';
export { bestOfSlip, isWeekStale, makeSlip } from './slip.ts';
export { announcement } from './words.ts';
