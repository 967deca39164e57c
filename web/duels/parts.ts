/** What duels may add to the profile, as one script. */
export { DecidedStrip } from './DecidedStrip.tsx';
export { Panels } from './Panels.tsx';
