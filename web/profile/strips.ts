/** What an answer may add to the profile, as one script. */
export { ContestLine, ContestStrip, CupStrip } from './ContestStrip.tsx';
export { Nudged } from './Nudged.tsx';
export { SeasonStrip } from './SeasonStrip.tsx';
export { FormerTeamStrip, NewTeamStrip } from './TeamStrips.tsx';
export { WeekStrip } from './WeekStrip.tsx';
export { WonStrip } from './WonStrip.tsx';
